/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A stretch of a run as a timeline in the JSON trace format that browsers and Perfetto draw: one
 * row a party, one bar for each piece of work, a mark for what takes no time, and an arrow for each
 * packet from where the guest published it over the backend to where the guest took it back.
 *
 * Times are microseconds of simulated time with all their six decimals. Bars that reach into the
 * window are whole; an arrow needs its beginning inside. A file has at most TIMELINE_OUT_MOST
 * entries; what came after is counted.
 */
#ifndef SIM_STUDY_TIMELINE_OUT_H
#define SIM_STUDY_TIMELINE_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "models/observer.h"
#include "sim/engine/error.h"

#define TIMELINE_OUT_MOST 500000

struct timeline_out {
    FILE *file;
    const char *name;
    sim_time from, to;      /* the window */
    uint64_t first, last;   /* packets published in it; 0: none */
    uint64_t entries, left_out;
};

/* Creates the file. The name stays the caller's. */
bool timeline_out_open(struct timeline_out *out, const char *name, sim_time from, sim_time to,
                       struct error *error);

/* As struct observer's calls. */
void timeline_out_work(struct timeline_out *out, enum observer_party party, const char *what,
                       sim_time from, sim_time to);
void timeline_out_packet(struct timeline_out *out, enum observer_party party,
                         enum observer_point point, uint64_t packet, uint32_t size, sim_time now);

/* False when not all of it could be written. */
bool timeline_out_close(struct timeline_out *out, struct error *error);

#endif
