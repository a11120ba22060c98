load 'style.gp'
set xlabel 'packet size (bytes, logarithmic)'
set ylabel 'host CPU, zerocopy against copy (ns per packet)'
set logscale x 2
set xtics ('256' 256, '512' 512, '1 Ki' 1024, '2 Ki' 2048, '4 Ki' 4096, '8 Ki' 8192, '16 Ki' 16384, '32 Ki' 32768, '64 Ki' 65226)
set xzeroaxis linetype 100
plot for [i = 1:blocks] data index i - 1 using 'size':(column('ns') - column('half')):(column('ns') + column('half')) \
         with filledcurves linetype i fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'size':'ns' with linespoints linetype i title short(series[i])
