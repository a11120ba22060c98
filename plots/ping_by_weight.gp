load 'style.gp'
set xlabel 'packet weight (packets a run, logarithmic)'
set ylabel 'round trip (us, logarithmic)'
set logscale x 2
set logscale y
set xtics ()
stats data using 'x' name 'across' nooutput
set xrange [across_min / 1.3:across_max * 1.3]
plot for [i = 1:blocks] data index i - 1 using 'x':'mean_us':'least_us':'longest_us' with yerrorbars linetype i pointtype 0 linewidth 0.8 notitle, \
     for [i = 1:blocks] data index i - 1 using 'x':'mean_us':xtic(stringcolumn('weight')) with linespoints linetype i dashtype solid title short(series[i]), \
     for [i = 1:blocks] data index i - 1 using 'x':'p99_us' with linespoints linetype i dashtype 2 pointsize 0.3 title (i == 1 ? '99 % quantile' : '')
