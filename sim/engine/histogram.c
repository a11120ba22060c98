/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/histogram.h"

#include <math.h>
#include <string.h>

#define BINS_PER_OCTAVE (UINT32_C(1) << HISTOGRAM_BITS)

void histogram_clear(struct histogram *h)
{
    memset(h, 0, sizeof *h);
    h->least = UINT64_MAX;
}

void histogram_merge(struct histogram *into, const struct histogram *from)
{
    if (from->count == 0) {
        return;
    }
    into->least = from->least < into->least ? from->least : into->least;
    into->most = from->most > into->most ? from->most : into->most;
    into->count += from->count;
    into->sum += from->sum;
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        into->bin[i] += from->bin[i];
    }
}

uint64_t histogram_bin_low(uint32_t index)
{
    uint32_t octave = index >> HISTOGRAM_BITS;
    uint64_t step = index & (BINS_PER_OCTAVE - 1);

    return octave == 0 ? step : (BINS_PER_OCTAVE + step) << (octave - 1);
}

uint64_t histogram_bin_high(uint32_t index)
{
    uint32_t octave = index >> HISTOGRAM_BITS;

    return histogram_bin_low(index) + (octave == 0 ? 0 : (UINT64_C(1) << (octave - 1)) - 1);
}

double histogram_mean(const struct histogram *h)
{
    return h->count == 0 ? NAN : (double)h->sum / (double)h->count;
}

static double clamp(double x, double least, double most)
{
    return x < least ? least : x > most ? most : x;
}

/* 0.171 x 20000 comes out above 3420: a last digit must not take the next rank. */
static double rank_of(double share, uint64_t count)
{
    return ceil(share * (double)count * (1 - 0x1p-51));
}

double histogram_quantile(const struct histogram *h, double share)
{
    double wanted = rank_of(share, h->count);
    uint64_t seen = 0;

    if (h->count == 0) {
        return NAN;
    }
    if (wanted <= 1) {
        return (double)h->least;
    }
    if (wanted >= (double)h->count) {
        return (double)h->most;
    }
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        seen += h->bin[i];
        if (h->bin[i] > 0 && (double)seen >= wanted) {
            double low = (double)histogram_bin_low(i);
            double width = (double)(histogram_bin_high(i) - histogram_bin_low(i));

            return clamp(low + width / 2, (double)h->least, (double)h->most);
        }
    }
    return (double)h->most;
}
