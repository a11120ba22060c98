/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The skb path: start_xmit around the add that guest_add.c does.
 *
 *   up to 6.14, napi    disable_cb, reclaim, enable_cb_delayed unless more is announced (again when
 * that fails), add, full check, kick since 6.15, napi    disable_cb, add, full check without
 * arming, kick decision, then enable_cb_delayed unless more is announced orphan reclaim, add, full
 * check (which alone arms the interrupt), kick
 */
#include "models/guest_program.h"

sim_time guest_xmit_begin(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    if (!guest_lock_take(g, cpu, &now)) {
        return now;
    }
    if (!qdisc_take(g->qdisc, &g->sending)) {
        cpu->pc = GUEST_DISPATCH;
        return now;
    }
    g->sending.more = g->sending.more && g->kernel.xmit_more;
    g->sg = (uint16_t)(g->sending.frags + (g->config.header == GUEST_HEADER_OWN ? 2 : 1));
    g->handed = now;
    g->kick_tested = false;
    g->counts.handed++;
    if (g->config.napi_tx) {
        guest_disable_cb(g, cpu, now, &cost);
    }
    guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    if (!g->config.napi_tx) {
        return guest_reclaim(g, cpu, cpu->busy_until, GUEST_BUILD);
    }
    if (g->kernel.reclaim_in_xmit) {
        return guest_reclaim(g, cpu, cpu->busy_until, GUEST_XMIT_REARM);
    }
    cpu->pc = g->kernel.arm_after_kick ? GUEST_BUILD : GUEST_XMIT_REARM;
    return cpu->busy_until;
}

/* Arms before the add, so on a drained ring the very next completion interrupts. */
sim_time guest_xmit_rearm(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    if (g->sending.more || guest_enable_cb_delayed(g, cpu, now, &cost)) {
        cpu->pc = GUEST_BUILD;
        return guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    }
    guest_disable_cb(g, cpu, now, &cost);
    guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    if (!g->kernel.reclaim_in_xmit) {
        guest_schedule_tx_poll(g, cpu); /* no row has this: the poll reclaims in its place */
        cpu->pc = GUEST_BUILD;
        return cpu->busy_until;
    }
    return guest_reclaim(g, cpu, cpu->busy_until, GUEST_XMIT_REARM);
}

/* The ring may not hold another packet of the largest kind: stop, and see to it that somebody wakes
 * the queue. */
sim_time guest_full_check(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    cpu->pc = GUEST_KICK;
    if (virtqueue_free_count(g->vq) >= g->stop_threshold) {
        return now;
    }
    g->queue_stopped = true;
    g->counts.queue_stops++;
    if (g->config.napi_tx && (g->kernel.arm_after_kick || !g->config.full_check_arms)) {
        return now; /* the stop forces a kick, and the kick arms; or it is forgotten */
    }
    if (!guest_enable_cb_delayed(g, cpu, now, &cost)) {
        if (g->config.napi_tx) {
            guest_schedule_tx_poll(g, cpu);
        } else {
            guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
            return guest_reclaim(g, cpu, cpu->busy_until, GUEST_FULL_RECLAIMED);
        }
    }
    return guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
}

/* Orphan mode: more was used meanwhile, so the queue may go on at once. */
sim_time guest_full_reclaimed(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    cpu->pc = GUEST_KICK;
    if (virtqueue_free_count(g->vq) >= g->stop_threshold) {
        g->queue_stopped = false;
        guest_disable_cb(g, cpu, now, &cost);
    }
    return guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
}

/*
 * Since 6.15: after the kick decision, whichever way it went, so not while more is announced.
 * (Arming only after a doorbell would leave a packet that was added while the device runs without
 * an interrupt.)
 */
sim_time guest_arm(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    cpu->pc = GUEST_DISPATCH;
    if (g->kick_tested && g->config.napi_tx && g->kernel.arm_after_kick &&
        !guest_enable_cb_delayed(g, cpu, now, &cost)) {
        guest_schedule_tx_poll(g, cpu);
    }
    return guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
}
