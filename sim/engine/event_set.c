/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/event_set.h"

#include "sim/engine/assert.h"

#define ARITY 4u

void event_set_add(struct event_set *set, struct actor *actor)
{
    sim_assert(set->count < EVENT_SET_ROOM, 0, "more than %d actors", EVENT_SET_ROOM);
    actor->rank = set->count;
    event_set_place(set, actor, set->count);
    set->count++;
}

void event_set_build(struct event_set *set)
{
    if (set->kind == EVENT_SET_AUTO) {
        set->kind = set->count <= EVENT_SET_LINEAR_MOST ? EVENT_SET_LINEAR : EVENT_SET_HEAP;
    }
    /* From the last to the first: what lies behind the one that is moved is in order. */
    for (uint32_t i = set->count; i-- > 0;) {
        event_set_later(set, set->member[i]);
    }
}

sim_time event_set_heap_second(const struct event_set *set)
{
    uint32_t end = set->count < ARITY + 1 ? set->count : ARITY + 1;
    sim_time least = SIM_NEVER;

    for (uint32_t i = 1; i < end; i++) {
        least = set->member[i]->next < least ? set->member[i]->next : least;
    }
    return least;
}

void event_set_heap_later(struct event_set *set, struct actor *actor)
{
    uint32_t slot = actor->slot;

    for (;;) {
        uint32_t child = ARITY * slot + 1;
        uint32_t end = child + ARITY < set->count ? child + ARITY : set->count;
        uint32_t least = child;

        if (child >= set->count) {
            break;
        }
        for (uint32_t i = child + 1; i < end; i++) {
            if (actor_before(set->member[i], set->member[least])) {
                least = i;
            }
        }
        if (!actor_before(set->member[least], actor)) {
            break;
        }
        event_set_place(set, set->member[least], slot);
        slot = least;
    }
    event_set_place(set, actor, slot);
}

void event_set_sooner(struct event_set *set, struct actor *actor)
{
    bool heap = set->kind == EVENT_SET_HEAP;
    uint32_t slot = actor->slot;

    while (slot > 0) {
        uint32_t ahead = heap ? (slot - 1) / ARITY : slot - 1;

        if (!actor_before(actor, set->member[ahead])) {
            break;
        }
        event_set_place(set, set->member[ahead], slot);
        slot = ahead;
    }
    event_set_place(set, actor, slot);
}
