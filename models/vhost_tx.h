/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   vhost's transmit handler: takes requests, sends them by copy or by zerocopy, returns them, asks for kicks when
 *        the ring is empty and looks once more. Its zerocopy entries, and what their completions ask for.
 * PLACE  Run by the vhost worker, between the virtqueue and the network card (models/nic.h).
 *          vhost_tx.c     the loop
 *          vhost_send.c   from a request in hand into the socket, alone or in a batch
 *          vhost_callback.c  what comes back
 * LEAVES OUT  translation misses; reset. With the socket kinds nic and local packets of a batch go one by one,
 *        only their used entries wait.
 * SOURCE docs/host.md.
 */
#ifndef MODELS_VHOST_TX_H
#define MODELS_VHOST_TX_H

#include <stdbool.h>
#include <stdint.h>

#include "models/host_socket.h"
#include "models/notify.h"
#include "models/ubuf.h"
#include "models/vhost_config.h"
#include "models/vhost_worker.h"
#include "sim/engine/histogram.h"
#include "sim/engine/stream.h"

#define VHOST_BATCH_MOST 1024u

enum vhost_tx_pc {
    VHOST_TX_RUN,     /* the handler begins */
    VHOST_TX_SIGNAL,  /* zerocopy: returns completed entries */
    VHOST_TX_FETCH,   /* takes a request */
    VHOST_TX_CALL,    /* a socket that takes batches: sends it by itself */
    VHOST_TX_SEND,    /* hands it to the socket, or puts it into the batch */
    VHOST_TX_FLUSH,   /* sends the batch */
    VHOST_TX_RETURN,  /* returns copied requests, then goes on at `after_return` */
    VHOST_TX_MOVE,    /* moves the used index, where that was judged before */
    VHOST_TX_ENABLE,  /* asks for kicks */
    VHOST_TX_RECHECK, /* looks at the ring once more */
    VHOST_TX_RESCAN,  /* and at the completions */
    VHOST_TX_SPUN,    /* the end of a busy loop */
    VHOST_TX_END,     /* the handler has ended */
};

struct guest;
struct indirect;
struct memory;
struct nic;
struct virtqueue;

/* A packet copied into a buffer of the batch. */
struct vhost_copied {
    uint32_t slot, size;
};

struct vhost_tx_counts {
    uint64_t calls, runs, empty_runs;
    uint64_t copied, zerocopy;   /* packets by way of sending */
    uint64_t completions;        /* zerocopy callbacks */
    uint64_t polls, polls_first; /* of them that queued the worker; that set its bit */
    uint64_t polls_useful;       /* of them, whose run found a packet or a completed entry */
    uint64_t socket_full;
    uint64_t limited;            /* runs ended, or packets copied, for too many pending */
};

struct vhost_tx {
    struct vhost_work work;

    /* set by vhost_tx_init() */
    struct vhost_config config;
    struct notify_config notify;
    double jitter_cv;
    struct stream jitter, failure;

    /* neighbours, set by datapath.c */
    struct vhost_worker *worker;
    struct virtqueue *vq;
    struct memory *memory;
    struct indirect *tables;
    struct guest *guest;
    struct nic *nic;
    struct host_socket socket;

    /* this run */
    enum vhost_tx_pc pc, after_return;
    bool queued_by_poll; /* a completion set the bit */
    bool last_read_early; /* the last callback read its count before the one before it had given its reference back */
    bool waits_socket;   /* a full socket ended the run; it queues the work when writable */
    bool found;          /* a packet or a completed entry */
    bool by_poll;        /* a completion began it */
    bool spun;           /* its busy loop is over */
    uint64_t bytes;
    uint32_t packets;

    /* the packet in hand */
    bool sending;
    uint16_t id;
    uint32_t slot, size;
    uint32_t index; /* of its zerocopy entry, or NIC_COPIED */
    bool local;     /* for the receiver on this host */
    bool again;     /* it could not be sent before: local stays as it is */

    struct ubuf ubuf;
    struct vhost_copied batch[VHOST_BATCH_MOST]; /* not yet sent; their requests are in done[] */
    uint32_t batch_count;
    uint16_t done[VHOST_BATCH_MOST]; /* copied requests whose used entries wait */
    uint32_t done_count;
    bool calls; /* judged before they are returned */

    struct vhost_tx_counts counts;
    struct histogram completion; /* zerocopy: from the card being done to the return, in the window */
};

/* Its work is to be added to a worker. */
void vhost_tx_init(struct vhost_tx *tx, const struct vhost_config *config,
                   const struct notify_config *notify, double jitter_cv, uint64_t seed,
                   uint32_t replication);

/* The handler's step at its program counter. */
vhost_work_step vhost_tx_step;

/* Where the loop begins. */
static inline enum vhost_tx_pc vhost_tx_loop(const struct vhost_tx *tx)
{
    return tx->config.zerocopy ? VHOST_TX_SIGNAL : VHOST_TX_FETCH;
}

/* Accesses to the ring's metadata, where each costs something of its own. */
static inline sim_time vhost_tx_accesses(const struct vhost_tx *tx, uint32_t count)
{
    return tx->config.metadata == VHOST_METADATA_UACCESS ? (sim_time)count * tx->config.uaccess : 0;
}

/* ---- from a request in hand into the socket (vhost_send.c) ---- */

/* Chooses copy or zerocopy for the request in hand; what that costs. The socket's part follows in steps of its own. */
sim_time vhost_tx_prepare(struct vhost_tx *tx);

/* The steps: alone, the packet, the batch. */
sim_time vhost_tx_call(struct vhost_tx *tx, sim_time now);
sim_time vhost_tx_send(struct vhost_tx *tx, struct sim *sim, sim_time now);
sim_time vhost_tx_flush(struct vhost_tx *tx, sim_time now);

/* The batch has been sent: the guest hears of its packets. */
void vhost_tx_deliver_batch(struct vhost_tx *tx, struct sim *sim, sim_time now);

/* Goes on at pc, after the batch and the used entries that still wait. */
void vhost_tx_flush_then(struct vhost_tx *tx, enum vhost_tx_pc pc);

/* ---- what reaches it from the card (vhost_callback.c) ---- */

/* The card is done with a zerocopy packet; then, as a step of its own, the callback, which decides whether the
 * worker is to look. Returns what it costs the softirq. */
void vhost_tx_on_sent(struct vhost_tx *tx, sim_time now, uint32_t index);
sim_time vhost_tx_zerocopy_callback(struct vhost_tx *tx, struct sim *sim, sim_time now);

/* The same by single accesses, for callbacks on two CPUs at the same time: references out, put (true: the rule, given
 * what was read before, asks the worker to look), queueing of the worker unless gated. */
uint32_t vhost_tx_callback_count(const struct vhost_tx *tx);
bool vhost_tx_callback_put(struct vhost_tx *tx, uint32_t read);
sim_time vhost_tx_callback_queue(struct vhost_tx *tx, struct sim *sim, sim_time now);

/* The stack let go of a packet in the call that sends it, having copied it or dropped it: done and callback in one,
 * on the worker. Returns what that costs. */
sim_time vhost_tx_on_let_go(struct vhost_tx *tx, struct sim *sim, sim_time now, uint32_t index, bool copied);

/* Half of the socket is free again. */
void vhost_tx_on_writable(struct vhost_tx *tx, struct sim *sim, sim_time now);

/* Requests taken are known, every entry is sound; aborts with text. */
void vhost_tx_check(const struct vhost_tx *tx, sim_time now);

#endif
