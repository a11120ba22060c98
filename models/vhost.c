/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/vhost.h"

#include <inttypes.h>
#include <string.h>

#include "models/nic.h"
#include "sim/engine/assert.h"

/* ---- waking and sleeping ---- */

static bool shares_cpu(const struct vhost *v)
{
    return v->nic->config.softirq_cpu == NIC_CPU_WORKER;
}

/* The work's bit: a kick that has arrived has set it too. */
static bool is_queued(const struct vhost *v, sim_time now)
{
    return v->queued || v->kick_due <= now;
}

static bool asleep(const struct vhost *v, sim_time now)
{
    return !v->running && !is_queued(v, now);
}

/* Sets the bit. False: it was set. */
static bool queue_work(struct vhost *v, struct sim *sim, sim_time now)
{
    if (is_queued(v, now)) {
        return false;
    }
    v->queued = true;
    if (!v->running) {
        sim_wake(sim, &v->actor, now + v->config.wake);
    } else if (v->spinning) {
        sim_wake(sim, &v->actor, now);
    }
    return true;
}

static void begin_running(struct vhost *v, sim_time now)
{
    v->running = true;
    v->idle_total += now - v->idle_since;
    v->counts.wakeups++;
    v->busy_until = now;
    v->pc = VHOST_RUN;
}

sim_time vhost_end_run(struct vhost *v, sim_time now)
{
    v->counts.empty_runs += v->found ? 0 : 1;
    v->counts.polls_useful += v->by_poll && v->found ? 1 : 0;
    v->pc = VHOST_RUN;
    if (is_queued(v, now)) {
        return now;
    }
    v->running = false;
    v->idle_since = now;
    return v->kick_due == SIM_NEVER ? SIM_NEVER : v->kick_due + v->config.wake;
}

/* Asleep, or at the end of a busy loop: the softirq on its CPU goes first. False: it runs now; else *now is when
 * the next step is due. */
static bool waits(struct vhost *v, sim_time *now)
{
    if (shares_cpu(v) && nic_busy_until(v->nic) > *now) {
        *now = nic_busy_until(v->nic);
        return true;
    }
    if (v->running) {
        return false;
    }
    begin_running(v, *now);
    *now = vhost_spend(v, *now, v->config.switch_to);
    return true;
}

static sim_time step(struct vhost *v, struct sim *sim, sim_time now)
{
    if ((!v->running || v->spinning) && waits(v, &now)) {
        return now;
    }
    return now < v->busy_until ? v->busy_until : vhost_tx_step(v, sim, now);
}

static sim_time vhost_step(struct actor *actor, struct sim *sim)
{
    struct vhost *v = container_of(actor, struct vhost, actor);
    sim_time next;

    do {
        next = step(v, sim, sim->now);
    } while (sim_goes_on(sim, next));
    return next;
}

void vhost_steal(struct vhost *v, sim_time now, sim_time cost)
{
    if (!v->running) {
        return;
    }
    v->stolen_total += cost;
    if (v->spinning) {
        v->busy_total -= cost; /* the spin's length, charged at its end, has it in it */
        return;
    }
    sim_assert(v->busy_until >= now, now, "the worker's step was over");
    v->busy_until += cost;
}

/* ---- what happens to it ---- */

void vhost_on_publish(struct vhost *v, struct sim *sim, sim_time now)
{
    if (v->spinning) {
        sim_wake(sim, &v->actor, now);
    }
}

void vhost_on_kick(struct vhost *v, struct sim *sim, sim_time now)
{
    sim_time due = now + v->notify.kick_latency;

    if (v->kick_due != SIM_NEVER) {
        return;
    }
    v->kick_due = due;
    if (v->spinning) {
        sim_wake(sim, &v->actor, due);
    } else if (!v->running) {
        sim_wake(sim, &v->actor, due + v->config.wake); /* unless it is being woken */
    }
}

void vhost_on_sent(struct vhost *v, sim_time now, uint32_t index)
{
    ubuf_complete(&v->ubuf, now, index,
                  v->config.zcopy_failure > 0 &&
                      stream_uniform(&v->failure) < v->config.zcopy_failure);
}

