load 'style.gp'
stats data index 0 using 'y' name 'bar' nooutput
names = 0
do for [k = 1:int(bar_records)] {
    stats data index 0 every ::k - 1::k - 1 using (n = strlen(stringcolumn('name')), n = n > 46 ? 46 : n, \
        names = n > names ? n : names, n) nooutput
}
width = 860
height = 96 + 24 * (0.6 - bar_min)
load 'style.gp'
unset key
unset grid
set grid xtics linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
set border 1
set tics scale 0
set yrange [bar_min - 0.8:-0.2]
first = (34 + 7.6 * names) / width
first = first > 0.4 ? 0.4 : first
part = (0.985 - first) / blocks
set tmargin at screen 1 - 34.0 / height
set bmargin at screen 42.0 / height
# 1, 2 or 5 times a power of ten, about a third of x
nice(x) = (p = 10 ** floor(log10(x / 3)), m = x / 3 / p, p * (m < 1.5 ? 1 : m < 3.5 ? 2 : m < 7.5 ? 5 : 10))
tick(name) = i == 1 ? short(name) : ''
set multiplot
do for [i = 1:blocks] {
    set lmargin at screen first + (i - 1) * part
    set rmargin at screen first + (i - 0.14) * part
    set title panel[i] font ',12'
    set autoscale
    set xrange [*:*]
    set yrange [*:*]
    high = 0
    low = 0
    do for [k = 1:int(bar_records)] {
        v = NaN
        stats data index i - 1 every ::k - 1::k - 1 using (v = column('value'), h = column('half'), \
            high = v + h > high ? v + h : high, low = v - h < low ? v - h : low, 1) nooutput
    }
    span = high - low > 0 ? high - low : 1
    set xrange [low < 0 ? low - 0.55 * span : 0:high > 0 ? high + 0.55 * span : 0.15 * span]
    set yrange [bar_min - 0.8:-0.2]
    set xtics autofreq nice(2.4 * span)
    set arrow 1 from 0, graph 0 to 0, graph 1 nohead linetype 100 front
    plot data index i - 1 using (0):'y':(0):'value':(column('y') - 0.36):(column('y') + 0.36):'hue' \
             with boxxyerror fillstyle solid 0.75 noborder linecolor variable, \
         data index i - 1 using 'value':'y':'half' with xerrorbars linetype 100 pointtype 0 linecolor rgb '#303030', \
         data index i - 1 using (column('value') + (column('value') < 0 ? -1 : 1) * column('half')):'y':(column('value') >= 0 ? sprintf(panel[i] eq 'difference (%)' ? '%+.2f' : '%.1f', column('value')) : '') \
             with labels left offset 0.6, 0 font ',11', \
         data index i - 1 using (column('value') + (column('value') < 0 ? -1 : 1) * column('half')):'y':(column('value') < 0 ? sprintf('%+.2f', column('value')) : '') \
             with labels right offset -0.6, 0 font ',11', \
         data index i - 1 using (0):'y':ytic(tick(stringcolumn('name'))) with points pointtype 0
}
unset multiplot
