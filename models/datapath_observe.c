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
        [OBSERVER_BACKEND] = "backend CPU", [OBSERVER_DEVICE] = "device",
        [OBSERVER_PEER] = "peer",
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

static void pass(const struct observed *o, enum observer_point point, uint64_t packet,
                 uint32_t size, sim_time now)
{
    if (o->observer->on_packet) {
        o->observer->on_packet(o->observer->context, point, packet, size, now);
    }
}

/* The guest's last step is known to its end only now: an interrupt may have cut the stack. */
static void end_guest_step(struct observed *o, sim_time now)
{
    for (uint32_t i = 0; i < o->part_count; i++) {
        const struct observed_part *part = &o->part[i];

        if (part->from <= now) {
            work(o, OBSERVER_GUEST, symbol_name(part->symbol), part->from,
                 part->to < now ? part->to : now);
        }
    }
    o->part_count = 0;
}

/* What the step charged, one symbol after the other; what it did not charge is the rest of a stack
 * step that an interrupt had cut. */
static void begin_guest_step(struct observed *o, const struct guest *g,
                             const struct ledger *before, sim_time now)
{
    sim_time at = now;

    for (int i = 0; i < SYMBOL_COUNT; i++) {
        sim_time cost = g->ledger.time[i] - before->time[i];

        if (cost > 0) {
            o->part[o->part_count++] = (struct observed_part){(enum symbol)i, at, at + cost};
            at += cost;
        }
    }
    if (at < g->busy_until) {
        o->part[o->part_count++] = (struct observed_part){SYMBOL_STACK, at, g->busy_until};
    }
}

static sim_time guest_observed(struct actor *actor, struct sim *sim)
{
    struct datapath *dp = container_of(actor, struct datapath, guest.actor);
    struct observed *o = &dp->observed;
    struct guest *g = &dp->guest;
    struct ledger before = g->ledger;
    uint64_t published = g->counts.published, reclaimed = g->counts.reclaimed;
    sim_time now = sim->now, busy_until = g->busy_until, next;

    next = o->step[OBSERVER_GUEST](actor, sim);
    if (g->busy_until != busy_until) {
        end_guest_step(o, now);
        begin_guest_step(o, g, &before, now);
    }
    if (g->counts.published != published) {
        pass(o, OBSERVER_PUBLISHED, g->counts.published, g->packet[g->slot].size, now);
    }
    if (g->counts.reclaimed != reclaimed) {
        uint32_t slot = g->free_slot[g->free_slots - 1];

        pass(o, OBSERVER_RECLAIMED, g->counts.reclaimed, g->packet[slot].size, now);
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
        pass(o, OBSERVER_SENT, dp->guest.delivered, (uint32_t)(dp->guest.delivered_bytes - bytes),
             now);
    }
    if (dp->backend.busy_until > now) {
        work(o, OBSERVER_BACKEND, backend_work_name(pc), now, dp->backend.busy_until);
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
    struct actor *const actors[] = {&dp->workload.actor, &dp->guest.actor, &dp->backend.actor,
                                    &dp->backend.completion, &dp->peer.actor};
    static actor_step *const wrappers[] = {workload_observed, guest_observed, backend_observed,
                                           device_observed, peer_observed};

    dp->observed.observer = observer;
    for (int i = 0; i < OBSERVER_PARTIES; i++) {
        dp->observed.step[i] = actors[i]->step;
        actors[i]->step = wrappers[i];
    }
}

void datapath_observe_end(struct datapath *dp)
{
    if (dp->observed.observer) {
        end_guest_step(&dp->observed, dp->end);
    }
}
