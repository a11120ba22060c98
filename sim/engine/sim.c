/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/sim.h"

#include <string.h>

#include "sim/engine/assert.h"

void sim_init(struct sim *sim, enum sim_engine engine, enum event_set_kind kind)
{
    memset(sim, 0, sizeof *sim);
    sim->engine = engine;
    sim->set.kind = kind;
}

void sim_add(struct sim *sim, struct actor *actor)
{
    sim_assert(!sim->built, sim->now, "an actor was added after the first step");
    event_set_add(&sim->set, actor);
}

void sim_wake(struct sim *sim, struct actor *actor, sim_time t)
{
    sim_assert(actor != sim->running, sim->now, "an actor wakes itself by its return value");
    sim_assert(t >= sim->now, sim->now, "actor %u is woken in the past", actor->rank);
    if (t >= actor->next) {
        return;
    }
    actor->next = t;
    if (!sim->built) {
        return;
    }
    event_set_moved(&sim->set, actor);
    if (actor_key_before(t, actor->rank, sim->limit_time, sim->limit_rank)) {
        sim->limit_time = t;
        sim->limit_rank = actor->rank;
    }
}

void sim_stop(struct sim *sim)
{
    sim->stopped = true;
}

static void build(struct sim *sim)
{
    if (!sim->built) {
        sim_assert(sim->set.count > 0, sim->now, "a simulation without actors");
        event_set_build(&sim->set);
        sim->built = true;
    }
}

static void step(struct sim *sim, struct actor *actor)
{
    sim_time now = actor->next;

    sim->now = now;
    sim->steps++;
    actor->next = actor->step(actor, sim);
    sim_assert(actor->next >= now, now, "actor %u goes back in time", actor->rank);
}

void sim_run(struct sim *sim, sim_time until)
{
    build(sim);
    sim->stopped = false;
    while (!sim->stopped) {
        struct event_choice choice = event_set_first(&sim->set);
        struct actor *actor = choice.actor;

        if (actor->next > until || actor->next == SIM_NEVER) {
            break;
        }
        sim->running = actor;
        sim->limit_time = choice.limit_time;
        sim->limit_rank = choice.limit_rank;
        do {
            step(sim, actor);
        } while (sim->engine == SIM_FAST && !sim->stopped && actor->next <= until &&
                 actor->next != SIM_NEVER &&
                 actor_key_before(actor->next, actor->rank, sim->limit_time, sim->limit_rank));
        sim->running = NULL;
        event_set_moved(&sim->set, actor);
    }
}

sim_time sim_next(struct sim *sim)
{
    build(sim);
    return event_set_first(&sim->set).actor->next;
}
