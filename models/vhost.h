/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   vhost-net on the host: one worker thread that sleeps until work is queued, and the transmit handler
 *        that it runs: takes requests, sends them by copy or by zerocopy, returns them, asks for kicks when
 *        the ring is empty and looks once more.
 *          vhost.c        the worker: queued bit, wake-up, sleep; kicks, completions, a writable socket
 *          vhost_tx.c     the handler, step by step
 *          vhost_params.c parameters, with the presets of the eras
 * PLACE  Between the virtqueue and the network card (models/nic.h). models/backend.h passes kicks on to it where
 *        host.backend.type is vhost.
 * LEAVES OUT  Receiving on the same worker; the wake-up's dependence on the idle gap, and other threads on the
 *        worker's CPU; a second kick on its way before the first arrived counts as that one; packets of a batch
 *        go to the card one by one, only their used entries wait; translation misses; flush and reset.
 * SOURCE docs/host.md.
 *
 * The queued bit is cleared before the handler runs, so work that is queued during a run causes one more run.
 */
#ifndef MODELS_VHOST_H
#define MODELS_VHOST_H

#include <stdbool.h>
#include <stdint.h>

#include "models/memory.h"
#include "models/notify.h"
#include "models/ubuf.h"
#include "models/virtqueue.h"
#include "sim/engine/histogram.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

#define VHOST_BATCH_MOST 1024u

struct vhost_config {
    int era;                 /* only its preset acts */
    bool zerocopy;           /* experimental_zcopytx */
    uint32_t goodcopy_bytes; /* shorter packets are copied */
    int zcopy_limit;         /* enum ubuf_limit; the older one ends the run, the newer one copies */
    int zcopy_callback;      /* enum ubuf_rule */
    uint32_t zcopy_cb_batch; /* the rule's modulus */
    bool zcopy_cb_gated;     /* fires only while notifications are enabled: nobody is looking */
    bool zcopy_rescan;       /* looks for completed entries once more after enabling notifications */
    double zcopy_failure;    /* probability that the stack copies a zerocopy packet */
    uint32_t batch;          /* used entries per signal, without zerocopy */
    uint64_t weight_bytes;   /* of a run; 0: no limit */
    uint32_t weight_packets; /* of a run; 0: no limit */
    bool recheck;            /* looks at the avail index once more after enabling notifications */
    bool rearm;              /* waits for the socket after it was full */
    sim_time busyloop;       /* spins so long on an empty ring before it asks for kicks */
    uint32_t cpus;           /* of the host, for the idle share */

    sim_time wake;       /* queued to running, when asleep */
    sim_time switch_to;  /* on the worker's CPU: in and out of sleep */
    sim_time run;        /* entering the handler */
    sim_time enable;     /* asking for kicks: half to the store, half its barrier */
    sim_time packet;     /* per packet: descriptor, socket, card */
    sim_time copy;       /* per copied packet */
    sim_time copy_byte;  /* per byte of it */
    sim_time pin;        /* per zerocopy packet: pinning its pages */
    sim_time used_entry; /* returning one request */
    sim_time callback;   /* the callback of a completion, on the softirq's CPU */
    sim_time callback_gap; /* before it, on two CPUs: from the count being read to the put */
    sim_time queue;      /* further, when it queues work */
    sim_time wake_up;    /* further, when that wakes the worker */
};

extern const struct param_table vhost_params;

enum vhost_pc {
    VHOST_RUN,     /* the handler begins */
    VHOST_SIGNAL,  /* zerocopy: returns completed entries */
    VHOST_FETCH,   /* takes a request */
    VHOST_SEND,    /* hands it to the card */
    VHOST_RETURN,  /* returns copied requests, then goes on at `after_return` */
    VHOST_ENABLE,  /* asks for kicks */
    VHOST_RECHECK, /* looks at the ring once more */
    VHOST_RESCAN,  /* and at the completions */
    VHOST_SPUN,    /* the end of a busy loop */
    VHOST_END,     /* the handler has ended */
};

struct guest;
struct indirect;
struct nic;

