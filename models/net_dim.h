/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   Dynamic interrupt moderation as the net_dim library decides it: after every 64 events it compares bytes,
 *        packets and events per millisecond with what was seen before the last step, and moves to a neighbouring
 *        profile of five, stays, or parks.
 * PLACE  Called at the end of a NAPI poll. Decides only: sending the profile to the device is the caller's work,
 *        and until net_dim_applied() says that it is done nothing is measured.
 * LEAVES OUT  The completion rate of RDMA. Per-device profiles (6.11): the caller reads its own table by index.
 * SOURCE Behaviour of Linux lib/dim, 6.6 to 6.10; 103,005 calls of the real library replay exactly.
 *
 * Integers are as wide as the library's, and wrap as its do: a corner case of the vectors needs it.
 */
#ifndef MODELS_NET_DIM_H
#define MODELS_NET_DIM_H

#include <stdbool.h>
#include <stdint.h>

#define NET_DIM_PROFILES    5u
#define NET_DIM_DEFAULT     1u /* index that drivers may program at first; a fresh instance is at 0 */
#define NET_DIM_EVENTS      64u /* of a window */
#define NET_DIM_SIGNIFICANT 10u /* percent; more than this is a difference */
#define NET_DIM_TIRED       10u /* steps after which it parks: twice the profiles */

enum net_dim_direction { NET_DIM_RX, NET_DIM_TX, NET_DIM_DIRECTIONS };

/* When a device starts its period: at the first packet after an event, or after each completion.
 * Selects the table; decisions are the same. */
enum net_dim_mode { NET_DIM_EQE, NET_DIM_CQE, NET_DIM_MODES };

struct net_dim_profile {
    uint16_t usecs, packets;
};

/* The library's own tables: [direction][mode][profile]. */
extern const struct net_dim_profile net_dim_profiles[NET_DIM_DIRECTIONS][NET_DIM_MODES]
                                                    [NET_DIM_PROFILES];

enum net_dim_state {
    NET_DIM_START,   /* the next sample opens a window */
    NET_DIM_MEASURE, /* a window is open */
    NET_DIM_APPLY,   /* a new profile is on its way to the device: samples are ignored */
};

enum net_dim_tune { NET_DIM_PARKED_TOP, NET_DIM_PARKED_TIRED, NET_DIM_RIGHT, NET_DIM_LEFT };

/* What a decision compares: per millisecond, rounded up. */
struct net_dim_rates {
    int32_t bytes, packets, events;
};

/* Totals of a receive queue at a time; differences are taken modulo 2^32, of events modulo 2^16. */
struct net_dim_sample {
    int64_t time_ns;
    uint32_t packets, bytes;
    uint16_t events;
};

struct net_dim {
    /* set by net_dim_init() */
    uint16_t window;      /* events */
    uint32_t significant; /* percent */

    uint8_t state, tune; /* enum net_dim_state, net_dim_tune */
    uint8_t profile;     /* index */
    uint8_t steps_right, steps_left, tired;
    struct net_dim_rates reference;
    struct net_dim_sample start;
};

/* NET_DIM_EVENTS and NET_DIM_SIGNIFICANT are the library's. The instance begins parked on top at
 * profile 0, with reference rates of 0. */
void net_dim_init(struct net_dim *dim, uint16_t window_events, uint32_t significant_percent);

/* A sample. True: the profile has changed and is to be sent to the device. */
bool net_dim(struct net_dim *dim, const struct net_dim_sample *sample);

/* The caller has done what the last true asked for, or has given up. */
void net_dim_applied(struct net_dim *dim);

#endif
