/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From counts to metrics, and the fingerprint.
 */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "models/datapath_state.h"

/* NaN where the denominator is 0: the run does not define it. */
static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

/* How often a suppression test kicks, by whether the ring was empty before. */
static void measure_kicks(const struct guest_counts *a, const struct guest_counts *b, double *m)
{
    double empty = (double)(b->empty_tests - a->empty_tests);
    double busy = (double)(b->kick_tests - a->kick_tests) - empty;

    m[METRIC_KICK_EMPTY] = ratio(100 * (double)(b->empty_kicks - a->empty_kicks), empty);
    m[METRIC_KICK_BUSY] = ratio(100 * (double)(b->busy_kicks - a->busy_kicks), busy);
}

static void measure_rates(const struct datapath *dp, const struct datapath_totals *a,
                          const struct datapath_totals *b, double *m)
{
    double seconds = sim_time_s(dp->end - dp->start);
    double sent = (double)(b->guest.published - a->guest.published);
    double kicks = (double)(b->guest.kicks - a->guest.kicks);
    double tx = (double)(b->guest.tx_interrupts - a->guest.tx_interrupts);
    double rx = (double)(b->guest.rx_interrupts - a->guest.rx_interrupts);

    m[METRIC_TX_PPS] = (double)(b->delivered - a->delivered) / seconds;
    m[METRIC_TX_BPS] = 8.0 * (double)(b->delivered_bytes - a->delivered_bytes) / seconds;
    m[METRIC_KICKS] = kicks / seconds;
    m[METRIC_KICKS_PER_PACKET] = ratio(kicks, sent);
    m[METRIC_KICK_TESTS_PER_PACKET] =
        ratio((double)(b->guest.kick_tests - a->guest.kick_tests), sent);
    measure_kicks(&a->guest, &b->guest, m);
    m[METRIC_CALLS] = (double)(b->calls - a->calls) / seconds;
    m[METRIC_INTERRUPTS] = (tx + rx) / seconds;
    m[METRIC_INTERRUPTS_PER_PACKET] = ratio(tx + rx, sent);
    m[METRIC_TX_INTERRUPTS_PER_PACKET] = ratio(tx, sent);
    m[METRIC_RX_INTERRUPTS_PER_PACKET] = ratio(rx, sent);
    m[METRIC_WORKER_WAKEUPS] = (double)(b->wakeups - a->wakeups) / seconds;
    m[METRIC_WORKER_EMPTY_RUNS] = (double)(b->empty_runs - a->empty_runs) / seconds;
    m[METRIC_QUEUE_STOPS] = (double)(b->guest.queue_stops - a->guest.queue_stops) / seconds;
    m[METRIC_DROPS] = (double)(b->dropped - a->dropped) / seconds;
}

static bool is_allocator(int symbol)
{
    return symbol == SYMBOL_KMALLOC || symbol == SYMBOL_KFREE || symbol == SYMBOL_KMEM_ALLOC ||
           symbol == SYMBOL_KMEM_FREE || symbol == SYMBOL_SLAB_ALLOC || symbol == SYMBOL_SLAB_FREE;
}

/* Taking and returning tables, with the waits for their lines told apart; and all other waits. */
static void measure_waits(const struct ledger *a, const struct ledger *b, double sent, double *m)
{
    sim_time allocator = 0, cache = 0, exposed = 0, hidden = 0, ring = 0;

    for (int i = 0; i < SYMBOL_COUNT; i++) {
        sim_time time = b->time[i] - a->time[i];
        sim_time wait = b->waited[LEDGER_TABLE_LINES][i] - a->waited[LEDGER_TABLE_LINES][i];

        ring += b->waited[LEDGER_RING_LINES][i] - a->waited[LEDGER_RING_LINES][i];
        if (is_allocator(i)) {
            allocator += time - wait;
            hidden += wait;
        } else if (i == SYMBOL_DESC_CACHE) {
            cache += time - wait;
            hidden += wait;
        } else {
            exposed += wait;
        }
    }
    m[METRIC_TABLE_NS] = ratio(sim_time_ns(allocator + cache + hidden), sent);
    m[METRIC_ALLOCATOR_NS] = ratio(sim_time_ns(allocator), sent);
    m[METRIC_CACHE_NS] = ratio(sim_time_ns(cache), sent);
    m[METRIC_HIDDEN_NS] = ratio(sim_time_ns(hidden), sent);
    m[METRIC_EXPOSED_NS] = ratio(sim_time_ns(exposed), sent);
    m[METRIC_RING_LINES_NS] = ratio(sim_time_ns(ring), sent);
}

