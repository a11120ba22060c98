/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A log-linear histogram of whole numbers (times in ps, counts): each power of two is cut into
 * 2^HISTOGRAM_BITS equal bins, and values below 2^(HISTOGRAM_BITS + 1) are exact. A quantile is the
 * middle of its bin, so it is at most 1/2^(HISTOGRAM_BITS+1) = 0.8 % off; mean and extremes are
 * exact. Memory is fixed; merging is exact.
 */
#ifndef SIM_ENGINE_HISTOGRAM_H
#define SIM_ENGINE_HISTOGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/wide.h"

#define HISTOGRAM_BITS 6
#define HISTOGRAM_BINS ((64 - HISTOGRAM_BITS + 1) << HISTOGRAM_BITS)

struct histogram {
    uint64_t count;
    sim_wide_unsigned sum; /* of values x weights */
    uint64_t least, most;  /* valid when count > 0 */
    uint64_t bin[HISTOGRAM_BINS];
};

/* To be called before the first value. */
void histogram_clear(struct histogram *h);
void histogram_merge(struct histogram *into, const struct histogram *from);

static inline uint32_t histogram_index(uint64_t value)
{
    if (value < (UINT64_C(1) << HISTOGRAM_BITS)) {
        return (uint32_t)value;
    }
    /* value >> shift has HISTOGRAM_BITS + 1 bits; the first of them adds one octave. */
    uint32_t shift = (63u ^ (uint32_t)__builtin_clzll(value)) - HISTOGRAM_BITS;

    return (shift << HISTOGRAM_BITS) + (uint32_t)(value >> shift);
}

/* value: below UINT64_MAX, with which an empty one begins. weight >= 1: how often it was seen. */
static inline void histogram_add(struct histogram *h, uint64_t value, uint64_t weight)
{
    if (value - h->least >= h->most - h->least) { /* outside of least..most, or at its end */
        h->least = value < h->least ? value : h->least;
        h->most = value > h->most ? value : h->most;
    }
    h->count += weight;
    sim_wide_add(&h->sum, (sim_wide_unsigned)value * weight);
    h->bin[histogram_index(value)] += weight;
}

/* Lowest and highest value of a bin. */
uint64_t histogram_bin_low(uint32_t index);
uint64_t histogram_bin_high(uint32_t index);

double histogram_mean(const struct histogram *h); /* NaN when empty */

/* The value that is the ceil(share x count)-th in order, to the middle of its bin (the first and
 * the last exactly) and never outside least..most; share in 0..1; NaN when empty. */
double histogram_quantile(const struct histogram *h, double share);

#endif
