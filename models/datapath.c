/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/datapath.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/datapath_state.h"
#include "models/receive.h"
#include "sim/engine/assert.h"

#define HANG_LEAST (10 * SIM_MS)

static bool init_memory(struct datapath *dp, const struct run_id *id, struct error *error)
{
    struct indirect_plan plan = datapath_table_plan(dp->config);

    if (!virtqueue_init(&dp->vq, &dp->config->tx_ring, error) ||
        !memory_init(&dp->memory, &dp->config->memory, virtqueue_bytes(&dp->vq),
                     indirect_address_bytes(&plan), error)) {
        return false;
    }
    if (plan.cpus > 1) {
        memory_two_cpus(&dp->memory);
    }
    return indirect_init(&dp->tables, &plan, &dp->memory, id->seed, id->replication, error);
}

static bool init_parties(struct datapath *dp, const struct run_id *id, struct error *error)
{
    const struct datapath_config *c = dp->config;
    struct guest_settings settings = {.guest = c->guest,
                                      .cost = c->guest_cost,
                                      .kernel = c->kernel,
                                      .notify = c->notify,
                                      .dma = c->dma,
                                      .vcpu = c->vcpu,
                                      .idle = c->idle,
                                      .jitter_cv = c->timing.jitter_cv};

    qdisc_init(&dp->qdisc, c->kernel.bql && c->guest.napi_tx && c->guest.path == GUEST_SKB);
    if (!workload_init(&dp->workload, &c->workload, id->seed, id->replication, error)) {
        return false;
    }
    if (c->guest.path == GUEST_XSK) {
        dp->workload.tsq.counts = false; /* frames have no socket that counts them */
    }
    return peer_init(&dp->peer, &c->peer, c->timing.jitter_cv, id->seed, id->replication, error) &&
           guest_init(&dp->guest, &settings, id->seed, id->replication, c->tx_ring.size, error) &&
           backend_init(&dp->backend, &c->backend, &c->notify, c->timing.jitter_cv, id->seed,
                        id->replication, c->tx_ring.size, error);
}

static bool init_vhost(struct datapath *dp, const struct run_id *id, struct error *error)
{
    const struct datapath_config *c = dp->config;

    if (!datapath_has_vhost(dp)) {
        return true;
    }
    vhost_init(&dp->vhost, &c->vhost, &c->notify, &c->idle, c->timing.jitter_cv, id->seed,
               id->replication);
    host_socket_init(&dp->vhost.tx.socket, &c->host_socket, id->seed, id->replication);
    return nic_init(&dp->nic, &c->nic, id->seed, id->replication, error) &&
           host_qdisc_init(&dp->host_qdisc, &c->host_qdisc, error) &&
           receiver_init(&dp->receiver, &c->receiver, c->timing.jitter_cv, id->seed, id->replication,
                         error);
}

static bool init_outside(struct datapath *dp, const struct run_id *id, struct error *error)
{
    const struct datapath_config *c = dp->config;
    uint32_t inside = c->vhost_rx.queue + c->rx_ring.size + QDISC_PACKETS + c->tx_ring.size + 3;

    return !datapath_has_outside(dp) ||
           (vhost_add_rx(&dp->vhost, &c->vhost_rx, id->seed, id->replication, error) &&
            rx_ring_init(&dp->rx_ring, &c->rx_ring, c->tx_ring.event_idx, error) &&
            outside_init(&dp->outside, &c->outside, inside, c->timing.jitter_cv, id->seed,
                         id->replication, error));
}

static void join_outside(struct datapath *dp)
{
    if (!datapath_has_outside(dp)) {
        return;
    }
    dp->vhost.rx.ring = &dp->rx_ring;
    dp->vhost.rx.guest = &dp->guest;
    dp->vhost.rx.outside = &dp->outside;
    dp->outside.rx = &dp->vhost.rx;
    dp->nic.outside = &dp->outside;
    dp->guest.rx_ring = &dp->rx_ring;
    dp->guest.vhost_rx = &dp->vhost.rx;
    dp->guest.outside = &dp->outside;
}

