/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The guest's slab allocator for the sizes that indirect tables use: kmalloc classes, and
 * one dedicated cache of a fixed object size. Two models: SLUB with per-CPU slabs (kernels up to
 *        6.19), described here, and the sheaves of 7.0 above the node's list, models/sheaf.h.
 *        An object is always in exactly one place: in use, on a CPU slab's free list, or on the
 *        own free list of a slab that waits on a CPU's partial list or the node's.
 *          alloc  fast: pop the CPU slab's list. Slow when it is empty: that slab is full and let
 *                 go; the next comes from the CPU's partial list, else from the node's (and a few
 *                 more move with it to the CPU's partial list), else it is a new page
 *                 Before a slab is let go, what another CPU freed into it is taken
 *          free   fast: the object's slab is the CPU slab, push. Slow otherwise: push on the slab's
 *                 own list. A slab that was full goes to the CPU's partial list, which is drained
 *                 to the node's first when it has its fill; a slab that becomes empty on the node's
 *                 list is given back when that list holds min_partial slabs or more
 *        Free lists are last in, first out. The link of a free object lies in its middle: alloc
 *        reads it, free writes it, and that write is what brings a table's line back from the
 *        device.
 * PLACE  Under models/indirect.h, which also takes and gives the objects of other users of a class
 *        (models/background.h). Addresses are those of models/memory.h.
 *        Bulk calls take and give several objects at once, each at the lower bulk cost; a bulk free
 *        pays the slow path once for each slab it meets.
 *        With two guest CPUs (models/memory.h says whose turn it is) each has its slab and its
 *        partial list. A free on the CPU that did not allocate is then always slow: it goes to the
 *        slab's own list, where the other CPU finds it when its slab is empty, and a slab that was
 *        full goes to the freeing CPU's partial list, out of the other one's reach until drained.
 *        A slab's head and the node's list are lines that cross when the other CPU had them.
 * LEAVES OUT  Prefetching of the next free object's link; merging of
 * caches; objects above 8 KiB (whole pages: sizes only, slab_bucket_bytes()). SOURCE
 * docs/datapath.md; geometry read on a machine with two CPUs. Which frees are slow is structure;
 * what one costs is the table below.
 */
#ifndef MODELS_SLAB_H
#define MODELS_SLAB_H

#include <stdbool.h>
#include <stdint.h>

#include "models/background.h"
#include "models/memory.h"
#include "models/sheaf.h"
#include "models/symbol.h"
#include "sim/engine/error.h"
#include "sim/engine/param.h"
#include "sim/engine/stream.h"

#define SLAB_CLASSES       13 /* 8 16 32 64 96 128 192 256 512 1k 2k 4k 8k */
#define SLAB_CACHES        (SLAB_CLASSES + 1)
#define SLAB_DEDICATED     SLAB_CLASSES /* index of the dedicated cache */
#define SLAB_CLASS_LARGEST 8192u
#define SLAB_NO_PAGE       UINT32_MAX
#define SLAB_BULK_MOST     64u

enum slab_model { SLAB_SLUB, SLAB_SHEAVES };
enum slab_tables { SLAB_TABLES_KMALLOC, SLAB_TABLES_KMEM_CACHE };
enum slab_order { SLAB_SEQUENTIAL, SLAB_RANDOM };
enum slab_partial { SLAB_PARTIAL_SLABS, SLAB_PARTIAL_OBJECTS };

struct slab_config {
    int profile;          /* only its preset acts */
    int model;            /* enum slab_model */
    int tables;           /* enum slab_tables */
    int freelist;         /* enum slab_order: of a new slab's objects */
    bool hardened;        /* free-list links are encoded */
    bool init_on_alloc;   /* every object is zeroed */
    uint32_t min_partial; /* empty slabs the node keeps */
    int partial_count;    /* enum slab_partial: what the target of the CPU's partial list counts */
    uint32_t order_256, order_512, order_1024, order_2048; /* a slab is 4 KiB << order */
    uint32_t bulk; /* tables taken and given back at once; 0: one by one */
    struct background_config background;
    struct slab_costs {
        sim_time kmalloc, kmalloc_slab, kfree; /* fast paths, without the line of the link */
        sim_time kmem_alloc, kmem_free;        /* the same of a dedicated cache */
        sim_time slow_free, drain, discard;
        sim_time slow_alloc, node_list, new_page;
        sim_time zero_line, hardened; /* per 64 B; per operation */
        sim_time bulk_object, stash; /* per object of a bulk call; per table from or to the stash */
        struct sheaf_costs sheaf;
    } costs;
};

extern const struct param_table slab_params;

enum slab_path {
    SLAB_FAST,
    SLAB_SLOW_CPU_PARTIAL,  /* alloc: the CPU's slab again, or the next of its partial list */
    SLAB_SLOW_NODE_PARTIAL, /* alloc: from the node's list; a sheaf filled from the slabs */
    SLAB_SLOW_NEW_PAGE,     /* alloc: new page */
    SLAB_SLOW_FREE,         /* free: another slab than the CPU's; a sheaf flushed to the slabs */
    SLAB_PATHS
};

enum slab_place { SLAB_UNUSED, SLAB_ON_CPU, SLAB_CPU_PARTIAL, SLAB_NODE_PARTIAL, SLAB_FULL };

/* One slab: a page or a few, cut into objects. */
struct slab_page {
    uint32_t next, previous; /* in the list of its place */
    uint16_t free;           /* head of its own free list */
    uint16_t free_count;
    uint32_t level; /* fill of the CPU's partial list with this slab on top */
    uint8_t place;  /* enum slab_place */
    uint8_t holder; /* of the line of its head, memory_handover() */
};

/* What a CPU has of a cache. */
struct slab_cpu {
    uint16_t free; /* head of its slab's list */
    uint16_t free_count;
    uint32_t page;
    uint32_t partial, partial_slabs; /* its partial list */
};

/* The slabs of one object size. */
struct slab_cache {
    /* set by slab_init() */
    uint32_t object_bytes; /* 0: not in use */
    uint32_t objects;      /* per slab */
    uint32_t link_offset;  /* of the free-list link in an object */
    uint32_t order;
    uint32_t slab_shift;            /* log2 of a slab's bytes */
    uint32_t page_count;            /* room */
    uint32_t partial_limit;         /* of the CPU's partial list, in what partial_count says */
    uint64_t base;                  /* address of slab 0 */
    sim_time alloc_cost, free_cost; /* fast path, all told except lines */
    sim_time bulk_alloc_cost, bulk_free_cost;
    struct slab_page *page;
    uint16_t *link; /* of object i of slab s at s * objects + i: next free one, or in use */

    /* while running */
    struct slab_cpu cpu[MEMORY_CPUS];
    uint8_t node_holder;                  /* of the node list's lines */
    uint32_t node, node_tail, node_slabs; /* node's list */
    uint32_t spare;                       /* discarded slabs */
    uint32_t fresh;                       /* slabs that were ever used */
    uint32_t held;                        /* slabs that hold pages now */
    uint32_t live, live_most;             /* objects in use */
    struct sheaf_set sheaves;             /* capacity 0: per-CPU slabs */
};

struct slab {
    struct slab_config config;
    struct memory *memory;
    struct stream stream; /* "slab": order of new slabs */
    struct slab_cache cache[SLAB_CACHES];
    uint64_t allocs[SLAB_PATHS], frees[SLAB_PATHS]; /* all caches, by path */
    uint64_t drains, discards;
    uint64_t returned; /* CPU slabs found with objects that another CPU had freed */
};

/* What slab_init() needs to know: which object sizes, and how many objects at most in use at once
 * of each size. */
struct slab_plan {
    uint32_t least_bytes, most_bytes; /* requests that kmalloc may see; most 0: none */
    uint32_t dedicated_bytes;         /* object size of the dedicated cache; 0: none */
    uint32_t live_most;
    uint32_t cpus; /* of the guest; 0 is 1 */
};

/* Closed form: the memory that a request of so many bytes takes: its size class, above 8 KiB whole
 * pages in powers of two; 0 for 0. */
uint64_t slab_bucket_bytes(uint64_t bytes);

/* Index of the class of 1..8192 bytes, and what an index means. */
uint32_t slab_class(uint32_t bytes);
uint32_t slab_class_bytes(uint32_t index);
uint32_t slab_class_order(const struct slab_config *config, uint32_t index);
uint32_t slab_partial_objects(uint32_t object_bytes); /* target of the CPU's partial list */

/* Table address space that a plan needs, whatever the order of calls will be. */
uint64_t slab_address_bytes(const struct slab_config *config, const struct slab_plan *plan);

/* Places the slabs at `base`. False: out of memory. */
bool slab_init(struct slab *slab, const struct slab_config *config, const struct slab_plan *plan,
               struct memory *memory, uint64_t base, uint64_t seed, uint32_t replication,
               struct error *error);
void slab_fini(struct slab *slab);

/* Takes an object of cache `index` (slab_class(bytes) or SLAB_DEDICATED). Returns the cost, which
 * is charged to the ledger by symbol (__kmalloc or kmem_cache_alloc, ___slab_alloc). */
sim_time slab_alloc(struct slab *slab, uint32_t index, sim_time now, struct ledger *ledger,
                    uint64_t *address);

/* Gives it back. The write of the link is charged to the path that does it (kfree or
 * kmem_cache_free, __slab_free). */
sim_time slab_free(struct slab *slab, uint32_t index, uint64_t address, sim_time now,
                   struct ledger *ledger);

/* The same for 1 <= count <= SLAB_BULK_MOST objects; the costs beside those of the slow paths are
 * costs.slab.bulk_object for each. */
sim_time slab_alloc_bulk(struct slab *slab, uint32_t index, uint32_t count, sim_time now,
                         struct ledger *ledger, uint64_t address[]);
sim_time slab_free_bulk(struct slab *slab, uint32_t index, uint32_t count, const uint64_t address[],
                        sim_time now, struct ledger *ledger);

uint64_t slab_slow_frees(const struct slab *slab);
uint64_t slab_fast_frees(const struct slab *slab);

/* Asserts that every object is in exactly one place and that all counts agree. */
void slab_check(const struct slab *slab, sim_time now);

#endif
