/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   Another machine that sends to the guest: one that pings it, or one that floods it. A ping sends an
 *        echo request in every interval, at a random moment of it, whether the one before was answered or
 *        not, and measures the round trip of each answer; a flood sends packets that nobody answers, with
 *        exponential gaps.
 * PLACE  Beyond the network card: its packets arrive at vhost's receive handler, and the card's link brings it the
 *        answers.
 * LEAVES OUT  The host's softirq that brings a packet from the card to the socket, and the network between: a latency
 *        stands for both, and order is kept. A request that was dropped is not sent again.
 * SOURCE docs/host.md, "Receiving on the same worker".
 *
 * Each request has a mark from the moment it is sent until it is answered or dropped: the packet bears it through
 * the receive queue, the guest's answer through the transmit queue.
 */
#ifndef MODELS_OUTSIDE_H
#define MODELS_OUTSIDE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/histogram.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

#define OUTSIDE_UNDERWAY_MOST 10000u /* latency / interval */

enum outside_type { OUTSIDE_NONE, OUTSIDE_PING, OUTSIDE_FLOOD };

struct outside_config {
    int type;          /* enum outside_type */
    sim_time interval; /* of a ping */
    double rate_pps;   /* of a flood */
    uint32_t size;     /* frame bytes */
    sim_time latency;  /* of a ping, each way */
};

extern const struct param_table outside_params;

/* A request, while its mark is in use. */
struct outside_request {
    sim_time sent;
    uint32_t next_free;
};

/* A way on which order is kept. */
struct outside_way {
    struct outside_passage {
        sim_time due;
        uint32_t echo;
    } *passage; /* [room], a ring */
    uint32_t head, count;
    sim_time last_due;
};

struct outside_counts {
    uint64_t sent, arrived;     /* from here; at the host's queue */
    uint64_t answered, dropped; /* requests */
};

struct vhost_rx;

struct outside {
    /* set by outside_init() */
    struct outside_config config;
    double jitter_cv;
    uint32_t room;
    struct actor actor;
    struct stream moments, jitter;

    /* neighbour, set by datapath.c */
    struct vhost_rx *rx;

    /* what comes next */
    sim_time interval_from; /* of the request that is due */
    sim_time send_due;
    struct outside_way in, back;

    struct outside_request *request; /* [room]; mark = place + 1 */
    uint32_t first_free;

    struct outside_counts counts;
    struct histogram round_trip; /* of the answers that arrived in the window */
};

/* inside_most: packets that the host and the guest may hold at a time. */
bool outside_init(struct outside *o, const struct outside_config *config, uint32_t inside_most,
                  double jitter_cv, uint64_t seed, uint32_t replication, struct error *error);
void outside_fini(struct outside *o);

/* The guest's answer has left the link at `left`. */
void outside_on_answer(struct outside *o, struct sim *sim, sim_time left, uint32_t echo);

/* A request, or the answer to it, was dropped. */
void outside_on_dropped(struct outside *o, uint32_t echo);

#endif
