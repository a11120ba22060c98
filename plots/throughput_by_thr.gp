load 'style.gp'
eval(thr_axis)
set ylabel 'packets per second, change (%)'
set xzeroaxis linetype 100
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(column('change_percent') - column('half_width_percent')):(column('change_percent') + column('half_width_percent')) \
         with filledcurves linetype i fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':'change_percent' \
         with linespoints linetype i title short(series[i])
