/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The receive handler:
 *
 *   run -> fetch -> fill -> [return ->] weight -> back to fetch
 *            | socket empty: [return ->] watch -> end
 *            | no buffer:    [return ->] enable -> re-check -> end, or back to fetch
 */
#include "models/vhost_rx.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/guest.h"
#include "models/outside.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static const struct param rows[] = {
    {.path = "host.vhost.rx_queue",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct vhost_rx_config, queue),
     .least = 1,
     .most = 1048576,
     .fallback = "1000",
     .unit = "packets",
     .when_path = "workload.outside.type",
     .when_value = "ping|flood",
     .help = "packets for the guest that the tap's socket holds (its tx_queue_len); more are dropped"},
    {.path = "host.vhost.rx_repeek",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct vhost_rx_config, repeek),
     .fallback = "false",
     .when_path = "workload.outside.type",
     .when_value = "ping|flood",
     .help = "a receive run looks at the socket again after it has signalled the guest, and goes on; else it queues "
             "itself and ends"},
    {.path = "costs.vhost.rx_packet",
     .kind = PARAM_COST,
     .offset = offsetof(struct vhost_rx_config, packet),
     .most = 1e12,
     .fallback = "0.7us",
     .when_path = "workload.outside.type",
     .when_value = "ping|flood",
     .help = "per packet that is put into the guest's receive queue",
     .certificate = {"0.4us", "2us", PARAM_GUESS,
                     "receiving of small packets at 1.3 to 1.5 Mpps, prior"}},
};

const struct param_table vhost_rx_params =
    PARAM_TABLE("vhost receive", struct vhost_rx_config, rows, NULL);

/* ---- the socket ---- */

static struct rx_packet *place(const struct vhost_rx *rx, uint32_t i)
{
    uint32_t at = rx->head + i;

    return &rx->packet[at >= rx->config.queue ? at - rx->config.queue : at];
}

void vhost_rx_on_packet(struct vhost_rx *rx, struct sim *sim, sim_time now,
                        const struct rx_packet *packet)
{
    rx->counts.arrived++;
    if (rx->count == rx->config.queue) {
        rx->counts.dropped++;
        outside_on_dropped(rx->outside, packet->echo);
        return;
    }
    *place(rx, rx->count) = *packet;
    rx->count++;
    if (rx->watched) {
        vhost_worker_queue(rx->worker, &rx->work, sim, now);
    }
}

void vhost_rx_on_kick(struct vhost_rx *rx, struct sim *sim, sim_time now)
{
    vhost_worker_kick(rx->worker, &rx->work, sim, now + rx->notify.kick_latency);
}

/* ---- the handler ---- */

static sim_time run(struct vhost_rx *rx, sim_time now)
{
    vhost_work_begin(&rx->work, now);
    rx->counts.runs++;
    rx->found = false;
    rx->bytes = 0;
    rx->packets = 0;
    rx->watched = false;
    rx->ring->wants_kick = false;
    rx->pc = VHOST_RX_FETCH;
    return vhost_worker_spend(rx->worker, now, rx->shared.run);
}

/* Goes on at pc, after the filled buffers that still wait. */
static void flush_then(struct vhost_rx *rx, enum vhost_rx_pc pc)
{
    rx->after_return = pc;
    rx->pc = rx->ring->filled > 0 ? VHOST_RX_RETURN : pc;
}

static sim_time fetch(struct vhost_rx *rx, sim_time now)
{
    const struct vhost_config *c = &rx->shared;
    sim_time cost;

    if (rx->count == 0) {
        flush_then(rx, rx->config.repeek && rx->ring->filled > 0 ? VHOST_RX_FETCH : VHOST_RX_WATCH);
        return now;
    }
    if (rx_ring_posted(rx->ring) == 0) {
        /* The way to the store takes time: the window in which buffers can be posted that only the second look
         * finds. */
        flush_then(rx, VHOST_RX_ENABLE);
        return vhost_worker_spend(rx->worker, now, c->enable / 2);
    }
    rx->found = true;
    rx->filling = true;
    rx->current = *place(rx, 0);
    rx->head = rx->head + 1 == rx->config.queue ? 0 : rx->head + 1;
    rx->count--;
    cost = law_jitter(&rx->jitter, rx->config.packet, rx->jitter_cv) + c->copy +
           c->copy_byte * rx->current.size;
    rx->pc = VHOST_RX_FILL;
    return vhost_worker_spend(rx->worker, now, cost);
}

static bool over_weight(const struct vhost_rx *rx)
{
    const struct vhost_config *c = &rx->shared;

    return (c->weight_bytes > 0 && rx->bytes >= c->weight_bytes) ||
           (c->weight_packets > 0 && rx->packets >= c->weight_packets);
}

