/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that can happen on a machine, breadth first: every state that any order of steps reaches is
 * visited once, nearest first, so the first hang found has the shortest trace.
 *
 * A state at rest has no step left: everybody has finished or sleeps, every buffer is empty. It is
 * a hang when work was handed over that nobody has seen. A protocol is safe when no state at rest
 * is a hang and some state at rest can be reached from every state, so that nobody goes round for
 * ever without a way out.
 *
 * Equal states are one: what is counted as states is the number of different ones. The order of
 * visits is fixed (party by party, running before draining), so counts and traces are the same on
 * every machine.
 */
#ifndef TESTS_PROTOCOL_EXPLORER_H
#define TESTS_PROTOCOL_EXPLORER_H

#include "tests/protocol/machine.h"

#define EXPLORER_FIRST (1u << 10) /* room for states at first; doubled when needed */
#define EXPLORER_STEPS (2 * MACHINE_PARTIES)
#define EXPLORER_TRACE 64 /* steps of a trace, at most */
#define EXPLORER_NONE  UINT32_MAX

/* A state and how it was first reached. */
struct explorer_node {
    uint64_t state;
    uint32_t parent; /* EXPLORER_NONE: the start */
    struct machine_step step;
};

struct explorer {
    struct machine machine;
    struct explorer_node *nodes; /* in the order of discovery */
    uint32_t *slots;             /* hash table: node + 1, or 0; twice the room, a power of two */
    uint32_t count, room;
    uint32_t at_rest; /* states */
    uint32_t hung;    /* the nearest hang, or EXPLORER_NONE */
    uint32_t no_exit; /* states from which no state at rest can be reached */
};

static inline void explorer_fini(struct explorer *e)
{
    free(e->nodes);
    free(e->slots);
    *e = (struct explorer){0};
}

static inline uint32_t explorer_slot(const struct explorer *e, uint64_t state)
{
    uint32_t mask = 2 * e->room - 1;
    uint32_t slot = (uint32_t)(state * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;

    while (e->slots[slot] != 0 && e->nodes[e->slots[slot] - 1].state != state) {
        slot = (slot + 1) & mask;
    }
    return slot;
}

static inline uint32_t explorer_find(const struct explorer *e, uint64_t state)
{
    return e->slots[explorer_slot(e, state)] - 1; /* EXPLORER_NONE where it is not known */
}

static inline void explorer_grow(struct explorer *e)
{
    e->room = e->room == 0 ? EXPLORER_FIRST : 2 * e->room;
    free(e->slots);
    e->nodes = realloc(e->nodes, e->room * sizeof(*e->nodes));
    e->slots = calloc(2 * (size_t)e->room, sizeof(*e->slots));
    if (!e->nodes || !e->slots) {
        abort();
    }
    memset(&e->nodes[e->count], 0, (e->room - e->count) * sizeof(*e->nodes));
    for (uint32_t i = 0; i < e->count; i++) {
        e->slots[explorer_slot(e, e->nodes[i].state)] = i + 1;
    }
}

/* Does nothing when the state is known. */
static inline void explorer_add(struct explorer *e, struct explorer_node node)
{
    if (e->count == e->room) {
        explorer_grow(e);
    }
    if (explorer_find(e, node.state) == EXPLORER_NONE) {
        e->nodes[e->count] = node;
        e->slots[explorer_slot(e, node.state)] = e->count + 1;
        e->count++;
    }
}

/* The states one step after state number `from`; at most EXPLORER_STEPS. */
static inline uint32_t explorer_next(const struct explorer *e, uint32_t from, uint64_t *next,
                                     struct machine_step *steps)
{
    uint32_t n = 0;

    for (uint8_t i = 0; i < 2 * e->machine.protocol->party_count; i++) {
        struct machine_state s = machine_unpack(&e->machine, e->nodes[from].state);

        steps[n] = (struct machine_step){.party = i / 2, .drain = i % 2};
        if (machine_take(&e->machine, &s, steps[n])) {
            next[n++] = machine_pack(&e->machine, &s);
        }
    }
    return n;
}

/* Backwards from the states at rest, until nothing is added. */
static inline uint32_t explorer_count_no_exit(const struct explorer *e)
{
    bool *leaves = calloc(e->count, sizeof(*leaves));
    uint32_t left = e->count, before;
    uint64_t next[EXPLORER_STEPS];
    struct machine_step steps[EXPLORER_STEPS];

    if (!leaves) {
        abort();
    }
    do {
        before = left;
        for (uint32_t i = e->count; i-- > 0;) {
            uint32_t n = leaves[i] ? 0 : explorer_next(e, i, next, steps);
            bool out = !leaves[i] && n == 0;

            for (uint32_t j = 0; j < n && !out; j++) {
                out = leaves[explorer_find(e, next[j])];
            }
            leaves[i] |= out;
            left -= out;
        }
    } while (left < before);
    free(leaves);
    return left;
}

/* Explores the protocol; explorer_fini() frees what it found. */
static inline void explorer_init(struct explorer *e, const struct protocol *protocol,
                                 const struct machine_options *options)
{
    uint64_t next[EXPLORER_STEPS];
    struct machine_step steps[EXPLORER_STEPS];
    struct machine_state s;

    *e = (struct explorer){.hung = EXPLORER_NONE};
    machine_init(&e->machine, protocol, options);
    s = machine_start(&e->machine);
    explorer_add(e, (struct explorer_node){machine_pack(&e->machine, &s), EXPLORER_NONE, {0}});
    for (uint32_t i = 0; i < e->count; i++) {
        uint32_t n = explorer_next(e, i, next, steps);

        for (uint32_t j = 0; j < n; j++) {
            explorer_add(e, (struct explorer_node){next[j], i, steps[j]});
        }
        s = machine_unpack(&e->machine, e->nodes[i].state);
        e->at_rest += n == 0;
        if (n == 0 && e->hung == EXPLORER_NONE && !machine_work_seen(&e->machine, &s)) {
            e->hung = i;
        }
    }
    e->no_exit = explorer_count_no_exit(e);
}

/* The steps from the start to a state, and their number. */
static inline uint32_t explorer_trace(const struct explorer *e, uint32_t state,
                                      struct machine_step steps[EXPLORER_TRACE])
{
    uint32_t length = 0;

    for (uint32_t i = state; e->nodes[i].parent != EXPLORER_NONE; i = e->nodes[i].parent) {
        length++;
    }
    if (length > EXPLORER_TRACE) {
        abort();
    }
    for (uint32_t i = state, n = length; n > 0; i = e->nodes[i].parent) {
        steps[--n] = e->nodes[i].step;
    }
    return length;
}

#endif
