columns = blocks < 3 ? blocks : 3
lines = (blocks + columns - 1) / columns
width = 860
height = 30 + 250 * lines
unit = 250.0 / height
load 'style.gp'
unset key
set title offset 0, -0.5
kib(name) = column(name) / 1024
worth(value) = column('worth') > 0 ? value : NaN
# 1, 2 or 5 times a power of ten, about a fourth of x
nice(x) = (p = 10 ** floor(log10(x / 4)), m = x / 4 / p, p * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10))
set multiplot
do for [i = 1:blocks] {
    across = (i - 1) % columns
    down = (i - 1) / columns
    set lmargin at screen (across + 0.25) / columns
    set rmargin at screen (across + 0.97) / columns
    set tmargin at screen 1 - (down + 0.14) * unit
    set bmargin at screen 1 - (down + 0.83) * unit
    set autoscale
    stats data index i - 1 using (kib('bytes')) name 'kib' nooutput
    stats data index i - 1 using (column('saved_percent') + column('half_width_percent')) name 'upper' nooutput
    stats data index i - 1 using (column('saved_percent') - column('half_width_percent')) name 'lower' nooutput
    high = upper_max > 0 ? upper_max : 0.1
    low = lower_min < 0 ? lower_min : 0
    set xrange [-0.16 * kib_max:1.06 * kib_max]
    set yrange [low - 0.08 * (high - low):high + 0.13 * (high - low)]
    set xtics 0, nice(kib_max)
    set ytics nice(high - low)
    set title short(series[i]) font (strlen(series[i]) > 30 ? ',9' : ',13')
    set xlabel (i > blocks - columns ? 'allocated (KiB)' : '')
    set ylabel (across == 0 ? 'saved (% of the packet)' : '')
    plot data index i - 1 using (kib('bytes')):'saved_percent':'half_width_percent' \
             with yerrorbars linetype 100 linecolor rgb '#9a9a9a' pointtype 7 pointsize 0.45, \
         data index i - 1 using (worth(kib('bytes'))):'saved_percent' \
             with steps linetype 1 dashtype solid, \
         data index i - 1 using (worth(kib('bytes'))):'saved_percent' \
             with points linetype 1 pointsize 0.7, \
         data index i - 1 using (worth(kib('bytes'))):'saved_percent':(stringcolumn('name')) \
             with labels right offset -0.7, 0.5 textcolor linetype 1
}
unset multiplot
