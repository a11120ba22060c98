/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What both transmit paths share: the indirect table, the add, publishing, the kick. The table is taken
 * before the space check, as the driver does; since a table is only taken while a descriptor is free, an
 * add without room is always a direct one.
 */
#include "models/backend.h"
#include "models/guest_program.h"
#include "models/outside.h"
#include "sim/engine/assert.h"

/* Rival of the cache: no table while the ring is nearly empty. */
static bool nearly_empty(const struct guest *g)
{
    uint64_t size = g->vq->config.size;
    uint64_t used = size - virtqueue_free_count(g->vq);

    return g->config.direct_below_percent > 0 &&
           used * 100 < (uint64_t)g->config.direct_below_percent * size;
}

/* Some costs count the entries beyond two. */
static sim_time beyond_two(const struct guest *g, sim_time each)
{
    return g->sg > 2 ? (sim_time)(g->sg - 2) * each : 0;
}

/* AF_XDP frames are mapped with their pool and only copied, when they bounce. */
static sim_time map_buffers(const struct guest *g)
{
    return g->config.path == GUEST_XSK ? dma_sync_cost(&g->dma, g->sending.size)
                                       : dma_map_cost(&g->dma, g->sg, g->sending.size);
}

static bool has_table(const struct guest *g)
{
    return g->table != MEMORY_NONE;
}

sim_time guest_build(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    const struct guest_cost_config *c = &g->cost;

    now = guest_spend(cpu, now, SYMBOL_ADD_OUTBUF, c->add_outbuf);
    if (g->config.path != GUEST_XSK) {
        now = guest_spend(cpu, now, SYMBOL_START_XMIT, c->start_xmit + guest_touch_skb(g, cpu, 0));
    }
    now = guest_spend(cpu, now, SYMBOL_SG_INIT, c->sg_init + beyond_two(g, c->sg_init_entry));
    g->table = MEMORY_NONE;
    if (virtqueue_wants_table(g->vq, g->sg) && !nearly_empty(g)) {
        now += indirect_get(g->tables, g->sg, virtqueue_free_count(g->vq), now, &cpu->ledger,
                            &g->table);
    }
    cpu->pc = GUEST_ADD;
    return guest_spend(cpu, now, SYMBOL_ADD_OUTBUF, map_buffers(g));
}

/* An answer that is not on the ring is lost with its request. */
static void drop_echo(struct guest *g)
{
    if (g->sending.echo > 0) {
        outside_on_dropped(g->outside, g->sending.echo);
        g->sending.echo = 0;
    }
}

/* No room: the packet is dropped, and the split ring notifies in any case. */
static GUEST_COLD sim_time no_room(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_assert(!has_table(g), now, "a table without a free descriptor");
    guest_spend(cpu, now, SYMBOL_DETACH, guest_unmap_cost(g, g->sg));
    g->counts.dropped++;
    workload_on_freed(g->workload, &g->sending);
    drop_echo(g);
    if (virtqueue_full_kicks(g->vq)) {
        g->counts.forced_kicks++;
        cpu->pc = GUEST_DOORBELL;
    } else {
        cpu->pc = g->config.path == GUEST_XSK ? GUEST_XSK_NEXT : GUEST_DISPATCH;
    }
    return cpu->busy_until;
}

/* Descriptors and table are written: the table's lines are exposed stores that the drain waits for. */
static sim_time write_lines(struct guest *g, struct guest_cpu *cpu, sim_time now, const struct virtqueue_request *request)
{
    sim_time cost = 0;

    if (has_table(g)) {
        cost += ledger_wait(&cpu->ledger, LEDGER_TABLE_LINES, SYMBOL_ADD,
                            indirect_write(g->tables, g->table, g->sg, now));
        cost += guest_drain(g, cpu, now + cost, SYMBOL_ADD);
        cost += guest_write_ring(g, cpu, now, SYMBOL_ADD, virtqueue_addr_added(g->vq, request));
    } else if (g->vq->config.layout != VIRTQUEUE_PACKED) {
        uint16_t id = request->id;

        for (uint32_t i = 0; i < request->count; i++) {
            cost += guest_write_ring(g, cpu, now, SYMBOL_ADD, virtqueue_addr_desc(g->vq, id));
            id = virtqueue_chain_next(g->vq, id);
        }
    } else {
        uint32_t at = virtqueue_addr_added(g->vq, request) / VIRTQUEUE_DESC_BYTES;

        for (uint32_t i = 0; i < request->count; i++) {
            cost += guest_write_ring(g, cpu, now, SYMBOL_ADD,
                                     virtqueue_addr_desc(g->vq, (at + i) % g->vq->config.size));
        }
    }
    return cost + guest_write_ring(g, cpu, now, SYMBOL_ADD, virtqueue_addr_added_entry(g->vq));
}

