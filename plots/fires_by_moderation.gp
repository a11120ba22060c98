load 'style.gp'
set xlabel 'completion moderation (us)'
set ylabel 'callbacks per second (thousands)'
set yrange [0:*]
set xrange [0:*]
set offsets 0, graph 0.02, graph 0.05, 0
plot for [i = 1:blocks] data index i - 1 using 'moderation_us':'fired':'fired_half' with yerrorlines linetype i dashtype solid title short(series[i]), \
     for [i = 1:blocks] data index i - 1 using 'moderation_us':'useful':'useful_half' with yerrorlines linetype i dashtype 2 pointsize 0.3 \
         title 'of them useful'
