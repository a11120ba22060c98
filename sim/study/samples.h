/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the scenarios of a published table give for its cells that are metrics: each point that some
 * cell needs is run once, all cells read from it, and a cell has one value for each replication.
 * Replications share their random numbers, so a cell that holds one variant against another is
 * paired: ratios are linear around that of the means (the delta method), so the mean of the values
 * is the ratio of the means and their spread is its error.
 */
#ifndef SIM_STUDY_SAMPLES_H
#define SIM_STUDY_SAMPLES_H

#include "sim/engine/interval.h"
#include "sim/study/experiment.h"
#include "sim/study/published.h"

struct sample {
    double *x; /* of each replication */
    uint32_t count;
    double level; /* of intervals */
};

struct samples {
    struct sample cell[PUBLISHED_CELLS], base[PUBLISHED_CELLS]; /* x NULL: no metric */
    int signal;                                                 /* that interrupted; 0: none */
};

/* False: a scenario cannot be read or lacks what a cell names, or a run failed or was interrupted.
 * To be freed either way. */
bool samples_take(struct samples *samples, const struct published *published,
                  const struct experiment_options *options, struct error *error);
void samples_fini(struct samples *samples);

struct interval samples_interval(const struct samples *samples, size_t cell);

#endif
