/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/desc_cache.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/slab.h"
#include "sim/engine/assert.h"

uint32_t desc_cache_thr(const struct desc_cache_config *config, uint32_t max_skb_frags)
{
    uint32_t most = 2 + max_skb_frags;

    return config->thr < most ? config->thr : most;
}

/* Bytes that `items` items are allocated as: one array, or each on its own. */
static uint64_t allocated_as(const struct desc_cache_shape *shape, uint64_t items)
{
    return shape->array ? slab_bucket_bytes(items * shape->item_bytes)
                        : items * slab_bucket_bytes(shape->item_bytes);
}

/* The caps on the number of items: the ring, .items and .bytes. */
static uint32_t capped_items(const struct desc_cache_config *config,
                             const struct desc_cache_shape *shape, uint32_t ring_size)
{
    uint64_t items = ring_size;

    if (config->items > 0 && config->items < items) {
        items = config->items;
    }
    if (config->bytes > 0) {
        items =
            config->bytes / shape->item_bytes < items ? config->bytes / shape->item_bytes : items;
        while (items > 0 && allocated_as(shape, items) > config->bytes) {
            items--;
        }
    }
    return (uint32_t)items;
}

struct desc_cache_shape desc_cache_shape_of(const struct desc_cache_config *config,
                                            const struct desc_cache_queue *queue)
{
    struct desc_cache_shape shape = {.array = config->variant >= DESC_CACHE_V3,
                                     .linked = config->variant >= DESC_CACHE_V2};
    uint32_t thr = desc_cache_thr(config, queue->max_skb_frags);
    uint32_t sg = config->variant == DESC_CACHE_V1 && thr > 0 ? DESC_CACHE_V1_SG : thr;

    if (thr == 0) {
        shape.off = DESC_CACHE_OFF_THR;
        return shape;
    }
    shape.item_bytes = sg * queue->bytes_per_sg;
    if (config->round_to_line) {
        shape.item_bytes =
            (shape.item_bytes + MEMORY_LINE_BYTES - 1) / MEMORY_LINE_BYTES * MEMORY_LINE_BYTES;
    }
    shape.items = capped_items(config, &shape, queue->ring_size);
    shape.full_size = shape.array && shape.items == queue->ring_size;
    if (config->variant == DESC_CACHE_V4 && !queue->indirect) {
        shape.off = DESC_CACHE_OFF_QUEUE;
        return shape;
    }
    if (shape.items == 0) {
        shape.off = DESC_CACHE_OFF_BYTES;
        return shape;
    }
    if (shape.array) {
        shape.array_bytes = (uint64_t)shape.items * shape.item_bytes;
        shape.array_allocated_bytes = slab_bucket_bytes(shape.array_bytes);
        if (shape.array_allocated_bytes > config->most_contiguous) {
            shape.off = DESC_CACHE_OFF_CONTIGUOUS;
            return shape;
        }
    }
    shape.limit = sg;
    return shape;
}

uint64_t desc_cache_asked_bytes(const struct desc_cache_shape *shape, uint32_t peak)
{
    if (shape->off != DESC_CACHE_ON) {
        return 0;
    }
    return shape->array ? shape->array_bytes : (uint64_t)peak * shape->item_bytes;
}

uint64_t desc_cache_allocated_bytes(const struct desc_cache_shape *shape, uint32_t peak)
{
    if (shape->off != DESC_CACHE_ON) {
        return 0;
    }
    return allocated_as(shape, shape->array ? shape->items : peak);
}

bool desc_cache_init(struct desc_cache *cache, const struct desc_cache_config *config,
                     const struct desc_cache_shape *shape, struct memory *memory,
                     uint64_t array_base, struct error *error)
{
    memset(cache, 0, sizeof(*cache));
    cache->config = *config;
    cache->shape = *shape;
    cache->memory = memory;
    cache->array_base = array_base;
    if (shape->off != DESC_CACHE_ON) {
        return true;
    }
    cache->free = calloc(shape->items, sizeof(*cache->free));
    if (!cache->free) {
        return error_set(error, ERROR_SYSTEM, "", "no memory for %" PRIu32 " cache items",
                         shape->items);
    }
    if (shape->array) {
        /* The first item heads the list. */
        for (uint32_t i = 0; i < shape->items; i++) {
            cache->free[i] = array_base + (uint64_t)(shape->items - 1 - i) * shape->item_bytes;
        }
        cache->free_count = shape->items;
    }
    return true;
}

