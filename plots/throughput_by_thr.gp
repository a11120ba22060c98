load 'style.gp'
all = int(sum [i = 1:blocks] (panel[i] eq panel[1]))
# A path keeps its colour on the right.
hue(i) = int(sum [k = 1:all] (series[k] eq series[i] ? k : 0))
thr_apart = blocks > all ? 2 : 1
eval(thr_axis)
set xzeroaxis linetype 100
set ylabel 'packets per second, change (%)'
columns = blocks > all ? 2 : 1
# Two pictures side by side, the legend beside them.
right = 1 - legend_pixels / width - 0.01
half = (right - 0.085 - 0.07) / 2
set key at screen right + 0.01, screen 0.90 left
if (columns == 2) { set xlabel 'virtio_desc_cache_thr' }
set multiplot
do for [p = 1:columns] {
    first = p == 1 ? 1 : all + 1
    last = p == 1 ? all : blocks
    set lmargin at screen (p == 1 ? 0.085 : right - half)
    set rmargin at screen (columns == 2 && p == 1 ? 0.085 + half : right)
    if (p == 2) { unset ylabel; unset key }
    if (columns == 2) { set title (p == 1 ? 'all paths' : 'the small ones, own scale') }
    least = 0
    most = 0
    do for [i = first:last] {
        stats data index i - 1 using (column('change_percent') + column('half_width_percent')) name 'high' nooutput
        stats data index i - 1 using (column('change_percent') - column('half_width_percent')) name 'low' nooutput
        least = low_min < least ? low_min : least
        most = high_max > most ? high_max : most
    }
    eval(thr_floor)
    plot for [i = first:last] data index i - 1 \
             using 'thr':(column('change_percent') - column('half_width_percent')):(column('change_percent') + column('half_width_percent')) \
             with filledcurves linetype hue(i) fillstyle transparent solid 0.25 noborder notitle, \
         for [i = first:last] data index i - 1 using 'thr':'change_percent' \
             with linespoints linetype hue(i) title short(series[i])
}
unset multiplot
