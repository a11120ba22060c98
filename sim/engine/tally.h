/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A tally: count, mean and variance of a stream of numbers in one pass (Welford 1962; merging after
 * Chan, Golub, LeVeque 1979).
 */
#ifndef SIM_ENGINE_TALLY_H
#define SIM_ENGINE_TALLY_H

#include <stdint.h>

struct tally {
    uint64_t count;
    double mean;
    double m2; /* sum of squared distances from the mean */
    double least, most;
};

void tally_clear(struct tally *t);
void tally_add(struct tally *t, double x);
void tally_merge(struct tally *into, const struct tally *from);
double tally_mean(const struct tally *t);     /* NaN when empty */
double tally_variance(const struct tally *t); /* of the sample (n - 1); NaN below two */

#endif
