/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   A recorded sequence of packets: when each was handed to the driver, how large it is, how
 *        many page fragments it has.
 * PLACE  Read by the workload in place of drawing packets; shared read-only by all runs at once.
 * LEAVES OUT  Files and formats (the study reads those), receive side.
 * SOURCE docs/traces.md.
 *
 * The entries are an array, so that a run can go through it at its own pace, as often as it likes:
 * the study keeps it in a mapped file, and memory does not grow with its length.
 */
#ifndef MODELS_PACKET_TRACE_H
#define MODELS_PACKET_TRACE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/time.h"

struct packet_trace_entry {
    sim_time at;    /* from the first packet, which is at 0; never decreasing */
    uint32_t size;  /* frame bytes, virtio-net header not counted, 14..65550 */
    uint16_t frags; /* page fragments: the entries of the request less the linear part */
    uint16_t more;  /* 1: another packet of the same list follows (xmit_more) */
};

_Static_assert(sizeof(struct packet_trace_entry) == 16, "an entry is 16 bytes in its file");

struct packet_trace {
    const struct packet_trace_entry *entry; /* [count] */
    uint64_t count;                         /* >= 1 */

    /* set by packet_trace_summarise() */
    uint32_t most_frags;
    double mean_size, mean_frags;
};

/* Reads the entries once for what the checks of a configuration ask. */
void packet_trace_summarise(struct packet_trace *trace);

#endif