uint32_t vhost_callback_count(const struct vhost *v)
{
    return v->ubuf.outstanding;
}

bool vhost_callback_put(struct vhost *v, uint32_t read)
{
    enum ubuf_rule rule = (enum ubuf_rule)v->config.zcopy_callback;
    uint32_t found = ubuf_put(&v->ubuf);

    v->counts.completions++;
    v->last_read_early = found == 1 && rule == UBUF_BEFORE_PUT && read > found;
    return ubuf_fires(rule, rule == UBUF_BEFORE_PUT ? read : found, v->config.zcopy_cb_batch);
}

sim_time vhost_callback_queue(struct vhost *v, struct sim *sim, sim_time now)
{
    bool wakes = asleep(v, now);

    if (v->config.zcopy_cb_gated && !virtqueue_notify_enabled(v->vq)) {
        return 0;
    }
    v->counts.polls++;
    if (queue_work(v, sim, now)) {
        v->counts.polls_first++;
        v->queued_by_poll = true;
    }
    return v->config.queue + (wakes ? v->config.wake_up : 0);
}

sim_time vhost_zerocopy_callback(struct vhost *v, struct sim *sim, sim_time now)
{
    bool fires = vhost_callback_put(v, vhost_callback_count(v));

    return v->config.callback + (fires ? vhost_callback_queue(v, sim, now) : 0);
}

void vhost_on_writable(struct vhost *v, struct sim *sim, sim_time now)
{
    if (v->waits_socket) {
        v->waits_socket = false;
        queue_work(v, sim, now);
    }
}

sim_time vhost_busy(const struct vhost *v, sim_time now)
{
    sim_time left = v->busy_until > now ? v->busy_until - now : 0;
    sim_time stolen = shares_cpu(v) && nic_busy_until(v->nic) > now ? nic_busy_until(v->nic) - now : 0;

    if (!v->running) {
        return v->busy_total;
    }
    if (v->spinning) {
        return v->busy_total + (now - v->spin_since) + stolen;
    }
    return v->busy_total - (left > stolen ? left - stolen : 0);
}

void vhost_check(const struct vhost *v, sim_time now)
{
    uint32_t taken = 0, inside = v->done_count;
    sim_time sum = v->busy_total + v->stolen_total + v->idle_total;
    sim_time until = v->running && !v->spinning ? v->busy_until : now;

    sum += v->spinning ? now - v->spin_since : 0;
    sum += v->running ? 0 : now - v->idle_since;
    sim_assert(sum == until, now,
               "busy %" PRId64 ", taken by softirq %" PRId64 ", asleep %" PRId64 " ps: not %" PRId64,
               v->busy_total, v->stolen_total, v->idle_total, until);
    for (uint32_t id = 0; id < v->vq->config.size; id++) {
        taken += v->vq->request[id].stage == VIRTQUEUE_TAKEN ? 1 : 0;
    }
    inside += ubuf_pending(&v->ubuf) + (v->sending && v->index == NIC_COPIED ? 1 : 0);
    sim_assert(taken == inside, now, "%" PRIu32 " requests taken, %" PRIu32 " known", taken, inside);
    ubuf_check(&v->ubuf, now);
}

/* ---- life ---- */

void vhost_init(struct vhost *v, const struct vhost_config *config,
                const struct notify_config *notify, double jitter_cv, uint64_t seed,
                uint32_t replication)
{
    memset(v, 0, sizeof *v);
    v->config = *config;
    v->notify = *notify;
    v->jitter_cv = jitter_cv;
    stream_init(&v->jitter, seed, replication, "vhost.packet");
    stream_init(&v->failure, seed, replication, "vhost.failure");
    v->actor = (struct actor){.step = vhost_step, .next = SIM_NEVER};
    v->kick_due = SIM_NEVER;
    ubuf_init(&v->ubuf);
}

void vhost_start(struct vhost *v)
{
    virtqueue_enable_notify(v->vq);
}
