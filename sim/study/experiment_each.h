/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A function for each index of a range, on several threads: for work that keeps its results itself
 * and needs no store. An index touches its own place only, so what comes out is the same for any
 * number of threads. A signal ends the program.
 */
#ifndef SIM_STUDY_EXPERIMENT_EACH_H
#define SIM_STUDY_EXPERIMENT_EACH_H

#include "sim/study/progress.h"

typedef void experiment_index(void *context, size_t index);

/* threads 0: as many as CPUs are at hand; progress NULL: nothing is told, else each index counts as
 * one run. Returns when all are done; threads that cannot be started are done without. */
void experiment_each(uint32_t threads, size_t count, experiment_index *function, void *context,
                     struct progress *progress);

#endif
