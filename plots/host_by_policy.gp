load 'style.gp'
eval(two_pictures)
set xlabel 'packet size (bytes)'
do for [p = 1:2] {
    eval(picture)
    set ylabel panel[first]
    set offsets graph 0.03, graph 0.03, graph 0.05, graph 0.05
    plot for [i = first:last] data index i - 1 using 'size':(column('value') - column('half')):(column('value') + column('half')) \
             with filledcurves linetype i - first + 1 fillstyle transparent solid 0.25 noborder notitle, \
         for [i = first:last] data index i - 1 using 'size':'value' with linespoints linetype i - first + 1 title short(series[i])
}
unset multiplot
