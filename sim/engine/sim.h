/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation: the clock, the actors, and the loop that runs them. It knows nothing of networks.
 *
 * Two ways to run, the same steps in the same order:
 *   plain  looks at all actors before every step and takes the one with the least key
 *   fast   takes the first of the event set and stays in it while it acts before all others; an
 *          actor can go on by itself, without coming back to the loop, by sim_goes_on()
 * They share no code beyond the call of a step. A test holds both, and both event sets, to
 * identical results on every shipped scenario.
 */
#ifndef SIM_ENGINE_SIM_H
#define SIM_ENGINE_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/actor.h"
#include "sim/engine/assert.h"
#include "sim/engine/event_set.h"
#include "sim/engine/time.h"

enum sim_engine { SIM_FAST, SIM_PLAIN };

struct sim {
    /* set by sim_init() */
    enum sim_engine engine;
    struct event_set set; /* plain: never put in order */

    /* while running */
    sim_time now;
    uint64_t steps; /* steps run since sim_init() */
    bool built;
    sim_time end; /* steps before it run; the past: sim_stop() was called */
    struct actor *running;
    sim_time horizon; /* before it nobody but the running actor acts; plain: the past */
};

void sim_init(struct sim *sim, enum sim_engine engine, enum event_set_kind kind);

/* Adds an actor whose `step` and `next` are set; its rank is its place in the order of additions. */
void sim_add(struct sim *sim, struct actor *actor);

/* Lets an actor that is not the running one act at t (>= now) unless it acts earlier anyway. */
void sim_wake(struct sim *sim, struct actor *actor, sim_time t);

/* Ends sim_run() after the current step. */
void sim_stop(struct sim *sim);

/* Runs all steps up to and including time `until`; the clock then stands at the last step. */
void sim_run(struct sim *sim, sim_time until);

/* When the next step of any actor is due; SIM_NEVER: all wait. */
sim_time sim_next(struct sim *sim);

/* For the running actor at the end of a step, instead of returning t: true when nobody acts before
 * t or at t. The clock then stands at t and the actor's next step has begun. */
static inline bool sim_goes_on(struct sim *sim, sim_time t)
{
    if (t >= sim->horizon) {
        return false;
    }
    sim_assert(t >= sim->now, sim->now, "actor %u goes back in time", sim->running->rank);
    sim->now = t;
    sim->steps++;
    return true;
}

/* For the running actor: it does not go on by itself after this step. */
static inline void sim_comes_back(struct sim *sim)
{
    sim->horizon = INT64_MIN;
}

#endif
