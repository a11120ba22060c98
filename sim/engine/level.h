/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A time-weighted level: how many are inside, integrated over time. level x time is summed in 128
 * bits, so it never wraps or rounds; at the end of a run it must equal the sum of the stays.
 */
#ifndef SIM_ENGINE_LEVEL_H
#define SIM_ENGINE_LEVEL_H

#include <stdint.h>

#include "sim/engine/time.h"
#include "sim/engine/wide.h"

/* All zeros is an empty level whose window began at time 0. */
struct level {
    int64_t value;
    int64_t most;   /* since the window began */
    sim_time since; /* when value last changed */
    sim_time start; /* of the window */
    sim_wide area;  /* of the window up to `since`, in units x ps */
};

/* Begins a window at now with the present value. */
void level_restart(struct level *level, sim_time now);

/* Times do not decrease; now >= start. */
static inline void level_change(struct level *level, sim_time now, int64_t by)
{
    level->area += (sim_wide)level->value * (now - level->since);
    level->since = now;
    level->value += by;
    level->most = level->value > level->most ? level->value : level->most;
}

/* Up to now, which is not before the last change. */
sim_wide level_area(const struct level *level, sim_time now);
double level_mean(const struct level *level, sim_time now); /* NaN for an empty window */

#endif
