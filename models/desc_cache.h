/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The indirect descriptor cache: free tables of a fixed size, kept for the next request
 *        instead of going back to the allocator. Last in, first out, in the variants of the 2021
 *        series:
 *          v1  items of 4 entries, on or off; singly linked through the item's first bytes
 *          v2  items of virtio_desc_cache_thr entries; doubly linked, so that taking an item also
 *              writes the next one and putting one also writes the old head
 *          v3  the same list over one array of items, allocated with the queue, for every queue
 *          v4  the same, only for queues that use indirect descriptors
 *        A list's item is allocated when the list is empty and then kept. An array never grows, and
 *        in full size (an item for every descriptor of the ring) it is popped without a test: a
 *        cached request holds at least one ring slot, and a table is only asked for while a slot is
 *        free, so
 *            free items = N - cached requests in flight >= free slots >= 1.
 * PLACE  Under models/indirect.h, which decides who gets an item. guest.desc_cache.items and .bytes
 *        cap the items that a list keeps or an array has.
 * LEAVES OUT  The list head's own line (never shared); other queues; a list's items on another
 * node, which come from kmalloc on the CPU's own. SOURCE docs/datapath.md: the four versions of the
 * series, October and November 2021.
 */
#ifndef MODELS_DESC_CACHE_H
#define MODELS_DESC_CACHE_H

#include <stdbool.h>
#include <stdint.h>

#include "models/memory.h"
#include "models/symbol.h"
#include "sim/engine/error.h"
#include "sim/engine/param.h"

#define DESC_CACHE_V1_SG      4u
#define DESC_CACHE_LINK_BYTES 16u /* the list link lies over an item's first bytes */

enum desc_cache_node { DESC_CACHE_LOCAL, DESC_CACHE_REMOTE };
enum desc_cache_variant { DESC_CACHE_V1, DESC_CACHE_V2, DESC_CACHE_V3, DESC_CACHE_V4 };

struct desc_cache_config {
    uint32_t thr;             /* requests of 2..thr entries are cached; 0: off */
    int variant;              /* enum desc_cache_variant */
    uint32_t items;           /* most items; 0: no cap */
    uint64_t bytes;           /* the same as memory; 0: no cap */
    uint64_t most_contiguous; /* largest single allocation the guest can get */
    bool round_to_line;       /* items are whole cache lines */
    int node;                 /* of an array, enum desc_cache_node */
    sim_time pop_push;        /* of one pop or one push, without lines */
};

extern const struct param_table desc_cache_params;

/* Why a configured cache is not there. */
enum desc_cache_off {
    DESC_CACHE_ON,
    DESC_CACHE_OFF_THR,        /* thr 0 */
    DESC_CACHE_OFF_QUEUE,      /* this queue has no indirect descriptors (v4) */
    DESC_CACHE_OFF_CONTIGUOUS, /* its array cannot be allocated */
    DESC_CACHE_OFF_BYTES,      /* guest.desc_cache.bytes is less than one item */
    DESC_CACHE_OFF_SLAB,       /* a dedicated slab cache stands in its place */
};

/* What a configuration means for one queue; a closed form. */
struct desc_cache_shape {
    enum desc_cache_off off;
    uint32_t limit;      /* requests of up to so many entries are cached; 0: off */
    uint32_t item_bytes; /* asked for, and the stride of an array */
    uint32_t items;      /* most that are kept (list) or there are (array) */
    bool array, linked;  /* v3, v4; v2 and later: neighbours are written */
    bool full_size;      /* an array of an item for every descriptor */
    uint64_t array_bytes, array_allocated_bytes; /* 0 for a list, or when off */
};

struct desc_cache_queue {
    uint32_t ring_size;
    uint32_t max_skb_frags;
    uint32_t bytes_per_sg; /* of a table: 16, or 32 with the driver's own half (6.13) */
    bool indirect;         /* the queue uses indirect descriptors */
};

struct desc_cache {
    struct desc_cache_config config;
    struct desc_cache_shape shape;
    struct memory *memory;
    uint64_t array_base;
    uint64_t *free; /* addresses of free items, the head of the list last */
    uint32_t free_count;
    uint32_t in_use; /* items that requests hold */
};

/* thr after the driver's clamp to 2 + MAX_SKB_FRAGS. */
uint32_t desc_cache_thr(const struct desc_cache_config *config, uint32_t max_skb_frags);

struct desc_cache_shape desc_cache_shape_of(const struct desc_cache_config *config,
                                            const struct desc_cache_queue *queue);

/* Warnings about a configuration that will not do what it seems to ask for. */
void desc_cache_warn(const struct desc_cache_config *config, const struct desc_cache_queue *queue,
                     struct problems *problems);

/* Closed forms of the memory a queue holds for its cache, when every one of `peak` concurrent
 * requests is cached: asked for, and as allocated. */
uint64_t desc_cache_asked_bytes(const struct desc_cache_shape *shape, uint32_t peak);
uint64_t desc_cache_allocated_bytes(const struct desc_cache_shape *shape, uint32_t peak);

/* The array, if any, lies at array_base and takes shape.array_bytes. False: out of memory. */
bool desc_cache_init(struct desc_cache *cache, const struct desc_cache_config *config,
                     const struct desc_cache_shape *shape, struct memory *memory,
                     uint64_t array_base, struct error *error);
void desc_cache_fini(struct desc_cache *cache);

/* Takes the first free item; *address is MEMORY_NONE when there is none. num_free: of the ring,
 * before the request takes its slot. Returns the cost, charged to desc_cache. */
sim_time desc_cache_pop(struct desc_cache *cache, uint32_t num_free, sim_time now,
                        struct ledger *ledger, uint64_t *address);

/* Whether push() would keep an item: a list has room below its cap, an array takes what is its own.
 */
bool desc_cache_keeps(const struct desc_cache *cache, uint64_t address);
sim_time desc_cache_push(struct desc_cache *cache, uint64_t address, sim_time now,
                         struct ledger *ledger);

/* A list item that was allocated for a request, or goes back to the allocator, is counted here. */
static inline void desc_cache_adopt(struct desc_cache *cache)
{
    cache->in_use++;
}

static inline void desc_cache_abandon(struct desc_cache *cache)
{
    cache->in_use--;
}

/* Asserts free + in use = items of an array, that its free items are its own, and the cap. */
void desc_cache_check(const struct desc_cache *cache, sim_time now);

#endif