sim_time guest_add(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    const struct guest_cost_config *c = &g->cost;
    bool with_table = has_table(g);
    struct virtqueue *vq = g->vq;
    const struct virtqueue_request *request;
    uint32_t free_count = virtqueue_free_count(vq);
    sim_time cost = c->add + beyond_two(g, c->add_entry);

    if (!virtqueue_has_room(vq, g->sg, with_table)) {
        return no_room(g, cpu, now);
    }
    g->least_free = free_count < g->least_free ? free_count : g->least_free;
    histogram_add(&g->in_flight_at_add, virtqueue_outstanding(vq), 1);
    g->to_empty = g->to_empty || virtqueue_outstanding(vq) == 0;
    g->slot = g->free_slot[--g->free_slots];
    request = virtqueue_add(vq, g->sg, with_table ? g->table : VIRTQUEUE_DIRECT, g->slot);
    cost += guest_touch_request(g, request) + write_lines(g, cpu, now, request);
    g->packet[g->slot] = (struct guest_packet){.size = g->sending.size,
                                               .socket = g->sending.socket,
                                               .cpu = cpu->index,
                                               .answer = g->sending.echo > 0,
                                               .echo = g->sending.echo,
                                               .handed = g->handed};
    cpu->pc = GUEST_PUBLISH;
    return guest_spend(cpu, now, SYMBOL_ADD, cost);
}

/* For the suggestion where the warm-up ends: a batch of packets is full. */
static __attribute__((noinline)) void observe_pace(struct guest *g, sim_time now)
{
    sim_time busy = guest_busy(g, now);

    batch_means_add_batch(&g->pace, sim_time_ns(busy - g->paced));
    g->paced = busy;
    g->pace_due += g->pace.batch_size;
}

/* The device may see the packet from here on. */
sim_time guest_publish(struct guest *g, struct guest_cpu *cpu, struct sim *sim,
                       sim_time now)
{
    sim_time cost = guest_write_ring(g, cpu, now, SYMBOL_ADD, virtqueue_addr_publish(g->vq));
    bool must_kick = virtqueue_publish(g->vq);
    struct guest_packet *packet = &g->packet[g->slot];

    packet->published = now;
    packet->on_ring = true;
    g->counts.published++;
    if (g->sg > 1) {
        g->counts.multi++;
        g->counts.direct_multi += has_table(g) ? 0 : 1;
    }
    g->counts.tables += has_table(g) ? 1 : 0;
    level_change(&g->in_flight, now, 1);
    if (g->counts.published == g->pace_due) {
        observe_pace(g, now);
    }
    if ((g->counts.published & 15) == 0 && now >= g->over_time.start) {
        series_add(&g->over_time, now, (double)g->in_flight.value);
    }
    if (g->config.path != GUEST_XSK) {
        cpu->pc = GUEST_FULL;
        if (g->config.napi_tx) {
            qdisc_on_sent(g->qdisc, g->sending.size, g->sending.more);
        } else {
            workload_on_freed(g->workload, &g->sending);
        }
        g->sending.echo = 0;
    } else {
        g->xsk_sent++;
        cpu->pc = g->config.xsk_kick == GUEST_XSK_KICK_PACKET ? GUEST_KICK : GUEST_XSK_NEXT;
    }
    g->must_kick = must_kick;
    backend_on_publish(g->backend, sim, now);
    return guest_spend(cpu, now, SYMBOL_ADD, cost);
}

/* Where the program goes on after the kick decision. */
static enum guest_pc after_kick(const struct guest *g)
{
    if (g->config.path != GUEST_XSK) {
        return GUEST_ARM;
    }
    return g->config.xsk_kick == GUEST_XSK_KICK_PACKET ? GUEST_XSK_NEXT : GUEST_XSK_AFTER_KICK;
}

sim_time guest_kick(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    sim_time cost;
    bool needed;

    if (g->config.path != GUEST_XSK && g->sending.more && !g->queue_stopped && !g->must_kick) {
        cpu->pc = after_kick(g);
        return now;
    }
    cost = g->cost.kick_prepare + guest_drain(g, cpu, now, SYMBOL_KICK_PREPARE);
    cost += guest_read_ring(g, cpu, SYMBOL_KICK_PREPARE, virtqueue_addr_notify(g->vq));
    needed = virtqueue_kick_prepare(g->vq);
    g->counts.kick_tests++;
    if (g->to_empty) {
        g->counts.empty_tests++;
        g->counts.empty_kicks += needed ? 1 : 0;
    } else {
        g->counts.busy_kicks += needed ? 1 : 0;
    }
    g->to_empty = false;
    g->kick_tested = true;
    cpu->pc = needed ? GUEST_DOORBELL : after_kick(g);
    return guest_spend(cpu, now, SYMBOL_KICK_PREPARE, cost);
}

sim_time guest_doorbell(struct guest *g, struct guest_cpu *cpu, struct sim *sim,
                        sim_time now)
{
    g->counts.kicks++;
    cpu->pc = after_kick(g);
    backend_on_kick(g->backend, sim, now);
    return guest_spend(cpu, now, SYMBOL_DOORBELL, g->notify.doorbell);
}
