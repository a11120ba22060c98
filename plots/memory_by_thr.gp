# Two legends, one above the other.
height = 420 + (blocks > 7 ? 24 * (blocks - 7) : 0)
load 'style.gp'
thr_apart = int(sum [i = 1:blocks] (panel[i] eq panel[1])) < blocks ? 2 : 1
eval(thr_axis)
set xrange [thr_axis_min - 0.4:thr_axis_max + 0.4]
peaks = int(sum [i = 1:blocks] (panel[i] eq panel[1]))
columns = blocks > peaks ? 2 : 1
kib(name) = column(name) / 1024
positive(name) = kib(name) > 0 ? kib(name) : NaN
stats data using (positive('allocated_bytes')) name 'kib' nooutput
stats data using (positive('asked_bytes')) name 'asked' nooutput
# A path keeps the colour it has in the other plots, though some are not drawn here.
array hue[blocks]
do for [i = 1:blocks] {
    stats data index i - 1 using 'nth' name 'path' nooutput
    hue[i] = int(path_min)
}
low = asked_min < kib_min ? asked_min : kib_min
if (kib_max > 30 * kib_min) {
    set logscale y
    set yrange [0.7 * low:1.4 * kib_max]
    set offsets 0.4, 0.4, 0, 0
} else {
    set yrange [0:1.04 * kib_max]
    positive(name) = kib(name)
}
# Two pictures side by side on one scale, the legend beside them.
right = 1 - (legend_pixels > 110 ? legend_pixels : 110) / width - 0.01
half = (right - 0.1 - 0.03) / 2
set key at screen right + 0.01, screen 0.90 left
if (columns == 2) { set xlabel 'virtio_desc_cache_thr' }
set ylabel 'indirect tables of a queue (KiB)'
set multiplot
set lmargin at screen 0.1
set rmargin at screen (columns == 2 ? 0.1 + half : right)
set title 'peak of the run'
plot for [i = 1:peaks] data index i - 1 \
         using 'thr':(positive('allocated_bytes') - kib('half_width_bytes')):(kib('allocated_bytes') + kib('half_width_bytes')) \
         with filledcurves linetype hue[i] fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:peaks] data index i - 1 using 'thr':(positive('asked_bytes')) \
         with lines linetype hue[i] linewidth 1 dashtype 3 notitle, \
     for [i = 1:peaks] data index i - 1 using 'thr':(positive('allocated_bytes')) \
         with linespoints linetype hue[i] dashtype solid title short(series[i]), \
     keyentry with lines linetype 100 dashtype solid title 'allocated', \
     keyentry with lines linetype 100 dashtype 3 title 'asked for'
if (columns == 2) {
    set lmargin at screen right - half
    set rmargin at screen right
    set format y ''
    unset ylabel
    set title 'bound: every slot has an item'
    set key at screen right + 0.01, screen 0.11 + 24.0 * (blocks - peaks) / height left
    # Steps by hand, because "with steps" goes on over thresholds that are left out (rows below 0).
    step(name) = column(name) < 0 ? NaN : positive(name)
    to_x = NaN
    to_y = NaN
    advance(x) = (from_x = to_x, from_y = to_y, to_x = column("thr"), to_y = step("allocated_bytes"), x)
    grey(i) = i == peaks + 1 ? 100 : hue[i]
    plot for [i = peaks + 1:blocks] data index i - 1 \
             using (advance(0), from_x):(from_y):(to_x - from_x):(0) \
             with vectors nohead linetype grey(i) linewidth 1.8 dashtype solid notitle, \
         for [i = peaks + 1:blocks] data index i - 1 \
             using (advance(0), to_x):(from_y):(0):(to_y - from_y) \
             with vectors nohead linetype grey(i) linewidth 1.8 dashtype solid notitle, \
         for [i = peaks + 1:blocks] data index i - 1 using 'thr':(step('allocated_bytes')) \
             with points linetype grey(i) pointtype 7 pointsize 0.45 notitle, \
         for [i = peaks + 1:blocks] NaN with lines linetype grey(i) linewidth 1.8 dashtype solid \
             title short(series[i])
}
unset multiplot
