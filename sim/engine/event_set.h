/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The event set: all actors of a simulation in an order that has the one that acts first in front.
 * One interface, two structures:
 *   linear  an array sorted by (time, rank). Up to eight actors, which is what a datapath has, this
 *           is the fastest: an actor that has stepped seldom passes more than two others
 *   heap    a 4-ary heap in which every actor knows its slot, for more
 * An actor whose key has changed is moved by event_set_later() or event_set_sooner(). Between the
 * two, while it runs, the one in front may stand there with a key of the past.
 *
 * Times stand beside the actors, so that a comparison looks at one array and not at five objects.
 */
#ifndef SIM_ENGINE_EVENT_SET_H
#define SIM_ENGINE_EVENT_SET_H

#include <stdbool.h>

#include "sim/engine/actor.h"

enum event_set_kind { EVENT_SET_AUTO, EVENT_SET_LINEAR, EVENT_SET_HEAP };

#define EVENT_SET_LINEAR_MOST 8 /* AUTO takes the heap above this many actors */
#define EVENT_SET_ROOM        64

struct event_entry {
    sim_time next; /* of the actor when it was placed */
    struct actor *actor;
};

struct event_set {
    enum event_set_kind kind; /* LINEAR or HEAP once the first step ran */
    uint32_t count;
    struct actor nobody; /* stands behind the last, with a key that none exceeds */
    /* by rank until built, then in the structure's order */
    struct event_entry entry[EVENT_SET_ROOM + 1];
};

/* A set must stay where it is. */
void event_set_init(struct event_set *set, enum event_set_kind kind);

void event_set_add(struct event_set *set, struct actor *actor);

/* Fixes the structure: AUTO becomes LINEAR or HEAP. To be called once all actors are added. */
void event_set_build(struct event_set *set);

/* Restores the order after actor->next shrank; actor->next may have been any. */
void event_set_sooner(struct event_set *set, struct actor *actor);

/* Restores the order after actor->next grew. */
void event_set_later(struct event_set *set, struct actor *actor);

/* The halves of event_set_later() and event_set_second_time(), for who knows the structure. */
sim_time event_set_heap_second(const struct event_set *set);
void event_set_heap_later(struct event_set *set, struct actor *actor);

/* The actor with the least key; set->count is at least 1. */
static inline struct actor *event_set_first(const struct event_set *set)
{
    return set->entry[0].actor;
}

/* The least time of the actors behind the first; SIM_NEVER: there is none. */
static inline sim_time event_set_second_time(const struct event_set *set)
{
    return set->kind == EVENT_SET_HEAP ? event_set_heap_second(set) : set->entry[1].next;
}

/* Who waits comes before the others that do, whatever their ranks: it has fewer to pass. */
static inline void event_set_linear_later(struct event_set *set, struct actor *actor)
{
    struct event_entry *at = set->entry;
    sim_time next = actor->next;

    while (at->actor != actor) {
        at++;
    }
    while (at[1].next < next ||
           (at[1].next == next && next != SIM_NEVER && at[1].actor->rank < actor->rank)) {
        at[0] = at[1];
        at++;
    }
    at->next = next;
    at->actor = actor;
}

#endif
