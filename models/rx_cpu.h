/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The guest CPU of one receive queue: hard interrupt and NAPI poll first, then the net_dim worker, then the
 *        application, each of which what comes before it cuts off; idle when none has anything to do.
 * PLACE  Behind the device's receive side (models/rx_device.h); the application's replies go to the source.
 *          rx_cpu.c   contexts, dispatch, accounts
 *          rx_napi.c  interrupt, poll, refill, re-arm, sample
 *          rx_app.c   worker and application
 * LEAVES OUT  ksoftirqd; other CPUs; GRO; the lines of the ring; transmit queues: a reply is in the application's cost.
 * SOURCE docs/receive.md.
 */
#ifndef MODELS_RX_CPU_H
#define MODELS_RX_CPU_H

#include "models/net_dim.h"
#include "models/rx_config.h"
#include "models/virtqueue.h"
#include "sim/engine/error.h"
#include "sim/engine/histogram.h"
#include "sim/engine/sim.h"

enum rx_pc {
    RX_THREADS, /* no softirq: the worker, the application or nobody */
    RX_POLL,    /* rx_napi.c */
    RX_PACKET,
    RX_DELIVER,
    RX_REARM,
    RX_RECHECK,
    RX_EXIT,
};

enum rx_thread_id { RX_WORKER, RX_APPLICATION, RX_THREAD_COUNT, RX_NOBODY = RX_THREAD_COUNT };

enum rx_thread_pc {
    RX_ASLEEP,
    RX_COMMAND, /* worker: the command and its answer */
    RX_READ,    /* application: a message */
    RX_WAIT,    /* epoll_wait returns */
    RX_EVENT,   /* a request and its reply */
    RX_SLEEP,   /* nothing is left: on its way to sleep */
};

struct rx_thread {
    enum rx_thread_pc pc;
    sim_time left; /* of its running segment while it does not run */
};

struct rx_device;
struct rx_source;

/* A packet that is in. */
struct rx_packet {
    uint32_t from;    /* connection */
    sim_time arrived; /* at the device */
};

struct rx_counts {
    uint64_t interrupts, polls, samples, commands;
    uint64_t packets, bytes; /* through the poll, dropped ones too */
    uint64_t messages;       /* read or answered */
    uint64_t socket_drops;
    sim_time profile_time[NET_DIM_PROFILES]; /* that the device was told last; up to the last command */
};

struct rx_cpu {
    struct actor actor;

    /* set by rx_cpu_init(); neighbours by receive.c */
    const struct rx_config *config;
    struct virtqueue *vq;
    struct rx_device *device;
    struct rx_source *source;

    /* the CPU */
    enum rx_pc pc;
    bool idle;
    sim_time busy_until;    /* end of the running step or segment */
    sim_time interrupt_due; /* SIM_NEVER: none pending */
    enum rx_thread_id running; /* whose segment it is, or was before the softirq */
    struct rx_thread thread[RX_THREAD_COUNT];

    /* the driver */
    struct rx_packet *packet; /* [ring size]: in each request */
    uint32_t in_poll;    /* packets of this poll */
    uint32_t in_napi;    /* since the last sample */
    struct rx_packet delivering; /* in the stack */
    bool accepted;               /* there is room for it */
    uint16_t position;   /* operand of the re-check */
    uint16_t calls;      /* interrupts, as net_dim counts them */
    struct net_dim dim;

    /* the socket, or the ready list */
    struct rx_packet *ready; /* [ready_room], a ring */
    uint32_t ready_head, ready_count, ready_room;
    uint32_t batch; /* of epoll: requests that the last wait returned */

    struct rx_packet reading; /* of a UDP socket: taken out of it */
    sim_time busy_total;
    uint32_t told; /* profile that the device was told last */
    sim_time told_at;
    struct rx_counts counts;
    struct histogram latency; /* arrival to read or answered, in the window */
};

bool rx_cpu_init(struct rx_cpu *c, const struct rx_config *config, struct error *error);
void rx_cpu_fini(struct rx_cpu *c);

/* Once the neighbours are set: the driver posts its buffers. */
void rx_cpu_start(struct rx_cpu *c);

/* Counts up to now, the present profile's time too. */
struct rx_counts rx_cpu_counts(const struct rx_cpu *c, sim_time now);

/* The device's notification comes at `due`. */
void rx_cpu_on_interrupt(struct rx_cpu *c, struct sim *sim, sim_time due);

/* ---- between the files of the CPU ---- */

/* Charges the softirq; the step is over after the cost. */
static inline sim_time rx_cpu_spend(struct rx_cpu *c, sim_time now, sim_time cost)
{
    c->busy_total += cost;
    c->busy_until = now + cost;
    return c->busy_until;
}

/* rx_napi.c */
sim_time rx_napi_interrupt(struct rx_cpu *c, sim_time now);
sim_time rx_napi_step(struct rx_cpu *c, sim_time now);

/* rx_app.c: what a thread begins or goes on with at the end of its segment; whether an event wakes the application. */
void rx_thread_end_segment(struct rx_cpu *c, struct sim *sim, sim_time now, enum rx_thread_id id);
void rx_app_put(struct rx_cpu *c, struct rx_packet packet);
bool rx_app_wakes(const struct rx_cpu *c);
void rx_app_wake(struct rx_cpu *c);

#endif
