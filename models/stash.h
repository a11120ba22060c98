/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   Bulk allocation as a rival of the descriptor cache: the queue takes tables from the
 *        allocator guest.slab.bulk at a time into a stash of its own and gives as many back when it
 *        holds twice that. One stash for each size class, last in, first out; an array of pointers,
 *        so a table in it is not written.
 * PLACE  Between models/indirect.h and models/slab.h.
 * LEAVES OUT  Giving back to a shrinker; the memory of the array.
 * SOURCE Proposed in review of the descriptor cache, never posted. Cost per object: published
 *        microbenchmarks of bulk calls; docs/datapath.md.
 */
#ifndef MODELS_STASH_H
#define MODELS_STASH_H

#include <stdbool.h>
#include <stdint.h>

#include "models/slab.h"

struct stash {
    uint32_t batch; /* 0: there is none */
    uint64_t *storage;
    uint32_t count[SLAB_CACHES];
    uint64_t fills, returns;
};

/* False: out of memory. */
bool stash_init(struct stash *stash, uint32_t batch);
void stash_fini(struct stash *stash);

/* A table from cache `index`, and one back to it. Returns the cost, charged by symbol; *moved is
 * how many objects came from the allocator, or went back to it. */
sim_time stash_get(struct stash *stash, struct slab *slab, uint32_t index, sim_time now,
                   struct ledger *ledger, uint64_t *address, uint32_t *moved);
sim_time stash_put(struct stash *stash, struct slab *slab, uint32_t index, uint64_t address,
                   sim_time now, struct ledger *ledger, uint32_t *moved);

#endif
