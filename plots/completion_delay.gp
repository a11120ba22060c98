load 'style.gp'
set xlabel 'from done to returned (us, logarithmic)'
set ylabel 'packets returned within (%)'
set logscale x
set yrange [0:101]
plot for [i = 1:blocks] data index i - 1 using 'us':'share_percent' with steps linetype i title short(series[i])
