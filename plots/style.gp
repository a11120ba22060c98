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
# Sixteen markers: with an index beyond eight a colour comes again, its marker does not.
array shapes[16] = [7, 5, 9, 11, 13, 4, 6, 8, 2, 1, 10, 12, 3, 14, 15, 65]
do for [i = 1:32] {
    k = (i - 1) % 8 + 1
    d = ((i - 1) / 8 + k - 1) % 4 + 1
    set linetype i linecolor rgb okabe_ito[k] linewidth 1.6 pointtype shapes[(i - 1) % 16 + 1] pointsize (i > 8 ? 0.75 : 0.55) \
        dashtype d
}
set linetype 100 linecolor rgb '#808080' linewidth 1 dashtype solid
set style fill solid 1.0 noborder
set border 3 linetype 100
set tics nomirror out scale 0.6 textcolor rgb '#303030'
set grid linecolor rgb '#d8d8d8' linewidth 0.6 dashtype solid
set key outside right top vertical Left reverse samplen 3 spacing 1.15 noenhanced

# A name as it stands in a legend, and the pixels that the longest of them takes there.
short(name) = strlen(name) > 46 ? name[1:45] . '…' : name
legend_pixels = 66
do for [i = 1:blocks] {
    p = 66 + 7.2 * strlen(short(series[i]))
    legend_pixels = p > legend_pixels ? p : legend_pixels
}

# symbol_hue(name): a kernel symbol has one colour in all pictures. Parts of one job are shades of one
# hue; a symbol that is not in the list is dark grey.
symbols = 'virtqueue_add detach_buf virtqueue_get_buf_ctx __kmalloc ___slab_alloc kfree __slab_free desc_cache \
start_xmit virtnet_xsk_xmit virtnet_xsk_run xsk_tx_peek_desc free_old_xmit virtqueue_kick_prepare notify \
virtqueue_add_outbuf sg_init_table napi_poll vring_interrupt virtqueue_enable_cb stack other'
symbol_hues = '#0072B2 #009E73 #56B4E9 #D55E00 #A63A00 #F0A868 #7A2B00 #000000 \
#CC79A7 #93507A #5E2750 #E3B5CE #8C7A00 #E69F00 #F5D060 \
#8FB8DE #B5E0CF #6A51A3 #9E9AC8 #C7C3E3 #D0D0D0 #B8B8B8'
symbol_hue(name) = (symbol_place = 0, sum [k = 1:words(symbols)] (word(symbols, k) eq name ? symbol_place = k : 0), \
    symbol_place > 0 ? word(symbol_hues, symbol_place) : '#5A5A5A')

# eval(thr_axis): the horizontal axis of everything that is drawn against the threshold; thr_apart 2 where
# the picture is half as wide. eval(thr_floor): an axis of gains begins just below its data, not at the
# next round number; least is the lowest that is drawn, most the highest.
thr_apart = 1
thr_floor = "span = most - least > 0 ? most - least : 1; set yrange [least - 0.03 * span:most + 0.06 * span]; \
set offsets 0.4, 0.4, 0, 0"
thr_axis = "set xlabel 'virtio_desc_cache_thr (descriptors; 0: no cache)'; set autoscale xfix; \
stats data using 'thr' name 'thr_axis' nooutput; \
thr_step = (thr_axis_max - thr_axis_min > 12 ? 2 : 1) * thr_apart; set xtics thr_step; set offsets 0.4, 0.4, graph 0.04, graph 0.02"

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

# Two pictures side by side, the legend beside them: eval(two_pictures), then for p = 1, 2 eval(picture), which sets first and last,
# the indexes of panel p, and the margins; the legend stands in the first.
two_pictures = "right = 1 - legend_pixels / width - 0.01; half = (right - 0.09 - 0.13) / 2; \
set key at screen right + 0.01, screen 0.90 left; set multiplot"
picture = "first = 0; last = 0; panel_nth = 0; \
do for [i = 1:blocks] { panel_nth = panel_nth + (i == 1 || panel[i] ne panel[i > 1 ? i - 1 : 1] ? 1 : 0); \
if (panel_nth == p) { first = first == 0 ? i : first; last = i } }; \
set lmargin at screen (p == 1 ? 0.09 : right - half); set rmargin at screen (p == 1 ? 0.09 + half : right); \
if (p == 2) { unset key }"
