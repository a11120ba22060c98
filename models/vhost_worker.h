/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The vhost worker: one host thread that runs the handlers of a queue pair, one at a time, in the order in
 *        which they were queued, and sleeps when there is none.
 * PLACE  Under the handlers (models/vhost_tx.h): whoever has work for one queues it here, and a handler's steps are
 *        charged here.
 * LEAVES OUT  Priorities: another thread takes the CPU for a time and gives it back; a second kick on its way before the first arrived counts
 *        as that one.
 * SOURCE docs/host.md.
 *
 * A work's bit is cleared before its handler runs, so that work which is queued during a run causes one more. Where
 * the softirq has no CPU of its own it takes the worker's: the running step ends later.
 */
#ifndef MODELS_VHOST_WORKER_H
#define MODELS_VHOST_WORKER_H

#include <stdbool.h>
#include <stdint.h>

#include "models/idle.h"
#include "sim/engine/histogram.h"
#include "sim/engine/sim.h"

#define VHOST_WORKS_MOST 2u

struct vhost_work;

/* A step of the handler; returns when it is over. */
typedef sim_time vhost_work_step(struct vhost_work *work, struct sim *sim, sim_time now);

/* A handler that can be queued. */
struct vhost_work {
    vhost_work_step *step;
    sim_time queued_at; /* when its bit was set; SIM_NEVER: it is clear */
    sim_time kick_due;  /* a kick on its way sets the bit then; SIM_NEVER: none */
};

/* Another thread takes the worker's CPU for `off`, the next one after an exponential time of mean `every`. */
struct vhost_descheduling {
    sim_time every, off; /* either 0: never */
};

struct nic;

struct vhost_worker {
    /* set by vhost_worker_init() */
    sim_time wake;      /* queued to running, when asleep: the part that is the same after any gap */
    sim_time switch_to; /* on the worker's CPU: in and out of sleep */
    struct actor actor;
    struct vhost_work *work[VHOST_WORKS_MOST];
    uint32_t work_count;

    /* neighbour, set by datapath.c: its softirq may share the CPU */
    struct nic *nic;

    struct vhost_descheduling descheduling;
    struct stream others;
    sim_time taken_at; /* when another thread wants the CPU next */
    sim_time taken_until;

    struct idle idle;   /* the CPU that it sleeps on */
    sim_time next_wake; /* while asleep: queued to running */

    /* the thread */
    struct vhost_work *running; /* NULL: it sleeps or is being woken */
    bool stopped;               /* runs no handler any more, once the running one has ended */
    bool spinning;              /* the handler's busy loop: anything that happens ends it */
    bool straight;              /* the handler's next step needs no look at the thread: it may go on by itself */
    sim_time busy_total, busy_until, stolen_total;
    sim_time taken_total; /* had work, and another thread had the CPU */
    sim_time idle_total, idle_since; /* while not running */
    sim_time spin_since;
    uint64_t wakeups;
    sim_time wake_total; /* queued to running, of all wake-ups */
    struct histogram woken; /* the same, in the window */
};

void vhost_worker_init(struct vhost_worker *worker, sim_time wake, sim_time switch_to,
                       const struct vhost_descheduling *descheduling, const struct idle_config *idle,
                       uint64_t seed, uint32_t replication);

/* A handler, before the first step. */
void vhost_worker_add(struct vhost_worker *worker, struct vhost_work *work, vhost_work_step *step);

/* Whether the work's bit is set: a kick that has arrived has set it too. */
static inline bool vhost_work_is_queued(const struct vhost_work *work, sim_time now)
{
    return work->queued_at != SIM_NEVER || work->kick_due <= now;
}

/* Sets the bit; false: it was set. The worker wakes, or its busy loop ends. */
bool vhost_worker_queue(struct vhost_worker *worker, struct vhost_work *work, struct sim *sim,
                        sim_time now);

/* A kick arrives at `due`. */
void vhost_worker_kick(struct vhost_worker *worker, struct vhost_work *work, struct sim *sim,
                       sim_time due);

/* Something that a busy loop waits for. */
static inline void vhost_worker_poke(struct vhost_worker *worker, struct sim *sim, sim_time now)
{
    if (worker->spinning) {
        sim_wake(sim, &worker->actor, now);
    }
}

/* Asleep, and nothing wakes it. */
bool vhost_worker_is_asleep(const struct vhost_worker *worker, sim_time now);

/* ---- of the running handler ---- */

/* It begins: the bit is cleared, with a kick that has arrived. */
void vhost_work_begin(struct vhost_work *work, sim_time now);

/* It queues itself: the bit is set, and nobody needs waking. */
static inline void vhost_work_requeue(struct vhost_work *work, sim_time now)
{
    work->queued_at = work->queued_at == SIM_NEVER ? now : work->queued_at;
}

/* Charges the worker; the step is over after the cost. */
static inline sim_time vhost_worker_spend(struct vhost_worker *worker, sim_time now, sim_time cost)
{
    worker->busy_total += cost;
    worker->busy_until = now + cost;
    return worker->busy_until;
}

/* At the end of a step that is not the handler's last and begins no busy loop, instead of returning t: true when nobody
 * acts before it, and nobody else takes the CPU. The clock then stands at t and the next step has begun. */
static inline bool vhost_worker_goes_on(const struct vhost_worker *worker, struct sim *sim, sim_time t)
{
    return worker->straight && sim_goes_on(sim, t);
}

/* Whether any work is queued. */
bool vhost_worker_has_work(const struct vhost_worker *worker, sim_time now);

/* A busy loop begins: returns when the handler steps next, which is `until` or when work is queued, unless it is
 * poked. That step ends the loop, which charges its length. */
sim_time vhost_worker_begin_spin(struct vhost_worker *worker, sim_time now, sim_time until);
void vhost_worker_end_spin(struct vhost_worker *worker, sim_time now);

/* The handler has ended: the next one in order, the same one if it was queued meanwhile, or sleep. */
sim_time vhost_worker_end_run(struct vhost_worker *worker, sim_time now);

/* ---- accounts ---- */

/* The softirq takes the worker's CPU from now on. */
void vhost_worker_steal(struct vhost_worker *worker, sim_time now, sim_time cost);

/* Busy time up to now. */
sim_time vhost_worker_busy(const struct vhost_worker *worker, sim_time now);

/* Busy, taken by softirq and other threads, and asleep add up to the time; aborts with text. */
void vhost_worker_check(const struct vhost_worker *worker, sim_time now);

#endif
