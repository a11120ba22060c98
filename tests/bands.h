/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Bands for tests of chance: a sample is compared with its law inside a band that follows from a
 * stated significance, never from a guess. Seeds are fixed, so a test always gives the same answer;
 * the significance says how often a right program with another seed would be refused.
 */
#ifndef TESTS_BANDS_H
#define TESTS_BANDS_H

#include <check.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define SIGNIFICANCE    1e-5
#define STANDARD_ERRORS 5.0

static inline int compare_double(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

/* Kolmogorov-Smirnov: sorts x and compares its distribution with cdf(). The asymptotic limit is on
 * the safe side for finite n. */
static inline void check_law(double *x, size_t n, double (*cdf)(double x))
{
    double limit = sqrt(-log(SIGNIFICANCE / 2) / 2) / sqrt((double)n);
    double distance = 0;

    qsort(x, n, sizeof *x, compare_double);
    for (size_t i = 0; i < n; i++) {
        double p = cdf(x[i]);

        distance = fmax(distance, fmax(p - (double)i / (double)n, (double)(i + 1) / (double)n - p));
    }
    ck_assert_msg(distance < limit, "Kolmogorov-Smirnov distance %g, limit %g", distance, limit);
}

/* Pearson's chi-square of counts against shares (NULL: all alike), which sum to 1; shares of 0 must
 * have no count. Expected counts should be 10 and more. */
static inline void check_shares(const uint64_t *count, const double *share, uint32_t cells)
{
    double total = 0, statistic = 0, limit;
    uint32_t used = 0;

    for (uint32_t i = 0; i < cells; i++) {
        total += (double)count[i];
    }
    for (uint32_t i = 0; i < cells; i++) {
        double expected = total * (share ? share[i] : 1.0 / cells);

        if (expected == 0) {
            ck_assert_uint_eq(count[i], 0);
            continue;
        }
        statistic += ((double)count[i] - expected) * ((double)count[i] - expected) / expected;
        used++;
    }
    limit = gsl_cdf_chisq_Qinv(SIGNIFICANCE, used - 1.0);
    ck_assert_msg(statistic < limit, "chi-square %g over %u cells, limit %g", statistic, used,
                  limit);
}

/* A mean of n independent values of known variance. */
static inline void check_mean(const char *what, double mean, double expected, double variance,
                              double n)
{
    double band = STANDARD_ERRORS * sqrt(variance / n);

    ck_assert_msg(fabs(mean - expected) <= band, "%s: %.9g, expected %.9g +- %.3g", what, mean,
                  expected, band);
}

#endif
