/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Probes of a scenario: some of its points run again with one thing changed, to see what an answer
 * rests on.
 *
 *   fresh        the same configuration under another seed: a value that was picked because it did
 *                best was lucky, too, and is judged by streams that did not pick it
 *   PATH=VALUE   one cost, or one regime of the device (its latency, its batch), at an end of its
 *                plausible range; one replication, whose random numbers are those of replication 0
 *
 * The probes are a scenario of their own, whose points are the probes: the axes of the parent, and
 * behind them the axis "probe". So they are run, resumed and stored as everything else.
 */
#ifndef SIM_STUDY_SCENARIO_PROBE_H
#define SIM_STUDY_SCENARIO_PROBE_H

#include "sim/study/scenario.h"

#define PROBE_AXIS  "probe"
#define PROBE_FRESH "fresh"

struct probe {
    size_t point, variant; /* of the parent */
    ptrdiff_t row;         /* of the parameter in config_schema; below 0: fresh */
    char value[64];        /* of the parameter, as after --set */
};

/* parent outlives it, list is copied. replications: of the fresh ones, at least 2. */
struct scenario *scenario_probes(const struct scenario *parent, const struct probe *list,
                                 size_t count, uint32_t replications);

/* The probe of a point of the parent under another seed; the number of points: there is none. */
size_t scenario_fresh(const struct scenario *probes, size_t point, size_t variant);

/* The ends of the plausible range of a parameter at a point: those of the cost table that sets it,
 * else its row's. False: it has none, is an axis, has no effect at this point, or is no cost and
 * was given another regime (a value outside the range, or one that a choice presets). */
bool scenario_plausible(const struct scenario *scenario, size_t point, size_t variant, size_t row,
                        char low[64], char high[64]);

#endif
