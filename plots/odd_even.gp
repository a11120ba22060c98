load 'style.gp'
eval(thr_axis)
set ylabel 'guest time saved (ns per packet)'
set xzeroaxis linetype 100
hue(i) = okabe_ito[panel[i] eq 'odd' ? 2 : 1]
mark(i) = shapes[(i - 1) / 2 % 8 + 1]
plot for [i = 1:blocks] data index i - 1 using 'thr':'saved_ns':'half_width_ns' \
         with yerrorbars linetype 100 linecolor rgb hue(i) pointtype mark(i) pointsize 0.9 \
         title short(series[i] . ', ' . panel[i])
