parts = int(sum [i = 1:blocks] (panel[i] eq 'part'))
bars = 0
load 'style.gp'
stats data index parts using 'y' name 'bar' nooutput
stats data index parts using 'to_ns' name 'end' nooutput
width = 860
height = 128 + 18 * (0.6 - bar_min)
load 'style.gp'
# The legend is centred in the whole picture, however long the names of the bars are.
set key at screen 0.5, screen 1 - 8.0 / height center top horizontal Left reverse maxrows 3 samplen 1.2
set tmargin at screen 1 - 88.0 / height
set xlabel 'driver part of a packet (ns)'
# The text behind the longest bar takes 170 of the pixels that the names leave.
set xrange [0:end_max * (1 + 170.0 / 300)]
set yrange [bar_min - 0.8:-0.2]
unset grid
set grid xtics linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
set border 1
plot for [i = 1:parts] data index i - 1 \
         using 'from_ns':'y':'from_ns':'to_ns':(column('y') - 0.4):(column('y') + 0.4) \
         with boxxyerror linetype 100 linecolor rgb symbol_hue(series[i]) fillstyle solid 1.0 noborder title short(series[i]), \
     data index parts using 'to_ns':'y':'half_ns' with xerrorbars linetype 100 pointtype 0 linecolor rgb '#303030' notitle, \
     data index parts using 'to_ns':'y':(sprintf('%.1f + stack %.0f ns', column('to_ns'), column('from_ns'))) \
         with labels left offset 1.2, 0 font ',11' notitle, \
     data index parts using (0):'y':ytic(stringcolumn('name')) with points pointtype 0 notitle
