/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/receive.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "models/rx_cpu.h"
#include "models/rx_device.h"
#include "models/rx_source.h"
#include "sim/engine/assert.h"

struct receive {
    struct sim sim;
    struct virtqueue vq;
    struct rx_source source;
    struct rx_device device;
    struct rx_cpu cpu;
};

/* Everything that only grows. */
struct totals {
    struct rx_counts cpu;
    uint64_t arrived, dropped, replies;
    sim_time busy;
};

static struct totals totals(const struct receive *r, sim_time now)
{
    const struct rx_cpu *c = &r->cpu;
    sim_time left = !c->idle && c->busy_until > now ? c->busy_until - now : 0;

    return (struct totals){.cpu = rx_cpu_counts(c, now),
                           .arrived = r->device.arrived,
                           .dropped = r->device.dropped,
                           .replies = r->source.replies,
                           .busy = c->busy_total - left};
}

static void account(const struct receive *r, sim_time now)
{
    const struct rx_cpu *c = &r->cpu;
    const struct rx_counts *n = &c->counts;
    uint64_t inside = r->device.arrived - r->device.dropped - n->packets;
    uint64_t app = c->ready_count + (c->thread[RX_APPLICATION].pc == RX_READ ? 1 : 0);
    uint64_t stack = c->pc == RX_DELIVER ? 1 : 0;

    sim_assert(r->source.sent == r->device.arrived, now, "a packet between source and device");
    sim_assert(inside <= r->vq.config.size + stack, now, "%" PRIu64 " packets on the ring", inside);
    sim_assert(c->config->app == RX_APP_XDP || n->packets == n->socket_drops + n->messages + app, now,
               "%" PRIu64 " packets, %" PRIu64 " dropped, %" PRIu64 " read, %" PRIu64 " wait",
               n->packets, n->socket_drops, n->messages, app);
    virtqueue_check(&r->vq);
}

static double ratio(double a, double b)
{
    return b > 0 ? a / b : NAN;
}

static void measure(const struct receive *r, const struct run_id *id, const struct totals *a,
                    const struct totals *b, struct run_result *result)
{
    const struct rx_config *c = r->cpu.config;
    double seconds = sim_time_s(id->duration), *m = result->metric;
    double in = (double)((b->arrived - b->dropped) - (a->arrived - a->dropped));
    double lost = (double)((b->dropped + b->cpu.socket_drops) - (a->dropped + a->cpu.socket_drops));
    double interrupts = (double)(b->cpu.interrupts - a->cpu.interrupts);
    double busy = (double)(b->busy - a->busy);

    m[METRIC_RX_PPS] = in / seconds;
    m[METRIC_RX_BPS] = 8 * in * c->bytes / seconds;
    m[METRIC_RX_DROPS] = lost / seconds;
    if (c->app != RX_APP_XDP) {
        m[METRIC_RX_SOCKET_PPS] = (double)(b->cpu.messages - a->cpu.messages) / seconds;
        m[METRIC_LATENCY_P50] = histogram_quantile(&r->cpu.latency, 0.5) / 1e6;
        m[METRIC_LATENCY_P99] = histogram_quantile(&r->cpu.latency, 0.99) / 1e6;
        m[METRIC_LATENCY_P999] = histogram_quantile(&r->cpu.latency, 0.999) / 1e6;
    }
    if (c->traffic == RX_CLOSED) {
        m[METRIC_REQUESTS] = (double)(b->replies - a->replies) / seconds;
        m[METRIC_REQUEST_CYCLE] = ratio(1e6 * c->connections, m[METRIC_REQUESTS]);
    }
    m[METRIC_GUEST_BUSY] = 100 * busy / (double)id->duration;
    m[METRIC_GUEST_NS] = ratio(busy / (double)SIM_NS, in);
    m[METRIC_INTERRUPTS] = interrupts / seconds;
    m[METRIC_INTERRUPTS_PER_PACKET] = ratio(interrupts, in);
    for (uint32_t i = 0; i < NET_DIM_PROFILES && c->dim; i++) {
        m[METRIC_DIM_SHARE_0 + i] =
            100 * (double)(b->cpu.profile_time[i] - a->cpu.profile_time[i]) / (double)id->duration;
    }
    m[METRIC_DIM_COMMANDS] = c->dim ? (double)(b->cpu.commands - a->cpu.commands) / seconds : NAN;
    result->histogram[0] = (struct run_histogram){"latency", "us", 1e-6, r->cpu.latency};
    result->packets = (uint64_t)in;
}

