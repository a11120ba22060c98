# Packets, and the bytes in them, by frame size.
load 'style.gp'
set title capture
set xlabel 'frame size (bytes, logarithmic)'
set ylabel 'share of at most this size (%)'
set logscale x
set xrange [9:100000]
set yrange [0:104]
set xtics ('10' 10, '66' 66, '200' 200, '1514' 1514, '5 k' 5000, '16 k' 16384, '65 k' 65536)
set key outside top center horizontal maxrows 1 width 1
set rmargin 4
plot 'sizes.dat' using 'bytes':'packets_percent' with steps linetype 1 title 'of the packets', \
     'sizes.dat' using 'bytes':'bytes_percent' with steps linetype 2 title 'of the bytes'
