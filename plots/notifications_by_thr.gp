load 'style.gp'
left = int(sum [i = 1:blocks] (panel[i] eq panel[1]))
hue(i) = int(sum [k = 1:left] (series[k] eq series[i] ? k : 0))
thr_apart = blocks > left ? 2 : 1
eval(thr_axis)
columns = blocks > left ? 2 : 1
set ylabel 'per packet'
# Two pictures side by side, the legend beside them.
right = 1 - legend_pixels / width - 0.01
half = (right - 0.085 - 0.07) / 2
set key at screen right + 0.01, screen 0.90 left
if (columns == 2) { set xlabel 'virtio_desc_cache_thr' }
set multiplot
do for [p = 1:columns] {
    first = p == 1 ? 1 : left + 1
    last = p == 1 ? left : blocks
    set lmargin at screen (p == 1 ? 0.085 : right - half)
    set rmargin at screen (columns == 2 && p == 1 ? 0.085 + half : right)
    if (p == 2) { unset ylabel; unset key }
    set title panel[first]
    # Not less than 0.01 high: a rate of one in thousands is no effect.
    set autoscale y
    most = 0.01
    do for [i = first:last] {
        stats data index i - 1 using (column('per_packet') + column('half_width')) name 'one' nooutput
        most = one_max > most ? 1.05 * one_max : most
    }
    set yrange [0:most]
    plot for [i = first:last] data index i - 1 \
             using 'thr':(column('per_packet') - column('half_width')):(column('per_packet') + column('half_width')) \
             with filledcurves linetype hue(i) fillstyle transparent solid 0.25 noborder notitle, \
         for [i = first:last] data index i - 1 using 'thr':'per_packet' \
             with linespoints linetype hue(i) title short(series[i])
}
unset multiplot
