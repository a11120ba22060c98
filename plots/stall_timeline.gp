height = 70 + 110 * blocks
load 'style.gp'
set key off
set label 1 'packets in flight' at screen 0.015, screen 0.5 center rotate
set grid noxtics
stats data using 'end_ms' name 'end' nooutput
set xrange [0:end_max * 1.02]
set multiplot
do for [i = 1:blocks] {
    set lmargin at screen 0.085
    set rmargin at screen 0.975
    set tmargin at screen 1 - (26.0 + 110 * (i - 1)) / height
    set bmargin at screen 1 - (96.0 + 110 * (i - 1)) / height
    set title short(series[i]) offset 0, -0.9
    if (i < blocks) { set format x ''; unset xlabel } else { set format x '%g'; set xlabel 'simulated time (ms)' }
    if (i == 2) { unset label 1 }
    stats data index i - 1 using 'most' name 'level' nooutput
    step = level_max > 600 ? 500 : level_max > 120 ? 100 : level_max > 40 ? 50 : level_max > 10 ? 10 : 5
    set ytics 0, step
    set yrange [0:level_max * 1.15]
    plot data index i - 1 using 'ms':'most' with steps linetype 1, \
         data index i - 1 using 'ms':(column('stop') == 1 ? column('most') : NaN):(end_max - column('ms')):(0) \
             with vectors nohead linetype 2 dashtype 3, \
         data index i - 1 using 'ms':(column('stop') == 1 ? column('most') : NaN) with points linetype 2 pointtype 2 pointsize 1.4 linewidth 2
}
unset multiplot
