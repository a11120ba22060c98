/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event set: all actors of a simulation, and which of them acts first. One interface, two
 * structures: a linear minimum (best up to eight actors, which is what a datapath has) and a 4-ary
 * heap whose nodes are the actors themselves. Both give the same order (time, rank).
 */
#ifndef SIM_ENGINE_EVENT_SET_H
#define SIM_ENGINE_EVENT_SET_H

#include <stdbool.h>

#include "sim/engine/actor.h"

enum event_set_kind { EVENT_SET_AUTO, EVENT_SET_LINEAR, EVENT_SET_HEAP };

#define EVENT_SET_LINEAR_MOST 8 /* AUTO takes the heap above this many actors */
#define EVENT_SET_ROOM        64

struct event_set {
    enum event_set_kind kind; /* LINEAR or HEAP once the first step ran */
    uint32_t count;
    struct actor *member[EVENT_SET_ROOM]; /* linear: by rank; heap: heap order */
};

/* What to run, and until when it may run without asking again. */
struct event_choice {
    struct actor *actor;
    sim_time limit_time; /* the least key among the other actors */
    uint32_t limit_rank;
};

void event_set_add(struct event_set *set, struct actor *actor);

/* Fixes the structure: AUTO becomes LINEAR or HEAP. To be called once all actors are added. */
void event_set_build(struct event_set *set);

/* The actor with the least key, and the least key of the others; set->count is at least 1. */
struct event_choice event_set_first(const struct event_set *set);

/* Restores the order after actor->next changed, either way. */
void event_set_moved(struct event_set *set, struct actor *actor);

#endif
