/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/vhost_worker.h"

#include <inttypes.h>
#include <string.h>

#include "models/nic.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static bool shares_cpu(const struct vhost_worker *w)
{
    return w->nic->config.softirq_cpu == NIC_CPU_WORKER;
}

/* When a work's bit was set, or will be by a kick on its way. */
static sim_time queued_from(const struct vhost_work *work)
{
    return work->queued_at < work->kick_due ? work->queued_at : work->kick_due;
}

/* The work that was or will be queued first. */
static struct vhost_work *first_work(const struct vhost_worker *w)
{
    struct vhost_work *first = w->work[0];

    for (uint32_t i = 1; i < w->work_count; i++) {
        first = queued_from(w->work[i]) < queued_from(first) ? w->work[i] : first;
    }
    return first;
}

bool vhost_worker_has_work(const struct vhost_worker *w, sim_time now)
{
    return queued_from(first_work(w)) <= now;
}

bool vhost_worker_is_asleep(const struct vhost_worker *w, sim_time now)
{
    return !w->running && !vhost_worker_has_work(w, now);
}

/* ---- waking and sleeping ---- */

bool vhost_worker_queue(struct vhost_worker *w, struct vhost_work *work, struct sim *sim,
                        sim_time now)
{
    if (vhost_work_is_queued(work, now)) {
        return false;
    }
    work->queued_at = now;
    if (!w->running) {
        sim_wake(sim, &w->actor, now + w->next_wake);
    } else {
        vhost_worker_poke(w, sim, now);
    }
    return true;
}

void vhost_worker_kick(struct vhost_worker *w, struct vhost_work *work, struct sim *sim, sim_time due)
{
    if (work->kick_due <= due) {
        return;
    }
    work->kick_due = due; /* a retry further in the future is not missed */
    if (w->spinning) {
        sim_wake(sim, &w->actor, due);
    } else if (!w->running) {
        sim_wake(sim, &w->actor, due + w->next_wake); /* unless it is being woken */
    }
}

void vhost_work_begin(struct vhost_work *work, sim_time now)
{
    work->queued_at = SIM_NEVER;
    if (work->kick_due <= now) {
        work->kick_due = SIM_NEVER;
    }
}

static void begin_running(struct vhost_worker *w, sim_time now)
{
    sim_time queued;

    w->running = first_work(w);
    queued = queued_from(w->running);
    w->wake_total += now - queued;
    if (w->idle.modelled) {
        idle_leave(&w->idle, queued - w->idle_since);
        histogram_add(&w->woken, (uint64_t)(now - queued), 1);
    }
    w->idle_total += now - w->idle_since;
    w->wakeups++;
    w->busy_until = now;
}

sim_time vhost_worker_end_run(struct vhost_worker *w, sim_time now)
{
    struct vhost_work *next = first_work(w);

    w->straight = false;
    if (vhost_work_is_queued(next, now) && !w->stopped) {
        w->running = next;
        return now;
    }
    w->running = NULL;
    w->idle_since = now;
    w->next_wake = w->wake + (w->idle.modelled ? idle_enter(&w->idle) : 0);
    return next->kick_due == SIM_NEVER ? SIM_NEVER : next->kick_due + w->next_wake;
}

/* Asleep, or at the end of a busy loop: the softirq on its CPU goes first. False: it runs now; else *now is when
 * the next step is due. */
static bool waits(struct vhost_worker *w, sim_time *now)
{
    if (w->stopped && !w->running) {
        *now = SIM_NEVER;
        return true;
    }
    if (shares_cpu(w) && nic_busy_until(w->nic) > *now) {
        *now = nic_busy_until(w->nic);
        return true;
    }
    if (w->running) {
        return false;
    }
    begin_running(w, *now);
    *now = vhost_worker_spend(w, *now, w->switch_to);
    return true;
}

/* Another thread has the CPU, or takes it now: until when. Only between two steps, and not from a busy loop. */
static sim_time descheduled(struct vhost_worker *w, sim_time now)
{
    const struct vhost_descheduling *d = &w->descheduling;

    if (w->taken_until > now) {
        return w->taken_until; /* longer by what a softirq took */
    }
    while (w->taken_at <= now) {
        w->taken_until = w->taken_at + d->off;
        w->taken_at = w->taken_until + law_exponential_time(&w->others, d->every);
    }
    w->taken_total += w->taken_until > now ? w->taken_until - now : 0;
    return w->taken_until;
}

