/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A distribution of whole numbers as a user writes it (packet sizes, fragments): a constant,
 * uniform on low..high, a weighted list, or a histogram. All four are one thing: weighted bins,
 * uniform inside a bin.
 *
 *   1500                                            constant
 *   {"uniform": [1, 17]}                            each of 1..17 alike
 *   {"list": [[60, 0.444], [1514, 0.556]]}          value, weight
 *   {"histogram": [[1, 4, 0.3], [5, 18, 0.7]]}      low, high, weight
 */
#ifndef SIM_ENGINE_DIST_H
#define SIM_ENGINE_DIST_H

#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/law.h"

#define DIST_BINS 64

enum dist_kind { DIST_CONSTANT, DIST_UNIFORM, DIST_LIST, DIST_HISTOGRAM };

struct dist_bin {
    uint64_t low, high; /* inclusive */
    double weight;      /* > 0 */
};

/* Plain values; part of a configuration. */
struct dist {
    enum dist_kind kind;
    uint32_t count; /* bins in use, >= 1 */
    struct dist_bin bin[DIST_BINS];
};

struct dist_sampler {
    struct dist dist;
    struct law_alias alias; /* not used with one bin */
};

void dist_constant(struct dist *dist, uint64_t value);
uint64_t dist_least(const struct dist *dist);
uint64_t dist_most(const struct dist *dist);
double dist_mean(const struct dist *dist);

/* Copies *dist; refuses no or too many bins, a bin that ends before it begins, weights not above 0.
 */
bool dist_sampler_init(struct dist_sampler *sampler, const struct dist *dist, struct error *error);
void dist_sampler_fini(struct dist_sampler *sampler);

/* Draws nothing from the stream where the value is the only one. */
uint64_t dist_draw(const struct dist_sampler *sampler, struct stream *stream);

#endif
