/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An experiment: all runs of a scenario (points x variants x replications) that the store does not
 * hold yet, computed on several threads. The only file with threads.
 *
 * A trial is one run: its configuration, which replication, and room for its result. The trials in
 * work are a small array; a thread takes the next index that is ready, runs that trial and touches
 * nothing else. The calling thread fills trials, is the only one that writes the store, and commits
 * each run as it finishes, so memory does not grow with the number of runs, and what is finished
 * when the program dies is kept.
 *
 * Replications are exact, or, with stop.relative_precision, as many as it takes until the interval
 * of stop.metric is narrow enough: judged on replications 0..n-1 in order, never on the order in
 * which they finish. Runs computed beyond that n are discarded, so the store holds the same for any
 * number of threads.
 *
 * SIGINT and SIGTERM: no new runs begin; those that finish within half a second are kept, longer
 * ones are abandoned. A second signal kills.
 */
#ifndef SIM_STUDY_EXPERIMENT_H
#define SIM_STUDY_EXPERIMENT_H

#include "sim/study/progress.h"
#include "sim/study/scenario.h"
#include "sim/study/store.h"

#define EXPERIMENT_THREADS_MOST 1024

struct experiment_options {
    uint32_t threads; /* 0: as many as CPUs are at hand */
    enum progress_mode progress;
};

/* One configuration: a point under a variant. */
struct experiment_cell {
    int64_t config_id;
    uint32_t replications; /* 0..n-1 are in the store and count */
    bool precise;          /* false: stop.relative_precision was not reached */
};

struct experiment {
    size_t points, variants;
    struct experiment_cell *cell; /* points x variants, a point's variants side by side */
    uint64_t computed, reused;
    int signal; /* that ended it early; 0: none */
};

/* CPUs this process may run on. */
uint32_t experiment_threads(void);

/* False on failure; finished runs are in the store then, too. problems: gets a warning for every
 * configuration whose precision was not reached, and its present warnings go into the store. */
bool experiment_run(struct experiment *experiment, const struct scenario *scenario,
                    struct store *store, const struct experiment_options *options,
                    struct problems *problems, struct error *error);
void experiment_fini(struct experiment *experiment);

static inline const struct experiment_cell *experiment_at(const struct experiment *experiment,
                                                          size_t point, size_t variant)
{
    return &experiment->cell[point * experiment->variants + variant];
}

#endif
