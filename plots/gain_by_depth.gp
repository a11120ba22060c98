load 'style.gp'
set xlabel 'packets in flight, most (without a cache)'
set ylabel 'saved (% of the packet)'
set xzeroaxis linetype 100
set yrange [0:*]
do for [edge in '64 128'] {
    set arrow from first edge + 0, graph 0 to first edge + 0, graph 1 nohead linetype 100 dashtype 3
    set label edge at first edge + 0, graph 0.03 offset 0.4, 0 font ',11' textcolor rgb '#606060'
}
plot for [i = 1:blocks] data index i - 1 using 'depth':'saved_percent':'half_width_percent' \
         with yerrorbars linetype 100 pointtype 0 notitle, \
     for [i = 1:blocks] data index i - 1 using 'depth':'saved_percent' with linespoints linetype i \
         dashtype solid title short(series[i])
