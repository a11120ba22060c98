/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A producer and a consumer with fixed times around one virtqueue, and the two notifications: the
 * smallest system in which suppression decides the throughput. All other costs are zero, so its
 * answers are those of the theory (Lettieri, Maffione, Rizzo, "A Study of I/O Performance of
 * Virtual Machines", 2017).
 *
 *   producer  Wp a packet; publish; if the kick test says so, Np, and the consumer starts Sc later
 *   consumer  Wc a packet; publish the used entry; if the call test says so, Nc, and the producer
 *             starts Sp later
 *
 * The consumer sleeps on an empty ring and asks for a kick once Kp packets wait; the producer
 * blocks on a full ring and asks for a call once Kc slots are free. Both thresholds are event
 * indices set Kp - 1 and Kc - 1 entries ahead.
 *
 * Each party is two actors: one publishes at the end of its work, one looks at the ring. Both looks
 * rank after both ends, so at equal times what is published is seen, and nobody sleeps or blocks
 * over something that happens at that instant.
 */
#ifndef TESTS_MODELS_PRODCONS_H
#define TESTS_MODELS_PRODCONS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "models/virtqueue.h"
#include "sim/engine/assert.h"
#include "sim/engine/sim.h"

#define PRODCONS_PACKETS 8000 /* consumed in all; figures are over the second half */

struct prodcons_params {
    uint32_t ring; /* slots */
    uint32_t kp, kc;
    sim_time wp, wc, np, nc, sp, sc;
};

struct prodcons_result {
    uint32_t consumed; /* less than PRODCONS_PACKETS: everybody waits */
    double ns_per_packet, kicks_per_packet, calls_per_packet;
    sim_time worst_latency; /* from the start of producing to the end of consuming */
};

struct prodcons {
    struct prodcons_params params;
    struct virtqueue vq;
    struct actor produced, consumed, producer_look, consumer_look;
    bool checked;                /* virtqueue_check() after every step */
    uint32_t packets;            /* produced so far */
    uint32_t done, kicks, calls; /* consumed, sent */
    uint32_t kicks_half, calls_half;
    sim_time half, end; /* of the packets PACKETS/2 and PACKETS */
    sim_time started, start[PRODCONS_PACKETS + VIRTQUEUE_SIZE_MOST];
    sim_time worst_latency;
};

static inline void prodcons_checked(const struct prodcons *p)
{
    if (p->checked) {
        virtqueue_check(&p->vq);
    }
}

/* Lets `look` act once its own party is free again at t. */
static inline sim_time prodcons_look_at(struct sim *sim, struct actor *look, sim_time t)
{
    sim_wake(sim, look, t);
    return SIM_NEVER;
}

static sim_time prodcons_on_produced(struct actor *actor, struct sim *sim)
{
    struct prodcons *p = container_of(actor, struct prodcons, produced);
    sim_time now = sim->now;

    p->start[p->packets] = p->started;
    sim_assert(virtqueue_add(&p->vq, 1, VIRTQUEUE_DIRECT, p->packets) != NULL, now, "ring is full");
    p->packets++;
    virtqueue_publish(&p->vq);
    if (virtqueue_kick_prepare(&p->vq)) {
        p->kicks++;
        now += p->params.np;
        sim_wake(sim, &p->consumer_look, now + p->params.sc);
    }
    prodcons_checked(p);
    return prodcons_look_at(sim, &p->producer_look, now);
}

static sim_time prodcons_on_producer_look(struct actor *actor, struct sim *sim)
{
    struct prodcons *p = container_of(actor, struct prodcons, producer_look);

    virtqueue_disable_cb(&p->vq);
    while (virtqueue_get_buf(&p->vq) != NULL) {
    }
    if (virtqueue_free_count(&p->vq) == 0) {
        virtqueue_enable_cb_after(&p->vq, (uint16_t)(p->params.kc - 1));
    } else {
        p->started = sim->now;
        sim_wake(sim, &p->produced, sim->now + p->params.wp);
    }
    prodcons_checked(p);
    return SIM_NEVER;
}

static sim_time prodcons_on_consumed(struct actor *actor, struct sim *sim)
{
    struct prodcons *p = container_of(actor, struct prodcons, consumed);
    sim_time now = sim->now;
    const struct virtqueue_request *request = virtqueue_take(&p->vq);
    sim_time latency = now - p->start[request->packet];

    virtqueue_put_used(&p->vq, request->id);
    virtqueue_publish_used(&p->vq);
    p->done++;
    if (virtqueue_call_needed(&p->vq)) {
        p->calls++;
        now += p->params.nc;
        sim_wake(sim, &p->producer_look, now + p->params.sp);
    }
    if (p->done > PRODCONS_PACKETS / 2 && latency > p->worst_latency) {
        p->worst_latency = latency;
    }
    if (p->done == PRODCONS_PACKETS / 2) {
        p->half = sim->now;
        p->kicks_half = p->kicks;
        p->calls_half = p->calls;
    } else if (p->done == PRODCONS_PACKETS) {
        p->end = sim->now;
        sim_stop(sim);
    }
    prodcons_checked(p);
    return prodcons_look_at(sim, &p->consumer_look, now);
}

static sim_time prodcons_on_consumer_look(struct actor *actor, struct sim *sim)
{
    struct prodcons *p = container_of(actor, struct prodcons, consumer_look);

    virtqueue_disable_notify(&p->vq);
    if (virtqueue_refresh_avail(&p->vq) == 0) {
        virtqueue_enable_notify_after(&p->vq, (uint16_t)(p->params.kp - 1));
    } else {
        sim_wake(sim, &p->consumed, sim->now + p->params.wc);
    }
    prodcons_checked(p);
    return SIM_NEVER;
}

/* One packet goes through before time 0, with callbacks off. It spends the first call, which is
 * always sent, and used index 0, where the event of disabled callbacks stands. */
static inline void prodcons_spend_first(struct virtqueue *vq)
{
    virtqueue_disable_cb(vq);
    virtqueue_disable_notify(vq);
    virtqueue_add(vq, 1, VIRTQUEUE_DIRECT, 0);
    virtqueue_publish(vq);
    virtqueue_kick_prepare(vq);
    virtqueue_refresh_avail(vq);
    virtqueue_put_used(vq, virtqueue_take(vq)->id);
    virtqueue_publish_used(vq);
    virtqueue_call_needed(vq);
    virtqueue_get_buf(vq);
}

static inline void prodcons_add(struct sim *sim, struct actor *actor, actor_step *step, sim_time at)
{
    actor->step = step;
    actor->next = at;
    sim_add(sim, actor);
}

/* p: storage for the run (large). ring is a power of two when layout is split; 1 <= kp, kc <= ring.
 */
static inline bool prodcons_run(struct prodcons *p, const struct prodcons_params *params,
                                enum virtqueue_layout layout, bool checked,
                                struct prodcons_result *result, struct error *error)
{
    struct virtqueue_config config = {
        .size = params->ring, .layout = (int)layout, .event_idx = true};
    struct sim sim;

    memset(p, 0, sizeof *p);
    p->params = *params;
    p->checked = checked;
    if (!virtqueue_init(&p->vq, &config, error)) {
        return false;
    }
    prodcons_spend_first(&p->vq);
    sim_init(&sim, SIM_FAST, EVENT_SET_AUTO);
    prodcons_add(&sim, &p->produced, prodcons_on_produced, SIM_NEVER);
    prodcons_add(&sim, &p->consumed, prodcons_on_consumed, SIM_NEVER);
    prodcons_add(&sim, &p->producer_look, prodcons_on_producer_look, 0);
    prodcons_add(&sim, &p->consumer_look, prodcons_on_consumer_look, 0);
    sim_run(&sim, SIM_NEVER - 1);
    result->consumed = p->done;
    result->ns_per_packet = sim_time_ns(p->end - p->half) / (PRODCONS_PACKETS / 2.0);
    result->kicks_per_packet = (p->kicks - p->kicks_half) / (PRODCONS_PACKETS / 2.0);
    result->calls_per_packet = (p->calls - p->calls_half) / (PRODCONS_PACKETS / 2.0);
    result->worst_latency = p->worst_latency;
    virtqueue_fini(&p->vq);
    return true;
}

#endif
