# Packets by the entries of their request, which decide what a threshold of the cache serves.
load 'style.gp'
set title capture
stats 'entries.dat' using 'entries' name 'e' nooutput
stats 'entries.dat' using 'percent' name 'p' nooutput
last = e_max < 18 ? 18 : e_max
set xlabel 'entries of the request'
set ylabel 'share of the packets (%)'
set xrange [0.4:last + 0.6]
set yrange [0:1.15 * p_max]
set xtics 1, last > 24 ? 2 : 1
set boxwidth 0.7
unset key
unset grid
set grid ytics linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
# Numbers over the bars where there is room for them.
over(share) = last > 24 ? '' : share < 0.05 ? '<0.1' : sprintf('%.1f', share)
plot 'entries.dat' using 'entries':'percent' with boxes linetype 1, \
     'entries.dat' using 'entries':'percent':(over(column('percent'))) \
         with labels offset 0, 0.7 font ',11'
