height = 440
load 'style.gp'
eval(bars_by_choice)
plot for [i = 1:bars] data index i - 1 using 'x':'ns':'width' with boxes linetype i title short(series[i]), \
     for [i = 1:bars] data index i - 1 \
         using 'x':(column('ns') - column('half_ns')):(0):(2 * column('half_ns')) \
         with vectors heads size 0.06, 90 linetype 100 linecolor rgb '#404040' notitle, \
     for [i = 1:bars] data index i - 1 using 'x':(above('ns', 'half_ns')):(stringcolumn('text')) \
         with labels offset 0, 0.6 font ',10' notitle, \
     data index bars using 'x':(0):xtic(stringcolumn('text')) with points pointtype 0 notitle, \
     data index bars + 1 using 'x':'ns':(stringcolumn('text')) with labels font ',12' notitle
