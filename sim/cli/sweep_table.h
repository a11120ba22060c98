/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table at the end of a sweep: a section for each case, a line for each point and variant with
 * the packet rate, the guest's time per packet, and what is gained in that time. The gain is
 * against the first variant at the same point where there are several, else against the first value
 * of the last axis, the others being equal; it is paired by replication. Where a point was run
 * again under another seed, because the answer rests on it, those figures are shown, and are marked
 * with a star; a point whose replications fall into two groups is shown with both. A long table is
 * cut to the first, the best and the last value of the last axis, or to the best.
 */
#ifndef SIM_CLI_SWEEP_TABLE_H
#define SIM_CLI_SWEEP_TABLE_H

#include "sim/study/experiment.h"

#define SWEEP_TABLE_LINES 48 /* a table of more lines is cut, unless all are asked for */

struct sweep_table {
    const struct scenario *scenario;
    const struct experiment *experiment;
    const struct scenario *probes;   /* scenario_probe.h; NULL: none */
    const struct experiment *probed; /* of the probes */
    struct store *store;
    bool all;
};

bool sweep_table_print(const struct sweep_table *sweep, FILE *out, struct error *error);

#endif
