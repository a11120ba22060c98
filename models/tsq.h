/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   TCP small queues: how much a socket may have between itself and the wire. A packet counts
 *        with its true size from the moment the stack makes it until it is freed: in napi mode when
 *        the driver reclaims it, in orphan mode when the driver sends it.
 * PLACE  In the workload, for a sender that replays a trace by its marks.
 * LEAVES OUT  The pacing rate, which moves the limit (its usual value is a parameter); the retransmit
 *        queue: what the kernel exempts by it, one packet at most unacknowledged, is one packet at
 *        most not freed here.
 * SOURCE docs/datapath.md, section "What bounds packets in flight".
 *
 * A trace does not tell the socket of a packet. Lists are dealt to `sockets` of them in turn, and
 * the order of the trace is kept: a socket that may not send holds up the ones after it.
 */
#ifndef MODELS_TSQ_H
#define MODELS_TSQ_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/param.h"

#define TSQ_SOCKETS_MOST 256

struct tsq_config {
    uint32_t sockets;
    uint64_t limit_bytes; /* of true sizes; two packets may always be there */
    uint32_t overhead_bytes; /* true size less frame bytes: the skb, its head, its shared info */
};

extern const struct param_table tsq_params;

struct tsq_socket {
    uint64_t bytes; /* true sizes of packets not yet freed */
    uint32_t packets;
};

struct tsq {
    struct tsq_config config;
    bool counts;   /* false: no limit */
    uint8_t turn;  /* socket of the next list */
    struct tsq_socket socket[TSQ_SOCKETS_MOST];
};

void tsq_init(struct tsq *tsq, const struct tsq_config *config);

/* Whether the socket whose turn it is may send a packet of this size. */
bool tsq_admits(const struct tsq *tsq, uint32_t size);

/* A packet is made; returns its socket. The turn ends with the list. */
uint8_t tsq_charge(struct tsq *tsq, uint32_t size, bool more);

/* A packet is freed. */
void tsq_free(struct tsq *tsq, uint8_t socket, uint32_t size);

#endif
