/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The packets of a capture in order of time, and only those that are wanted.
 *
 * Several interfaces or CPUs write into one file in pieces, so that packets of one interval stand
 * in blocks. They are sorted within a window: at most 65,536 packets or one second, whichever is
 * less. Packets of equal time keep the order of the file. One that comes later than the window can
 * mend gets the time of the packet before it, and is counted. Memory is the window, whatever the
 * length of the file.
 *
 * Packets that are not wanted (direction, queue) are left out before, and counted. Time stays that
 * of the file: the first packet handed over need not be at 0.
 */
#ifndef SIM_STUDY_TRACE_ORDER_H
#define SIM_STUDY_TRACE_ORDER_H

#include "sim/study/trace.h"

#define TRACE_WINDOW_PACKETS 65536u
#define TRACE_WINDOW         SIM_S

struct trace_order_facts {
    uint64_t packets;      /* handed over */
    uint64_t received;     /* left out: received ones */
    uint64_t other;        /* left out: of another queue or direction */
    uint64_t out_of_order; /* before one that stands earlier in the file */
    uint64_t moved;        /* got their predecessor's time */
    uint64_t unsized;      /* left out: not 14..65550 bytes */
    uint64_t size_unknown; /* left out, or handed over without a size where that is wanted */
};

struct trace_order;

/* Takes packets from the reader, which stays the caller's. The options outlive it. */
struct trace_order *trace_order_new(struct trace_reader *reader,
                                    const struct trace_options *options);
void trace_order_free(struct trace_order *order); /* NULL is fine */

/* 1: a packet; 0: the end, when what there is to warn of was reported; -1: refused, reported. */
int trace_order_next(struct trace_order *order, struct trace_packet *packet);

const struct trace_order_facts *trace_order_facts(const struct trace_order *order);

#endif
