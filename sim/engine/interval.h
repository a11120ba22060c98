/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Confidence intervals over replications, Student's t. One replication has no interval: half_width
 * is then NaN, shown as n/a and written as null. Paired differences and ratios need the two samples
 * in the same order (replication i against replication i: common random numbers).
 */
#ifndef SIM_ENGINE_INTERVAL_H
#define SIM_ENGINE_INTERVAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct interval {
    double mean;
    double half_width; /* NaN when n < 2 */
    uint32_t n;        /* finite values used */
    double level;      /* 0.95 */
};

/* Quantile of Student's t for a two-sided interval of this level: NaN when n < 2. */
double interval_t(double level, uint32_t n);

/* Values that are NaN are left out. */
struct interval interval_of(const double *x, uint32_t n, double level);

/* Of x[i] - base[i]. */
struct interval interval_difference(const double *x, const double *base, uint32_t n, double level);

/* mean(x)/mean(base) with the half width of the ratio by the delta method on the paired residuals
 * x[i] - r base[i] (Fieller's first order term); mean is NaN where mean(base) is 0. */
struct interval interval_ratio(const double *x, const double *base, uint32_t n, double level);

/* Sequential stopping: half_width <= relative_precision x |mean| for the first n values in order,
 * n >= least. Returns the smallest such n, or 0 when it is not reached. */
uint32_t interval_stop(const double *x, uint32_t n, uint32_t least, double level,
                       double relative_precision);

#endif
