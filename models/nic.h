/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The host's network card with its link, and the host CPUs that clean up after it: packets leave one
 *        after the other at the link's rate; the card interrupts when some have left, not more often than its
 *        moderation allows; the softirq frees what has left, packet by packet, and tells vhost of each zerocopy
 *        packet, first that it is done, then, as a step of its own, by the callback. Every n-th zerocopy packet can
 *        be made late: somebody, say a receiver that does not read, keeps its pages after the card is done.
 *          nic.c          card and link, parameters
 *          nic_softirq.c  interrupts, freeing, callbacks
 * PLACE  Behind vhost's transmit handler, in front of the peer.
 *        A packet longer than the link's MTU leaves in segments, each with headers and gap of its own; the link
 *        may lose frames, and a packet with a lost one does not arrive.
 * LEAVES OUT  Receiving; more than two queues, and the choice of one by flow: two queues take packets in turn;
 *        repetition of what was lost.
 *
 * When a packet has left is known as it is handed over, so the link is arithmetic and only softirqs are actors. With
 * two queues each has its interrupt, its moderation and its CPU, so two completions can be under way at one moment.
 */
#ifndef MODELS_NIC_H
#define MODELS_NIC_H

#include <stdbool.h>
#include <stdint.h>

#include "models/ubuf.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

#define NIC_FRAME_GAP   24u /* bytes of link time per frame: preamble, check sequence, gap */
#define NIC_FRAME_LEAST 60u /* a shorter frame is padded */
#define NIC_HEADERS     66u /* default: Ethernet, IP, TCP with time stamps */
#define NIC_ETHERNET    14u /* header beside the MTU */
#define NIC_COPIED      UINT32_MAX /* instead of an entry's index: no zerocopy packet */
#define NIC_SOFTIRQS    2u

enum nic_softirq_cpu { NIC_CPU_OWN, NIC_CPU_WORKER };

struct nic_config {
    double rate_bps;
    uint32_t mtu;        /* longer packets leave in segments; 0: a packet is one frame */
    uint32_t headers;    /* bytes of each segment's own */
    double loss;         /* probability that a frame is lost */
    uint32_t queue;      /* packets the socket may have handed over and not yet freed */
    uint32_t budget;     /* packets freed per poll */
    sim_time moderation; /* between two interrupts at least */
    sim_time latency;    /* from the end on the link to the completion being visible */
    uint32_t slow_every; /* zerocopy packets of which one is late; 0: none */
    sim_time slow_by;    /* so much */
    uint32_t lost_every; /* zerocopy packets of which one never completes; 0: none */
    int softirq_cpu;     /* enum nic_softirq_cpu, of the first */
    uint32_t completion_cpus; /* queues of the card, each with a softirq on a CPU of its own */

    sim_time interrupt; /* entry of interrupt and softirq, and leaving them */
    sim_time clean;     /* freeing one packet */
};

extern const struct param_table nic_params;

struct nic_packet {
    sim_time done;  /* its completion is visible */
    uint32_t index; /* of its zerocopy entry, or NIC_COPIED */
    uint32_t size;
};

/* A zerocopy packet that has left and whose pages somebody keeps. */
struct nic_kept {
    sim_time due;
    uint32_t index;
};

enum nic_pc {
    NIC_WAIT,     /* for an interrupt */
    NIC_CLEAN,    /* frees the next packet that has left */
    NIC_CALLBACK, /* its zerocopy callback, whole */
    NIC_COUNT,    /* the callback by single accesses: reads the count */
    NIC_PUT,      /* gives the reference back and decides */
    NIC_QUEUE,    /* queues the worker */
};

struct host_qdisc;
struct nic;
struct outside;
struct peer;
struct vhost_tx;

/* A queue of the card and the CPU that its interrupts go to. */
struct nic_softirq {
    struct actor actor;
    struct nic *nic;
    bool on_worker;          /* its CPU is the vhost worker's */
    enum nic_pc callback;    /* where a callback begins */

    /* packets handed over and not yet freed, in order */
    struct nic_packet *packet; /* [config.queue], a ring */
    uint32_t head, count;

    /* late packets, in order */
    struct nic_kept kept[UBUF_RING]; /* a ring */
    uint32_t kept_head, kept_count;

    enum nic_pc pc;
    uint32_t budget_left;
    uint32_t read;            /* by the callback, before its put */
    sim_time interrupt_after; /* the next interrupt comes not before */
    sim_time busy_total, busy_until;
};

struct nic {
    /* set by nic_init() */
    struct nic_config config;
    uint64_t rate_bps;
    bool late;          /* some zerocopy packets complete late, or never */
    uint32_t one_frame; /* packets up to so many bytes leave in one */
    struct nic_softirq softirq[NIC_SOFTIRQS]; /* [config.completion_cpus] */

    struct stream loss;

    /* neighbours, set by datapath.c */
    struct vhost_tx *tx;
    bool limited; /* a queue in front of it, or a socket with a limit of bytes: set by host_socket_start() */
    struct host_qdisc *qdisc;
    struct peer *peer;
    struct outside *outside; /* gets the answers to echo requests */

    /* the link */
    sim_time link_free, link_busy; /* end of what was handed over; time of it on the link */

    uint64_t bytes;    /* of the packets handed over and not yet freed */
    uint32_t count;    /* handed over and not yet freed, of all queues */
    uint32_t turn;     /* the queue that takes the next packet */
    uint64_t zerocopy; /* packets freed so far, to count to the next late one */
    uint64_t never;    /* of them: that will not complete */

    uint64_t sent, cleaned, interrupts;
    uint64_t frames, lost; /* on the link; packets that do not arrive */
};

bool nic_init(struct nic *nic, const struct nic_config *config, uint64_t seed, uint32_t replication,
              struct error *error);
void nic_fini(struct nic *nic);

static inline bool nic_has_room(const struct nic *nic)
{
    return nic->count < nic->config.queue;
}

/* Hands a packet over; there must be room. index: of its zerocopy entry, or NIC_COPIED; echo: the mark of
 * the request that it answers, or 0. */
void nic_send(struct nic *nic, struct sim *sim, sim_time now, uint32_t size, uint32_t index,
              uint32_t echo);

/* The step of a softirq, and when it is interrupted next as things stand. */
sim_time nic_softirq_step(struct actor *actor, struct sim *sim);
sim_time nic_softirq_due(const struct nic_softirq *s);

/* When the softirq on the worker's CPU is through with its step; in the past: it does nothing now. */
static inline sim_time nic_busy_until(const struct nic *nic)
{
    return nic->softirq[0].busy_until;
}

/* Busy time of the softirqs together up to now. */
sim_time nic_busy(const struct nic *nic, sim_time now);

/* Every invariant; aborts with text. */
void nic_check(const struct nic *nic, sim_time now);

#endif
