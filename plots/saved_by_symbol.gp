load 'style.gp'
parts = int(sum [i = 1:blocks] (panel[i] eq 'part'))
stats data index parts using 'y' name 'bar' nooutput
stats data using 'to_ns' name 'end' nooutput
width = 860
height = 128 + 18 * (0.6 - bar_min)
load 'style.gp'
set key outside top center horizontal Left reverse maxrows 3 samplen 1.2
set xlabel 'saved against threshold 0 (ns per packet)'
span = end_max > 0 ? end_max : 1
set xrange [(end_min < 0 ? 1.1 * end_min : 0):1.3 * span]
set yrange [bar_min - 0.8:-0.2]
unset grid
set grid xtics linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
set border 1
set arrow 1 from 0, graph 0 to 0, graph 1 nohead linetype 100 front
plot for [i = 1:parts] data index i - 1 \
         using 'from_ns':'y':'from_ns':'to_ns':(column('y') - 0.4):(column('y') + 0.4) \
         with boxxyerror linetype 100 linecolor rgb symbol_hue(series[i]) fillstyle solid 1.0 noborder title series[i], \
     data index parts using 'to_ns':'y':(column('half_ns') < 0 ? sprintf('%.1f ns', column('from_ns')) : \
             sprintf('%.1f ± %.1f ns', column('from_ns'), column('half_ns'))) \
         with labels left offset 1.2, 0 font ',11' notitle, \
     data index parts using (0):'y':ytic(stringcolumn('name')) with points pointtype 0 notitle
