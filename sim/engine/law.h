/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of the hot path: exponential and normal by ziggurats of 256 layers (Marsaglia, Tsang
 * 2000, with the index taken from other bits than the mantissa, Doornik 2005), and a discrete law
 * by the alias method (Walker 1977, Vose 1991). The rare laws (gamma, Pareto, ...) are GSL's,
 * through stream_gsl(). Draws become integers before use, so results do not depend on a last digit.
 */
#ifndef SIM_ENGINE_LAW_H
#define SIM_ENGINE_LAW_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/stream.h"
#include "sim/engine/time.h"

double law_exponential(struct stream *stream); /* mean 1 */
double law_normal(struct stream *stream);      /* mean 0, variance 1 */

/* Exponential time of the given mean, rounded to a picosecond, at most SIM_TIME_LIMIT. */
sim_time law_exponential_time(struct stream *stream, sim_time mean);

static inline sim_time law_rounded(double x)
{
    return (sim_time)(x + copysign(0.5, x));
}

/* A strip of the normal ziggurat: its width over 2^53, and the magnitude below which a point is surely
 * under the density and within 3. */
struct law_strip {
    uint64_t within;
    double width;
};

#define LAW_LAYERS 256
extern const struct law_strip law_strip[LAW_LAYERS];

/* One signed odd number of 54 bits, symmetric about 0, is sign and place in a strip at once. */
static inline int64_t law_sign_and_place(uint64_t bits)
{
    return ((int64_t)bits >> 10) | 1;
}

static inline uint64_t law_magnitude(int64_t v)
{
    return (uint64_t)(v < 0 ? -v : v);
}

/* The normal deviate that these bits, and more where they do not decide, give; held within +-3. */
double law_normal_held(struct stream *stream, uint64_t bits);

/* base x (1 + cv x normal held within +-3), rounded: symmetric, so its mean is base, and positive
 * for cv in 0..0.33. One normal draw a call (a draw beyond 3 becomes 3, so that variants that share
 * a stream stay in step); none when cv is 0. */
static inline sim_time law_jitter(struct stream *stream, sim_time base, double cv)
{
    const struct law_strip *strip;
    uint64_t bits;
    int64_t v;
    double z;

    if (!(cv > 0)) {
        return base;
    }
    bits = stream_bits(stream);
    strip = &law_strip[bits % LAW_LAYERS];
    v = law_sign_and_place(bits);
    z = law_magnitude(v) < strip->within ? (double)v * strip->width : law_normal_held(stream, bits);
    return base + law_rounded((double)base * (cv * z));
}

/* The alias table of n weights. */
struct law_alias {
    uint32_t n;
    double *probability; /* [n] */
    uint32_t *alias;     /* [n] */
};

/* weights: n finite numbers >= 0 with a positive sum. */
bool law_alias_init(struct law_alias *law, const double *weights, uint32_t n, struct error *error);
void law_alias_fini(struct law_alias *law);

/* 0..n-1 from one word of the stream; an index of weight 0 never. */
uint32_t law_alias_draw(const struct law_alias *law, struct stream *stream);

#endif