static void join_vhost(struct datapath *dp)
{
    dp->backend.vhost = &dp->vhost;
    dp->vhost.worker.nic = &dp->nic;
    dp->vhost.tx.vq = &dp->vq;
    dp->vhost.tx.memory = &dp->memory;
    dp->vhost.tx.tables = &dp->tables;
    dp->vhost.tx.guest = &dp->guest;
    dp->vhost.tx.nic = &dp->nic;
    dp->vhost.tx.socket.qdisc = &dp->host_qdisc;
    dp->vhost.tx.socket.nic = &dp->nic;
    dp->vhost.tx.socket.receiver = &dp->receiver;
    dp->vhost.tx.socket.peer = &dp->peer;
    dp->vhost.tx.socket.tx = &dp->vhost.tx;
    dp->host_qdisc.nic = &dp->nic;
    dp->host_qdisc.tx = &dp->vhost.tx;
    dp->receiver.tx = &dp->vhost.tx;
    dp->receiver.peer = &dp->peer;
    dp->nic.tx = &dp->vhost.tx;
    dp->nic.qdisc = &dp->host_qdisc;
    dp->nic.peer = &dp->peer;
}

static void join(struct datapath *dp, const struct run_id *id)
{
    dp->guest.vq = &dp->vq;
    dp->guest.memory = &dp->memory;
    dp->guest.tables = &dp->tables;
    dp->guest.workload = &dp->workload;
    dp->guest.qdisc = &dp->qdisc;
    dp->guest.backend = &dp->backend;
    dp->backend.vq = &dp->vq;
    dp->backend.memory = &dp->memory;
    dp->backend.tables = &dp->tables;
    dp->backend.guest = &dp->guest;
    dp->backend.peer = &dp->peer;
    join_vhost(dp);
    join_outside(dp);
    dp->peer.guest = &dp->guest;
    dp->workload.consumer = &dp->guest.cpus[0].actor;
    backend_start(&dp->backend);

    if (id->observer) {
        datapath_observe(dp, id->observer);
    }
    sim_init(&dp->sim, id->observer ? SIM_PLAIN : id->engine, id->event_set);
    sim_add(&dp->sim, &dp->workload.actor);
    sim_add(&dp->sim, &dp->guest.cpus[0].actor);
    sim_add(&dp->sim, &dp->backend.actor);
    sim_add(&dp->sim, &dp->backend.completion);
    sim_add(&dp->sim, &dp->peer.actor);
    if (dp->guest.cpu_count > 1) {
        sim_add(&dp->sim, &dp->guest.cpus[1].actor);
    }
    if (datapath_has_vhost(dp)) {
        sim_add(&dp->sim, &dp->vhost.worker.actor);
        for (uint32_t i = 0; i < dp->config->nic.completion_cpus; i++) {
            sim_add(&dp->sim, &dp->nic.softirq[i].actor);
        }
        if (dp->vhost.tx.socket.config.local_share > 0) {
            sim_add(&dp->sim, &dp->receiver.actor);
        }
    }
    if (datapath_has_outside(dp)) {
        sim_add(&dp->sim, &dp->outside.actor);
    }
}

static void fini(struct datapath *dp)
{
    outside_fini(&dp->outside);
    rx_ring_fini(&dp->rx_ring);
    vhost_fini(&dp->vhost);
    nic_fini(&dp->nic);
    host_qdisc_fini(&dp->host_qdisc);
    receiver_fini(&dp->receiver);
    backend_fini(&dp->backend);
    guest_fini(&dp->guest);
    peer_fini(&dp->peer);
    workload_fini(&dp->workload);
    indirect_fini(&dp->tables);
    memory_fini(&dp->memory);
    virtqueue_fini(&dp->vq);
    free(dp);
}

/* What the worker and the softirq did in the backend's place. */
static void vhost_totals(const struct datapath *dp, sim_time now, struct datapath_totals *t)
{
    const struct host_socket_counts *socket = &dp->vhost.tx.socket.counts;

    t->vhost = vhost_counts(&dp->vhost);
    t->vhost_rx = dp->vhost.rx.counts;
    t->outside = dp->outside.counts;
    t->calls = t->vhost.calls;
    t->wakeups = t->vhost.wakeups;
    t->runs = t->vhost.runs;
    t->empty_runs = t->vhost.empty_runs;
    t->wake_time = dp->vhost.worker.wake_total;
    t->host_work = vhost_worker_busy(&dp->vhost.worker, now);
    t->host_busy = t->host_work + nic_busy(&dp->nic, now);
    t->behind = (struct datapath_behind){
        .calls = socket->calls,
        .called = socket->batched + socket->single,
        .failed = socket->full + socket->no_buffers,
        .dropped = dp->host_qdisc.dropped + dp->receiver.dropped,
        .linked = dp->nic.sent,
        .frames = dp->nic.frames,
        .lost = dp->nic.lost,
        .zerocopy_done = dp->vhost.tx.ubuf.completed,
        .zerocopy_failed = dp->vhost.tx.ubuf.failed,
    };
}

