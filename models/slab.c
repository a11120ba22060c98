/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/slab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/slab_link.h"
#include "sim/engine/assert.h"

/* The layout of a cache: object size, order, limits. Nothing is allocated yet. */
static void shape(struct slab_cache *cache, const struct slab_config *config, uint32_t index,
                  uint32_t dedicated_bytes, uint32_t live_most)
{
    const struct slab_costs *costs = &config->costs;
    bool dedicated = index == SLAB_DEDICATED;
    uint32_t bytes = dedicated ? (dedicated_bytes + 7) / 8 * 8 : slab_class_bytes(index);
    uint32_t target = slab_partial_objects(bytes);
    sim_time hardened = config->hardened ? costs->hardened : 0;
    sim_time zeroing =
        config->init_on_alloc
            ? costs->zero_line * ((bytes + MEMORY_LINE_BYTES - 1) / MEMORY_LINE_BYTES)
            : 0;

    cache->object_bytes = bytes;
    cache->link_offset = bytes / 2 / 8 * 8;
    cache->order = slab_class_order(config, dedicated ? slab_class(bytes) : index);
    cache->slab_shift = 12 + cache->order;
    cache->objects = (1u << cache->slab_shift) / bytes;
    cache->partial_limit = config->partial_count == SLAB_PARTIAL_OBJECTS
                               ? target
                               : (2 * target + cache->objects - 1) / cache->objects;
    cache->alloc_cost =
        hardened + zeroing + (dedicated ? costs->kmem_alloc : costs->kmalloc + costs->kmalloc_slab);
    cache->free_cost = hardened + (dedicated ? costs->kmem_free : costs->kfree);
    /* In the worst case each slab holds one object in use; besides there are the CPU slab, empty
     * ones on both partial lists, and the one that is being fetched. */
    cache->page_count = live_most + cache->partial_limit + config->min_partial + 4;
}

/* Whether the plan asks for cache `index`. */
static bool planned(const struct slab_plan *plan, uint32_t index)
{
    if (index == SLAB_DEDICATED) {
        return plan->dedicated_bytes > 0;
    }
    return plan->most_bytes > 0 && index >= slab_class(plan->least_bytes) &&
           index <= slab_class(plan->most_bytes);
}

uint64_t slab_address_bytes(const struct slab_config *config, const struct slab_plan *plan)
{
    uint64_t sum = 0;

    for (uint32_t index = 0; index < SLAB_CACHES; index++) {
        if (planned(plan, index)) {
            struct slab_cache cache;

            shape(&cache, config, index, plan->dedicated_bytes, plan->live_most);
            sum += (uint64_t)cache.page_count << cache.slab_shift;
        }
    }
    return sum;
}

static bool cache_init(struct slab_cache *cache, uint64_t base)
{
    cache->base = base;
    cache->cpu_free = SLAB_LINK_END;
    cache->cpu_page = cache->partial = cache->node = cache->node_tail = SLAB_NO_PAGE;
    cache->spare = SLAB_NO_PAGE;
    /* Reserved for the worst case; what is never touched is never backed by memory. */
    cache->page = calloc(cache->page_count, sizeof(*cache->page));
    cache->link = calloc((size_t)cache->page_count * cache->objects, sizeof(*cache->link));
    return cache->page && cache->link;
}

bool slab_init(struct slab *slab, const struct slab_config *config, const struct slab_plan *plan,
               struct memory *memory, uint64_t base, uint64_t seed, uint32_t replication,
               struct error *error)
{
    memset(slab, 0, sizeof(*slab));
    slab->config = *config;
    slab->memory = memory;
    stream_init(&slab->stream, seed, replication, "slab");
    for (uint32_t index = 0; index < SLAB_CACHES; index++) {
        struct slab_cache *cache = &slab->cache[index];

        if (!planned(plan, index)) {
            continue;
        }
        shape(cache, config, index, plan->dedicated_bytes, plan->live_most);
        if (!cache_init(cache, base)) {
            slab_fini(slab);
            return error_set(error, ERROR_SYSTEM, "", "no memory for slabs of %" PRIu32 " objects",
                             plan->live_most);
        }
        base += (uint64_t)cache->page_count << cache->slab_shift;
    }
    return true;
}

void slab_fini(struct slab *slab)
{
    for (uint32_t index = 0; index < SLAB_CACHES; index++) {
        free(slab->cache[index].page);
        free(slab->cache[index].link);
    }
    memset(slab, 0, sizeof(*slab));
}

/* The lists of a cache */

/* Fill of the CPU's partial list: each slab keeps what it was when the slab was put there. */
static uint32_t partial_level(const struct slab_cache *cache)
{
    return cache->partial == SLAB_NO_PAGE ? 0 : cache->page[cache->partial].level;
}

