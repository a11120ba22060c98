/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/peer.h"

#include <stdlib.h>
#include <string.h>

#include "models/guest.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static const struct param rows[] = {
    {.path = "workload.reply.every",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct peer_config, reply_every),
     .most = 1e6,
     .fallback = "0",
     .unit = "packets",
     .help = "the peer answers every n-th delivered packet (acknowledgement, reply); 0: never"},
    {.path = "workload.reply.delay",
     .kind = PARAM_TIME,
     .offset = offsetof(struct peer_config, delay),
     .most = 1e12,
     .fallback = "20us",
     .help = "delivery of the packet to arrival of the reply at the guest"},
};

const struct param_table peer_params = PARAM_TABLE("peer", struct peer_config, rows, NULL);

/* A reply arrives at the guest's receive queue. */
static sim_time peer_step(struct actor *actor, struct sim *sim)
{
    struct peer *peer = container_of(actor, struct peer, actor);

    peer->count--;
    /* Starts over when it can, so that few pages of it are ever touched. */
    peer->head = peer->count == 0 || peer->head + 1 == peer->room ? 0 : peer->head + 1;
    guest_on_reply(peer->guest, sim, sim->now);
    return peer->count > 0 ? peer->due[peer->head] : SIM_NEVER;
}

bool peer_init(struct peer *peer, const struct peer_config *config, double jitter_cv, uint64_t seed,
               uint32_t replication, struct error *error)
{
    memset(peer, 0, sizeof *peer);
    peer->config = *config;
    peer->jitter_cv = jitter_cv;
    stream_init(&peer->jitter, seed, replication, "peer.delay");
    peer->actor = (struct actor){.step = peer_step, .next = SIM_NEVER};
    peer->room = PEER_ROOM_FIRST;
    peer->due = calloc(peer->room, sizeof *peer->due);
    return peer->due ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void peer_fini(struct peer *peer)
{
    free(peer->due);
    memset(peer, 0, sizeof *peer);
}

/* How many are on their way depends on delay x rate, which only the run knows: the one place of the models
 * that allocates while it runs. */
static void grow(struct peer *peer, sim_time now)
{
    sim_time *due = malloc(2 * (size_t)peer->room * sizeof *due);

    sim_assert(due != NULL, now, "out of memory for %u replies", peer->room);
    for (uint32_t i = 0; i < peer->count; i++) {
        due[i] = peer->due[(peer->head + i) % peer->room];
    }
    free(peer->due);
    peer->due = due;
    peer->room *= 2;
    peer->head = 0;
}

void peer_reply(struct peer *peer, struct sim *sim, sim_time now)
{
    sim_time due;

    peer->delivered = 0;
    if (peer->count == peer->room) {
        grow(peer, now);
    }
    due = now + law_jitter(&peer->jitter, peer->config.delay, peer->jitter_cv);
    due = due > peer->last_due ? due : peer->last_due; /* replies stay in order */
    peer->last_due = due;
    peer->due[(peer->head + peer->count) % peer->room] = due;
    if (peer->count++ == 0) {
        sim_wake(sim, &peer->actor, due);
    }
}