struct datapath_totals datapath_totals(const struct datapath *dp, sim_time now)
{
    struct datapath_totals t = {
        .guest = dp->guest.counts,
        .ledger = guest_ledger(&dp->guest),
        .delivered = dp->guest.delivered,
        .delivered_bytes = dp->guest.delivered_bytes,
        .task_time = ledger_sum(&dp->guest.cpus[0].ledger),
        .cpu_moves = memory_cpu_moves(&dp->memory),
        .guest_busy = guest_busy(&dp->guest, now),
        .reclaim_busy = guest_cpu_busy(&dp->guest.cpus[1], now),
        .vcpu_polled = vcpu_polled(&dp->guest.cpus[0].vcpu) + vcpu_polled(&dp->guest.cpus[1].vcpu),
        .host_busy = backend_busy(&dp->backend, now),
        .host_work = backend_work(&dp->backend, now),
        .calls = dp->backend.calls,
        .wakeups = dp->backend.wakeups,
        .runs = dp->backend.runs,
        .empty_runs = dp->backend.empty_runs,
        .dropped = dp->workload.dropped + dp->guest.counts.dropped,
    };

    if (datapath_has_vhost(dp)) {
        vhost_totals(dp, now, &t);
    }
    memcpy(t.tables, dp->tables.count, sizeof t.tables);
    memcpy(t.frees, dp->tables.slab.frees, sizeof t.frees);
    return t;
}

/* The warm-up is over: what is measured starts now. */
static void begin_window(struct datapath *dp)
{
    struct guest *g = &dp->guest;

    dp->before = datapath_totals(dp, dp->start);
    level_restart(&g->in_flight, dp->start);
    g->stays = 0;
    histogram_clear(&g->in_flight_at_add);
    histogram_clear(&g->latency);
    histogram_clear(&g->reclaim_latency);
    histogram_clear(&dp->vhost.tx.completion);
    histogram_clear(&dp->vhost.worker.woken);
    histogram_clear(&dp->vhost.rx.wait);
    histogram_clear(&dp->outside.round_trip);
    g->least_free = dp->vq.config.size;
}

/* What waking may take beyond its constant part, and another thread on the worker's CPU. */
static sim_time wake_way(const struct datapath_config *c)
{
    const struct idle_config *idle = &c->idle;
    uint32_t count;
    const struct idle_state *state = idle_states((enum idle_cpu)idle->cpu, &count);
    sim_time way = idle->sched + (idle->busy_ratio > 0 ? idle->slice : 0);

    way += state ? state[count - 1].exit_us * SIM_US : 0;
    way += c->vhost.descheduled_every > 0 ? c->vhost.descheduled_for : 0;
    return way;
}

/* A full card that takes nothing until half of it has left. */
static sim_time drain_way(const struct datapath_config *c)
{
    double frame = 8.0 * workload_most_size(&c->workload) / c->nic.rate_bps * (double)SIM_S;

    return c->backend.type == BACKEND_VHOST ? (sim_time)(c->nic.queue / 2.0 * frame) : 0;
}

/* A packet's way through vhost and the card, and a full card in front of it. */
static sim_time vhost_way(const struct datapath_config *c)
{
    const struct vhost_config *v = &c->vhost;
    sim_time frame = (sim_time)(8.0 * WORKLOAD_SIZE_MOST / c->nic.rate_bps * (double)SIM_S);

    if (c->backend.type != BACKEND_VHOST) {
        return 0;
    }
    return v->wake + v->switch_to + v->run + v->packet + v->copy +
           v->copy_byte * WORKLOAD_SIZE_MOST + v->pin + v->busyloop + v->retry + c->receiver.read +
           c->receiver.read_byte * WORKLOAD_SIZE_MOST + c->nic.moderation + c->nic.slow_by +
           c->nic.latency + c->nic.interrupt + c->nic.clean + frame;
}