static sim_time fill(struct vhost_rx *rx, sim_time now)
{
    rx->filling = false;
    rx_ring_fill(rx->ring, &rx->current);
    rx->counts.received++;
    rx->bytes += rx->current.size + rx->shared.header_bytes;
    rx->packets++;
    if (over_weight(rx)) {
        vhost_work_requeue(&rx->work, now);
        flush_then(rx, VHOST_RX_END);
    } else if (rx->ring->filled >= rx->shared.batch) {
        flush_then(rx, VHOST_RX_FETCH);
    } else {
        rx->pc = VHOST_RX_FETCH;
    }
    return now;
}

static sim_time return_filled(struct vhost_rx *rx, struct sim *sim, sim_time now)
{
    struct rx_ring *ring = rx->ring;
    sim_time cost = (sim_time)ring->filled * rx->shared.used_entry;

    rx_ring_note_waits(ring, &rx->wait, now);
    if (rx_ring_publish(ring)) {
        rx->counts.calls++;
        guest_on_call(rx->guest, sim, now, GUEST_VECTOR_RX);
        cost += rx->notify.call;
    }
    rx->pc = rx->after_return;
    return vhost_worker_spend(rx->worker, now, cost);
}

/* What arrived before the socket was watched again, while the guest was signalled, has queued nothing. */
static sim_time watch(struct vhost_rx *rx, sim_time now)
{
    rx->watched = true;
    if (rx->count > 0) {
        rx->counts.missed++;
        vhost_work_requeue(&rx->work, now);
    }
    rx->pc = VHOST_RX_END;
    return now;
}

static sim_time enable(struct vhost_rx *rx, sim_time now)
{
    rx->ring->wants_kick = true;
    rx->pc = VHOST_RX_RECHECK;
    return vhost_worker_spend(rx->worker, now, rx->shared.enable - rx->shared.enable / 2);
}

static sim_time recheck(struct vhost_rx *rx, sim_time now)
{
    if (rx->shared.recheck && rx_ring_posted(rx->ring) > 0) {
        rx->ring->wants_kick = false;
        rx->pc = VHOST_RX_FETCH;
    } else {
        rx->counts.starved++;
        rx->pc = VHOST_RX_END;
    }
    return now;
}

static sim_time end(struct vhost_rx *rx, sim_time now)
{
    rx->counts.empty_runs += rx->found ? 0 : 1;
    rx->pc = VHOST_RX_RUN;
    return vhost_worker_end_run(rx->worker, now);
}

sim_time vhost_rx_step(struct vhost_work *work, struct sim *sim, sim_time now)
{
    struct vhost_rx *rx = container_of(work, struct vhost_rx, work);

    switch (rx->pc) {
    case VHOST_RX_RUN:
        return run(rx, now);
    case VHOST_RX_FETCH:
        return fetch(rx, now);
    case VHOST_RX_FILL:
        return fill(rx, now);
    case VHOST_RX_RETURN:
        return return_filled(rx, sim, now);
    case VHOST_RX_WATCH:
        return watch(rx, now);
    case VHOST_RX_ENABLE:
        return enable(rx, now);
    case VHOST_RX_RECHECK:
        return recheck(rx, now);
    case VHOST_RX_END:
        return end(rx, now);
    }
    __builtin_unreachable();
}

void vhost_rx_check(const struct vhost_rx *rx, sim_time now)
{
    const struct vhost_rx_counts *c = &rx->counts;
    uint64_t inside = rx->count + (rx->filling ? 1 : 0);

    sim_assert(c->arrived == c->dropped + inside + c->received, now,
               "%" PRIu64 " packets at the socket, %" PRIu64 " dropped, %" PRIu64
               " inside, %" PRIu64 " received",
               c->arrived, c->dropped, inside, c->received);
    rx_ring_check(rx->ring, now);
}

/* ---- life ---- */

bool vhost_rx_init(struct vhost_rx *rx, const struct vhost_rx_config *config,
                   const struct vhost_config *shared, const struct notify_config *notify,
                   double jitter_cv, uint64_t seed, uint32_t replication, struct error *error)
{
    memset(rx, 0, sizeof *rx);
    rx->config = *config;
    rx->shared = *shared;
    rx->notify = *notify;
    rx->jitter_cv = jitter_cv;
    rx->watched = true;
    stream_init(&rx->jitter, seed, replication, "vhost.rx_packet");
    histogram_clear(&rx->wait);
    rx->packet = calloc(config->queue, sizeof *rx->packet);
    return rx->packet ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void vhost_rx_fini(struct vhost_rx *rx)
{
    free(rx->packet);
    memset(rx, 0, sizeof *rx);
}
