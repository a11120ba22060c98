/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/stash.h"

#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"

bool stash_init(struct stash *stash, uint32_t batch)
{
    memset(stash, 0, sizeof(*stash));
    stash->batch = batch;
    if (batch > 0) {
        stash->storage = calloc((size_t)SLAB_CACHES * 2 * batch, sizeof(*stash->storage));
    }
    return batch == 0 || stash->storage;
}

void stash_fini(struct stash *stash)
{
    free(stash->storage);
    memset(stash, 0, sizeof(*stash));
}

static uint64_t *tables_of(const struct stash *stash, uint32_t index)
{
    return stash->storage + (size_t)index * 2 * stash->batch;
}

sim_time stash_get(struct stash *stash, struct slab *slab, uint32_t index, sim_time now,
                   struct ledger *ledger, uint64_t *address, uint32_t *moved)
{
    uint64_t *table = tables_of(stash, index);
    sim_time cost = 0;

    *moved = 0;
    if (stash->count[index] == 0) {
        cost = slab_alloc_bulk(slab, index, stash->batch, now, ledger, table);
        stash->count[index] = *moved = stash->batch;
        stash->fills++;
    }
    *address = table[--stash->count[index]];
    return cost + ledger_charge(ledger, SYMBOL_KMALLOC, slab->config.costs.stash);
}

sim_time stash_put(struct stash *stash, struct slab *slab, uint32_t index, uint64_t address,
                   sim_time now, struct ledger *ledger, uint32_t *moved)
{
    uint64_t *table = tables_of(stash, index);
    sim_time cost = 0;

    *moved = 0;
    if (stash->count[index] == 2 * stash->batch) {
        /* The half that was put first: the other one is hot. */
        cost = slab_free_bulk(slab, index, stash->batch, table, now, ledger);
        memmove(table, table + stash->batch, stash->batch * sizeof(*table));
        stash->count[index] = *moved = stash->batch;
        stash->returns++;
    }
    table[stash->count[index]++] = address;
    sim_assert(stash->count[index] <= 2 * stash->batch, now, "a stash of %u tables",
               stash->count[index]);
    return cost + ledger_charge(ledger, SYMBOL_KFREE, slab->config.costs.stash);
}
