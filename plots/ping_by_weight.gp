load 'style.gp'
set xlabel 'packet weight (packets of a run)'
set ylabel 'round trip (ms, logarithmic)'
set logscale y
set xtics ()
set xrange [0.5:*]
set offsets 0, 0.5, 0, 0
plot for [i = 1:blocks] data index i - 1 using 'place':'mean_ms':'least_ms':'most_ms':xticlabels(stringcolumn('weight')) \
         with yerrorlines linetype i dashtype solid title short(series[i])
