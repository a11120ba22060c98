/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bounded time series: at most SERIES_ROOM points of (mean, least, most) over equal spans of
 * simulated time; when full, neighbours are merged and the span doubles. A run keeps up to 32.
 */
#ifndef SIM_ENGINE_SERIES_H
#define SIM_ENGINE_SERIES_H

#include <stdint.h>

#include "sim/engine/time.h"

#define SERIES_ROOM 1024

struct series_point {
    double sum;
    uint64_t count; /* 0: nothing was observed in this span */
    double least, most;
};

struct series {
    const char *name; /* literal */
    sim_time start;
    sim_time span; /* of one point */
    uint32_t count;
    struct series_point point[SERIES_ROOM];
};

/* span: of the first points, for instance a 1024th of the expected run. */
void series_init(struct series *s, const char *name, sim_time start, sim_time span);
void series_add(struct series *s, sim_time t, double value); /* t >= start, not decreasing */

#endif
