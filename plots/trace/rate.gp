# Packets and bits a second over the capture.
width = 860
height = 520
load 'style.gp'
stats 'rate.dat' using 'packets_per_s' name 'p' nooutput
stats 'rate.dat' using 'bits_per_s' name 'b' nooutput
ps = p_max >= 2e6 ? 1e6 : p_max >= 2e3 ? 1e3 : 1
bs = b_max >= 2e9 ? 1e9 : b_max >= 2e6 ? 1e6 : 1e3
xs = seconds >= 2 ? 1 : seconds >= 2e-3 ? 1e-3 : 1e-6
unset key
set xrange [0:seconds / xs]
set lmargin 12
set multiplot layout 2, 1 title capture font ',14'
set yrange [0:p_max > 0 ? 1.08 * p_max / ps : 1]
set ylabel (ps == 1e6 ? 'million packets/s' : ps == 1e3 ? 'thousand packets/s' : 'packets/s')
plot 'rate.dat' using (column('time_s') / xs):(column('packets_per_s') / ps) with lines linetype 1
set yrange [0:b_max > 0 ? 1.08 * b_max / bs : 1]
set ylabel (bs == 1e9 ? 'Gbit/s' : bs == 1e6 ? 'Mbit/s' : 'kbit/s')
set xlabel 'time since the first packet (' . (xs == 1 ? 's' : xs == 1e-3 ? 'ms' : 'us') . ')'
plot 'rate.dat' using (column('time_s') / xs):(column('bits_per_s') / bs) with lines linetype 2 dashtype solid
unset multiplot