/* FNV-1a over 64-bit words of integer state. */
static uint64_t fingerprint(const struct receive *r)
{
    const struct rx_counts *n = &r->cpu.counts;
    uint64_t words[] = {(uint64_t)r->sim.now, r->source.sent,       r->source.replies,
                        r->device.dropped,    r->device.notified,   n->interrupts,
                        n->polls,             n->samples,           n->commands,
                        n->packets,           n->messages,          n->socket_drops,
                        (uint64_t)r->cpu.busy_total, (uint64_t)r->cpu.busy_until, r->cpu.told};
    uint64_t hash = UINT64_C(14695981039346656037);

    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        hash = (hash ^ words[i]) * UINT64_C(1099511628211);
    }
    for (size_t i = 0; i < sizeof r->cpu.latency.bin / sizeof r->cpu.latency.bin[0]; i++) {
        hash = (hash ^ (uint64_t)r->cpu.latency.bin[i]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* Nothing can ever happen again. */
static void judge(struct receive *r, struct run_result *result)
{
    bool hung = sim_next(&r->sim) == SIM_NEVER;

    result->metric[METRIC_HUNG] = hung ? 1 : 0;
    if (hung) {
        snprintf(result->hung_why, sizeof result->hung_why,
                 "every connection waits: %" PRIu64 " packets on the receive queue and no interrupt comes",
                 r->device.arrived - r->device.dropped - r->cpu.counts.packets);
    }
}

static void join(struct receive *r, const struct run_id *id)
{
    r->source.device = &r->device;
    r->device.vq = r->cpu.vq = &r->vq;
    r->device.cpu = &r->cpu;
    r->cpu.device = &r->device;
    r->cpu.source = &r->source;
    rx_cpu_start(&r->cpu);
    sim_init(&r->sim, id->engine, id->event_set);
    sim_add(&r->sim, &r->source.actor);
    sim_add(&r->sim, &r->device.timer);
    sim_add(&r->sim, &r->cpu.actor);
}

static void run(struct receive *r, const struct run_id *id, struct run_result *result)
{
    sim_time end = id->warmup + id->duration;
    struct totals before, after;

    join(r, id);
    sim_run(&r->sim, id->warmup);
    before = totals(r, id->warmup);
    histogram_clear(&r->cpu.latency);
    sim_run(&r->sim, end);
    account(r, end);
    after = totals(r, end);
    for (int i = 0; i < METRIC_COUNT; i++) {
        result->metric[i] = NAN;
    }
    measure(r, id, &before, &after, result);
    result->steps = r->sim.steps;
    result->fingerprint = fingerprint(r);
    result->suggested_warmup_us = NAN;
    judge(r, result);
}

bool receive_run(const struct rx_config *config, const struct run_id *id, struct run_result *result,
                 struct error *error)
{
    struct receive *r = calloc(1, sizeof *r);
    bool ok;

    if (!r) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    rx_device_init(&r->device, config);
    ok = virtqueue_init(&r->vq, &config->ring, error) && rx_cpu_init(&r->cpu, config, error) &&
         rx_source_init(&r->source, config, id->seed, id->replication, error);
    if (ok) {
        run(r, id, result);
    }
    rx_source_fini(&r->source);
    rx_cpu_fini(&r->cpu);
    virtqueue_fini(&r->vq);
    free(r);
    return ok;
}
