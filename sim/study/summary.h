/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The replications of one configuration, read back from the store, and what is said about them: a
 * mean with its interval for each metric, and the ratio to another variant of the same point,
 * paired replication by replication (they share their random numbers).
 */
#ifndef SIM_STUDY_SUMMARY_H
#define SIM_STUDY_SUMMARY_H

#include "sim/engine/interval.h"
#include "sim/study/experiment.h"

struct summary {
    uint32_t count; /* replications */
    double level;   /* of the intervals: stop.confidence */
    double *x;      /* metric after metric, `count` values each */
};

/* False: out of memory, or a run that was stored is gone. */
bool summary_init(struct summary *summary, struct store *store, const struct experiment_cell *cell,
                  double level, struct error *error);
void summary_fini(struct summary *summary);

struct interval summary_interval(const struct summary *summary, enum metric metric);
struct interval summary_ratio(const struct summary *summary, const struct summary *first,
                              enum metric metric);
struct interval summary_difference(const struct summary *summary, const struct summary *first,
                                   enum metric metric);

/* "mean ± half width" with as many digits as the interval warrants, in millions (" M") and more ("
 * G") where it is large; the mean alone where there is no interval, "n/a" where there is no value.
 */
void summary_text(const struct interval *interval, char *buffer, size_t bytes);

#endif
