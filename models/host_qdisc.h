/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The host's queueing discipline in front of its network card: a queue of so many packets for when the card's
 *        is full, and what happens when it is full itself. A drop is silent, so that vhost counts the packet as
 *        sent and returns it to the guest; or the send fails with ENOBUFS, the request goes back and the run ends.
 *        Without one (limit 0) a full card makes the socket unwritable: EAGAIN. A batch of macvtap has been handed over
 *        as a whole when its packets come here: what finds no room is dropped in silence whatever is set.
 * PLACE  Between the socket (models/host_socket.h) and the card (models/nic.h).
 * LEAVES OUT  Classes, fair queueing, byte limits of the card.
 * SOURCE docs/host.md, section "Sockets and backends".
 */
#ifndef MODELS_HOST_QDISC_H
#define MODELS_HOST_QDISC_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"

enum host_qdisc_full { HOST_QDISC_DROP, HOST_QDISC_ENOBUFS };

struct host_qdisc_config {
    uint32_t limit; /* packets; 0: none */
    int on_full;    /* enum host_qdisc_full */
};

extern const struct param_table host_qdisc_params;

struct nic;
struct vhost_tx;

struct host_qdisc_packet {
    uint32_t size, index; /* of its zerocopy entry, or NIC_COPIED */
    uint32_t echo; /* mark of the request that it answers, or 0 */
};

struct host_qdisc {
    struct host_qdisc_config config;
    struct nic *nic; /* neighbours, set by datapath.c */
    struct vhost_tx *tx;

    struct host_qdisc_packet *packet; /* [limit], a ring */
    uint32_t head, count;
    uint64_t bytes; /* of the packets in it */
    uint64_t queued, dropped;
};

bool host_qdisc_init(struct host_qdisc *q, const struct host_qdisc_config *config,
                     struct error *error);
void host_qdisc_fini(struct host_qdisc *q);

/* Whether a packet would be taken, be it in the card or in the queue. */
bool host_qdisc_has_room(const struct host_qdisc *q);

/* Sends, queues or drops a packet; false: dropped, and a zerocopy one's pages are free. */
bool host_qdisc_send(struct host_qdisc *q, struct sim *sim, sim_time now, uint32_t size,
                     uint32_t index, uint32_t echo);

/* The card has freed a packet: the next one goes there; at half the limit senders may go on. */
void host_qdisc_on_room(struct host_qdisc *q, struct sim *sim, sim_time now);

/* Every invariant; aborts with text. */
void host_qdisc_check(const struct host_qdisc *q, sim_time now);

#endif
