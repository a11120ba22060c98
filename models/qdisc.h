/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The queueing discipline above the driver's transmit queue, and the byte queue limit (BQL, dql) between
 *        the two: packets wait here while the driver's queue is stopped or over its byte limit.
 * PLACE  Between the stack and start_xmit; fed by the task, drained by whoever runs the queue.
 * LEAVES OUT  Classes, several queues, the quota on bulk dequeue (its bytes bound it here).
 * SOURCE docs/datapath.md, section "What bounds packets in flight".
 *
 * A list that the stack hands over is sent when it is complete, or when the queue is full.
 * A dequeue announces another packet (xmit_more) when the list it came in goes on, or when the byte limit
 * leaves room for the next one: without BQL that room is 0, so socket traffic never gets a bulk.
 */
#ifndef MODELS_QDISC_H
#define MODELS_QDISC_H

#include <stdbool.h>
#include <stdint.h>

#include "models/workload.h"
#include "sim/engine/error.h"
#include "sim/engine/time.h"

#define QDISC_PACKETS 1000 /* txqueuelen */

/* Dynamic queue limit, in bytes; counters wrap at 2^32 as the kernel's do. */
struct dql {
    uint32_t limit;
    uint32_t queued, completed; /* totals */
    uint32_t last_object;       /* bytes of the last queued object */
    uint32_t previous_queued;   /* `queued` at the last completion */
    uint32_t previous_last_object;
    uint32_t previous_overlimit;
    uint32_t lowest_slack;
    sim_time slack_start;
};

struct qdisc {
    bool bql; /* byte limit in force */
    bool off; /* stopped by the byte limit */
    struct dql dql;
    int64_t bulk_left; /* bytes that the present bulk may still take */
    uint32_t head, count;
    uint32_t ready; /* of them: those whose list is complete */
    struct workload_packet packet[QDISC_PACKETS];
    uint64_t bulked; /* packets announced by bulk dequeue */
};

void qdisc_init(struct qdisc *q, bool bql);

static inline bool qdisc_has_room(const struct qdisc *q)
{
    return q->count < QDISC_PACKETS;
}

/* Whether qdisc_take() gives a packet. */
static inline bool qdisc_runs(const struct qdisc *q)
{
    return !q->off && q->ready > 0;
}

void qdisc_put(struct qdisc *q, const struct workload_packet *packet);

/* The next packet for the driver; false: none is ready, or over the byte limit. */
bool qdisc_take(struct qdisc *q, struct workload_packet *packet);

/* The driver put a packet on its ring. Stops the queue when the list ends over the limit. */
void qdisc_on_sent(struct qdisc *q, uint32_t bytes, bool more);

/* The driver reclaimed packets in one sweep; may let the queue run again. */
void qdisc_on_completed(struct qdisc *q, sim_time now, uint64_t bytes);

/* Bytes that may still be queued; negative: over the limit. */
int64_t dql_room(const struct dql *dql);

#endif
