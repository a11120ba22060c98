/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the worlds of an ensemble say: of each target the spread over worlds, and of each gain the
 * share of worlds in which it is there.
 *
 * In one world a gain is the mean over runs that the two variants share (same random numbers, same
 * factor of the dither). It counts as help or as harm only where it exceeds both its own 95 %
 * interval over those runs and what the target calls a tie.
 */
#ifndef SIM_STUDY_ENSEMBLE_SUMMARY_H
#define SIM_STUDY_ENSEMBLE_SUMMARY_H

#include "sim/study/ensemble.h"

struct ensemble_spread {
    double median, low, high; /* 10 % and 90 % quantiles */
    double least, most;
    uint32_t helps, hurts, ties; /* worlds; of gains */
};

/* A group of worlds by a split. */
struct ensemble_group {
    char name[ENSEMBLE_NAME]; /* "own", "2us..10us" */
    size_t worlds;
    struct ensemble_spread spread[ENSEMBLE_TARGETS];
};

struct ensemble_summary {
    const struct ensemble_plan *plan;
    size_t worlds;
    double *value;       /* [worlds][targets] */
    double *half_width;  /* [worlds][targets]: 95 % over the runs of a world */
    signed char *effect; /* [worlds][targets]: 1 helps, -1 hurts, 0 a tie or no gain */
    double *metric;      /* [worlds][METRIC_COUNT]: means over the runs of the first spot */
    struct ensemble_spread spread[ENSEMBLE_TARGETS];
};

/* Runs every world at every spot. False: *error says why; free it in any case. */
bool ensemble_summarise(struct ensemble_summary *summary, const struct ensemble *e,
                        const struct world *worlds, size_t count, uint32_t threads,
                        struct progress *progress, struct error *error);
void ensemble_summary_fini(struct ensemble_summary *summary);

/* Groups of worlds under a split, at most `room`; worlds: those that were summarised. */
size_t ensemble_groups(const struct ensemble_summary *summary, const struct ensemble_split *split,
                       const struct world *worlds, struct ensemble_group *groups, size_t room);

#endif
