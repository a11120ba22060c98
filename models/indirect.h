/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   Where a request's indirect table comes from and goes to. By the number of entries n:
 *          2..limit of the descriptor cache   a free item; without one a list gets a new item from
 *                                             kmalloc, an array below full size a plain table
 *          2..thr with a dedicated slab cache an object of that
 *          else                               plain: kmalloc of n entries
 *        On completion back by the same rule, decided by n. An allocation can be made to fail; the
 *        request then has no table and the caller uses direct descriptors. Keeps the memory that
 *        tables hold, asked for and allocated, free cache items and the stash included. Tables are
 *        mapped for the device where guest.dma asks for it.
 * PLACE  Between the virtqueue's add and detach (the callers) and slab, desc_cache and memory. One
 *        address space serves the ring and the tables:
 *          set up   plan -> indirect_address_bytes() -> memory_init() -> indirect_init()
 *          add      indirect_get(), indirect_write(); the drain of memory.h ends the add
 *          device   indirect_read()
 *          detach   indirect_put()
 * LEAVES OUT  Whether a request uses a table at all: the caller's choice.
 * SOURCE docs/datapath.md: size classes, versions of the cache, memory formulas.
 */
#ifndef MODELS_INDIRECT_H
#define MODELS_INDIRECT_H

#include <stdbool.h>
#include <stdint.h>

#include "models/background.h"
#include "models/desc_cache.h"
#include "models/dma.h"
#include "models/memory.h"
#include "models/slab.h"
#include "models/stash.h"
#include "sim/engine/stream.h"

#define INDIRECT_DESC_BYTES 16u /* of one entry as the device sees it */

struct indirect_config {
    uint32_t bytes_per_sg; /* 16; 32 from 6.13: the driver's own half follows the device's */
    double alloc_failure;  /* probability that an allocation fails */
};

extern const struct param_table indirect_params;

struct indirect_plan {
    const struct slab_config *slab;
    const struct desc_cache_config *cache;
    const struct indirect_config *indirect;
    const struct dma_config *dma; /* NULL: no mapping */
    uint32_t ring_size;
    uint32_t max_skb_frags;
    uint32_t most_sg;   /* entries of the largest request */
    bool uses_indirect; /* the queue negotiated indirect descriptors */
    uint32_t cpus;      /* of the guest; 0 is 1 */
};

enum indirect_source {
    INDIRECT_NONE,  /* no table: the allocation failed */
    INDIRECT_HIT,   /* free cache item */
    INDIRECT_MISS,  /* cache item from kmalloc */
    INDIRECT_PLAIN, /* kmalloc of n entries */
    INDIRECT_KMEM,  /* dedicated slab cache */
    INDIRECT_SOURCES
};

/* Bytes in tables now, and the most so far. */
struct indirect_memory {
    uint64_t asked, allocated;
    uint64_t asked_most, allocated_most;
};

struct indirect {
    /* set by indirect_init() */
    struct indirect_config config;
    struct memory *memory;
    struct slab slab;
    struct desc_cache cache;
    struct stash stash;           /* of guest.slab.bulk */
    struct background background; /* other users of the classes */
    struct dma_config dma;
    uint32_t most_sg;
    uint32_t kmem_limit;       /* requests up to so many entries use the dedicated cache; 0: none */
    uint32_t item_class;       /* slab class of a list item */
    uint64_t fail_below;       /* an allocation fails when 63 random bits are below; 0: never */
    struct stream failure;     /* "alloc_failure" */
    uint8_t class_of[256 + 1]; /* slab class of n entries */

    /* while running */
    uint64_t count[INDIRECT_SOURCES]; /* tables asked for, by what came of it */
    uint64_t puts;
    struct indirect_memory held;
};

/* Closed form: what a table of n entries asks for; slab_bucket_bytes() of it is what it takes. */
static inline uint64_t indirect_table_bytes(uint32_t n, uint32_t bytes_per_sg)
{
    return (uint64_t)n * bytes_per_sg;
}

/* Warnings that need more than one part's parameters: clamps, a cache that can never hit, an array
 * that cannot be allocated. */
void indirect_warn(const struct indirect_plan *plan, struct problems *problems);

/* The table address space to give to memory_init(). */
uint64_t indirect_address_bytes(const struct indirect_plan *plan);

/* mem: initialised with at least that much, kept by reference. False: out of memory. */
bool indirect_init(struct indirect *ind, const struct indirect_plan *plan, struct memory *mem,
                   uint64_t seed, uint32_t replication, struct error *error);
void indirect_fini(struct indirect *ind);

/* A table for n entries, 1 <= n <= most_sg; *address is MEMORY_NONE when the allocation failed.
 * num_free: of the ring, before the request takes its slot, >= 1. Returns the cost, which is
 * charged to the ledger by symbol. */
sim_time indirect_get(struct indirect *ind, uint32_t n, uint32_t num_free, sim_time now,
                      struct ledger *ledger, uint64_t *address);

/* Gives a table of n entries back; returns the cost, charged by symbol. */
sim_time indirect_put(struct indirect *ind, uint64_t address, uint32_t n, sim_time now,
                      struct ledger *ledger);

/* The driver fills the table, its own half included: exposed stores, 0 to charge now, waited for in
 * memory_drain(). */
static inline sim_time indirect_write(struct indirect *ind, uint64_t address, uint32_t n,
                                      sim_time now)
{
    return memory_guest_write(ind->memory, now, address, n * ind->config.bytes_per_sg,
                              MEMORY_ALLOC);
}

/* The device reads its half of the table. Returns what to charge to the host. */
static inline sim_time indirect_read(struct indirect *ind, uint64_t address, uint32_t n,
                                     sim_time now)
{
    return memory_host_read(ind->memory, now, address, n * INDIRECT_DESC_BYTES);
}

/* Tables in use now. */
uint64_t indirect_live(const struct indirect *ind);

/* Share of tables asked for that came from the cache, in percent; NaN when none was asked for. */
double indirect_hit_percent(const struct indirect *ind);

/* Asserts slab_check(), desc_cache_check() and that the bytes held equal the formulas. */
void indirect_check(const struct indirect *ind, sim_time now);

#endif
