load 'style.gp'
set xlabel 'virtio_desc_cache_thr (descriptors; 0: no cache)'
set ylabel 'guest time saved (ns per packet)'
set xzeroaxis linetype 100
set offsets 0.5, 0.5, graph 0.05, graph 0.02
plot for [i = 1:blocks] data index i - 1 \
         using 'thr':(column('saved_ns') - column('half_width_ns')):(column('saved_ns') + column('half_width_ns')) \
         with filledcurves linetype i fillstyle transparent solid 0.25 noborder notitle, \
     for [i = 1:blocks] data index i - 1 using 'thr':'saved_ns' \
         with linespoints linetype i title series[i]
