/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/interval.h"

#include <gsl/gsl_cdf.h>
#include <math.h>

#include "sim/engine/tally.h"

double interval_t(double level, uint32_t n)
{
    if (n < 2 || !(level > 0 && level < 1)) {
        return NAN;
    }
    return gsl_cdf_tdist_Pinv(0.5 + level / 2, (double)n - 1);
}

static struct interval of_tally(const struct tally *t, double level)
{
    uint32_t n = (uint32_t)t->count;

    return (struct interval){
        .mean = tally_mean(t),
        .half_width = interval_t(level, n) * sqrt(tally_variance(t) / (double)t->count),
        .n = n,
        .level = level,
    };
}

struct interval interval_of(const double *x, uint32_t n, double level)
{
    struct tally t;

    tally_clear(&t);
    for (uint32_t i = 0; i < n; i++) {
        if (isfinite(x[i])) {
            tally_add(&t, x[i]);
        }
    }
    return of_tally(&t, level);
}

struct interval interval_difference(const double *x, const double *base, uint32_t n, double level)
{
    struct tally t;

    tally_clear(&t);
    for (uint32_t i = 0; i < n; i++) {
        if (isfinite(x[i]) && isfinite(base[i])) {
            tally_add(&t, x[i] - base[i]);
        }
    }
    return of_tally(&t, level);
}

struct interval interval_ratio(const double *x, const double *base, uint32_t n, double level)
{
    struct tally above, below, residual;
    double ratio, error;

    tally_clear(&above);
    tally_clear(&below);
    tally_clear(&residual);
    for (uint32_t i = 0; i < n; i++) {
        if (isfinite(x[i]) && isfinite(base[i])) {
            tally_add(&above, x[i]);
            tally_add(&below, base[i]);
        }
    }
    if (below.mean == 0) {
        return (struct interval){NAN, NAN, (uint32_t)below.count, level};
    }
    ratio = above.mean / below.mean;
    for (uint32_t i = 0; i < n; i++) {
        if (isfinite(x[i]) && isfinite(base[i])) {
            tally_add(&residual, x[i] - ratio * base[i]);
        }
    }
    error = sqrt(tally_variance(&residual) / (double)residual.count) / fabs(below.mean);
    return (struct interval){ratio, interval_t(level, (uint32_t)below.count) * error,
                             (uint32_t)below.count, level};
}

uint32_t interval_stop(const double *x, uint32_t n, uint32_t least, double level,
                       double relative_precision)
{
    struct tally t;

    tally_clear(&t);
    for (uint32_t i = 0; i < n; i++) {
        if (isfinite(x[i])) {
            tally_add(&t, x[i]);
        }
        if (i + 1 >= least) {
            struct interval now = of_tally(&t, level);

            if (now.half_width <= relative_precision * fabs(now.mean)) {
                return i + 1;
            }
        }
    }
    return 0;
}
