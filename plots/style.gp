# What all plots look like. A plot loads it first, after setting what differs:
#   width, height   of the picture in pixels (default 860 x 420)
# Colours are those of Okabe and Ito, told apart by the common kinds of colour blindness; dashes and
# point types repeat the distinction for print. Line type 100: zero lines and frames.
if (!exists("width")) width = 860
if (!exists("height")) height = 420
set encoding utf8
set dashtype 2 (8, 4)
set dashtype 3 (2, 3)
set dashtype 4 (10, 3, 2, 3)
set terminal svg size width, height dynamic noenhanced font 'sans-serif,13' \
    background rgb 'white' linewidth 1.2
set output out

set datafile separator whitespace
set datafile missing 'NaN'
set datafile columnheaders

array okabe_ito[8] = ['#0072B2', '#D55E00', '#009E73', '#CC79A7', '#E69F00', '#56B4E9', '#000000', '#8C7A00']
array shapes[8] = [7, 5, 9, 11, 13, 4, 6, 8]
do for [i = 1:32] {
    k = (i - 1) % 8 + 1
    d = ((i - 1) / 8 + k - 1) % 4 + 1
    set linetype i linecolor rgb okabe_ito[k] linewidth 1.6 pointtype shapes[k] pointsize 0.55 \
        dashtype d
}
set linetype 100 linecolor rgb '#808080' linewidth 1 dashtype solid
set style fill solid 1.0 noborder
set border 3 linetype 100
set tics nomirror out scale 0.6 textcolor rgb '#303030'
set grid linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
set key outside right top vertical Left reverse samplen 3 spacing 1.15 noenhanced

# A name as it stands in a legend, and the pixels that the longest of them takes there.
short(name) = strlen(name) > 36 ? name[1:35] . '…' : name
legend_pixels = 66
do for [i = 1:blocks] {
    p = 66 + 7.2 * strlen(short(series[i]))
    legend_pixels = p > legend_pixels ? p : legend_pixels
}

# eval(thr_axis): the horizontal axis of everything that is drawn against the threshold.
thr_axis = "set xlabel 'virtio_desc_cache_thr (descriptors; 0: no cache)'; set autoscale xfix; \
stats data using 'thr' name 'thr_axis' nooutput; \
set xtics thr_axis_max - thr_axis_min > 12 ? 2 : 1; set offsets 0.4, 0.4, graph 0.04, graph 0.02"

# eval(bars_by_choice): groups of bars by choice (choices.with); bars: how many series there are, and
# above(): where the text over a bar stands.
bars_by_choice = "bars = int(sum [i = 1:blocks] (panel[i] eq 'bar')); \
stats data using 'x' name 'across' nooutput; \
set xrange [across_min - 0.6:across_max + 0.6]; set xzeroaxis linetype 100; \
set key outside top center horizontal maxrows 1; unset grid; \
set grid ytics linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid; \
set xtics rotate by 35 right; set ylabel 'guest time saved (ns per packet)'; \
set pointintervalbox 0; set offsets 0, 0, graph 0.04, 0"
above(ns, half) = column(ns) > 0 ? column(ns) + column(half) : 0
