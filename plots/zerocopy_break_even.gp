load 'style.gp'
eval(two_pictures)
set xlabel 'packet size (bytes, logarithmic)'
set logscale x 2
set xtics ('256' 256, '512' 512, '1 Ki' 1024, '2 Ki' 2048, '4 Ki' 4096, '8 Ki' 8192, '16 Ki' 16384, '32 Ki' 32768, '64 Ki' 65226) rotate by 35 right
set yrange [0:*]
do for [p = 1:2] {
    eval(picture)
    set ylabel panel[first]
    plot for [i = first:last] data index i - 1 using 'size':(column('value') - column('half')):(column('value') + column('half')) \
             with filledcurves linetype i - first + 1 fillstyle transparent solid 0.25 noborder notitle, \
         for [i = first:last] data index i - 1 using 'size':'value' with linespoints linetype i - first + 1 title short(series[i])
}
unset multiplot
