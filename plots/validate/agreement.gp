# Published against simulated, a panel for each unit of a table (sim/study/validate_plot.h says what it sees). The
# commands of style.gp have been run.
array role_name[3] = ['calibrated', 'held-out', 'directional']
array role_hue[3] = [1, 2, 3]
outside = '#C00000'
accepted = '#b8b8b8'
# Names stand where there is room.
on_right(x) = log ? log10(x / from) > 0.5 * log10(to / from) : x - from > 0.5 * (to - from)
set multiplot
# The legend, over all panels.
unset border
unset tics
unset grid
set lmargin at screen 0
set rmargin at screen 1
set tmargin at screen 1
set bmargin at screen 1 - 40.0 / height
set xrange [0:1]
set yrange [0:1]
set key at screen 0.5, screen 1 - 8.0 / height center top horizontal maxrows 1 Left reverse samplen 1.5
plot for [r = 1:3] NaN with points linetype role_hue[r] pointsize 0.8 title role_name[r], \
     NaN with lines linecolor rgb accepted linewidth 5 dashtype solid title 'accepted', \
     NaN with points linecolor rgb outside pointtype 6 pointsize 1.6 title 'outside', \
     NaN with lines linetype 100 title 'equal'
set key off
set border 3 linetype 100
set tics nomirror out scale 0.6 textcolor rgb '#303030'
set grid linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
do for [k = 1:panels] {
    across = (k - 1) % columns
    down = (k - 1) / columns
    set lmargin at screen (100.0 + 400 * across) / width
    set rmargin at screen (390.0 + 400 * across) / width
    set tmargin at screen 1 - (100.0 + 430 * down) / height
    set bmargin at screen 1 - (400.0 + 430 * down) / height
    log = least[k] > 0 && most[k] > 20 * least[k]
    # Without logarithm an axis holds 0, so that what looks near is near.
    low = least[k] > 0 ? 0 : least[k]
    high = most[k] > 0 ? most[k] : 0
    room = high > low ? 0.08 * (high - low) : 1
    from = log ? least[k] / 1.6 : low < 0 ? low - room : -0.02 * room
    to = log ? most[k] * 1.6 : high + room
    unset logscale
    if (log) { set logscale xy }
    set xtics autofreq nomirror
    set ytics autofreq nomirror
    if (log) {
        set xtics ()
        set ytics ()
        do for [e = int(floor(log10(from))):int(ceil(log10(to)))] {
            do for [m in '1 2 5'] {
                if (m * 10.0 ** e >= from && m * 10.0 ** e <= to) {
                    set xtics add (sprintf(m * 10.0 ** e >= 1e4 ? '%gk' : '%g', m * 10.0 ** e / (m * 10.0 ** e >= 1e4 ? 1e3 : 1)) m * 10.0 ** e)
                    set ytics add (sprintf(m * 10.0 ** e >= 1e4 ? '%gk' : '%g', m * 10.0 ** e / (m * 10.0 ** e >= 1e4 ? 1e3 : 1)) m * 10.0 ** e)
                }
            }
        }
    }
    set format xy (to >= 1e4 ? '%.1s%c' : '%g')
    set xrange [from:to]
    set yrange [from:to]
    set title panel[k]
    set xlabel 'published (' . unit[k] . (log ? ', logarithmic)' : ')')
    set ylabel 'simulated'
    plot x with lines linetype 100 linewidth 1.2, \
         $rows index k - 1 using 'published':(column('low') == column('low') ? (column('low') > from ? column('low') : from) : NaN):(0):((column('high') < to ? column('high') : to) - (column('low') > from ? column('low') : from)) \
             with vectors nohead linecolor rgb accepted linewidth 5 dashtype solid, \
         for [r = 1:3] $rows index k - 1 using 'published':(column('role') == r - 1 ? column('simulated') : NaN):'half_width' \
             with yerrorbars linetype role_hue[r] pointsize 0.8, \
         $rows index k - 1 using 'published':(column('ok') == 0 ? column('simulated') : NaN) \
             with points linecolor rgb outside pointtype 6 pointsize 1.6 linewidth 1.6, \
         $rows index k - 1 using 'published':(column('ok') == 0 && !on_right(column('published')) ? column('simulated') : NaN):'cell' \
             with labels left offset 1.2, 0 font ',9' textcolor rgb outside, \
         $rows index k - 1 using 'published':(column('ok') == 0 && on_right(column('published')) ? column('simulated') : NaN):'cell' \
             with labels right offset -1.2, 0 font ',9' textcolor rgb outside
}
unset multiplot
