/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The arrays of free objects that stand before the slabs since kernel 7.0. A sheaf is an
 *        array of pointers, last in, first out. A CPU has a main sheaf and a spare, which is full
 *        or empty; the node's barn keeps at most ten full and ten empty ones.
 *          alloc  pops main. Main empty: swapped with a full spare, else exchanged for a full one of
 *                 the barn, else filled whole from the node's slabs and new ones
 *          free   pushes on main. Main full: swapped with an empty spare, else exchanged for an
 *                 empty one of the barn; when the barn has its ten full ones the spare is emptied
 *                 into its slabs and takes the place of main
 *        So 12 sheaves of objects come and go without a slab. A free does not write the object: what
 *        brings a table's line back from the device is the next request's own stores.
 *        What one of two guest CPUs frees fills its sheaves and comes to the other one through the
 *        barn; the barn's line and the sheaf's own lines cross with it.
 * PLACE  Under models/slab.h, when guest.slab.model says so; above the node's list of slabs.
 * LEAVES OUT  Objects of another node, which go to the slabs one by one; sheaves of objects that
 *        wait for a grace period; failure of the trylock; the memory of the sheaves themselves.
 * SOURCE docs/datapath.md, section "Allocator and cache". The costs are guesses: no figure of these
 *        paths is published.
 */
#ifndef MODELS_SHEAF_H
#define MODELS_SHEAF_H

#include <stdbool.h>
#include <stdint.h>

#include "models/memory.h"
#include "models/symbol.h"

#define SHEAF_BARN_FULL    10u
#define SHEAF_BARN_EMPTY   10u
#define SHEAF_HEADER_BYTES 32u

struct slab;
struct slab_cache;

struct sheaf_costs {
    sim_time fast;   /* one object popped or pushed, all told but the choice of the class */
    sim_time barn;   /* one exchange with the barn: its lock, a cold array */
    sim_time object; /* one object filled in from its slab or flushed to it */
};

struct sheaf {
    uint32_t *object; /* counted through all slabs of the cache */
    uint32_t count;
    uint8_t holder; /* of its lines, memory_handover() */
};

/* Of a CPU: with two of the guest's, what one frees comes to the other through the barn. */
struct sheaf_cpu {
    struct sheaf main, spare;
};

/* The sheaves of one object size. */
struct sheaf_set {
    uint32_t capacity; /* objects in a sheaf; 0: the cache has none */
    uint32_t *storage;

    struct sheaf_cpu cpu[MEMORY_CPUS];
    uint32_t cpus;
    uint8_t barn_holder; /* of the barn's line */
    struct sheaf full[SHEAF_BARN_FULL]; /* the last one in is the first one out */
    uint32_t full_count;
    struct sheaf empty[SHEAF_BARN_EMPTY + SHEAF_BARN_FULL];
    uint32_t empty_count, unmade; /* of them: in the barn, not there */

    uint64_t swaps, barn_takes, barn_puts, refills, flushes;
};

/* Closed form: objects in a sheaf, so that header and pointers fill a size class. */
uint32_t sheaf_capacity(uint32_t object_bytes);

/* cpus: of the guest, 0 is 1. False: out of memory. */
bool sheaf_init(struct sheaf_set *set, uint32_t object_bytes, uint32_t cpus);
void sheaf_fini(struct sheaf_set *set);

/* What a cache holds beside its slabs. */
uint32_t sheaf_objects(const struct sheaf_set *set);

/* Takes an object; returns the cost beyond the fast path, charged to ___slab_alloc. `refilled`: the
 * slabs were asked. */
sim_time sheaf_take(struct slab *slab, struct slab_cache *cache, sim_time now,
                    struct ledger *ledger, uint32_t *object, bool *refilled);

/* Gives it back; returns the cost beyond the fast path, charged to __slab_free. `flushed`: a sheaf
 * went to the slabs. */
sim_time sheaf_give(struct slab *slab, struct slab_cache *cache, uint32_t object, sim_time now,
                    struct ledger *ledger, bool *flushed);

/* Asserts the limits, and that the spare and the barn's sheaves are full or empty. */
void sheaf_check(const struct sheaf_set *set, sim_time now);

#endif
