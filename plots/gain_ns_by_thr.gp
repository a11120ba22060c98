load 'style.gp'
eval(thr_axis)
set ylabel 'guest time saved (ns per packet)'
stats data using (column('saved_ns') + column('half_width_ns')) name 'high' nooutput
stats data using (column('saved_ns') - column('half_width_ns')) name 'low' nooutput
least = low_min < 0 ? low_min : 0
most = high_max > 0 ? high_max : 0
eval(thr_floor)
set xzeroaxis linetype 100
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(column('saved_ns') - column('half_width_ns')):(column('saved_ns') + column('half_width_ns')) \
         with filledcurves linetype i fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':'saved_ns' \
         with linespoints linetype i title short(series[i])
