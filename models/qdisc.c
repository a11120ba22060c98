/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/qdisc.h"

#include <string.h>

#include "sim/engine/assert.h"

#define SLACK_HOLD SIM_S /* how long the limit keeps slack before it is taken back */

void qdisc_init(struct qdisc *q, bool bql)
{
    memset(q, 0, sizeof *q);
    q->bql = bql;
    q->dql.lowest_slack = UINT32_MAX;
}

void qdisc_put(struct qdisc *q, const struct workload_packet *packet)
{
    sim_assert(q->count < QDISC_PACKETS, 0, "the queue above the driver overflows");
    q->packet[(q->head + q->count) % QDISC_PACKETS] = *packet;
    q->count++;
    if (!packet->more || q->count == QDISC_PACKETS) {
        q->ready = q->count;
    }
}

int64_t dql_room(const struct dql *dql)
{
    return (int64_t)dql->limit - (uint32_t)(dql->queued - dql->completed);
}

bool qdisc_take(struct qdisc *q, struct workload_packet *packet)
{
    if (!qdisc_runs(q)) {
        return false;
    }
    *packet = q->packet[q->head];
    q->head = (q->head + 1) % QDISC_PACKETS;
    q->count--;
    q->ready--;
    if (!q->bql || packet->more) {
        return true;
    }
    if (q->bulk_left == 0) {
        q->bulk_left = dql_room(&q->dql);
    }
    q->bulk_left -= packet->size;
    if (q->bulk_left > 0 && q->count > 0) {
        packet->more = true;
        q->bulked++;
    } else {
        q->bulk_left = 0;
    }
    return true;
}

void qdisc_on_sent(struct qdisc *q, uint32_t bytes, bool more)
{
    if (!q->bql) {
        return;
    }
    q->dql.last_object = bytes;
    q->dql.queued += bytes;
    if (!more && dql_room(&q->dql) < 0) {
        q->off = true;
        q->bulk_left = 0;
    }
}

/* Bytes above zero of a - b, for counters that wrap. */
static uint32_t above(uint32_t a, uint32_t b)
{
    return (int32_t)(a - b) > 0 ? a - b : 0;
}

/* Starved: over the limit during the whole interval and drained at its end, or drained although the
 * previous interval left it over the limit: what was completed beyond the queue was missing. */
static void dql_grow(struct dql *dql, uint32_t completed)
{
    dql->limit += above(completed, dql->previous_queued) + dql->previous_overlimit;
    dql->lowest_slack = UINT32_MAX;
}

/* Busy for the whole interval: what was never needed is slack, and the least slack seen is taken back
 * once per hold time. */
static void dql_shrink(struct dql *dql, sim_time now, uint32_t completed_bytes)
{
    uint32_t slack = above(dql->limit + dql->previous_overlimit, 2 * completed_bytes);
    uint32_t last = dql->previous_overlimit > 0
                        ? above(dql->previous_last_object, dql->previous_overlimit)
                        : 0;

    slack = slack > last ? slack : last;
    if (slack < dql->lowest_slack) {
        dql->lowest_slack = slack;
    }
    if (now - dql->slack_start > SLACK_HOLD) {
        dql->limit = above(dql->limit, dql->lowest_slack);
        dql->slack_start = now;
        dql->lowest_slack = UINT32_MAX;
    }
}

static void dql_completed(struct dql *dql, sim_time now, uint32_t bytes)
{
    uint32_t completed = dql->completed + bytes;
    uint32_t overlimit = above(dql->queued - dql->completed, dql->limit);
    uint32_t in_progress = dql->queued - completed;
    uint32_t previous_in_progress = dql->previous_queued - dql->completed;
    bool all_previous_completed = (int32_t)(completed - dql->previous_queued) >= 0;
    uint32_t limit = dql->limit;

    if ((overlimit > 0 && in_progress == 0) ||
        (dql->previous_overlimit > 0 && all_previous_completed)) {
        dql_grow(dql, completed);
        dql->slack_start = now;
    } else if (in_progress > 0 && previous_in_progress > 0 && !all_previous_completed) {
        dql_shrink(dql, now, bytes);
    }
    /* Measured against a limit that has just moved, the overlimit says nothing. */
    dql->previous_overlimit = dql->limit == limit ? overlimit : 0;
    dql->previous_last_object = dql->last_object;
    dql->completed = completed;
    dql->previous_queued = dql->queued;
}

void qdisc_on_completed(struct qdisc *q, sim_time now, uint64_t bytes)
{
    if (!q->bql || bytes == 0) {
        return;
    }
    dql_completed(&q->dql, now, (uint32_t)bytes);
    if (q->off && dql_room(&q->dql) >= 0) {
        q->off = false;
    }
}
