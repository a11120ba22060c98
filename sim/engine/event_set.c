/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/event_set.h"

#include <string.h>

#include "sim/engine/assert.h"

#define ARITY 4u

void event_set_init(struct event_set *set, enum event_set_kind kind)
{
    memset(set, 0, sizeof *set);
    set->kind = kind;
    set->nobody = (struct actor){.next = SIM_NEVER, .rank = UINT32_MAX};
    set->entry[0] = (struct event_entry){SIM_NEVER, &set->nobody};
}

static void place(struct event_set *set, struct actor *actor, uint32_t slot)
{
    set->entry[slot] = (struct event_entry){actor->next, actor};
    actor->slot = slot;
}

void event_set_add(struct event_set *set, struct actor *actor)
{
    sim_assert(set->count < EVENT_SET_ROOM, 0, "more than %d actors", EVENT_SET_ROOM);
    actor->rank = set->count;
    place(set, actor, set->count);
    set->count++;
    set->entry[set->count] = (struct event_entry){SIM_NEVER, &set->nobody};
}

void event_set_later(struct event_set *set, struct actor *actor)
{
    if (set->kind == EVENT_SET_HEAP) {
        event_set_heap_later(set, actor);
    } else {
        event_set_linear_later(set, actor);
    }
}

void event_set_build(struct event_set *set)
{
    if (set->kind == EVENT_SET_AUTO) {
        set->kind = set->count <= EVENT_SET_LINEAR_MOST ? EVENT_SET_LINEAR : EVENT_SET_HEAP;
    }
    for (uint32_t i = 0; i < set->count; i++) {
        set->entry[i].next = set->entry[i].actor->next; /* may have changed since it was added */
    }
    /* From the last to the first: what lies behind the one that is moved is in order. */
    for (uint32_t i = set->count; i-- > 0;) {
        event_set_later(set, set->entry[i].actor);
    }
}

sim_time event_set_heap_second(const struct event_set *set)
{
    uint32_t end = set->count < ARITY + 1 ? set->count : ARITY + 1;
    sim_time least = SIM_NEVER;

    for (uint32_t i = 1; i < end; i++) {
        least = set->entry[i].next < least ? set->entry[i].next : least;
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
            if (actor_before(set->entry[i].actor, set->entry[least].actor)) {
                least = i;
            }
        }
        if (!actor_before(set->entry[least].actor, actor)) {
            break;
        }
        place(set, set->entry[least].actor, slot);
        slot = least;
    }
    place(set, actor, slot);
}

static void heap_sooner(struct event_set *set, struct actor *actor)
{
    uint32_t slot = actor->slot;

    while (slot > 0 && actor_before(actor, set->entry[(slot - 1) / ARITY].actor)) {
        place(set, set->entry[(slot - 1) / ARITY].actor, slot);
        slot = (slot - 1) / ARITY;
    }
    place(set, actor, slot);
}

/* The times of the entries are compared, so that the one that runs keeps the place it has. From the place
 * that the actor takes to the one that it had, each entry moves one back. */
void event_set_sooner(struct event_set *set, struct actor *actor)
{
    struct event_entry *at = set->entry, moved = {actor->next, actor};

    if (set->kind == EVENT_SET_HEAP) {
        heap_sooner(set, actor);
        return;
    }
    while (at->next < moved.next ||
           (at->next == moved.next && at->actor->rank < actor->rank)) {
        at++;
    }
    while (at->actor != actor) {
        struct event_entry next = *at;

        *at++ = moved;
        moved = next;
    }
    *at = moved;
}
