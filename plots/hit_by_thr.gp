load 'style.gp'
eval(thr_axis)
set ylabel 'tables from the cache (%)'
set yrange [-2:102]
set offsets 0.4, 0.4, 0, 0
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(column('hit_percent') - column('half_width_percent')):(column('hit_percent') + column('half_width_percent')) \
         with filledcurves linetype i fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':'hit_percent' \
         with linespoints linetype i title series[i]
