/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The receive queue in the guest's receive poll: takes packets up to the budget, answers echo requests by a packet of
 * its own that goes through the queue above the driver like any other, posts the buffers again, and rings the receive
 * doorbell when the device asked for it.
 *
 * An answer is put behind what waits there; when the driver's queue runs it is sent once the poll is over.
 */
#include "models/guest_program.h"
#include "models/outside.h"
#include "models/rx_ring.h"
#include "models/vhost_rx.h"

bool guest_rx_begin(struct guest *g, struct guest_cpu *cpu)
{
    if (g->rx_ring->visible == 0) {
        rx_ring_enable_calls(g->rx_ring);
        return false;
    }
    g->rx.taken = 0;
    cpu->pc = GUEST_RX_TAKE;
    return true;
}

sim_time guest_rx_take(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    struct rx_packet packet;

    if (g->rx.taken == g->rx_ring->config.budget || !rx_ring_take(g->rx_ring, &packet)) {
        cpu->pc = GUEST_RX_REFILL;
        return now;
    }
    g->rx.taken++;
    g->rx.packets++;
    now = guest_spend(cpu, now, SYMBOL_NAPI, g->cost.napi_reply);
    if (packet.echo == 0) {
        return now;
    }
    g->rx.echo = packet.echo;
    cpu->pc = GUEST_RX_ANSWER;
    return guest_spend(cpu, now, SYMBOL_STACK, g->cost.echo);
}

/* The packet that the task's stack has in hand is sure of its place. */
static bool has_room(const struct guest *g)
{
    const struct guest_cpu *task = &g->cpus[0];
    uint32_t in_stack = task->pc == GUEST_STACK_END || task->stack_left > 0 ? 1 : 0;

    return g->qdisc->count + in_stack < QDISC_PACKETS;
}

sim_time guest_rx_answer(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    struct workload_packet answer = {.size = g->outside->config.size, .echo = g->rx.echo};

    if (has_room(g)) {
        qdisc_put(g->qdisc, &answer);
        cpu->runs_queue = true;
        g->rx.answers++;
    } else {
        outside_on_dropped(g->outside, g->rx.echo);
        g->rx.answers_dropped++;
    }
    g->rx.echo = 0;
    cpu->pc = GUEST_RX_TAKE;
    return now;
}

sim_time guest_rx_refill(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    rx_ring_post(g->rx_ring);
    cpu->pc = GUEST_RX_KICK;
    return now;
}

/* A poll that has spent its budget is followed by another one. */
sim_time guest_rx_kick(struct guest *g, struct guest_cpu *cpu, struct sim *sim, sim_time now)
{
    if (g->rx.taken == g->rx_ring->config.budget) {
        cpu->rx_poll_pending = true;
        cpu->pc = GUEST_DISPATCH;
    } else {
        cpu->pc = GUEST_RX_POLL_END;
    }
    if (!rx_ring_kick_needed(g->rx_ring)) {
        return now;
    }
    vhost_rx_on_kick(g->vhost_rx, sim, now);
    return guest_spend(cpu, now, SYMBOL_DOORBELL, g->notify.doorbell);
}
