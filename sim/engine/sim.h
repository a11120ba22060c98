/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation: the clock, the actors, and the loop that runs them. It knows nothing of networks.
 *
 * Two ways to run, the same steps in the same order:
 *   plain  asks the event set for the next actor before every step
 *   fast   stays in an actor while its key is before the least key of the others
 * A test holds both, and both event sets, to identical results on every shipped scenario.
 */
#ifndef SIM_ENGINE_SIM_H
#define SIM_ENGINE_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/actor.h"
#include "sim/engine/event_set.h"
#include "sim/engine/time.h"

enum sim_engine { SIM_FAST, SIM_PLAIN };

struct sim {
    /* set by sim_init() */
    enum sim_engine engine;
    struct event_set set;

    /* while running */
    sim_time now;
    uint64_t steps; /* steps run since sim_init() */
    bool built;
    bool stopped;
    struct actor *running;
    sim_time limit_time; /* least key of the actors that are not running */
    uint32_t limit_rank;
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

#endif
