/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Interrupts and NAPI polls: the transmit poll reclaims and asks for the next completion's interrupt; the
 * receive poll first reclaims transmit buffers too and delays the interrupt, then takes the replies.
 */
#include "models/guest_program.h"
#include "models/rx_ring.h"

sim_time guest_interrupt(struct guest *g, struct guest_cpu *cpu, sim_time now, enum guest_vector vector)
{
    sim_time cost = 0;

    guest_spend(cpu, now, SYMBOL_HARDIRQ, g->cost.hardirq);
    if (vector == GUEST_VECTOR_RX) {
        g->counts.rx_interrupts++;
        g->rx_callbacks = false;
        if (g->rx_ring) {
            g->rx_ring->wants_call = false;
        }
        cpu->rx_poll_pending = true;
        return cpu->busy_until;
    }
    g->counts.tx_interrupts++;
    guest_disable_cb(g, cpu, now, &cost);
    if (g->config.path == GUEST_SKB && !g->config.napi_tx) {
        g->queue_stopped = false; /* orphan mode wakes without looking at the free descriptors */
        cpu->runs_queue = true;
        g->lock.wake_task = true;
    } else {
        guest_schedule_tx_poll(g, cpu);
    }
    return guest_spend(cpu, cpu->busy_until, SYMBOL_CALLBACKS, cost);
}

sim_time guest_tx_poll(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    cpu->in_tx_poll = true;
    if (!guest_lock_take(g, cpu, &now)) {
        return now;
    }
    g->counts.tx_polls++;
    guest_disable_cb(g, cpu, now, &cost);
    guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    guest_spend(cpu, cpu->busy_until, SYMBOL_NAPI, g->cost.napi);
    return guest_reclaim(g, cpu, cpu->busy_until, GUEST_TX_POLL_END);
}

sim_time guest_tx_poll_end(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    guest_wake_queue(g, cpu);
    g->cb_position = virtqueue_enable_cb_prepare(g->vq);
    cpu->pc = GUEST_TX_POLL_CHECK;
    return guest_spend(cpu, now, SYMBOL_CALLBACKS,
                       g->cost.enable_cb + g->cost.barrier +
                           guest_write_ring(g, cpu, now, SYMBOL_CALLBACKS,
                                            virtqueue_addr_callbacks(g->vq)));
}

/* A completion may have gone by before the callback was on: poll once more. */
sim_time guest_tx_poll_check(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = guest_read_ring(g, cpu, SYMBOL_CALLBACKS, virtqueue_addr_more_used(g->vq));

    cpu->in_tx_poll = false;
    if (virtqueue_enable_cb_poll(g->vq, g->cb_position)) {
        guest_disable_cb(g, cpu, now, &cost);
        cpu->tx_poll_pending = true;
    }
    cpu->pc = GUEST_DISPATCH;
    return guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
}

sim_time guest_rx_poll(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    g->counts.rx_polls++;
    guest_spend(cpu, now, SYMBOL_NAPI, g->cost.napi);
    now = cpu->busy_until;
    if (g->config.path != GUEST_SKB || !g->config.napi_tx || !guest_lock_try(g, cpu, &now)) {
        cpu->pc = GUEST_RX_POLL_END;
        return now;
    }
    guest_disable_cb(g, cpu, now, &cost);
    guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    return guest_reclaim(g, cpu, cpu->busy_until, GUEST_RX_POLL_REARM);
}

sim_time guest_rx_poll_rearm(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost = 0;

    guest_wake_queue(g, cpu);
    if (guest_enable_cb_delayed(g, cpu, now, &cost)) {
        cpu->pc = GUEST_RX_POLL_END;
        return guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    }
    guest_disable_cb(g, cpu, now, &cost);
    guest_spend(cpu, now, SYMBOL_CALLBACKS, cost);
    return guest_reclaim(g, cpu, cpu->busy_until, GUEST_RX_POLL_REARM);
}

/* Takes the replies that are there, and what is in the receive queue; the poll ends when nothing came meanwhile. */
sim_time guest_rx_poll_end(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    uint32_t replies = g->replies;

    if (replies == 0) {
        if (g->rx_ring && guest_rx_begin(g, cpu)) {
            return now;
        }
        g->rx_callbacks = true;
        cpu->pc = GUEST_DISPATCH;
        return now;
    }
    g->replies = 0;
    g->lock.wake_task = true;
    for (uint32_t i = 0; i < replies; i++) {
        workload_on_reply(g->workload);
    }
    return guest_spend(cpu, now, SYMBOL_NAPI, replies * g->cost.napi_reply);
}
