/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The other end: answers every n-th delivered packet after a delay (acknowledgements, the
 *        reply of a ping-pong), which raises receive interrupts in the guest; each receive poll
 *        also reclaims transmit buffers.
 * PLACE  Behind the backend; feeds the guest's receive poll.
 * LEAVES OUT  The receive virtqueue, its buffers and coalescing: a reply is a count.
 */
#ifndef MODELS_PEER_H
#define MODELS_PEER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/param.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

#define PEER_ROOM_FIRST 1024 /* replies on their way; doubles when more are */

struct peer_config {
    uint32_t reply_every; /* one reply for this many delivered packets; 0: none */
    sim_time delay;       /* delivery to arrival at the guest */
};

extern const struct param_table peer_params;

struct guest;

struct peer {
    struct peer_config config;
    struct actor actor;
    struct guest *guest;
    struct stream jitter;
    double jitter_cv;

    uint32_t delivered; /* since the last reply */
    uint32_t head, count, room;
    sim_time last_due;
    sim_time *due; /* [room], a ring */
};

bool peer_init(struct peer *peer, const struct peer_config *config, double jitter_cv, uint64_t seed,
               uint32_t replication, struct error *error);
void peer_fini(struct peer *peer);

/* The reply that is due after `reply_every` packets, of which the last was delivered at now. */
void peer_reply(struct peer *peer, struct sim *sim, sim_time now);

/* The backend delivered a packet at now. */
static inline void peer_on_delivered(struct peer *peer, struct sim *sim, sim_time now)
{
    if (peer->config.reply_every > 0 && ++peer->delivered >= peer->config.reply_every) {
        peer_reply(peer, sim, now);
    }
}

#endif
