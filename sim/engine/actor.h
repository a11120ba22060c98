/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An actor is a party that can do something next: a CPU, a device, a link, a timer. It is one
 * function, step(), and the time at which that function is called next. A step does at most one
 * access to something that another actor can see (a ring index, a line, a queue), so that what the
 * others observe depends on the order of steps alone, and returns the time of the actor's next step
 * (never earlier than now; SIM_NEVER: it waits until somebody wakes it).
 *
 * Steps run in the order of (time, rank). Ranks are unique, fixed where the datapath is built, and
 * say which party goes first when two act at the same picosecond; since an actor has exactly one
 * next step, no other tie breaker is needed and no global counter exists.
 *
 * An actor is a member of what it animates: get the owner back with container_of().
 */
#ifndef SIM_ENGINE_ACTOR_H
#define SIM_ENGINE_ACTOR_H

#include <stddef.h>
#include <stdint.h>

#include "sim/engine/time.h"

struct sim;
struct actor;

typedef sim_time actor_step(struct actor *actor, struct sim *sim);

struct actor {
    actor_step *step;
    sim_time next; /* when step() is called next; SIM_NEVER: waiting */
    uint32_t rank; /* set by sim_add(): the order in which actors were added */
    uint32_t slot; /* its place in the event set, where that is a heap */
};

#ifndef container_of
#define container_of(pointer, type, member)                                                        \
    ((type *)(void *)((char *)(pointer) - offsetof(type, member)))
#endif

/* The order of keys: (time, rank). */
static inline _Bool actor_before(const struct actor *a, const struct actor *b)
{
    return a->next < b->next || (a->next == b->next && a->rank < b->rank);
}

#endif
