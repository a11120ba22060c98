/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wrappers around the steps of an observed run. What a step did is read from what it changed:
 * the guest's ledger, the counts of packets, the ends of busy periods.
 */
#include <string.h>

#include "models/datapath_state.h"

const char *observer_party_name(enum observer_party party)
{
    static const char *const names[] = {
        [OBSERVER_WORKLOAD] = "workload", [OBSERVER_GUEST] = "guest CPU",
        [OBSERVER_GUEST_OTHER] = "guest CPU of interrupts",
        [OBSERVER_BACKEND] = "backend CPU", [OBSERVER_DEVICE] = "device",
        [OBSERVER_PEER] = "peer",
        [OBSERVER_SOFTIRQ] = "host softirq", [OBSERVER_SOFTIRQ_OTHER] = "second host softirq",
    };

    return names[party];
}

static void work(const struct observed *o, enum observer_party party, const char *what,
                 sim_time from, sim_time to)
{
    if (o->observer->on_work) {
        o->observer->on_work(o->observer->context, party, what, from, to);
    }
}

static void pass(const struct observed *o, enum observer_party party, enum observer_point point,
                 uint64_t packet, uint32_t size, sim_time now)
{
    if (o->observer->on_packet) {
        o->observer->on_packet(o->observer->context, party, point, packet, size, now);
    }
}

/* The last step is known to its end only now: an interrupt may have cut the stack. */
static void end_guest_step(const struct observed *o, struct observed_cpu *c, sim_time now)
{
    for (uint32_t i = 0; i < c->part_count; i++) {
        const struct observed_part *part = &c->part[i];

        if (part->from <= now) {
            work(o, c->party, symbol_name(part->symbol), part->from, part->to < now ? part->to : now);
        }
    }
    c->part_count = 0;
}

static void add_part(struct observed_cpu *c, enum symbol symbol, sim_time from, sim_time to)
{
    if (to > from) {
        c->part[c->part_count++] = (struct observed_part){symbol, from, to};
    }
}

/* What the step charged, one symbol after the other; what it did not charge is the rest of a stack
 * step that an interrupt had cut. The wait for a lock is charged when it is over. */
static void begin_guest_step(struct observed_cpu *c, const struct guest_cpu *cpu,
                             const struct guest_cpu *before, sim_time now)
{
    sim_time at = now, waited = 0;

    if (before->spinning && !cpu->spinning) {
        waited = now - before->spin_since;
        add_part(c, SYMBOL_TX_LOCK, before->spin_since, now);
    }
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        sim_time cost = cpu->ledger.time[i] - before->ledger.time[i];

        cost -= i == SYMBOL_TX_LOCK ? waited : 0;
        add_part(c, (enum symbol)i, at, at + cost);
        at += cost;
    }
    add_part(c, SYMBOL_STACK, at, cpu->busy_until);
}

static sim_time guest_observed(struct actor *actor, struct sim *sim)
{
    struct guest_cpu *cpu = container_of(actor, struct guest_cpu, actor);
    struct datapath *dp = container_of(cpu->guest, struct datapath, guest);
    struct observed_cpu *c = &dp->observed.cpu[cpu - dp->guest.cpus];
    struct guest *g = &dp->guest;
    struct guest_cpu before = *cpu;
    uint64_t published = g->counts.published, reclaimed = g->counts.reclaimed;
    sim_time now = sim->now, next = dp->observed.step[c->party](actor, sim);

    if (cpu->busy_until != before.busy_until) {
        end_guest_step(&dp->observed, c, now);
        begin_guest_step(c, cpu, &before, now);
    }
    if (g->counts.published != published) {
        pass(&dp->observed, c->party, OBSERVER_PUBLISHED, g->counts.published,
             g->packet[g->slot].size, now);
    }
    if (g->counts.reclaimed != reclaimed) {
        uint32_t slot = g->free_slot[g->free_slots - 1];

        pass(&dp->observed, c->party, OBSERVER_RECLAIMED, g->counts.reclaimed,
             g->packet[slot].size, now);
    }
    return next;
}

