/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/sim.h"

#include <string.h>

#define PAST INT64_MIN

void sim_init(struct sim *sim, enum sim_engine engine, enum event_set_kind kind)
{
    memset(sim, 0, sizeof *sim);
    sim->engine = engine;
    event_set_init(&sim->set, kind);
    sim->horizon = PAST;
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
    if (sim->built && sim->engine == SIM_FAST) {
        event_set_sooner(&sim->set, actor);
        sim->horizon = t < sim->horizon ? t : sim->horizon;
    }
}

void sim_stop(struct sim *sim)
{
    sim->end = PAST;
    sim->horizon = PAST;
}

static void build(struct sim *sim)
{
    if (sim->built) {
        return;
    }
    sim_assert(sim->set.count > 0, sim->now, "a simulation without actors");
    if (sim->engine == SIM_FAST) {
        event_set_build(&sim->set);
    }
    sim->built = true;
}

/* Calls the actor; returns when it acts next, and never earlier than the clock then stands. */
static inline sim_time step(struct sim *sim, struct actor *actor, sim_time now)
{
    sim_time next;

    sim->now = now;
    sim->steps++;
    next = actor->step(actor, sim);
    sim_assert(next >= sim->now, sim->now, "actor %u goes back in time", actor->rank);
    return next;
}

/* The key of the running actor is left behind until it has to be moved: all
 * others have greater ones, but for who is woken at the present time and has a lower rank. `heap` is
 * a constant where this is called, so that there are two loops that do not ask. */
static inline void run_fast(struct sim *sim, bool heap)
{
    struct event_set *set = &sim->set;

    for (;;) {
        struct actor *actor = event_set_first(set);
        sim_time second = heap ? event_set_heap_second(set) : set->entry[1].next;

        if (actor->next >= sim->end) {
            break;
        }
        sim->running = actor;
        sim->horizon = second < sim->end ? second : sim->end;
        do {
            actor->next = step(sim, actor, actor->next);
        } while (actor->next < sim->horizon);
        if (heap) {
            event_set_heap_later(set, actor);
        } else {
            event_set_linear_later(set, actor);
        }
    }
    sim->running = NULL;
    sim->horizon = PAST;
}

static struct actor *least_of_all(const struct sim *sim)
{
    struct actor *least = sim->set.entry[0].actor;

    for (uint32_t i = 1; i < sim->set.count; i++) {
        if (actor_before(sim->set.entry[i].actor, least)) {
            least = sim->set.entry[i].actor;
        }
    }
    return least;
}

static void run_plain(struct sim *sim)
{
    for (;;) {
        struct actor *actor = least_of_all(sim);

        if (actor->next >= sim->end) {
            break;
        }
        sim->running = actor;
        actor->next = step(sim, actor, actor->next);
        sim->running = NULL;
    }
}

void sim_run(struct sim *sim, sim_time until)
{
    build(sim);
    sim->end = until == SIM_NEVER ? SIM_NEVER : until + 1;
    if (sim->engine == SIM_PLAIN) {
        run_plain(sim);
    } else if (sim->set.kind == EVENT_SET_HEAP) {
        run_fast(sim, true);
    } else {
        run_fast(sim, false);
    }
}

sim_time sim_next(struct sim *sim)
{
    build(sim);
    return sim->engine == SIM_FAST ? event_set_first(&sim->set)->next : least_of_all(sim)->next;
}
