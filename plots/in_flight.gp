load 'style.gp'
set xlabel 'packets in flight (logarithmic in packets + 1)'
set ylabel 'adds that found at most so many (%)'
set logscale x 2
set xtics ('0' 1, '1' 2, '3' 4, '7' 8, '15' 16, '31' 32, '63' 64, '127' 128, '255' 256, '511' 512, '1023' 1024)
set yrange [0:101]
set autoscale xfix
plot for [i = 1:blocks] data index i - 1 using (column('packets') + 1):'share_percent' \
         with steps linetype i title short(series[i])