struct vhost_counts {
    uint64_t calls, wakeups, runs, empty_runs;
    uint64_t copied, zerocopy;   /* packets by way of sending */
    uint64_t completions;        /* zerocopy callbacks */
    uint64_t polls, polls_first; /* of them that queued the worker; that set its bit */
    uint64_t polls_useful;       /* of them, whose run found a packet or a completed entry */
    uint64_t socket_full;
    uint64_t limited;            /* runs ended, or packets copied, for too many pending */
};

struct vhost {
    /* set by vhost_init() */
    struct vhost_config config;
    struct notify_config notify;
    double jitter_cv;
    struct actor actor; /* the worker */
    struct stream jitter, failure;

    /* neighbours, set by datapath.c */
    struct virtqueue *vq;
    struct memory *memory;
    struct indirect *tables;
    struct guest *guest;
    struct nic *nic;

    /* the worker */
    enum vhost_pc pc, after_return;
    bool running, spinning;
    bool queued;         /* the work's bit */
    bool queued_by_poll; /* a completion set it */
    sim_time kick_due;   /* a kick on its way, or one that came while running; SIM_NEVER: none */
    bool last_read_early; /* the last callback read its count before the one before it had given its reference back */
    bool waits_socket;   /* a full socket ended the run; it queues the work when writable */
    sim_time busy_total, busy_until, stolen_total;
    sim_time idle_total, idle_since; /* asleep or being woken; while not running */
    sim_time spin_since, spin_end;

    /* this run */
    bool found;   /* a packet or a completed entry */
    bool by_poll; /* a completion began it */
    bool spun;
    uint64_t bytes;
    uint32_t packets;

    /* the packet in hand */
    bool sending;
    uint16_t id;
    uint32_t slot, size;
    uint32_t index; /* of its zerocopy entry, or NIC_COPIED */

    struct ubuf ubuf;
    uint16_t done[VHOST_BATCH_MOST]; /* copied requests whose used entries wait */
    uint32_t done_count;

    struct vhost_counts counts;
    struct histogram completion; /* zerocopy: from the card being done to the return, in the window */
};

void vhost_init(struct vhost *v, const struct vhost_config *config,
                const struct notify_config *notify, double jitter_cv, uint64_t seed,
                uint32_t replication);

/* To be called once the neighbours are set. */
void vhost_start(struct vhost *v);

/* The driver moved the avail index, or rang the doorbell. */
void vhost_on_publish(struct vhost *v, struct sim *sim, sim_time now);
void vhost_on_kick(struct vhost *v, struct sim *sim, sim_time now);

/* The card is done with a zerocopy packet; then, as a step of its own, the callback, which decides whether the
 * worker is to look. Returns what it costs the softirq. */
void vhost_on_sent(struct vhost *v, sim_time now, uint32_t index);
sim_time vhost_zerocopy_callback(struct vhost *v, struct sim *sim, sim_time now);

/* The same by single accesses, for callbacks on two CPUs at the same time: references out, put (true: the rule, given what
 * was read before, asks the worker to look), queueing of the worker unless gated. */
uint32_t vhost_callback_count(const struct vhost *v);
bool vhost_callback_put(struct vhost *v, uint32_t read);
sim_time vhost_callback_queue(struct vhost *v, struct sim *sim, sim_time now);

/* Half of the socket is free again. */
void vhost_on_writable(struct vhost *v, struct sim *sim, sim_time now);

/* The softirq takes the worker's CPU from now on. */
void vhost_steal(struct vhost *v, sim_time now, sim_time cost);

/* The handler's step at its program counter; returns when it is over. */
sim_time vhost_tx_step(struct vhost *v, struct sim *sim, sim_time now);

/* Charges the worker; the step is over after the cost. */
static inline sim_time vhost_spend(struct vhost *v, sim_time now, sim_time cost)
{
    v->busy_total += cost;
    v->busy_until = now + cost;
    return v->busy_until;
}

/* The handler has ended: runs again when work was queued meanwhile, else sleeps. */
sim_time vhost_end_run(struct vhost *v, sim_time now);

/* Busy time of the worker up to now. */
sim_time vhost_busy(const struct vhost *v, sim_time now);

/* Every invariant; aborts with text. */
void vhost_check(const struct vhost *v, sim_time now);

#endif
