/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interrupt -> [poll -> packets, at most the budget -> poll again where it was used up] -> re-arm -> re-check ->
 * sample -> exit. A packet is delivered at the end of its cost. Buffers are posted again at the end of a poll.
 */
#include "models/rx_cpu.h"

static void refill(struct rx_cpu *c)
{
    while (virtqueue_add(c->vq, 1, VIRTQUEUE_DIRECT, 0)) {
        virtqueue_publish(c->vq);
    }
    virtqueue_kick_prepare(c->vq); /* the device looks by itself */
}

void rx_cpu_start(struct rx_cpu *c)
{
    virtqueue_disable_notify(c->vq);
    refill(c);
    virtqueue_enable_cb_prepare(c->vq);
}

sim_time rx_napi_interrupt(struct rx_cpu *c, sim_time now)
{
    c->interrupt_due = SIM_NEVER;
    c->counts.interrupts++;
    c->calls++;
    virtqueue_disable_cb(c->vq);
    c->pc = RX_POLL;
    return rx_cpu_spend(c, now, c->config->pre);
}

static sim_time packet(struct rx_cpu *c, sim_time now)
{
    const struct virtqueue_request *request = NULL;
    sim_time cost;

    if (c->in_poll < c->config->budget) {
        request = virtqueue_get_buf(c->vq);
    }
    if (!request) {
        c->in_napi += c->in_poll;
        c->pc = c->in_poll == c->config->budget ? RX_POLL : RX_REARM;
        refill(c);
        return now;
    }
    c->in_poll++;
    c->delivering = c->packet[request->id];
    c->accepted = c->config->app != RX_APP_UDP || c->ready_count < c->ready_room;
    cost = c->accepted ? c->config->packet : c->config->dropped;
    cost += c->accepted && rx_app_wakes(c) ? c->config->wake : 0;
    c->pc = RX_DELIVER;
    return rx_cpu_spend(c, now, cost);
}

static sim_time deliver(struct rx_cpu *c, sim_time now)
{
    c->counts.packets++;
    c->counts.bytes += c->config->bytes;
    c->pc = RX_PACKET;
    if (!c->accepted) {
        c->counts.socket_drops++;
    } else if (c->config->app != RX_APP_XDP) {
        rx_app_wake(c);
        rx_app_put(c, c->delivering);
    }
    return now;
}

/* A sample, for which the driver must have seen packets; a new profile is the worker's. */
static sim_time sample(struct rx_cpu *c, sim_time now)
{
    const struct net_dim_sample s = {.time_ns = now / SIM_NS,
                                     .packets = (uint32_t)c->counts.packets,
                                     .bytes = (uint32_t)c->counts.bytes,
                                     .events = c->calls};

    c->in_napi = 0;
    c->counts.samples++;
    if (net_dim(&c->dim, &s)) {
        c->thread[RX_WORKER] = (struct rx_thread){.pc = RX_COMMAND, .left = c->config->cvq};
    }
    return c->config->sample;
}

static sim_time recheck(struct rx_cpu *c, sim_time now)
{
    sim_time cost = c->config->post;

    if (virtqueue_enable_cb_poll(c->vq, c->position)) {
        virtqueue_disable_cb(c->vq);
        c->pc = RX_POLL;
        return now;
    }
    if (c->config->dim && c->in_napi > 0) {
        cost += sample(c, now);
    }
    c->pc = RX_EXIT;
    return rx_cpu_spend(c, now, cost);
}

sim_time rx_napi_step(struct rx_cpu *c, sim_time now)
{
    switch (c->pc) {
    case RX_POLL:
        c->counts.polls++;
        c->in_poll = 0;
        c->pc = RX_PACKET;
        return rx_cpu_spend(c, now, c->config->poll);
    case RX_PACKET:
        return packet(c, now);
    case RX_DELIVER:
        return deliver(c, now);
    case RX_REARM:
        c->position = virtqueue_enable_cb_prepare(c->vq);
        c->pc = RX_RECHECK;
        return now;
    case RX_RECHECK:
        return recheck(c, now);
    case RX_THREADS:
    case RX_EXIT:
        break;
    }
    __builtin_unreachable();
}