/* A packet's way in from outside, and its answer's way back. */
static sim_time outside_way(const struct datapath_config *c)
{
    if (c->backend.type != BACKEND_VHOST || c->outside.type == OUTSIDE_NONE) {
        return 0;
    }
    return 2 * c->outside.latency + c->vhost_rx.packet + c->guest_cost.echo;
}

static sim_time hang_time(const struct datapath_config *c)
{
    const struct guest_cost_config *g = &c->guest_cost;
    sim_time packet = g->stack_packet + WORKLOAD_SIZE_MOST * (g->stack_byte + c->backend.byte) +
                      c->guest.max_skb_frags * g->stack_frag + c->backend.packet;
    sim_time way = c->notify.doorbell + c->notify.kick_latency + c->backend.wake + c->backend.run +
                   c->notify.call_latency + c->notify.idle_exit + g->hardirq + g->napi;
    sim_time longest = 20 * (c->backend.latency + c->peer.delay + packet + way + wake_way(c) + drain_way(c) +
                            vhost_way(c) + outside_way(c));

    return longest > HANG_LEAST ? longest : HANG_LEAST;
}

/* Counts every change of a packet's stage. */
static uint64_t moves(const struct datapath *dp)
{
    const struct guest_counts *c = &dp->guest.counts;

    return c->handed + c->published + c->reclaimed + dp->guest.delivered +
           dp->vhost.rx.counts.received + dp->guest.rx.packets + dp->outside.counts.answered;
}

static bool undelivered(const struct datapath *dp)
{
    return dp->guest.counts.handed - dp->guest.counts.dropped > dp->guest.delivered ||
           dp->qdisc.count > 0 || dp->workload.queue_count > 0 || dp->guest.queue_stopped ||
           dp->vhost.rx.count > 0 || dp->rx_ring.visible + dp->rx_ring.filled > 0 ||
           dp->config->workload.type == WORKLOAD_SATURATING; /* it has one to send at any time */
}

/* Runs to `until` and looks at every hang time whether a packet moved. */
static void run_until(struct datapath *dp, sim_time until)
{
    sim_time step = hang_time(dp->config), from = dp->sim.now;

    while (!dp->hung && from < until) {
        uint64_t moved = moves(dp);
        sim_time to = until - from > step ? from + step : until;

        sim_run(&dp->sim, to);
        if (undelivered(dp) &&
            (sim_next(&dp->sim) == SIM_NEVER ||
             (to - from == step && moved == moves(dp)))) {
            dp->hung = true;
        }
        from = to;
    }
}

/*
 * After the window: when a packet is undelivered, goes on until one moves or the hang time has passed, so that
 * a hang is found in a run shorter than the hang time too. Nothing is measured here.
 */
static void settle(struct datapath *dp)
{
    sim_time step = hang_time(dp->config) / 16;
    uint64_t moved = moves(dp);

    for (int i = 1; i <= 16 && undelivered(dp) && !dp->hung; i++) {
        if (sim_next(&dp->sim) == SIM_NEVER) {
            dp->hung = true;
            return;
        }
        sim_run(&dp->sim, dp->end + i * step);
        if (moved != moves(dp)) {
            return;
        }
    }
    dp->hung = dp->hung || undelivered(dp);
}

bool datapath_run(const struct datapath_config *config, const struct run_id *id,
                  struct run_result *result, struct error *error)
{
    struct datapath *dp;
    bool ok;

    if (config->workload.type == WORKLOAD_RECEIVE) {
        struct rx_config receive = config->receive;

        receive.ring.layout = config->tx_ring.layout;
        receive.ring.event_idx = config->tx_ring.event_idx;
        return receive_run(&receive, id, result, error);
    }
    dp = calloc(1, sizeof *dp);
    if (!dp) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    dp->config = config;
    dp->start = id->warmup;
    dp->end = id->warmup + id->duration;
    ok = init_memory(dp, id, error) && init_parties(dp, id, error) && init_vhost(dp, id, error) &&
         init_outside(dp, id, error);
    if (ok) {
        join(dp, id);
        series_init(&dp->guest.over_time, "in_flight", dp->start, id->duration / SERIES_ROOM + 1);
        run_until(dp, dp->start);
        begin_window(dp);
        run_until(dp, dp->end);
        datapath_account(dp);
        datapath_measure(dp, result);
        datapath_observe_end(dp);
        settle(dp);
        datapath_release(dp, hang_time(config), result);
        datapath_judge(dp, result);
    }
    fini(dp);
    return ok;
}
