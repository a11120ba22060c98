/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event set: all actors of a simulation in an order that has the one that acts first in front.
 * One interface, two structures:
 *   linear  an array sorted by (time, rank). Up to eight actors, which is what a datapath has, this
 *           is the fastest: an actor that has stepped seldom passes more than one other.
 *   heap    a 4-ary heap whose nodes are the actors themselves, for more
 * An actor whose key has changed is moved by event_set_later() or event_set_sooner(). Between the
 * two, while it runs, the one in front may stand there with a key of the past.
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
    struct actor *member[EVENT_SET_ROOM]; /* by rank until built, then in the structure's order */
};

void event_set_add(struct event_set *set, struct actor *actor);

/* Fixes the structure: AUTO becomes LINEAR or HEAP. To be called once all actors are added. */
void event_set_build(struct event_set *set);

/* The actor with the least key; set->count is at least 1. */
static inline struct actor *event_set_first(const struct event_set *set)
{
    return set->member[0];
}

/* The least time of the actors behind the first; SIM_NEVER: there is none. */
static inline sim_time event_set_second_time(const struct event_set *set);

/* Restores the order after actor->next grew, or shrank. */
static inline void event_set_later(struct event_set *set, struct actor *actor);
void event_set_sooner(struct event_set *set, struct actor *actor);

/* The heap's halves of the functions above. */
sim_time event_set_heap_second(const struct event_set *set);
void event_set_heap_later(struct event_set *set, struct actor *actor);

/* ---- inline, since they run once a step ---- */

static inline sim_time event_set_second_time(const struct event_set *set)
{
    if (set->kind == EVENT_SET_HEAP) {
        return event_set_heap_second(set);
    }
    return set->count > 1 ? set->member[1]->next : SIM_NEVER;
}

static inline void event_set_place(struct event_set *set, struct actor *actor, uint32_t slot)
{
    set->member[slot] = actor;
    actor->slot = slot;
}

/* Locals, since the stores below could change any field for all the compiler knows. */
static inline void event_set_later(struct event_set *set, struct actor *actor)
{
    sim_time next = actor->next;
    uint32_t behind = actor->slot + 1, count = set->count;
    struct actor *other;

    if (set->kind == EVENT_SET_HEAP) {
        event_set_heap_later(set, actor);
        return;
    }
    for (; behind < count; behind++) {
        other = set->member[behind];
        if (next < other->next || (next == other->next && actor->rank < other->rank)) {
            break;
        }
        event_set_place(set, other, behind - 1);
    }
    event_set_place(set, actor, behind - 1);
}

#endif
