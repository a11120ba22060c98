load 'style.gp'
eval(thr_axis)
set ylabel 'tables from the cache (%)'
set yrange [-2:102]
set offsets 0.4, 0.4, 0, 0
# A path keeps the colour it has in the other plots, though some are not drawn here.
array hue[blocks]
do for [i = 1:blocks] {
    stats data index i - 1 using 'nth' name 'path' nooutput
    hue[i] = int(path_min)
}
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(column('hit_percent') - column('half_width_percent')):(column('hit_percent') + column('half_width_percent')) \
         with filledcurves linetype hue[i] fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':'hit_percent' \
         with linespoints linetype hue[i] title short(series[i])