static void measure_cpu(const struct datapath *dp, const struct datapath_totals *a,
                        const struct datapath_totals *b, struct run_result *result)
{
    double *m = result->metric;
    double window = (double)(dp->end - dp->start);
    double sent = (double)(b->guest.published - a->guest.published);
    double all = 0;

    for (int i = 0; i < SYMBOL_COUNT; i++) {
        double ns = sim_time_ns(b->ledger.time[i] - a->ledger.time[i]);

        result->symbol_ns_per_packet[i] = ratio(ns, sent);
        all += ns;
    }
    m[METRIC_GUEST_NS] = ratio(all, sent);
    m[METRIC_DRIVER_NS] = m[METRIC_GUEST_NS] - result->symbol_ns_per_packet[SYMBOL_STACK];
    m[METRIC_TASK_NS] = ratio(sim_time_ns(b->task_time - a->task_time), sent);
    m[METRIC_RECLAIM_BUSY] = dp->guest.cpu_count > 1
                                 ? 100 * (double)(b->reclaim_busy - a->reclaim_busy) / window
                                 : NAN;
    m[METRIC_CPU_MOVES] = dp->guest.cpu_count > 1
                              ? ratio((double)(b->cpu_moves - a->cpu_moves), sent)
                              : NAN;
    measure_waits(&a->ledger, &b->ledger, sent, m);
    m[METRIC_GUEST_BUSY] = 100 * (double)(b->guest_busy - a->guest_busy) / window;
    m[METRIC_HOST_WORK] = 100 * (double)(b->host_work - a->host_work) / window;
    m[METRIC_HOST_BUSY] = 100 * (double)(b->host_busy - a->host_busy) / window;
    m[METRIC_VCPU_POLL] = 100 * (double)(b->vcpu_polled - a->vcpu_polled) / window;
    m[METRIC_HOST_IDLE] = datapath_has_vhost(dp)
                              ? 100 - (m[METRIC_GUEST_BUSY] + m[METRIC_HOST_BUSY] + m[METRIC_VCPU_POLL]) /
                                          (double)dp->config->vhost.cpus
                              : 100 - m[METRIC_HOST_BUSY];
}

static void measure_returns(const struct datapath *dp, bool counts, double *m)
{
    const struct histogram *h = &dp->vhost.tx.completion;

    m[METRIC_ZEROCOPY_RETURN] = counts ? histogram_quantile(h, 0.99) / 1e6 : NAN;
    m[METRIC_ZEROCOPY_RETURN_P50] = counts ? histogram_quantile(h, 0.5) / 1e6 : NAN;
    m[METRIC_ZEROCOPY_RETURN_MAX] = counts && h->count > 0 ? (double)h->most / 1e6 : NAN;
}

static void measure_vhost(const struct datapath *dp, const struct datapath_totals *a,
                          const struct datapath_totals *b, double *m)
{
    double seconds = sim_time_s(dp->end - dp->start);
    double zerocopy = (double)(b->vhost.zerocopy - a->vhost.zerocopy);
    double copied = (double)(b->vhost.copied - a->vhost.copied);
    double polls = (double)(b->vhost.polls - a->vhost.polls);
    double useful = (double)(b->vhost.polls_useful - a->vhost.polls_useful);
    bool counts = datapath_has_vhost(dp) && dp->config->vhost.zerocopy;

    m[METRIC_WORKER_RUNS] = (double)(b->runs - a->runs) / seconds;
    m[METRIC_WORKER_WAKE] = datapath_has_vhost(dp) ? ratio(sim_time_us(b->wake_time - a->wake_time),
                                                           (double)(b->wakeups - a->wakeups))
                                                   : NAN;
    m[METRIC_WORKER_WAKE_P99] =
        datapath_has_vhost(dp) ? histogram_quantile(&dp->vhost.worker.woken, 0.99) / 1e6 : NAN;
    m[METRIC_ZEROCOPY] = datapath_has_vhost(dp) ? ratio(100 * zerocopy, zerocopy + copied) : NAN;
    measure_returns(dp, counts, m);
    m[METRIC_RELEASE] = NAN;
    m[METRIC_CALLBACK_POLLS] = counts ? polls / seconds : NAN;
    m[METRIC_CALLBACK_POLLS_PERCENT] =
        counts ? ratio(100 * polls, (double)(b->vhost.completions - a->vhost.completions)) : NAN;
    /* The run of a completion before the window may end in it. */
    m[METRIC_CALLBACK_USEFUL] = counts && polls > 0 ? fmin(100 * useful / polls, 100) : NAN;
}

