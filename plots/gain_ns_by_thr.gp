load 'style.gp'
eval(thr_axis)
set ylabel 'guest time saved (ns per packet)'
set xzeroaxis linetype 100
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(column('saved_ns') - column('half_width_ns')):(column('saved_ns') + column('half_width_ns')) \
         with filledcurves linetype i fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':'saved_ns' \
         with linespoints linetype i title short(series[i])
