/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   A receiver on the same host: another guest behind its tap, or a socket. It reads packets one after the
 *        other from a queue; what comes when that is full is dropped. Zerocopy packets are a danger to their
 *        sender here, since a receiver that stops reading would keep its pages: the stack copies them as it
 *        delivers (orphan: the completion is a failed one and comes at once), or it does not (keep: the
 *        completion comes when the packet is read).
 * PLACE  Behind the socket (models/host_socket.h), for the packets that do not leave the host.
 * LEAVES OUT  What it does with packets; its CPU, which no metric counts.
 * SOURCE docs/host.md, section "Sockets and backends".
 */
#ifndef MODELS_RECEIVER_H
#define MODELS_RECEIVER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

enum receiver_zerocopy { RECEIVER_ORPHAN, RECEIVER_KEEP };

struct receiver_config {
    uint32_t queue; /* packets that wait at most */
    int zerocopy;   /* enum receiver_zerocopy */
    sim_time read;  /* per packet */
    sim_time read_byte;
};

extern const struct param_table receiver_params;

struct peer;
struct vhost_tx;

struct receiver_packet {
    sim_time read;  /* when it has been read */
    uint32_t index; /* of its zerocopy entry, or NIC_COPIED */
};

struct receiver {
    struct actor actor;
    struct receiver_config config;
    double jitter_cv;
    struct stream jitter;
    struct vhost_tx *tx; /* neighbours, set by datapath.c */
    struct peer *peer;

    struct receiver_packet *packet; /* [config.queue], a ring */
    uint32_t head, count;
    bool calls_back; /* the oldest was read; its callback comes next */
    sim_time free;   /* end of reading what was queued */

    uint64_t queued, read, dropped;
};

bool receiver_init(struct receiver *r, const struct receiver_config *config, double jitter_cv,
                   uint64_t seed, uint32_t replication, struct error *error);
void receiver_fini(struct receiver *r);

/* Queues a packet; false: it was dropped, and index stays the caller's. */
bool receiver_put(struct receiver *r, struct sim *sim, sim_time now, uint32_t size, uint32_t index);

/* Every invariant; aborts with text. */
void receiver_check(const struct receiver *r, sim_time now);

#endif
