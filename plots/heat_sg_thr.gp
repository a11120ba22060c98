width = 860
height = 560
load 'style.gp'
untied(name) = column('tie') > 0 ? 0 : column(name)
stats data using (untied('saved_percent')) name 'saved' nooutput
stats data using 'thr' name 'thr' nooutput
stats data using 'sg' name 'sg' nooutput
high = saved_max > 0.1 ? saved_max : 0.1
low = saved_min < 0 ? (saved_min < -0.05 * high ? saved_min : -0.05 * high) : 0
# White is nothing; blue saves, orange costs.
if (low < 0) {
    set palette defined (low '#B35806', low / 2 '#F1A340', 0 '#FFFFFF', high / 4 '#BFD9EC', \
                         high / 2 '#6BAED6', high '#08519C')
} else {
    set palette defined (0 '#FFFFFF', high / 4 '#BFD9EC', high / 2 '#6BAED6', high '#08519C')
}
set cbrange [low:high]
set cblabel 'guest time saved (% of the packet)'
set xlabel 'virtio_desc_cache_thr (descriptors; 0: no cache)'
set ylabel 'scatter-gather entries of a packet'
set xrange [thr_min - 0.5:thr_max + 0.5]
set yrange [sg_min - 0.5:sg_max + 0.5]
set xtics 1
set ytics 1
unset grid
unset key
tie(value) = column('tie') > 0 ? value : NaN
plot data using 'thr':'sg':(0.5):(0.5):(untied('saved_percent')) with boxxyerror fillstyle solid 1.0 noborder linecolor palette, \
     data using (tie(column('thr'))):'sg' with points pointtype 7 pointsize 0.25 linecolor rgb '#909090', \
     data using (column('thr') == column('sg') ? column('thr') - 0.5 : NaN):(column('sg') - 0.5):(0):(1) \
         with vectors nohead linecolor rgb '#303030' linewidth 1.4 dashtype solid, \
     data using (column('thr') == column('sg') ? column('thr') - 0.5 : NaN):(column('sg') + 0.5):(1):(0) \
         with vectors nohead linecolor rgb '#303030' linewidth 1.4 dashtype solid
