/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The socket that vhost sends into, and what is behind each kind of it:
 *          nic      a card (models/nic.h) behind its queueing discipline; one cost for all that is in between
 *          macvtap  the same, its way through the stack counted apart; packets are sent in batches
 *          tap      the host's stack takes skbs
 *          tap_xdp  an XDP program takes buffers and drops or redirects them
 *          local    another guest or a socket of this host (models/receiver.h) reads the packets
 *        A share of the packets of the others can be for such a receiver too.
 *        tap, tap_xdp and macvtap take batches: vhost copies packets into buffers and hands up to
 *        host.vhost.copy_batch of them over by one call.
 * PLACE  Between vhost's transmit handler, which it charges, and the card, the receiver or nobody.
 * LEAVES OUT  The stack behind a tap, which takes whatever comes; a card behind a redirect; flows: which packet is
 *        for the receiver is chance.
 * SOURCE docs/host.md, section "Sockets and backends".
 *
 * A batch needs a send buffer without a limit, and the packet with its room in front and the shared info behind must
 * fit a page. Else it is sent by itself, and promises another one (MSG_MORE) while there is one and less than
 * 512 KiB were sent in this run: the end of a call, which a promise spares, is where the stack gets what was queued.
 */
#ifndef MODELS_HOST_SOCKET_H
#define MODELS_HOST_SOCKET_H

#include <stdbool.h>
#include <stdint.h>

#include "models/nic.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

#define HOST_SOCKET_PAGE       4096u
#define HOST_SOCKET_HEADROOM   268u    /* in front of a frame in an XDP buffer, vnet header included */
#define HOST_SOCKET_ALIGN      64u
#define HOST_SOCKET_SHARED     320u    /* shared info behind it */
#define HOST_SOCKET_MORE_BYTES 524288u /* of a run, after which no further packet is promised */

enum host_socket_kind {
    HOST_SOCKET_NIC,
    HOST_SOCKET_TAP,
    HOST_SOCKET_TAP_XDP,
    HOST_SOCKET_MACVTAP,
    HOST_SOCKET_LOCAL,
};

enum host_socket_verdict { HOST_SOCKET_DROP, HOST_SOCKET_REDIRECT };

struct host_socket_config {
    int kind;          /* enum host_socket_kind */
    int verdict;       /* enum host_socket_verdict, of the XDP program */
    uint64_t sndbuf;   /* bytes handed over and not yet freed at most; 0: no limit */
    double local_share; /* of packets that are for the local receiver */

    sim_time fetch;     /* instead of costs.vhost.tx_packet: a request is taken, translated, checked */
    sim_time table_fetch; /* further for an indirect table */
    sim_time call;      /* a call into the socket */
    sim_time flush;     /* its end, when no other packet is promised */
    sim_time skb_alloc; /* memory of an skb, when a packet is sent by itself */
    sim_time tap;       /* per packet: skb built, through the host's stack */
    sim_time macvtap;   /* per packet: skb built, to the card's driver */
    sim_time drop;      /* per packet: program run, buffer freed */
    sim_time redirect;  /* per packet: program run, buffer queued to another device */
};

extern const struct param_table host_socket_params;

struct host_qdisc;
struct peer;
struct receiver;
struct vhost_tx;

struct host_socket_counts {
    uint64_t calls, flushes;   /* into the socket; that gave the stack what was queued */
    uint64_t batched, single;  /* packets by way */
    uint64_t taken;            /* by the stack of the host or an XDP program */
    uint64_t local;            /* for the local receiver */
    uint64_t orphaned;         /* zerocopy packets that the stack copied for it */
    uint64_t full, no_buffers; /* sends that failed: EAGAIN, ENOBUFS */
};

struct host_socket {
    struct host_socket_config config;
    struct stream local;

    /* neighbours, set by datapath.c */
    struct host_qdisc *qdisc;
    struct nic *nic;
    struct receiver *receiver;
    struct peer *peer;
    struct vhost_tx *tx;

    bool plain; /* no packet goes elsewhere than straight to the card; set by host_socket_start() */

    struct host_socket_counts counts;
};

void host_socket_init(struct host_socket *s, const struct host_socket_config *config, uint64_t seed,
                      uint32_t replication);

/* Once the neighbours are set. */
void host_socket_start(struct host_socket *s);

/* Whether the kind's costs stand apart from costs.vhost.tx_packet. */
static inline bool host_socket_is_split(const struct host_socket *s)
{
    return s->config.kind != HOST_SOCKET_NIC && s->config.kind != HOST_SOCKET_LOCAL;
}

/* Whether a packet of this size may wait for others. */
bool host_socket_collects(const struct host_socket *s, uint32_t size);

/* Whether the next packet is for the local receiver: a draw where only a share is. */
bool host_socket_is_local(struct host_socket *s);

/* Whether the stack copies a zerocopy packet on its way: its completion has failed, and comes at once. */
bool host_socket_orphans(const struct host_socket *s, bool local);

/* What a call that hands `count` packets over costs; more: another packet is promised. Counts it. */
sim_time host_socket_call(struct host_socket *s, uint32_t count, bool batch, bool more);

/* What stops a packet from being sent now; counts it. */
enum host_socket_room { HOST_SOCKET_ROOM, HOST_SOCKET_FULL, HOST_SOCKET_NO_BUFFERS };
enum host_socket_room host_socket_room(struct host_socket *s, bool local);

static inline bool host_socket_has_room(struct host_socket *s, bool local)
{
    return (s->plain && nic_has_room(s->nic)) || host_socket_room(s, local) == HOST_SOCKET_ROOM;
}

/* Hands a packet over; index: of its zerocopy entry, or NIC_COPIED; echo: the mark of the request that it
 * answers, or 0. Returns what it costs the worker besides. */
sim_time host_socket_send(struct host_socket *s, struct sim *sim, sim_time now, uint32_t size,
                          uint32_t index, uint32_t echo, bool local);

/* Every invariant; aborts with text. */
void host_socket_check(const struct host_socket *s, sim_time now);

#endif
