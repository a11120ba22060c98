/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The host CPU behind a queue of the card: interrupt, then packet by packet, each zerocopy packet in two steps or more:
 * it is done; its callback. On one CPU no other callback can come between, and the callback is one step. On two it is a
 * step for each access to what both share: the count is read, the reference given back, the worker queued.
 */
#include "models/nic.h"

#include "models/host_qdisc.h"
#include "models/vhost_tx.h"
#include "sim/engine/assert.h"

/* It takes the worker's CPU where it has none of its own. */
static sim_time spend(struct nic_softirq *s, sim_time now, sim_time cost)
{
    s->busy_total += cost;
    s->busy_until = now + cost;
    if (s->on_worker) {
        vhost_worker_steal(s->nic->tx->worker, now, cost);
    }
    return s->busy_until;
}

/* When the card interrupts next, or somebody lets go of a packet; SIM_NEVER: nothing is to complete. */
sim_time nic_softirq_due(const struct nic_softirq *s)
{
    sim_time done = s->count > 0 ? s->packet[s->head].done : SIM_NEVER;

    if (s->kept_count > 0 && s->kept[s->kept_head].due < done) {
        done = s->kept[s->kept_head].due;
    }
    return done > s->interrupt_after ? done : s->interrupt_after;
}

static sim_time interrupt(struct nic_softirq *s, sim_time now)
{
    s->nic->interrupts++;
    s->interrupt_after = now + s->nic->config.moderation;
    s->budget_left = s->nic->config.budget;
    s->pc = NIC_CLEAN;
    return spend(s, now, s->nic->config.interrupt);
}

/* The zerocopy packet is done; its callback is the next step. */
static void complete(struct nic_softirq *s, sim_time now, uint32_t index)
{
    vhost_tx_on_sent(s->nic->tx, now, index);
    s->pc = s->callback;
}

/* It is kept when it is one of the late ones, for ever when it is one of those that never complete. */
static bool keep(struct nic_softirq *s, sim_time now, uint32_t index)
{
    struct nic *nic = s->nic;

    nic->zerocopy++;
    if (nic->config.lost_every > 0 && nic->zerocopy % nic->config.lost_every == 0) {
        nic->never++;
        return true;
    }
    if (nic->config.slow_every == 0 || nic->zerocopy % nic->config.slow_every != 0) {
        return false;
    }
    s->kept[(s->kept_head + s->kept_count) % UBUF_RING] =
        (struct nic_kept){.due = now + s->nic->config.slow_by, .index = index};
    s->kept_count++;
    return true;
}

/* A packet of `size` bytes has been freed: the queue in front of the card goes on, or half of the socket's bytes are
 * free again. */
static __attribute__((noinline)) void freed(struct nic *nic, struct sim *sim, sim_time now, uint32_t size)
{
    uint64_t after, room = nic->tx->socket.config.sndbuf;

    if (nic->qdisc->config.limit > 0) {
        host_qdisc_on_room(nic->qdisc, sim, now);
    } else if (nic->count == nic->config.queue / 2) {
        vhost_tx_on_writable(nic->tx, sim, now);
    }
    if (room == 0) {
        return;
    }
    after = nic->bytes + nic->qdisc->bytes;
    if (2 * after < room && 2 * (after + size) >= room) {
        vhost_tx_on_writable(nic->tx, sim, now);
    }
}

/* The oldest packet that has left. */
static uint32_t take(struct nic_softirq *s, struct sim *sim, sim_time now)
{
    struct nic *nic = s->nic;
    uint32_t index = s->packet[s->head].index, size = s->packet[s->head].size;

    nic->bytes -= size;
    s->head = s->head + 1 == nic->config.queue ? 0 : s->head + 1;
    s->count--;
    nic->count--;
    nic->cleaned++;
    if (nic->limited) {
        freed(nic, sim, now, size);
    } else if (nic->count == nic->config.queue / 2) {
        vhost_tx_on_writable(nic->tx, sim, now);
    }
    return index;
}

/* A poll that spends its budget is followed by another one; one that does not leaves the rest to the next
 * interrupt. */
static sim_time clean(struct nic_softirq *s, struct sim *sim, sim_time now)
{
    const struct nic_config *c = &s->nic->config;
    bool let_go = s->kept_count > 0 && s->kept[s->kept_head].due <= now;

    if (!let_go && (s->count == 0 || s->packet[s->head].done > now)) {
        sim_time due = nic_softirq_due(s);

        s->pc = NIC_WAIT;
        return due > now ? due : now;
    }
    if (s->budget_left == 0) {
        s->budget_left = c->budget;
        return spend(s, now, c->interrupt);
    }
    s->budget_left--;
    if (let_go) {
        complete(s, now, s->kept[s->kept_head].index);
        s->kept_head = (s->kept_head + 1) % UBUF_RING;
        s->kept_count--;
    } else {
        uint32_t index = take(s, sim, now);

        if (index != NIC_COPIED && !(s->nic->late && keep(s, now, index))) {
            complete(s, now, index);
        }
    }
    return spend(s, now, c->clean);
}

static sim_time step(struct nic_softirq *s, struct sim *sim, sim_time now)
{
    switch (s->pc) {
    case NIC_WAIT:
        return interrupt(s, now);
    case NIC_CLEAN:
        return clean(s, sim, now);
    case NIC_CALLBACK:
        s->pc = NIC_CLEAN;
        return spend(s, now, vhost_tx_zerocopy_callback(s->nic->tx, sim, now));
    case NIC_COUNT:
        s->read = vhost_tx_callback_count(s->nic->tx);
        s->pc = NIC_PUT;
        return spend(s, now, s->nic->tx->config.callback_gap);
    case NIC_PUT:
        s->pc = vhost_tx_callback_put(s->nic->tx, s->read) ? NIC_QUEUE : NIC_CLEAN;
        return spend(s, now, s->nic->tx->config.callback);
    case NIC_QUEUE:
        s->pc = NIC_CLEAN;
        return spend(s, now, vhost_tx_callback_queue(s->nic->tx, sim, now));
    }
    __builtin_unreachable();
}

sim_time nic_softirq_step(struct actor *actor, struct sim *sim)
{
    struct nic_softirq *s = container_of(actor, struct nic_softirq, actor);
    sim_time next;

    do {
        next = step(s, sim, sim->now);
    } while (sim_goes_on(sim, next));
    return next;
}
