/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/receive.h"

#include <inttypes.h>
#include <string.h>

#include "sim/engine/assert.h"

bool receive_init(struct receive *r, const struct rx_config *config, uint64_t seed,
                  uint32_t replication, enum sim_engine engine, struct error *error)
{
    memset(r, 0, sizeof *r);
    rx_device_init(&r->device, config);
    if (!virtqueue_init(&r->vq, &config->ring, error) || !rx_cpu_init(&r->cpu, config, error) ||
        !rx_source_init(&r->source, config, seed, replication, error)) {
        return false;
    }
    r->source.device = &r->device;
    r->device.vq = r->cpu.vq = &r->vq;
    r->device.cpu = &r->cpu;
    r->cpu.device = &r->device;
    r->cpu.source = &r->source;
    rx_cpu_start(&r->cpu);
    sim_init(&r->sim, engine, EVENT_SET_LINEAR);
    sim_add(&r->sim, &r->source.actor);
    sim_add(&r->sim, &r->device.timer);
    sim_add(&r->sim, &r->cpu.actor);
    return true;
}

void receive_fini(struct receive *r)
{
    rx_source_fini(&r->source);
    rx_cpu_fini(&r->cpu);
    virtqueue_fini(&r->vq);
}

void receive_run(struct receive *r, sim_time until)
{
    sim_run(&r->sim, until);
}

sim_time receive_busy(const struct receive *r)
{
    sim_time left = r->cpu.busy_until > r->sim.now ? r->cpu.busy_until - r->sim.now : 0;

    return r->cpu.busy_total - (r->cpu.idle ? 0 : left);
}

void receive_check(const struct receive *r)
{
    const struct rx_cpu *c = &r->cpu;
    uint64_t inside = r->device.arrived - r->device.dropped - c->packets;
    uint64_t app = c->ready_count + (c->thread[RX_APPLICATION].pc == RX_READ ? 1 : 0);

    sim_assert(r->source.sent == r->device.arrived, r->sim.now, "a packet between source and device");
    sim_assert(inside <= r->vq.config.size, r->sim.now, "%" PRIu64 " packets on the ring", inside);
    sim_assert(c->config->app == RX_APP_XDP || c->packets == c->socket_drops + c->messages + app,
               r->sim.now, "%" PRIu64 " packets, %" PRIu64 " dropped, %" PRIu64 " read, %" PRIu64 " wait",
               c->packets, c->socket_drops, c->messages, app);
    virtqueue_check(&r->vq);
}