/* What comes from outside, and the round trips of a ping. */
static void measure_outside(const struct datapath *dp, const struct datapath_totals *a,
                            const struct datapath_totals *b, double *m)
{
    double seconds = sim_time_s(dp->end - dp->start);
    double received = (double)(b->vhost_rx.received - a->vhost_rx.received);
    double refused = (double)(b->vhost_rx.dropped - a->vhost_rx.dropped);
    double answered = (double)(b->outside.answered - a->outside.answered);
    double dropped = (double)(b->outside.dropped - a->outside.dropped);
    const struct histogram *trip = &dp->outside.round_trip, *wait = &dp->vhost.rx.wait;
    bool outside = datapath_has_outside(dp), ping = outside && trip->count > 0;

    m[METRIC_RX_PPS] = outside ? received / seconds : NAN;
    m[METRIC_RX_DROPS] = outside ? refused / seconds : NAN;
    m[METRIC_RX_MISSED] =
        outside ? (double)(b->vhost_rx.missed - a->vhost_rx.missed) / seconds : NAN;
    m[METRIC_RX_WAIT_MEAN] = outside ? histogram_mean(wait) / 1e6 : NAN;
    m[METRIC_RX_WAIT_P99] = outside ? histogram_quantile(wait, 0.99) / 1e6 : NAN;
    m[METRIC_PING_MEAN] = ping ? histogram_mean(trip) / 1e6 : NAN;
    m[METRIC_PING_LEAST] = ping ? (double)trip->least / 1e6 : NAN;
    m[METRIC_PING_P99] = ping ? histogram_quantile(trip, 0.99) / 1e6 : NAN;
    m[METRIC_PING_MOST] = ping ? (double)trip->most / 1e6 : NAN;
    m[METRIC_PING_LOST] = outside ? ratio(100 * dropped, answered + dropped) : NAN;
}

/* What became of packets behind vhost. */
static void measure_behind(const struct datapath *dp, const struct datapath_totals *a,
                           const struct datapath_totals *b, double *m)
{
    const struct datapath_behind *from = &a->behind, *to = &b->behind;
    double seconds = datapath_has_vhost(dp) ? sim_time_s(dp->end - dp->start) : NAN;
    double linked = (double)(to->linked - from->linked);

    m[METRIC_ZEROCOPY_FAILED] = ratio(100 * (double)(to->zerocopy_failed - from->zerocopy_failed),
                                      (double)(to->zerocopy_done - from->zerocopy_done));
    m[METRIC_HOST_NS] = datapath_has_vhost(dp) ? ratio(sim_time_ns(b->host_busy - a->host_busy),
                                                       (double)(b->delivered - a->delivered))
                                               : NAN;
    m[METRIC_SEND_BATCH] =
        ratio((double)(to->called - from->called), (double)(to->calls - from->calls));
    m[METRIC_SEND_FAILED] = (double)(to->failed - from->failed) / seconds;
    m[METRIC_HOST_DROPS] = (double)(to->dropped - from->dropped) / seconds;
    m[METRIC_LINK_FRAMES] = ratio((double)(to->frames - from->frames), linked);
    m[METRIC_LINK_LOST] = ratio(100 * (double)(to->lost - from->lost), linked);
}

static void measure_tables(const struct datapath *dp, const struct datapath_totals *a,
                           const struct datapath_totals *b, double *m)
{
    double sent = (double)(b->guest.published - a->guest.published);
    double multi = (double)(b->guest.multi - a->guest.multi);
    double hits = (double)(b->tables[INDIRECT_HIT] - a->tables[INDIRECT_HIT]);
    double fast = (double)(b->frees[SLAB_FAST] - a->frees[SLAB_FAST]);
    double slow = (double)(b->frees[SLAB_SLOW_FREE] - a->frees[SLAB_SLOW_FREE]);
    double asked = 0;

    for (int i = 0; i < INDIRECT_SOURCES; i++) {
        asked += (double)(b->tables[i] - a->tables[i]);
    }
    m[METRIC_CACHE_HIT] = ratio(100 * hits, asked);
    m[METRIC_CACHE_BYTES] = (double)dp->tables.held.allocated_most;
    m[METRIC_CACHE_ASKED_BYTES] = (double)dp->tables.held.asked_most;
    m[METRIC_SLAB_SLOW_FREE] = ratio(100 * slow, fast + slow);
    m[METRIC_TABLES_PER_PACKET] = ratio((double)(b->guest.tables - a->guest.tables), sent);
    m[METRIC_DIRECT] =
        ratio(100 * (double)(b->guest.direct_multi - a->guest.direct_multi), multi);
}

