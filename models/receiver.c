/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/receiver.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/nic.h"
#include "models/peer.h"
#include "models/vhost_tx.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static const struct param_choice ways[] = {
    {"orphan", "the stack copies it on delivery; the completion has failed and comes at once", NULL},
    {"keep", "its pages are kept until it is read", NULL},
    {0},
};

#define WHEN_VHOST .when_path = "host.backend.type", .when_value = "vhost"

static const struct param rows[] = {
    {.path = "host.receiver.queue",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct receiver_config, queue),
     .least = 1,
     .most = 65536,
     .fallback = "1000",
     .unit = "packets",
     WHEN_VHOST,
     .help = "packets that wait for the local receiver at most; further ones are dropped"},
    {.path = "host.receiver.zerocopy",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct receiver_config, zerocopy),
     .fallback = "orphan",
     .choices = ways,
     .when_path = "host.vhost.zerocopy",
     .when_value = "true",
     .help = "what becomes of a zerocopy packet for the local receiver"},
    {.path = "costs.receiver.read",
     .kind = PARAM_COST,
     .offset = offsetof(struct receiver_config, read),
     .most = 1e12,
     .fallback = "1us",
     WHEN_VHOST,
     .help = "per packet that the local receiver reads, on a CPU of its own",
     .certificate = {"0.3us", "12us", PARAM_GUESS, "a receive path in the host, prior"}},
    {.path = "costs.receiver.read_byte",
     .kind = PARAM_COST,
     .offset = offsetof(struct receiver_config, read_byte),
     .most = 1e12,
     .fallback = "0.1ns",
     WHEN_VHOST,
     .help = "per byte of it",
     .certificate = {"0.06ns", "0.19ns", PARAM_GUESS, "copy to the reader; 12.5 us per 64 KB, recalled"}},
};

const struct param_table receiver_params =
    PARAM_TABLE("receiver", struct receiver_config, rows, NULL);

/* The oldest packet has been read; a zerocopy one completes, and calls back in a step of its own. */
static sim_time receiver_step(struct actor *actor, struct sim *sim)
{
    struct receiver *r = container_of(actor, struct receiver, actor);
    uint32_t index = r->packet[r->head].index;
    sim_time now = sim->now;

    if (index != NIC_COPIED && !r->calls_back) {
        vhost_tx_on_sent(r->tx, now, index);
        r->calls_back = true;
        return now;
    }
    if (r->calls_back) {
        vhost_tx_zerocopy_callback(r->tx, sim, now);
        r->calls_back = false;
    }
    r->head = r->head + 1 == r->config.queue ? 0 : r->head + 1;
    r->count--;
    r->read++;
    return r->count > 0 ? r->packet[r->head].read : SIM_NEVER;
}

bool receiver_put(struct receiver *r, struct sim *sim, sim_time now, uint32_t size, uint32_t index)
{
    uint32_t at = r->head + r->count;
    sim_time cost = law_jitter(&r->jitter, r->config.read, r->jitter_cv) + r->config.read_byte * size;

    if (r->count == r->config.queue) {
        r->dropped++;
        return false;
    }
    r->free = (r->free > now ? r->free : now) + cost;
    r->packet[at >= r->config.queue ? at - r->config.queue : at] =
        (struct receiver_packet){.read = r->free, .index = index};
    r->queued++;
    if (r->count++ == 0) {
        sim_wake(sim, &r->actor, r->free);
    }
    peer_on_delivered(r->peer, sim, r->free);
    return true;
}

void receiver_check(const struct receiver *r, sim_time now)
{
    sim_assert(r->queued == r->read + r->count, now, "%" PRIu32 " packets wait for the receiver",
               r->count);
    sim_assert(r->count <= r->config.queue, now, "%" PRIu32 " packets wait for the receiver", r->count);
}

bool receiver_init(struct receiver *r, const struct receiver_config *config, double jitter_cv,
                   uint64_t seed, uint32_t replication, struct error *error)
{
    memset(r, 0, sizeof *r);
    r->config = *config;
    r->jitter_cv = jitter_cv;
    stream_init(&r->jitter, seed, replication, "receiver.read");
    r->actor = (struct actor){.step = receiver_step, .next = SIM_NEVER};
    r->packet = calloc(config->queue, sizeof *r->packet);
    return r->packet ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void receiver_fini(struct receiver *r)
{
    free(r->packet);
    memset(r, 0, sizeof *r);
}
