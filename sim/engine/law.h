/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The laws of the hot path: exponential and normal by ziggurats of 256 layers (Marsaglia, Tsang
 * 2000, with the index taken from other bits than the mantissa, Doornik 2005), and a discrete law
 * by the alias method (Walker 1977, Vose 1991). The rare laws (gamma, Pareto, ...) are GSL's,
 * through stream_gsl(). Draws become integers before use, so results do not depend on a last digit.
 */
#ifndef SIM_ENGINE_LAW_H
#define SIM_ENGINE_LAW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/stream.h"
#include "sim/engine/time.h"

double law_exponential(struct stream *stream); /* mean 1 */
double law_normal(struct stream *stream);      /* mean 0, variance 1 */

/* Exponential time of the given mean, rounded to a picosecond, at most SIM_TIME_LIMIT. */
sim_time law_exponential_time(struct stream *stream, sim_time mean);

/* base x (1 + cv x normal held within +-3), rounded: symmetric, so its mean is base, and positive
 * for cv in 0..0.33. One normal draw a call (a draw beyond 3 becomes 3, so that variants that share
 * a stream stay in step); none when cv is 0. */
sim_time law_jitter(struct stream *stream, sim_time base, double cv);

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
