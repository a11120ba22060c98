load 'style.gp'
set xlabel 'packets in flight (logarithmic in packets + 1)'
set ylabel 'adds that found at most so many (%)'
set logscale x 2
set xtics ('0' 1)
stats data using 'packets' name 'packets' nooutput
set xrange [1:(packets_max > 1 ? 1.08 * (packets_max + 1) : 2.2)]
do for [k = 0:15] {
    if (2 ** k <= packets_max + 1.5) { set xtics add (sprintf('%d', 2 ** k - 1) 2 ** k) }
}
set yrange [0:101]
plot for [i = 1:blocks] data index i - 1 using (column('packets') + 1):'share_percent' \
         with steps linetype i title short(series[i])
