/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Measured packets per second, a run a line: one column of a CSV file with a header line, # for
 * comments. And what its mean is worth: runs that follow each other are alike when the machine
 * drifts, so there are fewer independent ones than lines. With the lag-1 autocorrelation r (of a
 * first-order process) n runs are worth n (1 - r) / (1 + r).
 */
#ifndef SIM_STUDY_RATE_COLUMN_H
#define SIM_STUDY_RATE_COLUMN_H

#include "sim/engine/error.h"

struct rate_column {
    uint32_t count;
    double mean_pps;
    double stdev_pps;   /* of one run */
    double lag1;        /* autocorrelation of neighbours */
    double independent; /* what the runs are worth, 1..count */
};

/* False: no such file or column, a cell that is no number above 0, fewer than two lines. */
bool rate_column_read(struct rate_column *column, const char *file, const char *name,
                      struct error *error);

/* Relative standard error of the mean: of `runs` independent runs. */
double rate_column_error(const struct rate_column *column, double runs);

#endif
