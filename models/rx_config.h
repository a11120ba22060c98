/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Plain values of the receive side of one queue: what comes in, what the device and the driver do, what the guest CPU
 * pays, which application reads.
 */
#ifndef MODELS_RX_CONFIG_H
#define MODELS_RX_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "models/net_dim.h"
#include "models/virtqueue.h"
#include "sim/engine/param.h"
#include "sim/engine/time.h"

enum rx_traffic {
    RX_OPEN_CONSTANT, /* packets at a rate, whatever becomes of them */
    RX_OPEN_POISSON,
    RX_CLOSED,        /* connections that send the next request after the reply and a pause */
};

enum rx_app {
    RX_APP_UDP,   /* reads one message after another from a socket */
    RX_APP_EPOLL, /* answers all requests that are ready, then waits */
    RX_APP_XDP,   /* none: packets end in the poll */
};

/* Limits that a profile asks of the device. */
struct rx_profile {
    uint32_t usecs, packets;
};

struct rx_config {
    /* what comes in */
    int traffic; /* enum rx_traffic */
    double rate_pps;
    uint32_t connections;
    sim_time pause;     /* mean, of which */
    double pause_ratio; /* this part is exponential */
    uint32_t bytes;     /* of a frame */

    /* the device */
    struct virtqueue_config ring;
    uint32_t max_usecs, max_packets; /* before the first command */
    sim_time inject;                 /* notification to interrupt entry */

    /* net_dim */
    bool dim;
    uint32_t dim_events, dim_significant; /* of a window; percent */
    int dim_mode; /* enum net_dim_mode: which table, unless one is given */
    uint32_t profile_count; /* 0: the table of the mode */
    struct rx_profile profile[NET_DIM_PROFILES];
    sim_time cvq; /* a command and its answer, for which the worker spins */

    /* the driver */
    uint32_t budget;

    /* the guest CPU */
    sim_time idle_exit;   /* leaving idle for an interrupt: latency, not busy */
    sim_time pre, post;   /* of an interrupt: entry to poll, end of poll to exit */
    sim_time poll;        /* entering the poll */
    sim_time sample;      /* the call of net_dim */
    sim_time packet;      /* through the stack */
    sim_time dropped;     /* instead, of a packet whose socket is full */
    sim_time wake;        /* waking the application */
    sim_time switch_to;   /* to another thread */

    /* the application */
    int app; /* enum rx_app */
    sim_time message;      /* one message or request with its reply */
    sim_time wait;         /* epoll_wait that returns, once for all that is ready */
    sim_time sleep;        /* going to sleep */
    uint32_t socket_bytes, truesize; /* room of the UDP socket, and what a packet takes of it */
};

extern const struct param_table rx_params;

/* The limits of a profile, from the scenario's table or the library's. */
static inline struct rx_profile rx_profile(const struct rx_config *config, uint32_t index)
{
    const struct net_dim_profile *p = &net_dim_profiles[NET_DIM_RX][config->dim_mode][index];

    return config->profile_count > 0 ? config->profile[index]
                                     : (struct rx_profile){.usecs = p->usecs, .packets = p->packets};
}

#endif
