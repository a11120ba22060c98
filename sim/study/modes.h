/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whether the replications of a point fall into two groups instead of scattering around one mean,
 * as a loop does that locks into step at one of two places. A mean and an interval then describe
 * neither group.
 *
 * The test: the sorted values are split at their largest gap. They are two groups when each side
 * has at least two values, the gap is more than MODES_GAP times the standard deviation within the
 * groups (pooled), and more than MODES_PERCENT of the mean. Fewer than MODES_LEAST values are not
 * judged. Of samples of eight normal values fewer than one in 500 pass for two groups.
 */
#ifndef SIM_STUDY_MODES_H
#define SIM_STUDY_MODES_H

#include <stdbool.h>
#include <stdint.h>

#define MODES_LEAST   8
#define MODES_MOST    1024 /* of more values the first ones are looked at */
#define MODES_GAP     8.0
#define MODES_PERCENT 0.1

struct modes {
    bool known; /* there are enough values */
    bool two;
    double mean[2];  /* low group, high group */
    double share[2]; /* of the values; adds up to 1 */
};

/* Values that are NaN are left out. */
struct modes modes_of(const double *x, uint32_t n);

#endif
