/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The device side of the transmit virtqueue: fetches available requests, sends them, returns them
 *        as used, signals the guest.
 *          polling  a DPU or vhost-user: reads the avail index every poll interval, never asks for kicks
 *          vhost_user, dpu  polling with the costs of one and the other: a user-space thread that copies; a card
 *                   that reads the guest's memory over PCIe, each read with a latency, many in flight
 *          kicked   QEMU-like: sleeps, is woken by a kick, drains the ring, asks for kicks again, looks
 *                   once more, sleeps
 *          vhost    not here: kicks are passed on to models/vhost.h
 *        A read over PCIe does not take the card's time, only its place among those in flight: a packet needs one
 *        for each 64 bytes of its chain, one after the other, and with an indirect table one more that waits for the
 *        first. So a table costs rate only where there are fewer in flight than rate times latency.
 * PLACE  Behind the virtqueue, in front of the peer.
 * LEAVES OUT  Link rates, reordering, backpressure (models/nic.h has them, behind vhost).
 *
 * Requests are used in bursts: the used index moves once per `publish` packets or when the ring runs empty,
 * and the move becomes visible `latency` after the burst was processed. With latency 0 the backend's own CPU
 * writes it; otherwise the device does, beside the CPU.
 */
#ifndef MODELS_BACKEND_H
#define MODELS_BACKEND_H

#include <stdbool.h>
#include <stdint.h>

#include "models/memory.h"
#include "models/notify.h"
#include "models/virtqueue.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

enum backend_type { BACKEND_POLLING, BACKEND_KICKED, BACKEND_VHOST, BACKEND_VHOST_USER, BACKEND_DPU };

#define BACKEND_READS_MOST 1024u

struct backend_config {
    int type;
    sim_time poll_interval; /* polling: between two looks at the avail index of an empty ring */
    uint32_t batch;         /* requests fetched per look at the avail index */
    uint32_t publish;       /* packets per move of the used index at most */
    sim_time latency;       /* burst processed to used index visible */
    uint32_t reads;         /* dpu: requests whose reads are in flight at most */
    bool recheck;           /* kicked: looks once more after asking for kicks */

    sim_time wake;         /* kicked: from runnable to running */
    sim_time run;          /* kicked: entering a run (disable notifications, set-up) */
    sim_time packet;       /* per packet */
    sim_time byte;         /* per frame byte */
    sim_time ring_fetch;   /* avail entry and descriptor */
    sim_time table_fetch;  /* the dependent read of an indirect table */
    sim_time entry_fetch;  /* per descriptor after the first */
    sim_time read;         /* dpu: latency of a read of the guest's memory */
    sim_time enable;       /* asking for kicks again, with its barrier */
};

extern const struct param_table backend_params;

/* A burst whose used entries become visible together. */
struct backend_burst {
    sim_time due;
    uint32_t count;
};

enum backend_pc {
    BACKEND_RUN,     /* kicked: woken, begins a run */
    BACKEND_LOOK,    /* reads the avail index */
    BACKEND_FETCH,   /* takes the next request; the one before is done */
    BACKEND_USED,    /* latency 0: returns the burst */
    BACKEND_ENABLE,  /* kicked: asks for kicks */
    BACKEND_RECHECK, /* and looks once more */
};

struct guest;
struct peer;
struct vhost;

struct backend {
    struct actor actor; /* the backend's CPU; first: both have one address */

    /* set by backend_init() */
    struct backend_config config;
    struct notify_config notify;
    double jitter_cv;
    struct actor completion; /* the device: makes used entries visible */
    struct stream jitter, delay;

    /* neighbours, set by datapath.c */
    struct virtqueue *vq;
    struct memory *memory;
    struct indirect *tables;
    struct guest *guest;
    struct peer *peer;
    struct vhost *vhost;

    /* the CPU */
    enum backend_pc pc, after_used;
    bool waiting;         /* polling: parked on an empty ring; kicked: asleep */
    sim_time parked_at;   /* polling: time of the last look; later ones are whole intervals after it */
    sim_time kick_due;    /* kicked: a kick that came while running; SIM_NEVER: none */
    bool found;           /* this run found a packet */
    uint32_t batch_left;  /* requests seen and not yet fetched */
    bool working;         /* a request is being sent */
    uint16_t working_id;
    uint32_t working_slot;
    sim_time busy_total, busy_until; /* sum of costs; end of the running step */

    /* requests sent and not yet returned, in order */
    uint16_t *done; /* [done_mask + 1], a ring of ids */
    uint32_t done_head, done_count, done_mask;
    uint32_t open_burst; /* of them: not yet handed to the completion side */
    struct backend_burst *burst; /* [done_mask + 1], a ring */
    uint32_t burst_head, burst_count;
    sim_time last_due;

    /* dpu: when the reads of the last requests end, a ring */
    sim_time *read_end; /* [config.reads] */
    uint32_t read_next;
    sim_time reads_done; /* the latest of them */

    uint64_t calls, wakeups, runs, empty_runs;
};

bool backend_init(struct backend *b, const struct backend_config *config,
                  const struct notify_config *notify, double jitter_cv, uint64_t seed,
                  uint32_t replication, uint32_t ring_size, struct error *error);
void backend_fini(struct backend *b);

/* To be called once the neighbours are set: a polling backend asks for no kicks. */
void backend_start(struct backend *b);

/* The driver moved the avail index, or rang the doorbell. */
void backend_on_publish(struct backend *b, struct sim *sim, sim_time now);
void backend_on_kick(struct backend *b, struct sim *sim, sim_time now);

/* Time it spent on packets, and busy time of its CPU, up to now; a polling backend is always busy. */
sim_time backend_work(const struct backend *b, sim_time now);
sim_time backend_busy(const struct backend *b, sim_time now);

#endif
