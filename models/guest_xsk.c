/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The AF_XDP path: a poll reclaims all that is used, sends up to the budget, kicks once (or per frame),
 * reclaims again. While there are frames it polls without end and callbacks stay off; a full ring is
 * polled for completions, after what was added has been kicked.
 */
#include "models/guest_program.h"
#include "sim/engine/law.h"

sim_time guest_xsk_poll(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    guest_disable_cb(g, cpu, now, &cost);
    g->xsk_sent = 0;
    g->counts.tx_polls++;
    guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    return guest_reclaim(g, cpu, cpu->busy_until, GUEST_XSK_NEXT);
}

/* The batch is over: one suppression test for what was sent. */
static sim_time end_batch(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    bool test = g->config.xsk_kick == GUEST_XSK_KICK_BATCH && g->xsk_sent > 0;

    cpu->pc = test ? GUEST_KICK : GUEST_XSK_AFTER_KICK;
    return now;
}

sim_time guest_xsk_next(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    const struct guest_cost_config *c = &g->cost;

    if (g->xsk_sent >= g->config.xsk_budget) {
        return end_batch(g, cpu, now);
    }
    if (virtqueue_free_count(g->vq) < g->stop_threshold) {
        g->counts.queue_stops += g->queue_stopped ? 0 : 1;
        g->queue_stopped = true;
        return end_batch(g, cpu, now);
    }
    g->queue_stopped = false;
    if (!workload_take(g->workload, virtqueue_outstanding(g->vq), &g->sending)) {
        return end_batch(g, cpu, now);
    }
    g->sg = 2;
    g->sending.frags = 0;
    g->handed = now;
    g->counts.handed++;
    now = guest_spend(cpu, now, SYMBOL_XSK_RUN, c->xsk_run);
    now = guest_spend(cpu, now, SYMBOL_XSK_PEEK, c->xsk_peek);
    cpu->pc = GUEST_BUILD;
    return guest_spend(cpu, now, SYMBOL_XSK_XMIT, law_jitter(&g->jitter, c->xsk_xmit, g->jitter_cv));
}

/* Nothing to send: ask for the next completion's interrupt when some are still out, and idle. */
sim_time guest_xsk_idle(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = g->cost.enable_cb + g->cost.barrier;

    g->cb_position = virtqueue_enable_cb_prepare(g->vq);
    cost += guest_write_ring(g, cpu, now, SYMBOL_CALLBACKS, virtqueue_addr_callbacks(g->vq));
    cost += guest_read_ring(g, cpu, SYMBOL_CALLBACKS, virtqueue_addr_more_used(g->vq));
    if (virtqueue_enable_cb_poll(g->vq, g->cb_position)) {
        cpu->tx_poll_pending = true;
    }
    cpu->pc = GUEST_DISPATCH;
    return guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
}

sim_time guest_xsk_after_kick(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    return guest_reclaim(g, cpu, now, GUEST_XSK_DECIDE);
}

/* After the second reclaim: more to send, a full ring to wait for, or nothing. */
sim_time guest_xsk_decide(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    if (g->queue_stopped && virtqueue_free_count(g->vq) < g->stop_threshold) {
        guest_spend(cpu, now, SYMBOL_XSK_WAIT, g->cost.xsk_run);
        cpu->pc = GUEST_XSK_AFTER_KICK;
        return cpu->busy_until;
    }
    cpu->pc = g->xsk_sent > 0 || g->queue_stopped ? GUEST_DISPATCH : GUEST_XSK_IDLE;
    cpu->tx_poll_pending = cpu->pc == GUEST_DISPATCH;
    return now;
}

sim_time guest_xsk_dispatch(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    if (workload_waiting(g->workload, virtqueue_outstanding(g->vq))) {
        cpu->pc = GUEST_XSK_POLL;
        return now;
    }
    return guest_go_idle(cpu, now);
}
