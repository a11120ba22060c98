# How much the number of packets in a window varies: 1 for a Poisson source at any window.
load 'style.gp'
set title capture
set xlabel 'window (us, logarithmic)'
set ylabel 'variance / mean of packets in a window'
set logscale xy
set format xy '%g'
set key outside top center horizontal maxrows 1 width 1
set rmargin 4
# A short capture has too few windows of any length.
if (dispersion_rows == 0) {
    unset logscale
    unset tics
    set label 'too few windows to say' at graph 0.5, 0.5 center
    unset key
    plot [0:1] [0:1] 2 notitle
    exit
}
stats 'dispersion.dat' using 'capture' name 'd' nooutput
set xrange [*:*]
set yrange [d_min < 0.5 ? d_min / 2 : 0.5:d_max < 2 ? 4 : 2 * d_max]
plot 'dispersion.dat' using 'window_us':'capture' with linespoints linetype 1 title 'capture', \
     1 with lines linetype 100 dashtype 2 title 'Poisson, packets one by one', \
     'dispersion.dat' using 'window_us':(has_fit ? column('fit') : NaN) with lines linetype 2 title (has_fit ? fit . ' (trace fit)' : '')
