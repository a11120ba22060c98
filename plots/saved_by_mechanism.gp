columns = blocks < 2 ? 1 : 2
lines = (blocks + columns - 1) / columns
width = 860
# A title that is too long for its picture takes two lines, and all pictures are higher then.
array long[blocks]
second = 0
do for [i = 1:blocks] {
    long[i] = strlen(series[i]) > 40 ? strstrt(series[i], ', thr ') : 0
    long[i] = long[i] == 0 && strlen(series[i]) > 40 ? strstrt(series[i], ' against ') : long[i]
    second = long[i] > 0 ? 20 : second
}
height = 30 + (250 + second) * lines
unit = (250.0 + second) / height
above = (35.0 + second) / height
first = 158.0 / width
part = (0.985 - first) / columns
load 'style.gp'
unset key
unset grid
set grid xtics linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
set border 1
set title offset 0, -0.6
# 1, 2 or 5 times a power of ten, about a third of x
nice(x) = (p = 10 ** floor(log10(x / 3)), m = x / 3 / p, p * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10))
is_step(y) = y < -1.5 && y > -7.5
spread(half) = half < 0 ? '' : sprintf(' ± %.1f', half)
tenths(ns) = floor(10 * ns + 0.5) / 10.0 # no minus zero
share(percent) = percent == percent ? sprintf(' (%d %%)', floor(percent + 0.5)) : ''
text(y) = is_step(y) ? sprintf('%+.1f', tenths(column('ns'))) . spread(column('half_ns')) . share(column('share_percent')) \
                     : sprintf('%.1f', column('ns')) . spread(column('half_ns')) . ' ns'
most(a, b) = a > b ? a : b
wobble(y) = is_step(y) ? most(column('half_ns'), 0) : 0
right(a, b) = most(column(a), column(b)) + wobble(column('y'))
hue(ns) = ns < 0 ? 0x0072B2 : 0xE69F00
tick(name) = across == 0 ? name : ''
set multiplot
do for [i = 1:blocks] {
    across = (i - 1) % columns
    down = (i - 1) / columns
    set lmargin at screen first + across * part
    set rmargin at screen first + (across + 0.95) * part
    set tmargin at screen 1 - down * unit - above
    set bmargin at screen 1 - (down + 1) * unit + 40.0 / height
    set autoscale
    set xrange [*:*]
    set yrange [*:*]
    stats data index i - 1 using (right('from_ns', 'to_ns')) name 'high' nooutput
    stats data index i - 1 using 'to_ns' name 'low' nooutput
    span = high_max - low_min > 0 ? high_max - low_min : 1
    set xrange [low_min - 0.08 * span:high_max + 0.8 * span]
    set yrange [-8.7:-0.3]
    set xtics nice(1.6 * span)
    cut = long[i]
    set title (cut > 0 ? short(series[i][1:cut - 1]) . "\n" . series[i][cut + (series[i][cut:cut] eq ',' ? 2 : 1):*] : short(series[i])) font ',12'
    set xlabel (i > blocks - columns ? 'guest time per packet (ns)' : '')
    plot data index i - 1 using 'to_ns':'y':(0):(column('y') > -7.5 ? -1 : 0) \
             with vectors nohead linetype 100, \
         data index i - 1 using (is_step(column('y')) ? column('from_ns') : NaN):'y':'from_ns':'to_ns':(column('y') - 0.36):(column('y') + 0.36):(hue(column('ns'))) \
             with boxxyerror fillstyle solid 1.0 noborder linecolor rgb variable, \
         data index i - 1 using (is_step(column('y')) ? column('to_ns') : NaN):'y':(wobble(column('y'))) \
             with xerrorbars linetype 100 pointtype 0 linecolor rgb '#303030', \
         data index i - 1 using (is_step(column('y')) ? NaN : column('to_ns')):'y' \
             with points pointtype 13 pointsize 0.9 linecolor rgb 'black', \
         data index i - 1 using (right('from_ns', 'to_ns')):'y':(text(column('y'))) with labels left offset 1, 0 font ',11', \
         data index i - 1 using 'to_ns':'y':ytic(tick(stringcolumn('name'))) with points pointtype 0
}
unset multiplot
