/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A cost table from what engineers measure: perf profiles and packets per second of a bed's
 * variants.
 *
 *   1. A profile's share times the time per packet is what a symbol costs in all. The memory model
 * charges some of it by itself, line by line, depending on every other cost. So a cost that a
 * profile fixes is the fixed point of cost <- cost + (published ns of its symbol - simulated ns of
 * it) reached in a few passes over the bed.
 *   2. One cost no profile shows: it is the root of (simulated gain - published gain) inside its
 * plausible range, the other costs following at every point by step 1. No root inside: the
 * calibration fails, and says on which side.
 *   3. Values are rounded as they are written, and the bed is run once more with those.
 *
 * A variant may be hidden: then no figure of it is used, costs that it alone fixes take the middle
 * of their range, and what the table says about it is a prediction. With the variant of the free
 * cost hidden, that cost is fitted to the gain of another.
 */
#ifndef SIM_STUDY_CALIBRATE_H
#define SIM_STUDY_CALIBRATE_H

#include <stdio.h>

#include "sim/study/bed.h"
#include "sim/study/fit_root.h"
#include "sim/study/published.h"

#define CALIBRATE_STEPS_PER_NS      10 /* rounding of costs that a profile fixes: 0.1 ns */
#define CALIBRATE_FREE_STEPS_PER_NS 1  /* of the free cost */
#define CALIBRATE_HIDE_NOTHING      PUBLISHED_VARIANTS

struct calibrated_cost {
    const struct param *param;
    double value_ns, low_ns, high_ns; /* plausible range: the certificate's */
    bool fitted;                      /* false: its variant is hidden, the middle of the range */
    bool in_range;
    double published_ns, simulated_ns; /* of the symbol, per packet; NaN: it has none */
    char source[200];
};

struct calibration {
    const struct published *published;
    size_t hide; /* index of a variant, or CALIBRATE_HIDE_NOTHING */
    struct calibrated_cost cost[PUBLISHED_COSTS];
    size_t count;
    struct calibrated_cost free; /* its symbol's times are NaN */
    struct fit_root root;

    /* what the free cost was fitted to */
    size_t target_variant;
    double target_percent;
    struct interval reached_percent; /* by the rounded values */
    double error_ns;            /* standard error of the free cost, runs taken as independent */
    double error_correlated_ns; /* the same with what the autocorrelation leaves of them; both NaN:
                                   no rate */

    /* What the data cannot tell apart; NaN: the bed has no such variant. */
    double line_sharing_ns; /* saved time less the allocator's: p x write_alloc - write_free - 2
                               pop_push */
    double slow_free_ns;    /* slow_free x share of slow frees */
    bool ok;                /* everything fitted is in its range */
};

/* The variant a user means by a unique beginning of its name; CALIBRATE_HIDE_NOTHING: none. */
size_t calibrate_variant(const struct published *published, const char *name);

/* False: a run failed or was interrupted. The bed then holds the last run, with the values of the
 * result. */
bool calibrate(struct calibration *result, const struct published *published, struct bed *bed,
               size_t hide, struct error *error);

/* "PATH=VALUE" settings of all values, for bed_run(); each CALIBRATE_SET_BYTES long. */
#define CALIBRATE_SET_BYTES 200
size_t calibrate_settings(const struct calibration *c, char (*text)[CALIBRATE_SET_BYTES]);

/* The table as a scenario's include: each cost with value, range, status and source. malloc'ed. */
char *calibrate_table(const struct calibration *c);

#endif