static sim_time step(struct vhost_worker *w, struct sim *sim, sim_time now)
{
    if ((!w->running || w->spinning) && waits(w, &now)) {
        return now;
    }
    if (now < w->busy_until) {
        return w->busy_until;
    }
    w->straight = w->taken_at == SIM_NEVER;
    if (!w->straight && !w->spinning) {
        sim_time until = descheduled(w, now);

        if (until > now) {
            return until;
        }
    }
    return w->running->step(w->running, sim, now);
}

static sim_time worker_step(struct actor *actor, struct sim *sim)
{
    struct vhost_worker *w = container_of(actor, struct vhost_worker, actor);
    sim_time next;

    do {
        next = step(w, sim, sim->now);
    } while (sim_goes_on(sim, next));
    return next;
}

/* ---- busy loop ---- */

sim_time vhost_worker_begin_spin(struct vhost_worker *w, sim_time now, sim_time until)
{
    sim_time queued = queued_from(first_work(w));

    w->spinning = true;
    w->straight = false;
    w->spin_since = now;
    return queued <= now ? now : queued < until ? queued : until;
}

void vhost_worker_end_spin(struct vhost_worker *w, sim_time now)
{
    w->spinning = false;
    vhost_worker_spend(w, w->spin_since, now - w->spin_since);
}

/* ---- accounts ---- */

void vhost_worker_steal(struct vhost_worker *w, sim_time now, sim_time cost)
{
    if (!w->running) {
        return;
    }
    w->stolen_total += cost;
    if (now < w->taken_until) {
        w->taken_until += cost; /* the other thread still gets its time */
        return;
    }
    if (w->spinning) {
        w->busy_total -= cost; /* the spin's length, charged at its end, has it in it */
        return;
    }
    sim_assert(w->busy_until >= now, now, "the worker's step was over");
    w->busy_until += cost;
}

sim_time vhost_worker_busy(const struct vhost_worker *w, sim_time now)
{
    sim_time left = w->busy_until > now ? w->busy_until - now : 0;
    sim_time stolen = shares_cpu(w) && nic_busy_until(w->nic) > now ? nic_busy_until(w->nic) - now : 0;

    if (!w->running) {
        return w->busy_total;
    }
    if (w->spinning) {
        return w->busy_total + (now - w->spin_since) + stolen;
    }
    return w->busy_total - (left > stolen ? left - stolen : 0);
}

void vhost_worker_check(const struct vhost_worker *w, sim_time now)
{
    sim_time sum = w->busy_total + w->stolen_total + w->taken_total + w->idle_total;
    sim_time until = w->running && !w->spinning ? w->busy_until : now;

    if (w->running && w->taken_until > until) {
        until = w->taken_until;
    }

    sum += w->spinning ? now - w->spin_since : 0;
    sum += w->running ? 0 : now - w->idle_since;
    sim_assert(sum == until, now,
               "busy %" PRId64 ", taken by softirq %" PRId64 ", by others %" PRId64 ", asleep %" PRId64
               " ps: not %" PRId64,
               w->busy_total, w->stolen_total, w->taken_total, w->idle_total, until);
}

/* ---- life ---- */

void vhost_worker_init(struct vhost_worker *w, sim_time wake, sim_time switch_to,
                       const struct vhost_descheduling *descheduling, const struct idle_config *idle,
                       uint64_t seed, uint32_t replication)
{
    memset(w, 0, sizeof *w);
    w->wake = wake;
    w->switch_to = switch_to;
    w->descheduling = *descheduling;
    w->taken_at = SIM_NEVER;
    if (descheduling->every > 0 && descheduling->off > 0) {
        stream_init(&w->others, seed, replication, "vhost.others");
        w->taken_at = law_exponential_time(&w->others, descheduling->every);
    }
    idle_init(&w->idle, idle, seed, replication, "vhost.idle");
    w->next_wake = wake + idle_enter(&w->idle);
    histogram_clear(&w->woken);
    w->actor = (struct actor){.step = worker_step, .next = SIM_NEVER};
}

void vhost_worker_add(struct vhost_worker *w, struct vhost_work *work, vhost_work_step *work_step)
{
    *work = (struct vhost_work){
        .step = work_step, .queued_at = SIM_NEVER, .kick_due = SIM_NEVER};
    w->work[w->work_count++] = work;
}