void desc_cache_fini(struct desc_cache *cache)
{
    free(cache->free);
    memset(cache, 0, sizeof(*cache));
}

/* Of the list of free items; what the store waits for its line is part of the cost. */
static inline sim_time write_link(struct desc_cache *cache, uint64_t address, sim_time now,
                           enum memory_phase phase, struct ledger *ledger)
{
    uint64_t line = address / MEMORY_LINE_BYTES;

    return memory_is_own(cache->memory, line)
               ? 0
               : ledger_wait(ledger, LEDGER_TABLE_LINES, SYMBOL_DESC_CACHE,
                             memory_guest_write_lines(cache->memory, now, line, line, phase));
}

sim_time desc_cache_pop(struct desc_cache *cache, uint32_t num_free, sim_time now,
                        struct ledger *ledger, uint64_t *address)
{
    sim_time cost = cache->config.pop_push;

    if (cache->shape.full_size) {
        sim_assert(num_free >= 1 && cache->free_count >= num_free, now,
                   "a full array pops without a test: %" PRIu32 " free items, %" PRIu32
                   " free descriptors",
                   cache->free_count, num_free);
    } else if (cache->free_count == 0) {
        *address = MEMORY_NONE;
        return 0;
    }
    cache->free_count--;
    cache->in_use++;
    *address = cache->free[cache->free_count];
    /* The load of the item's own link finds its line guest-modified or shared: only a push on the
     * guest's other CPU makes it cost something. */
    if (!memory_at_hand(cache->memory, *address / MEMORY_LINE_BYTES)) {
        cost += ledger_wait(ledger, LEDGER_TABLE_LINES, SYMBOL_DESC_CACHE,
                            memory_guest_read_at(cache->memory, *address));
    }
    if (cache->shape.linked && cache->free_count > 0) {
        cost += write_link(cache, cache->free[cache->free_count - 1], now, MEMORY_ALLOC, ledger);
    }
    return ledger_charge(ledger, SYMBOL_DESC_CACHE, cost);
}

bool desc_cache_keeps(const struct desc_cache *cache, uint64_t address)
{
    if (cache->shape.array) {
        return address - cache->array_base < cache->shape.array_bytes;
    }
    return cache->free_count < cache->shape.items;
}

sim_time desc_cache_push(struct desc_cache *cache, uint64_t address, sim_time now,
                         struct ledger *ledger)
{
    sim_time cost = cache->config.pop_push;

    sim_assert(cache->free_count < cache->shape.items && cache->in_use > 0, now,
               "a push too many: %" PRIu32 " free of %" PRIu32, cache->free_count,
               cache->shape.items);
    cost += write_link(cache, address, now, MEMORY_FREE, ledger);
    if (cache->shape.linked && cache->free_count > 0) {
        cost += write_link(cache, cache->free[cache->free_count - 1], now, MEMORY_FREE, ledger);
    }
    cache->free[cache->free_count] = address;
    cache->free_count++;
    cache->in_use--;
    return ledger_charge(ledger, SYMBOL_DESC_CACHE, cost);
}

void desc_cache_check(const struct desc_cache *cache, sim_time now)
{
    const struct desc_cache_shape *shape = &cache->shape;

    if (shape->off != DESC_CACHE_ON) {
        sim_assert(cache->free_count == 0 && cache->in_use == 0, now,
                   "a cache that is off is used");
        return;
    }
    sim_assert(cache->free_count <= shape->items, now, "%" PRIu32 " free items, cap %" PRIu32,
               cache->free_count, shape->items);
    if (shape->array) {
        sim_assert(cache->free_count + cache->in_use == shape->items, now,
                   "%" PRIu32 " free + %" PRIu32 " in use, %" PRIu32 " items", cache->free_count,
                   cache->in_use, shape->items);
    }
    for (uint32_t i = 0; i < cache->free_count; i++) {
        sim_assert(!shape->array || (desc_cache_keeps(cache, cache->free[i]) &&
                                     (cache->free[i] - cache->array_base) % shape->item_bytes == 0),
                   now, "free item %" PRIu32 " is none of the array's", i);
    }
}