static const char *backend_work_name(enum backend_pc pc)
{
    static const char *const names[] = {
        [BACKEND_RUN] = "begin run",     [BACKEND_LOOK] = "look for packets",
        [BACKEND_FETCH] = "packet",      [BACKEND_USED] = "return used",
        [BACKEND_ENABLE] = "ask for kicks", [BACKEND_RECHECK] = "look once more",
    };

    return names[pc];
}

static sim_time backend_observed(struct actor *actor, struct sim *sim)
{
    struct datapath *dp = container_of(actor, struct datapath, backend.actor);
    struct observed *o = &dp->observed;
    enum backend_pc pc = dp->backend.pc;
    uint64_t delivered = dp->guest.delivered, bytes = dp->guest.delivered_bytes;
    sim_time now = sim->now, next = o->step[OBSERVER_BACKEND](actor, sim);

    if (dp->guest.delivered != delivered) {
        pass(o, OBSERVER_BACKEND, OBSERVER_SENT, dp->guest.delivered,
             (uint32_t)(dp->guest.delivered_bytes - bytes), now);
    }
    if (dp->backend.busy_until > now) {
        work(o, OBSERVER_BACKEND, backend_work_name(pc), now, dp->backend.busy_until);
    }
    return next;
}

static const char *vhost_step_name(enum vhost_tx_pc pc)
{
    static const char *const names[] = {
        [VHOST_TX_RUN] = "begin run",          [VHOST_TX_SIGNAL] = "return zerocopy",
        [VHOST_TX_FETCH] = "packet",           [VHOST_TX_SEND] = "hand over",
        [VHOST_TX_RETURN] = "return used",     [VHOST_TX_ENABLE] = "ask for kicks",
        [VHOST_TX_RECHECK] = "look once more", [VHOST_TX_RESCAN] = "look at completions",
        [VHOST_TX_MOVE] = "move used index",
        [VHOST_TX_SPUN] = "busy loop",         [VHOST_TX_END] = "end run",
        [VHOST_TX_CALL] = "call socket",       [VHOST_TX_FLUSH] = "send batch",
    };

    return names[pc];
}

static const char *vhost_rx_step_name(enum vhost_rx_pc pc)
{
    static const char *const names[] = {
        [VHOST_RX_RUN] = "begin receive run",     [VHOST_RX_FETCH] = "received packet",
        [VHOST_RX_FILL] = "fill buffer",          [VHOST_RX_RETURN] = "return filled buffers",
        [VHOST_RX_WATCH] = "watch the socket",    [VHOST_RX_ENABLE] = "ask for buffers",
        [VHOST_RX_RECHECK] = "look for buffers once more", [VHOST_RX_END] = "end receive run",
    };

    return names[pc];
}

/* What the worker is about to do. */
static const char *worker_step_name(const struct vhost *v)
{
    if (!v->worker.running) {
        return "wake up";
    }
    return v->worker.running == &v->tx.work ? vhost_step_name(v->tx.pc)
                                            : vhost_rx_step_name(v->rx.pc);
}

static sim_time vhost_observed(struct actor *actor, struct sim *sim)
{
    struct datapath *dp = container_of(actor, struct datapath, vhost.worker.actor);
    struct observed *o = &dp->observed;
    const char *name = worker_step_name(&dp->vhost);
    uint64_t delivered = dp->guest.delivered, bytes = dp->guest.delivered_bytes;
    sim_time busy = dp->vhost.worker.busy_total;
    sim_time now = sim->now, next = o->step[OBSERVER_BACKEND](actor, sim);

    if (dp->guest.delivered - delivered == 1) {
        pass(o, OBSERVER_BACKEND, OBSERVER_SENT, dp->guest.delivered,
             (uint32_t)(dp->guest.delivered_bytes - bytes), now);
    } else {
        for (uint32_t i = 0; i < dp->guest.delivered - delivered; i++) { /* a batch */
            pass(o, OBSERVER_BACKEND, OBSERVER_SENT, delivered + i + 1, dp->vhost.tx.batch[i].size, now);
        }
    }
    if (dp->vhost.worker.busy_total > busy && dp->vhost.worker.busy_until > now) {
        work(o, OBSERVER_BACKEND, name, now, dp->vhost.worker.busy_until);
    }
    return next;
}

