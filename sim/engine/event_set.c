/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/event_set.h"

#include "sim/engine/assert.h"

#define ARITY 4u

static bool before(const struct actor *a, const struct actor *b)
{
    return actor_key_before(a->next, a->rank, b->next, b->rank);
}

void event_set_add(struct event_set *set, struct actor *actor)
{
    sim_assert(set->count < EVENT_SET_ROOM, 0, "more than %d actors", EVENT_SET_ROOM);
    actor->rank = set->count;
    actor->slot = set->count;
    set->member[set->count] = actor;
    set->count++;
}

static void heap_place(struct event_set *set, struct actor *actor, uint32_t slot)
{
    set->member[slot] = actor;
    actor->slot = slot;
}

static void heap_up(struct event_set *set, struct actor *actor)
{
    uint32_t slot = actor->slot;

    while (slot > 0) {
        uint32_t parent = (slot - 1) / ARITY;

        if (!before(actor, set->member[parent])) {
            break;
        }
        heap_place(set, set->member[parent], slot);
        slot = parent;
    }
    heap_place(set, actor, slot);
}

static void heap_down(struct event_set *set, struct actor *actor)
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
            if (before(set->member[i], set->member[least])) {
                least = i;
            }
        }
        if (!before(set->member[least], actor)) {
            break;
        }
        heap_place(set, set->member[least], slot);
        slot = least;
    }
    heap_place(set, actor, slot);
}

void event_set_build(struct event_set *set)
{
    if (set->kind == EVENT_SET_AUTO) {
        set->kind = set->count <= EVENT_SET_LINEAR_MOST ? EVENT_SET_LINEAR : EVENT_SET_HEAP;
    }
    if (set->kind == EVENT_SET_HEAP) {
        for (uint32_t i = set->count; i-- > 0;) {
            heap_down(set, set->member[i]);
        }
    }
}

/*
 * Members stand in the order of their ranks, so a strict comparison of times is the whole order: a
 * member that ties with `first` or `second` never displaces it.
 */
static struct event_choice linear_first(const struct event_set *set)
{
    struct actor *first = set->member[0];
    struct actor *second = NULL;

    for (uint32_t i = 1; i < set->count; i++) {
        struct actor *a = set->member[i];

        if (a->next < first->next) {
            second = first;
            first = a;
        } else if (!second || a->next < second->next) {
            second = a;
        }
    }
    return (struct event_choice){first, second ? second->next : SIM_NEVER,
                                 second ? second->rank : UINT32_MAX};
}

static struct event_choice heap_first(const struct event_set *set)
{
    const struct actor *second = NULL;
    uint32_t end = set->count < ARITY + 1 ? set->count : ARITY + 1;

    for (uint32_t i = 1; i < end; i++) {
        if (!second || before(set->member[i], second)) {
            second = set->member[i];
        }
    }
    return (struct event_choice){set->member[0], second ? second->next : SIM_NEVER,
                                 second ? second->rank : UINT32_MAX};
}

struct event_choice event_set_first(const struct event_set *set)
{
    return set->kind == EVENT_SET_HEAP ? heap_first(set) : linear_first(set);
}

void event_set_moved(struct event_set *set, struct actor *actor)
{
    if (set->kind == EVENT_SET_HEAP) {
        heap_up(set, actor);
        heap_down(set, actor);
    }
}