static void partial_push(struct slab *slab, struct slab_cache *cache, uint32_t id)
{
    struct slab_page *page = &cache->page[id];

    page->place = SLAB_CPU_PARTIAL;
    page->next = cache->partial;
    page->level = partial_level(cache) +
                  (slab->config.partial_count == SLAB_PARTIAL_OBJECTS ? page->free_count : 1);
    cache->partial = id;
    cache->partial_slabs++;
}

static uint32_t partial_pop(struct slab_cache *cache)
{
    uint32_t id = cache->partial;

    cache->partial = cache->page[id].next;
    cache->partial_slabs--;
    return id;
}

static void node_append(struct slab_cache *cache, uint32_t id)
{
    struct slab_page *page = &cache->page[id];

    page->place = SLAB_NODE_PARTIAL;
    page->next = SLAB_NO_PAGE;
    page->previous = cache->node_tail;
    if (cache->node_tail == SLAB_NO_PAGE) {
        cache->node = id;
    } else {
        cache->page[cache->node_tail].next = id;
    }
    cache->node_tail = id;
    cache->node_slabs++;
}

static void node_remove(struct slab_cache *cache, uint32_t id)
{
    struct slab_page *page = &cache->page[id];

    if (page->previous == SLAB_NO_PAGE) {
        cache->node = page->next;
    } else {
        cache->page[page->previous].next = page->next;
    }
    if (page->next == SLAB_NO_PAGE) {
        cache->node_tail = page->previous;
    } else {
        cache->page[page->next].previous = page->previous;
    }
    cache->node_slabs--;
}

static void discard(struct slab *slab, struct slab_cache *cache, uint32_t id)
{
    cache->page[id].place = SLAB_UNUSED;
    cache->page[id].next = cache->spare;
    cache->spare = id;
    cache->held--;
    slab->discards++;
}

/* Moves the CPU's whole partial list to the node's; empty slabs beyond min_partial are given back.
 */
static sim_time drain(struct slab *slab, struct slab_cache *cache)
{
    const struct slab_costs *costs = &slab->config.costs;
    sim_time cost = 0;

    while (cache->partial != SLAB_NO_PAGE) {
        uint32_t id = partial_pop(cache);

        cost += costs->drain;
        slab->drains++;
        if (cache->page[id].free_count == cache->objects &&
            cache->node_slabs >= slab->config.min_partial) {
            discard(slab, cache, id);
            cost += costs->discard;
        } else {
            node_append(cache, id);
        }
    }
    return cost;
}

/* Allocation */

/* Cuts a new slab into objects and writes the links, in the order the configuration says. */
static sim_time fill_new(struct slab *slab, struct slab_cache *cache, uint32_t id, sim_time now)
{
    uint16_t *link = &cache->link[(size_t)id * cache->objects];
    uint64_t base = cache->base + ((uint64_t)id << cache->slab_shift);
    uint16_t order[SLAB_OBJECTS_MOST];
    sim_time cost = 0;

    for (uint32_t i = 0; i < cache->objects; i++) {
        uint32_t j =
            slab->config.freelist == SLAB_RANDOM ? (uint32_t)stream_below(&slab->stream, i + 1) : i;

        if (j != i) {
            order[i] = order[j];
        }
        order[j] = (uint16_t)i;
    }
    for (uint32_t i = 0; i < cache->objects; i++) {
        link[order[i]] = i + 1 < cache->objects ? order[i + 1] : SLAB_LINK_END;
        cost += memory_guest_write(slab->memory, now,
                                   base + order[i] * cache->object_bytes + cache->link_offset, 8,
                                   MEMORY_FREE);
    }
    cache->page[id].free = order[0];
    cache->page[id].free_count = (uint16_t)cache->objects;
    cache->held++;
    return cost;
}

static uint32_t take_new(struct slab_cache *cache, sim_time now)
{
    uint32_t id = cache->spare;

    if (id != SLAB_NO_PAGE) {
        cache->spare = cache->page[id].next;
        return id;
    }
    sim_assert(cache->fresh < cache->page_count, now, "slabs of %" PRIu32 " B: more than %" PRIu32,
               cache->object_bytes, cache->page_count);
    return cache->fresh++;
}

/* From the node's list: the oldest, and with it others for the CPU's partial list until that is
 * half full. */
static uint32_t take_from_node(struct slab *slab, struct slab_cache *cache)
{
    uint32_t id = cache->node;

    node_remove(cache, id);
    while (cache->node != SLAB_NO_PAGE && partial_level(cache) <= cache->partial_limit / 2) {
        uint32_t more = cache->node;

        node_remove(cache, more);
        partial_push(slab, cache, more);
    }
    return id;
}

/* The CPU's list is empty: lets its slab go, which is full, and takes another. */
static sim_time refill(struct slab *slab, struct slab_cache *cache, sim_time now,
                       enum slab_path *path)
{
    const struct slab_costs *costs = &slab->config.costs;
    sim_time cost = costs->slow_alloc;
    uint32_t id;