static sim_time softirq_observed(struct actor *actor, struct sim *sim)
{
    static const char *const names[] = {
        [NIC_WAIT] = "interrupt",   [NIC_CLEAN] = "free packet", [NIC_CALLBACK] = "zerocopy callback",
        [NIC_COUNT] = "read count", [NIC_PUT] = "put reference", [NIC_QUEUE] = "queue worker",
    };
    struct nic_softirq *s = container_of(actor, struct nic_softirq, actor);
    struct datapath *dp = container_of(s->nic, struct datapath, nic);
    struct observed *o = &dp->observed;
    enum observer_party party = s == &dp->nic.softirq[0] ? OBSERVER_SOFTIRQ : OBSERVER_SOFTIRQ_OTHER;
    enum nic_pc pc = s->pc;
    sim_time now = sim->now, next = o->step[party](actor, sim);

    if (s->busy_until > now) {
        work(o, party, names[pc], now, s->busy_until);
    }
    return next;
}

static sim_time workload_observed(struct actor *actor, struct sim *sim)
{
    struct datapath *dp = container_of(actor, struct datapath, workload.actor);

    work(&dp->observed, OBSERVER_WORKLOAD, "packets", sim->now, sim->now);
    return dp->observed.step[OBSERVER_WORKLOAD](actor, sim);
}

static sim_time device_observed(struct actor *actor, struct sim *sim)
{
    struct datapath *dp = container_of(actor, struct datapath, backend.completion);

    work(&dp->observed, OBSERVER_DEVICE, "used entries visible", sim->now, sim->now);
    return dp->observed.step[OBSERVER_DEVICE](actor, sim);
}

static sim_time peer_observed(struct actor *actor, struct sim *sim)
{
    struct datapath *dp = container_of(actor, struct datapath, peer.actor);

    work(&dp->observed, OBSERVER_PEER, "reply", sim->now, sim->now);
    return dp->observed.step[OBSERVER_PEER](actor, sim);
}

void datapath_observe(struct datapath *dp, const struct observer *observer)
{
    bool vhost = datapath_has_vhost(dp);
    const struct {
        struct actor *actor;
        actor_step *wrapper;
    } parties[] = {
        [OBSERVER_WORKLOAD] = {&dp->workload.actor, workload_observed},
        [OBSERVER_GUEST] = {&dp->guest.cpus[0].actor, guest_observed},
        [OBSERVER_GUEST_OTHER] = {&dp->guest.cpus[1].actor, guest_observed},
        [OBSERVER_BACKEND] = {vhost ? &dp->vhost.worker.actor : &dp->backend.actor,
                              vhost ? vhost_observed : backend_observed},
        [OBSERVER_DEVICE] = {&dp->backend.completion, device_observed},
        [OBSERVER_PEER] = {&dp->peer.actor, peer_observed},
        [OBSERVER_SOFTIRQ] = {&dp->nic.softirq[0].actor, softirq_observed},
        [OBSERVER_SOFTIRQ_OTHER] = {&dp->nic.softirq[1].actor, softirq_observed},
    };

    dp->observed.observer = observer;
    dp->observed.cpu[0].party = OBSERVER_GUEST;
    dp->observed.cpu[1].party = OBSERVER_GUEST_OTHER;
    for (int i = 0; i < OBSERVER_PARTIES; i++) {
        dp->observed.step[i] = parties[i].actor->step;
        parties[i].actor->step = parties[i].wrapper;
    }
}

void datapath_observe_end(struct datapath *dp)
{
    for (uint32_t i = 0; i < GUEST_CPUS && dp->observed.observer; i++) {
        end_guest_step(&dp->observed, &dp->observed.cpu[i], dp->end);
    }
}
