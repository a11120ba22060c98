/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   vhost's receive handler: the queue of the socket, where packets for the guest wait, and the loop that puts
 *        them into the guest's receive queue and interrupts it.
 * PLACE  Run by the vhost worker, beside the transmit handler (models/vhost_tx.h): the two wait for each other. Fed by
 *        models/outside.h, empties into models/rx_ring.h.
 * LEAVES OUT  Mergeable buffers; the receive queue's lines and translation misses; a busy loop of its own.
 * SOURCE docs/host.md, "Receiving on the same worker".
 *
 * While the handler runs the socket is not watched, so packets that arrive then queue nothing. A run that
 * finds the socket empty returns its buffers, watches the socket again and looks once more; one that finds no
 * buffer asks the guest to tell of new ones, looks once more, and leaves the socket unwatched: only the
 * guest's kick queues the handler then. A run that has reached a weight queues itself.
 */
#ifndef MODELS_VHOST_RX_H
#define MODELS_VHOST_RX_H

#include <stdbool.h>
#include <stdint.h>

#include "models/notify.h"
#include "models/rx_ring.h"
#include "models/vhost_config.h"
#include "models/vhost_worker.h"
#include "sim/engine/error.h"
#include "sim/engine/histogram.h"
#include "sim/engine/stream.h"

struct vhost_rx_config {
    uint32_t queue;  /* packets that the socket holds for the guest */
    bool repeek;     /* looks at the socket again after it has signalled the guest */
    sim_time packet; /* per packet: socket, buffer, header */
};

extern const struct param_table vhost_rx_params;

enum vhost_rx_pc {
    VHOST_RX_RUN,     /* the handler begins: the socket is not watched, no kicks */
    VHOST_RX_FETCH,   /* takes a packet from the socket */
    VHOST_RX_FILL,    /* puts it into a buffer */
    VHOST_RX_RETURN,  /* makes filled buffers visible, then goes on at `after_return` */
    VHOST_RX_WATCH,   /* the socket is empty: watches it, and looks once more */
    VHOST_RX_ENABLE,  /* no buffer: asks for kicks */
    VHOST_RX_RECHECK, /* and looks once more */
    VHOST_RX_END,     /* the handler has ended */
};

struct guest;
struct outside;

struct vhost_rx_counts {
    uint64_t arrived, dropped; /* at the socket; of them, because it was full */
    uint64_t received;         /* put into buffers */
    uint64_t runs, empty_runs, calls;
    uint64_t starved;          /* runs that ended for want of a buffer */
    uint64_t missed;           /* runs that ended although a packet had come */
};

struct vhost_rx {
    struct vhost_work work;

    /* set by vhost_rx_init() */
    struct vhost_rx_config config;
    struct vhost_config shared; /* weights, batch, copy and handler costs */
    struct notify_config notify;
    double jitter_cv;
    struct stream jitter;

    /* neighbours, set by datapath.c */
    struct vhost_worker *worker;
    struct rx_ring *ring;
    struct guest *guest;
    struct outside *outside;

    /* the socket */
    struct rx_packet *packet; /* [config.queue], a ring */
    uint32_t head, count;
    bool watched; /* a packet that arrives queues the work */

    /* this run */
    enum vhost_rx_pc pc, after_return;
    bool found;
    uint64_t bytes;
    uint32_t packets;

    /* the packet in hand */
    bool filling;
    struct rx_packet current;

    struct vhost_rx_counts counts;
    struct histogram wait; /* arrival at the socket until visible to the guest, in the window */
};

/* Its work is to be added to a worker. */
bool vhost_rx_init(struct vhost_rx *rx, const struct vhost_rx_config *config,
                   const struct vhost_config *shared, const struct notify_config *notify,
                   double jitter_cv, uint64_t seed, uint32_t replication, struct error *error);
void vhost_rx_fini(struct vhost_rx *rx);

/* The handler's step at its program counter. */
vhost_work_step vhost_rx_step;

/* A packet arrives at the socket; a full one drops it. */
void vhost_rx_on_packet(struct vhost_rx *rx, struct sim *sim, sim_time now,
                        const struct rx_packet *packet);

/* The guest rings the receive queue's doorbell: it has posted buffers. */
void vhost_rx_on_kick(struct vhost_rx *rx, struct sim *sim, sim_time now);

/* Packets arrived = dropped + inside + received; aborts with text. */
void vhost_rx_check(const struct vhost_rx *rx, sim_time now);

#endif
