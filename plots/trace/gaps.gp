# Gaps between lists beside those of a Poisson source of the same rate and of the fitted source.
load 'style.gp'
set title capture
set xlabel 'gap between lists (us, logarithmic)'
set ylabel 'share of gaps of at most this length (%)'
stats 'gaps.dat' using 'gap_us' name 'g' nooutput
low = g_min < 0.03 * gap_mean_us ? g_min : 0.03 * gap_mean_us
high = g_max > 5 * gap_mean_us ? g_max : 5 * gap_mean_us
low = low > 0 ? low / 1.5 : 1e-6
set logscale x
set format x '%g'
set xrange [low:high * 1.5]
set yrange [0:104]
set key outside top center horizontal maxrows 1 width 1
set rmargin 4
set samples 400
poisson(t) = 100 * (1 - exp(-t / gap_mean_us))
fitted(t) = 100 * (1 - fit_share * exp(-fit_fast * t) - (1 - fit_share) * exp(-fit_slow * t))
shows_fit = has_fit && fit ne 'Poisson' && fit ne 'constant'
plot 'gaps.dat' using 'gap_us':'at_most_percent' with steps linetype 1 linewidth 2 title 'capture', \
     poisson(x) with lines linetype 100 dashtype 2 title 'Poisson, the same rate', \
     shows_fit ? fitted(x) : NaN with lines linetype 2 title (shows_fit ? fit . ' (trace fit)' : '')
