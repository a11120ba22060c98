load 'style.gp'
eval(thr_axis)
kib(name) = column(name) / 1024
set ylabel 'indirect tables of a queue, peak (KiB)'
positive(name) = kib(name) > 0 ? kib(name) : NaN
stats data using (positive('allocated_bytes')) name 'kib' nooutput
stats data using (positive('asked_bytes')) name 'asked' nooutput
# A path keeps the colour it has in the other plots, though some are not drawn here.
array hue[blocks]
do for [i = 1:blocks] {
    stats data index i - 1 using 'nth' name 'path' nooutput
    hue[i] = int(path_min)
}
wide = kib_max > 30 * kib_min
if (wide) {
    set logscale y
    set yrange [0.7 * (asked_min < kib_min ? asked_min : kib_min):1.4 * kib_max]
    set offsets 0.4, 0.4, 0, 0
} else {
    set yrange [0:*]
    positive(name) = kib(name)
}
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(positive('allocated_bytes') - kib('half_width_bytes')):(kib('allocated_bytes') + kib('half_width_bytes')) \
         with filledcurves linetype hue[i] fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':(positive('asked_bytes')) \
         with lines linetype hue[i] linewidth 1 dashtype 3 notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':(positive('allocated_bytes')) \
         with linespoints linetype hue[i] dashtype solid title short(series[i]), \
     keyentry with lines linetype 100 dashtype solid title 'allocated', \
     keyentry with lines linetype 100 dashtype 3 title 'asked for'
