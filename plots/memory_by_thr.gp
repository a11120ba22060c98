load 'style.gp'
eval(thr_axis)
kib(name) = column(name) / 1024
set ylabel 'indirect tables of a queue, peak (KiB)'
set yrange [0:*]
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(kib('allocated_bytes') - kib('half_width_bytes')):(kib('allocated_bytes') + kib('half_width_bytes')) \
         with filledcurves linetype i fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':(kib('asked_bytes')) \
         with lines linetype i linewidth 1 dashtype 3 notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':(kib('allocated_bytes')) \
         with linespoints linetype i dashtype solid title short(series[i]), \
     keyentry with lines linetype 100 dashtype solid title 'allocated', \
     keyentry with lines linetype 100 dashtype 3 title 'asked for'
