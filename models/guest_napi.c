/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interrupts and NAPI polls: the transmit poll reclaims and asks for the next completion's interrupt; the
 * receive poll first reclaims transmit buffers too and delays the interrupt, then takes the replies.
 */
#include "models/guest_program.h"

sim_time guest_interrupt(struct guest *g, sim_time now, enum guest_vector vector)
{
    sim_time cost = 0;

    guest_spend(g, now, SYMBOL_HARDIRQ, g->cost.hardirq);
    if (vector == GUEST_VECTOR_RX) {
        g->counts.rx_interrupts++;
        g->rx_callbacks = false;
        g->cpu->rx_poll_pending = true;
        return g->cpu->busy_until;
    }
    g->counts.tx_interrupts++;
    guest_disable_cb(g, now, &cost);
    if (g->config.path == GUEST_SKB && !g->config.napi_tx) {
        g->queue_stopped = false; /* orphan mode wakes without looking at the free descriptors */
        g->cpu->runs_queue = true;
        g->lock.wake_task = true;
    } else {
        guest_schedule_tx_poll(g);
    }
    return guest_spend(g, g->cpu->busy_until, SYMBOL_CALLBACKS, cost);
}

sim_time guest_tx_poll(struct guest *g, sim_time now)
{
    sim_time cost = 0;

    g->cpu->in_tx_poll = true;
    if (!guest_lock_take(g, &now)) {
        return now;
    }
    g->counts.tx_polls++;
    guest_disable_cb(g, now, &cost);
    guest_spend(g, now, SYMBOL_CALLBACKS, cost);
    guest_spend(g, g->cpu->busy_until, SYMBOL_NAPI, g->cost.napi);
    return guest_reclaim(g, g->cpu->busy_until, GUEST_TX_POLL_END);
}

sim_time guest_tx_poll_end(struct guest *g, sim_time now)
{
    guest_wake_queue(g);
    g->cb_position = virtqueue_enable_cb_prepare(g->vq);
    g->cpu->pc = GUEST_TX_POLL_CHECK;
    return guest_spend(g, now, SYMBOL_CALLBACKS,
                       g->cost.enable_cb + g->cost.barrier +
                           guest_write_ring(g, now, SYMBOL_CALLBACKS,
                                            virtqueue_addr_callbacks(g->vq)));
}

/* A completion may have gone by before the callback was on: poll once more. */
sim_time guest_tx_poll_check(struct guest *g, sim_time now)
{
    sim_time cost = guest_read_ring(g, SYMBOL_CALLBACKS, virtqueue_addr_more_used(g->vq));

    g->cpu->in_tx_poll = false;
    if (virtqueue_enable_cb_poll(g->vq, g->cb_position)) {
        guest_disable_cb(g, now, &cost);
        g->cpu->tx_poll_pending = true;
    }
    g->cpu->pc = GUEST_DISPATCH;
    return guest_spend(g, now, SYMBOL_CALLBACKS, cost);
}

sim_time guest_rx_poll(struct guest *g, sim_time now)
{
    sim_time cost = 0;

    g->counts.rx_polls++;
    guest_spend(g, now, SYMBOL_NAPI, g->cost.napi);
    now = g->cpu->busy_until;
    if (g->config.path != GUEST_SKB || !g->config.napi_tx || !guest_lock_try(g, &now)) {
        g->cpu->pc = GUEST_RX_POLL_END;
        return now;
    }
    guest_disable_cb(g, now, &cost);
    guest_spend(g, now, SYMBOL_CALLBACKS, cost);
    return guest_reclaim(g, g->cpu->busy_until, GUEST_RX_POLL_REARM);
}

sim_time guest_rx_poll_rearm(struct guest *g, sim_time now)
{
    sim_time cost = 0;

    guest_wake_queue(g);
    if (guest_enable_cb_delayed(g, now, &cost)) {
        g->cpu->pc = GUEST_RX_POLL_END;
        return guest_spend(g, now, SYMBOL_CALLBACKS, cost);
    }
    guest_disable_cb(g, now, &cost);
    guest_spend(g, now, SYMBOL_CALLBACKS, cost);
    return guest_reclaim(g, g->cpu->busy_until, GUEST_RX_POLL_REARM);
}

/* Takes the replies that are there; the poll ends when none came meanwhile. */
sim_time guest_rx_poll_end(struct guest *g, sim_time now)
{
    uint32_t replies = g->replies;

    if (replies == 0) {
        g->rx_callbacks = true;
        g->cpu->pc = GUEST_DISPATCH;
        return now;
    }
    g->replies = 0;
    g->lock.wake_task = true;
    for (uint32_t i = 0; i < replies; i++) {
        workload_on_reply(g->workload);
    }
    return guest_spend(g, now, SYMBOL_NAPI, replies * g->cost.napi_reply);
}