    if (cache->cpu_page != SLAB_NO_PAGE) {
        cache->page[cache->cpu_page].place = SLAB_FULL;
    }
    if (cache->partial != SLAB_NO_PAGE) {
        *path = SLAB_SLOW_CPU_PARTIAL;
        id = partial_pop(cache);
    } else if (cache->node != SLAB_NO_PAGE) {
        *path = SLAB_SLOW_NODE_PARTIAL;
        cost += costs->node_list;
        id = take_from_node(slab, cache);
    } else {
        *path = SLAB_SLOW_NEW_PAGE;
        id = take_new(cache, now);
        cost += costs->new_page + fill_new(slab, cache, id, now);
    }
    cache->page[id].place = SLAB_ON_CPU;
    cache->cpu_page = id;
    cache->cpu_free = cache->page[id].free;
    cache->cpu_free_count = cache->page[id].free_count;
    cache->page[id].free = SLAB_LINK_END;
    cache->page[id].free_count = 0;
    return cost;
}

sim_time slab_alloc(struct slab *slab, uint32_t index, sim_time now, struct ledger *ledger,
                    uint64_t *address)
{
    struct slab_cache *cache = &slab->cache[index];
    enum slab_path path = SLAB_FAST;
    sim_time cost = cache->alloc_cost, slow = 0;
    uint16_t object;

    if (cache->cpu_free == SLAB_LINK_END) {
        sim_assert(cache->object_bytes > 0, now, "slab cache %" PRIu32 " was not planned", index);
        slow = refill(slab, cache, now, &path);
        ledger_charge(ledger, SYMBOL_SLAB_ALLOC, slow);
    }
    object = cache->cpu_free;
    *address = cache->base + ((uint64_t)cache->cpu_page << cache->slab_shift) +
               object * cache->object_bytes;
    /* The load of the link finds the line guest-modified or shared: it costs nothing extra. */
    cache->cpu_free = cache->link[(size_t)cache->cpu_page * cache->objects + object];
    cache->link[(size_t)cache->cpu_page * cache->objects + object] = SLAB_LINK_USED;
    cache->cpu_free_count--;
    cache->live++;
    cache->live_most = cache->live > cache->live_most ? cache->live : cache->live_most;
    slab->allocs[path]++;
    if (slab->config.init_on_alloc) {
        /* Zeroing comes last: its stores are pending from the end of the allocation on. */
        cost += memory_guest_write(slab->memory, now + slow + cost, *address, cache->object_bytes,
                                   MEMORY_ALLOC);
    }
    return slow + ledger_charge(ledger, SYMBOL_KMALLOC, cost);
}

/* Free */

/* The object's slab is not the CPU's. */
static sim_time free_slow(struct slab *slab, struct slab_cache *cache, uint32_t id, uint32_t object)
{
    const struct slab_costs *costs = &slab->config.costs;
    struct slab_page *page = &cache->page[id];
    sim_time cost = costs->slow_free;

    cache->link[(size_t)id * cache->objects + object] = page->free;
    page->free = (uint16_t)object;
    page->free_count++;
    if (page->place == SLAB_FULL) {
        if (partial_level(cache) >= cache->partial_limit) {
            cost += drain(slab, cache);
        }
        partial_push(slab, cache, id);
    } else if (page->place == SLAB_NODE_PARTIAL && page->free_count == cache->objects &&
               cache->node_slabs >= slab->config.min_partial) {
        node_remove(cache, id);
        discard(slab, cache, id);
        cost += costs->discard;
    }
    return cost;
}

sim_time slab_free(struct slab *slab, uint32_t index, uint64_t address, sim_time now,
                   struct ledger *ledger)
{
    struct slab_cache *cache = &slab->cache[index];
    uint64_t offset = address - cache->base;
    uint32_t id = (uint32_t)(offset >> cache->slab_shift);
    uint32_t object = (uint32_t)(offset & ((1u << cache->slab_shift) - 1)) / cache->object_bytes;
    uint16_t *link = &cache->link[(size_t)id * cache->objects + object];
    sim_time line =
        memory_guest_write(slab->memory, now, address + cache->link_offset, 8, MEMORY_FREE);

    sim_assert(*link == SLAB_LINK_USED, now, "free of %" PRIu64 ", which is not in use", address);
    cache->live--;
    if (id == cache->cpu_page) {
        *link = cache->cpu_free;
        cache->cpu_free = (uint16_t)object;
        cache->cpu_free_count++;
        slab->frees[SLAB_FAST]++;
        return ledger_charge(ledger, SYMBOL_KFREE, cache->free_cost + line);
    }
    slab->frees[SLAB_SLOW_FREE]++;
    line += free_slow(slab, cache, id, object);
    return ledger_charge(ledger, SYMBOL_KFREE, cache->free_cost) +
           ledger_charge(ledger, SYMBOL_SLAB_FREE, line);
}

uint64_t slab_slow_frees(const struct slab *slab)
{
    return slab->frees[SLAB_SLOW_FREE];
}

uint64_t slab_fast_frees(const struct slab *slab)
{
    return slab->frees[SLAB_FAST];
}
