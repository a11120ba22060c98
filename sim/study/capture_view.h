/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A capture read once and summed up in constant memory: when packets come (arrivals), what they are
 * (packet_mix), how many and how large over time (a series whose spans double when it is full).
 * What is fitted and drawn is made of this.
 */
#ifndef SIM_STUDY_CAPTURE_VIEW_H
#define SIM_STUDY_CAPTURE_VIEW_H

#include "sim/engine/series.h"
#include "sim/study/arrivals.h"
#include "sim/study/packet_mix.h"
#include "sim/study/trace_sg.h"

struct capture_view {
    const char *format;
    sim_time last; /* of a packet, from the first */
    struct arrivals arrivals;
    struct packet_mix mix;
    struct series bytes; /* of packets, from the first on */
    struct trace_sg sg;
};

/* False: refused, reported. Big: the caller keeps it off the stack. */
bool capture_view_read(struct capture_view *view, const char *file,
                       const struct trace_options *options, const struct trace_shape *shape,
                       struct problems *problems);

#endif
