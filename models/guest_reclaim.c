/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completed requests back: reads the used ring until it is empty, returns descriptors and tables, frees the
 * packets. One completion is one step; the last step finds nothing and goes on where it was asked to.
 */
#include "models/guest_program.h"

sim_time guest_reclaim(struct guest *g, struct guest_cpu *cpu, sim_time now, enum guest_pc then)
{
    g->after_reclaim = then;
    cpu->pc = GUEST_RECLAIM;
    return now;
}

void guest_wake_queue(struct guest *g, struct guest_cpu *cpu)
{
    if (g->queue_stopped && virtqueue_free_count(g->vq) >= g->stop_threshold) {
        g->queue_stopped = false;
        cpu->runs_queue = true;
        g->lock.wake_task = true;
    }
}

void guest_disable_cb(struct guest *g, struct guest_cpu *cpu, sim_time now, sim_time *cost)
{
    if (virtqueue_disable_cb(g->vq)) {
        *cost += g->cost.disable_cb +
                 guest_write_ring(g, cpu, now, SYMBOL_CALLBACKS, virtqueue_addr_callbacks(g->vq));
    }
}

bool guest_enable_cb_delayed(struct guest *g, struct guest_cpu *cpu, sim_time now, sim_time *cost)
{
    uint16_t bufs = virtqueue_enable_cb_delayed_prepare(g->vq);

    g->counts.arms++;
    *cost += g->cost.enable_cb + g->cost.barrier +
             guest_write_ring(g, cpu, now, SYMBOL_CALLBACKS, virtqueue_addr_callbacks(g->vq)) +
             guest_read_ring(g, cpu, SYMBOL_CALLBACKS, virtqueue_addr_more_used(g->vq));
    return !virtqueue_enable_cb_delayed_poll(g->vq, bufs);
}

/* The sweep is over: the byte limit hears of it once. */
static sim_time finish(struct guest *g, struct guest_cpu *cpu, sim_time now, sim_time cost)
{
    bool held = g->qdisc->off;

    qdisc_on_completed(g->qdisc, now, g->sweep_bytes);
    cpu->runs_queue = cpu->runs_queue || (held && !g->qdisc->off);
    g->lock.wake_task = true;
    g->sweep_bytes = 0;
    cpu->pc = g->after_reclaim;
    return guest_spend(cpu, now, SYMBOL_GET_BUF, cost);
}

/* Accounts of a packet that left the ring. */
static void account(struct guest *g, sim_time now, uint32_t slot)
{
    struct guest_packet *packet = &g->packet[slot];
    sim_time begin = packet->published > g->in_flight.start ? packet->published : g->in_flight.start;

    g->counts.reclaimed++;
    packet->on_ring = false;
    level_change(&g->in_flight, now, -1);
    sim_wide_add(&g->stays, (uint64_t)(now - begin));
    histogram_add(&g->reclaim_latency, (uint64_t)(now - packet->handed), 1);
    g->sweep_bytes += packet->size;
    if (g->workload->tsq.counts && g->config.napi_tx && !packet->answer) { /* else freed when it was sent */
        tsq_free(&g->workload->tsq, packet->socket, packet->size);
    }
    g->free_slot[g->free_slots++] = slot;
}

sim_time guest_reclaim_next(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    const struct guest_cost_config *c = &g->cost;
    sim_time cost = guest_read_ring(g, cpu, SYMBOL_GET_BUF, virtqueue_addr_more_used(g->vq));
    const struct virtqueue_request *request;
    bool stores;

    if (!virtqueue_more_used(g->vq)) {
        return finish(g, cpu, now, cost);
    }
    cost += c->get_buf;
    cost += ledger_wait(&cpu->ledger, LEDGER_RING_LINES, SYMBOL_GET_BUF,
                        memory_guest_read(g->memory, virtqueue_addr_get_buf(g->vq), 8));
    stores = virtqueue_get_stores(g->vq);
    request = virtqueue_get_buf(g->vq);
    if (stores) {
        cost += c->barrier +
                guest_write_ring(g, cpu, now, SYMBOL_GET_BUF, virtqueue_addr_used_event(g->vq));
    }
    account(g, now, request->packet);
    now = guest_spend(cpu, now, SYMBOL_GET_BUF, cost);
    now = guest_spend(cpu, now, SYMBOL_DETACH,
                      c->detach + guest_touch_request(g, request) +
                          (request->count - 1) * c->detach_entry +
                          guest_unmap_cost(g, request->sg));
    if (request->table != VIRTQUEUE_DIRECT) {
        now += indirect_put(g->tables, request->table, request->sg, now, &cpu->ledger);
    }
    return guest_spend(cpu, now, SYMBOL_FREE_OLD,
                       g->config.path == GUEST_XSK
                           ? c->free_frame
                           : c->free_skb + guest_touch_skb(g, cpu, g->packet[request->packet].cpu));
}