static void measure_levels(const struct datapath *dp, double *m)
{
    const struct guest *g = &dp->guest;

    m[METRIC_IN_FLIGHT_MEAN] = level_mean(&g->in_flight, dp->end);
    m[METRIC_IN_FLIGHT_P99] = histogram_quantile(&g->in_flight_at_add, 0.99);
    m[METRIC_IN_FLIGHT_MAX] = (double)g->in_flight.most;
    m[METRIC_LEAST_FREE] = g->in_flight_at_add.count > 0 ? (double)g->least_free : NAN;
    m[METRIC_LATENCY_P50] = histogram_quantile(&g->latency, 0.5) / 1e6;
    m[METRIC_LATENCY_P99] = histogram_quantile(&g->latency, 0.99) / 1e6;
    m[METRIC_LATENCY_P999] = histogram_quantile(&g->latency, 0.999) / 1e6;
    m[METRIC_RECLAIM_P99] = histogram_quantile(&g->reclaim_latency, 0.99) / 1e6;
    m[METRIC_TRACE_ROUNDS] =
        dp->workload.replay.trace ? replay_rounds(&dp->workload.replay) : NAN;
    m[METRIC_UNRECLAIMED] = (double)(g->delivered - g->counts.reclaimed);
}

/* FNV-1a over 64-bit words of integer state. */
static uint64_t mix(uint64_t hash, const void *data, size_t bytes)
{
    const unsigned char *p = data;

    for (size_t i = 0; i < bytes; i++) {
        hash = (hash ^ p[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* What only some scenarios have; where they have not, it leaves the hash alone. */
static uint64_t mix_behind(const struct datapath *dp, uint64_t hash)
{
    const struct vcpu *vcpu = &dp->guest.cpus[0].vcpu;

    if (datapath_has_vhost(dp) && dp->config->host_socket.kind != HOST_SOCKET_NIC) {
        hash = mix(hash, &dp->vhost.tx.socket.counts, sizeof dp->vhost.tx.socket.counts);
    }
    if (datapath_has_vhost(dp) && dp->vhost.worker.taken_total > 0) {
        hash = mix(hash, &dp->vhost.worker.taken_total, sizeof(sim_time));
    }
    if (vcpu->modelled) {
        sim_time polled = vcpu_polled(vcpu);

        hash = mix(hash, &polled, sizeof polled);
    }
    return hash;
}

static uint64_t fingerprint(const struct datapath *dp)
{
    const struct guest *g = &dp->guest;
    uint64_t hash = UINT64_C(14695981039346656037);
    uint64_t clock[] = {(uint64_t)dp->sim.now,        (uint64_t)g->cpus[0].busy_total,
                        (uint64_t)g->cpus[0].busy_until,      g->delivered,
                        g->delivered_bytes,           dp->backend.calls,
                        dp->backend.wakeups,          dp->backend.empty_runs,
                        (uint64_t)dp->backend.busy_total, dp->workload.offered,
                        dp->workload.dropped,         (uint64_t)dp->vq.driver.num_free,
                        dp->vq.driver.avail,          dp->vq.driver.last_used};

    hash = mix(hash, clock, sizeof clock);
    hash = mix(hash, &g->counts, sizeof g->counts);
    /* The symbols after these are the lock's, which one CPU never waits for. */
    hash = mix(hash, g->cpus[0].ledger.time, offsetof(struct ledger, time[SYMBOL_TX_LOCK]));
    hash = mix(hash, g->in_flight_at_add.bin, sizeof g->in_flight_at_add.bin);
    hash = mix(hash, g->latency.bin, sizeof g->latency.bin);
    hash = mix(hash, dp->tables.count, sizeof dp->tables.count);
    hash = mix(hash, dp->tables.slab.frees, sizeof dp->tables.slab.frees);
    hash = mix(hash, dp->memory.count, sizeof dp->memory.count);
    if (datapath_has_vhost(dp)) {
        struct vhost_counts counts = vhost_counts(&dp->vhost);
        uint64_t host[] = {(uint64_t)dp->vhost.worker.busy_total,
                           (uint64_t)dp->vhost.worker.idle_total,
                           (uint64_t)dp->vhost.worker.stolen_total, (uint64_t)dp->nic.softirq[0].busy_total,
                           dp->nic.interrupts,              dp->nic.cleaned,
                           (uint64_t)dp->nic.link_free,     dp->vhost.tx.ubuf.returned};

        hash = mix(hash, host, sizeof host);
        hash = mix(hash, &counts, sizeof counts);
        if (dp->nic.config.completion_cpus > 1) {
            hash = mix(hash, &dp->nic.softirq[1].busy_total, sizeof(sim_time));
        }
    }
    hash = mix_behind(dp, hash);
    if (datapath_has_outside(dp)) {
        hash = mix(hash, &dp->outside.counts, sizeof dp->outside.counts);
        hash = mix(hash, &dp->vhost.rx.counts, sizeof dp->vhost.rx.counts);
        hash = mix(hash, dp->outside.round_trip.bin, sizeof dp->outside.round_trip.bin);
        hash = mix(hash, dp->vhost.rx.wait.bin, sizeof dp->vhost.rx.wait.bin);
    }
    if (g->cpu_count > 1) {
        hash = mix(hash, g->cpus[1].ledger.time, sizeof g->cpus[1].ledger.time);
        hash = mix(hash, &g->cpus[0].ledger.time[SYMBOL_TX_LOCK], sizeof(sim_time));
        hash = mix(hash, &dp->memory.moves, sizeof dp->memory.moves);
    }
    return hash;
}

/* Where MSER-5 would cut the guest's time per packet, as a time; NaN with too few packets. */
static double suggest_warmup(const struct datapath *dp)
{
    const struct batch_means *b = &dp->guest.pace;
    uint64_t packets = dp->guest.counts.published;

    if (b->count < 10) {
        return NAN;
    }
    return sim_time_us(dp->end) * (double)(batch_means_mser5(b) * b->batch_size) / (double)packets;
}

void datapath_measure(const struct datapath *dp, struct run_result *result)
{
    struct datapath_totals after = datapath_totals(dp, dp->end);

    measure_rates(dp, &dp->before, &after, result->metric);
    measure_cpu(dp, &dp->before, &after, result);
    measure_vhost(dp, &dp->before, &after, result->metric);
    measure_outside(dp, &dp->before, &after, result->metric);
    measure_behind(dp, &dp->before, &after, result->metric);
    measure_tables(dp, &dp->before, &after, result->metric);
    measure_levels(dp, result->metric);
    result->histogram[0] =
        (struct run_histogram){"in_flight", "packets", 1, dp->guest.in_flight_at_add};
    result->histogram[1] = (struct run_histogram){"latency", "us", 1e-6, dp->guest.latency};
    result->histogram[2] =
        (struct run_histogram){"reclaim", "us", 1e-6, dp->guest.reclaim_latency};
    if (datapath_has_vhost(dp) && dp->config->vhost.zerocopy) {
        result->histogram[3] =
            (struct run_histogram){"zerocopy_return", "us", 1e-6, dp->vhost.tx.completion};
    }
    if (datapath_has_outside(dp) && dp->config->outside.type == OUTSIDE_PING) {
        result->histogram[4] =
            (struct run_histogram){"round_trip", "us", 1e-6, dp->outside.round_trip};
    }
    if (datapath_has_outside(dp)) {
        result->histogram[5] = (struct run_histogram){"rx_wait", "us", 1e-6, dp->vhost.rx.wait};
    }
    if (datapath_has_vhost(dp)) {
        result->histogram[6] =
            (struct run_histogram){"worker_wake", "us", 1e-6, dp->vhost.worker.woken};
    }
    result->series[0] = dp->guest.over_time;
    result->packets = after.guest.published - dp->before.guest.published;
    result->steps = dp->sim.steps;
    result->fingerprint = fingerprint(dp);
    result->suggested_warmup_us = suggest_warmup(dp);
}
