/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/slab.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/slab_page.h"
#include "sim/engine/assert.h"

/* The layout of a cache: object size, order, limits. Nothing is allocated yet. */
static void shape(struct slab_cache *cache, const struct slab_config *config, uint32_t index,
                  const struct slab_plan *plan)
{
    const struct slab_costs *costs = &config->costs;
    bool dedicated = index == SLAB_DEDICATED;
    uint32_t bytes = dedicated ? (plan->dedicated_bytes + 7) / 8 * 8 : slab_class_bytes(index);
    uint32_t target = slab_partial_objects(bytes), in_sheaves = 0;
    uint32_t cpus = plan->cpus > 1 ? plan->cpus : 1;
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
    if (config->model == SLAB_SHEAVES) {
        /* Links, and with them their encoding, are those of refills and flushes. */
        cache->alloc_cost = zeroing + (dedicated ? 0 : costs->kmalloc_slab) + costs->sheaf.fast;
        cache->free_cost = costs->sheaf.fast;
        cache->bulk_alloc_cost = zeroing + costs->bulk_object;
        cache->bulk_free_cost = costs->bulk_object;
        in_sheaves = (2 * cpus + SHEAF_BARN_FULL) * sheaf_capacity(bytes);
    } else {
        cache->alloc_cost = hardened + zeroing +
                            (dedicated ? costs->kmem_alloc : costs->kmalloc + costs->kmalloc_slab);
        cache->free_cost = hardened + (dedicated ? costs->kmem_free : costs->kfree);
        cache->bulk_alloc_cost = hardened + zeroing + costs->bulk_object;
        cache->bulk_free_cost = hardened + costs->bulk_object;
    }
    /* In the worst case each slab holds one object in use or in a sheaf; besides there are the CPUs'
     * slabs, empty ones on all partial lists, and the one that is being fetched. */
    cache->page_count = plan->live_most + in_sheaves + cpus * cache->partial_limit +
                        config->min_partial + 3 + cpus;
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

            shape(&cache, config, index, plan);
            sum += (uint64_t)cache.page_count << cache.slab_shift;
        }
    }
    return sum;
}

static bool cache_init(struct slab_cache *cache, uint64_t base, bool sheaves, uint32_t cpus)
{
    cache->base = base;
    for (uint32_t i = 0; i < MEMORY_CPUS; i++) {
        cache->cpu[i].free = SLAB_LINK_END;
        cache->cpu[i].page = cache->cpu[i].partial = SLAB_NO_PAGE;
    }
    cache->node = cache->node_tail = SLAB_NO_PAGE;
    cache->spare = SLAB_NO_PAGE;
    /* Reserved for the worst case; what is never touched is never backed by memory. */
    cache->page = calloc(cache->page_count, sizeof(*cache->page));
    cache->link = calloc((size_t)cache->page_count * cache->objects, sizeof(*cache->link));
    return cache->page && cache->link &&
           (!sheaves || sheaf_init(&cache->sheaves, cache->object_bytes, cpus));
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
        shape(cache, config, index, plan);
        if (!cache_init(cache, base, config->model == SLAB_SHEAVES, plan->cpus)) {
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
        sheaf_fini(&slab->cache[index].sheaves);
    }
    memset(slab, 0, sizeof(*slab));
}

/* The lists of a cache */

/* What the CPU whose turn it is has of the cache. */
static struct slab_cpu *cpu_of(const struct slab *slab, struct slab_cache *cache)
{
    return &cache->cpu[slab->memory->cpu];
}

/* A line comes from the guest's other CPU, when that had it last. */
static sim_time fetch(struct slab *slab, uint8_t *holder)
{
    return memory_handover(slab->memory, holder, 1, slab->memory->config.cpu_read);
}

/* Fill of a CPU's partial list: each slab keeps what it was when the slab was put there. */
static uint32_t partial_level(const struct slab_cache *cache, const struct slab_cpu *cpu)
{
    return cpu->partial == SLAB_NO_PAGE ? 0 : cache->page[cpu->partial].level;
}

static void partial_push(struct slab *slab, struct slab_cache *cache, uint32_t id)
{
    struct slab_page *page = &cache->page[id];
    struct slab_cpu *cpu = cpu_of(slab, cache);

    page->place = SLAB_CPU_PARTIAL;
    page->next = cpu->partial;
    page->level = partial_level(cache, cpu) +
                  (slab->config.partial_count == SLAB_PARTIAL_OBJECTS ? page->free_count : 1);
    cpu->partial = id;
    cpu->partial_slabs++;
}

static uint32_t partial_pop(struct slab_cache *cache, struct slab_cpu *cpu)
{
    uint32_t id = cpu->partial;

    cpu->partial = cache->page[id].next;
    cpu->partial_slabs--;
    return id;
}

/* Moves the CPU's whole partial list to the node's; empty slabs beyond min_partial are given back.
 */
static sim_time drain(struct slab *slab, struct slab_cache *cache)
{
    const struct slab_costs *costs = &slab->config.costs;
    struct slab_cpu *cpu = cpu_of(slab, cache);
    sim_time cost = fetch(slab, &cache->node_holder);

    while (cpu->partial != SLAB_NO_PAGE) {
        uint32_t id = partial_pop(cache, cpu);

        cost += costs->drain + fetch(slab, &cache->page[id].holder);
        slab->drains++;
        if (cache->page[id].free_count == cache->objects &&
            cache->node_slabs >= slab->config.min_partial) {
            slab_page_discard(slab, cache, id);
            cost += costs->discard;
        } else {
            slab_page_append(cache, id);
        }
    }
    return cost;
}

/* Allocation */

/* From the node's list: the oldest, and with it others for the CPU's partial list until that is
 * half full. */
static uint32_t take_from_node(struct slab *slab, struct slab_cache *cache)
{
    uint32_t id = cache->node;

    slab_page_remove(cache, id);
    while (cache->node != SLAB_NO_PAGE && partial_level(cache, cpu_of(slab, cache)) <= cache->partial_limit / 2) {
        uint32_t more = cache->node;

        slab_page_remove(cache, more);
        partial_push(slab, cache, more);
    }
    return id;
}

/* The CPU's list is empty: takes what another CPU freed into its slab, or lets that go, which is full,
 * and takes another. */
static sim_time refill(struct slab *slab, struct slab_cache *cache, sim_time now,
                       struct ledger *ledger, enum slab_path *path)
{
    const struct slab_costs *costs = &slab->config.costs;
    struct slab_cpu *cpu = cpu_of(slab, cache);
    sim_time cost = costs->slow_alloc;
    uint32_t id = cpu->page;

    if (id != SLAB_NO_PAGE && cache->page[id].free_count == 0) {
        cache->page[id].place = SLAB_FULL;
        id = SLAB_NO_PAGE;
    }
    if (id != SLAB_NO_PAGE) {
        *path = SLAB_SLOW_CPU_PARTIAL;
        slab->returned++;
    } else if (cpu->partial != SLAB_NO_PAGE) {
        *path = SLAB_SLOW_CPU_PARTIAL;
        id = partial_pop(cache, cpu);
    } else if (cache->node != SLAB_NO_PAGE) {
        *path = SLAB_SLOW_NODE_PARTIAL;
        cost += costs->node_list + fetch(slab, &cache->node_holder);
        id = take_from_node(slab, cache);
    } else {
        *path = SLAB_SLOW_NEW_PAGE;
        cost += slab_page_new(slab, cache, now, ledger, &id);
    }
    cost += fetch(slab, &cache->page[id].holder);
    cache->page[id].place = SLAB_ON_CPU;
    cpu->page = id;
    cpu->free = cache->page[id].free;
    cpu->free_count = cache->page[id].free_count;
    cache->page[id].free = SLAB_LINK_END;
    cache->page[id].free_count = 0;
    return cost;
}

/* A dedicated cache has entry points of its own, and perf lists them apart. */
static enum symbol alloc_symbol(const struct slab *slab, const struct slab_cache *cache)
{
    return cache == &slab->cache[SLAB_DEDICATED] ? SYMBOL_KMEM_ALLOC : SYMBOL_KMALLOC;
}

static enum symbol free_symbol(const struct slab *slab, const struct slab_cache *cache)
{
    return cache == &slab->cache[SLAB_DEDICATED] ? SYMBOL_KMEM_FREE : SYMBOL_KFREE;
}

/* One object off the CPU's list or sheaf; the cost beyond the fast path, charged. */
static sim_time take(struct slab *slab, struct slab_cache *cache, sim_time now,
                     struct ledger *ledger, uint64_t *address)
{
    struct slab_cpu *cpu = cpu_of(slab, cache);
    enum slab_path path = SLAB_FAST;
    sim_time slow = 0, link;

    cache->live++;
    cache->live_most = cache->live > cache->live_most ? cache->live : cache->live_most;
    if (cache->sheaves.capacity > 0) {
        uint32_t object;
        bool refilled;

        slow = sheaf_take(slab, cache, now, ledger, &object, &refilled);
        *address = slab_page_address(cache, object);
        slab->allocs[refilled ? SLAB_SLOW_NODE_PARTIAL : SLAB_FAST]++;
        return slow;
    }
    if (cpu->free == SLAB_LINK_END) {
        sim_assert(cache->object_bytes > 0, now, "a slab cache that was not planned");
        slow = refill(slab, cache, now, ledger, &path);
        ledger_charge(ledger, SYMBOL_SLAB_ALLOC, slow);
    }
    uint16_t object = cpu->free;
    *address = cache->base + ((uint64_t)cpu->page << cache->slab_shift) +
               object * cache->object_bytes;
    /* The load of the link finds the line guest-modified or shared: only a free on the guest's
     * other CPU makes it cost something. */
    link = memory_guest_read_at(slab->memory, *address + cache->link_offset);
    ledger_wait(ledger, LEDGER_TABLE_LINES, alloc_symbol(slab, cache), link);
    slow += ledger_charge(ledger, alloc_symbol(slab, cache), link);
    cpu->free = cache->link[(size_t)cpu->page * cache->objects + object];
    cache->link[(size_t)cpu->page * cache->objects + object] = SLAB_LINK_USED;
    cpu->free_count--;
    slab->allocs[path]++;
    return slow;
}

/* Zeroing comes last: its stores are pending from the end of the allocation on. */
static sim_time zero(struct slab *slab, const struct slab_cache *cache, sim_time now,
                     struct ledger *ledger, uint64_t address)
{
    return slab->config.init_on_alloc
               ? ledger_wait(ledger, LEDGER_TABLE_LINES, alloc_symbol(slab, cache),
                             memory_guest_write(slab->memory, now, address, cache->object_bytes,
                                                MEMORY_ALLOC))
               : 0;
}

sim_time slab_alloc(struct slab *slab, uint32_t index, sim_time now, struct ledger *ledger,
                    uint64_t *address)
{
    struct slab_cache *cache = &slab->cache[index];
    sim_time cost = cache->alloc_cost, slow = take(slab, cache, now, ledger, address);

    cost += zero(slab, cache, now + slow + cost, ledger, *address);
    return slow + ledger_charge(ledger, alloc_symbol(slab, cache), cost);
}

sim_time slab_alloc_bulk(struct slab *slab, uint32_t index, uint32_t count, sim_time now,
                         struct ledger *ledger, uint64_t address[])
{
    struct slab_cache *cache = &slab->cache[index];
    sim_time sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sim_time cost = cache->bulk_alloc_cost;

        sum += take(slab, cache, now + sum, ledger, &address[i]);
        cost += zero(slab, cache, now + sum + cost, ledger, address[i]);
        sum += ledger_charge(ledger, alloc_symbol(slab, cache), cost);
    }
    return sum;
}

/* Free */

/* The object's slab is not the CPU's. `base`: of the slow path itself. */
static sim_time free_slow(struct slab *slab, struct slab_cache *cache, uint32_t object,
                          sim_time base)
{
    uint32_t id = object / cache->objects;
    struct slab_page *page = &cache->page[id];
    sim_time cost = base + fetch(slab, &page->holder);

    cache->link[object] = page->free;
    page->free = (uint16_t)(object % cache->objects);
    page->free_count++;
    if (page->place == SLAB_FULL) {
        if (partial_level(cache, cpu_of(slab, cache)) >= cache->partial_limit) {
            cost += drain(slab, cache);
        }
        partial_push(slab, cache, id);
    } else if (page->place == SLAB_NODE_PARTIAL && page->free_count == cache->objects &&
               cache->node_slabs >= slab->config.min_partial) {
        slab_page_remove(cache, id);
        slab_page_discard(slab, cache, id);
        cost += slab->config.costs.discard + fetch(slab, &cache->node_holder);
    }
    return cost;
}

/* One object to the CPU's list, its own slab or a sheaf. `fast`: cost of the call; `slow`: of the
 * slow path, when it is taken. */
static sim_time give(struct slab *slab, struct slab_cache *cache, uint32_t object, sim_time now,
                     struct ledger *ledger, sim_time fast, sim_time slow)
{
    struct slab_cpu *cpu = cpu_of(slab, cache);
    sim_time line;

    sim_assert(cache->link[object] == SLAB_LINK_USED, now,
               "free of %" PRIu64 ", which is not in use", slab_page_address(cache, object));
    cache->live--;
    if (cache->sheaves.capacity > 0) {
        bool flushed;
        sim_time cost = sheaf_give(slab, cache, object, now, ledger, &flushed);

        slab->frees[flushed ? SLAB_SLOW_FREE : SLAB_FAST]++;
        return cost + ledger_charge(ledger, free_symbol(slab, cache), fast);
    }
    line = memory_guest_write(
        slab->memory, now, slab_page_address(cache, object) + cache->link_offset, 8, MEMORY_FREE);
    if (object / cache->objects == cpu->page) {
        cache->link[object] = cpu->free;
        cpu->free = (uint16_t)(object % cache->objects);
        cpu->free_count++;
        slab->frees[SLAB_FAST]++;
        ledger_wait(ledger, LEDGER_TABLE_LINES, free_symbol(slab, cache), line);
        return ledger_charge(ledger, free_symbol(slab, cache), fast + line);
    }
    slab->frees[SLAB_SLOW_FREE]++;
    ledger_wait(ledger, LEDGER_TABLE_LINES, SYMBOL_SLAB_FREE, line);
    line += free_slow(slab, cache, object, slow);
    return ledger_charge(ledger, free_symbol(slab, cache), fast) +
           ledger_charge(ledger, SYMBOL_SLAB_FREE, line);
}

sim_time slab_free(struct slab *slab, uint32_t index, uint64_t address, sim_time now,
                   struct ledger *ledger)
{
    struct slab_cache *cache = &slab->cache[index];

    return give(slab, cache, slab_page_object(cache, address), now, ledger, cache->free_cost,
                slab->config.costs.slow_free);
}

sim_time slab_free_bulk(struct slab *slab, uint32_t index, uint32_t count, const uint64_t address[],
                        sim_time now, struct ledger *ledger)
{
    struct slab_cache *cache = &slab->cache[index];
    bool done[SLAB_BULK_MOST] = {false};
    sim_time sum = 0;

    sim_assert(count <= SLAB_BULK_MOST, now, "a bulk free of %" PRIu32, count);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t id = slab_page_object(cache, address[i]) / cache->objects;
        sim_time slow = slab->config.costs.slow_free;

        /* All of one slab together: the first pays the slow path, when it is one. */
        for (uint32_t j = i; j < count; j++) {
            uint32_t object = slab_page_object(cache, address[j]);

            if (!done[j] && object / cache->objects == id) {
                done[j] = true;
                sum += give(slab, cache, object, now + sum, ledger, cache->bulk_free_cost, slow);
                slow = 0;
            }
        }
    }
    return sum;
}

uint64_t slab_slow_frees(const struct slab *slab)
{
    return slab->frees[SLAB_SLOW_FREE];
}

uint64_t slab_fast_frees(const struct slab *slab)
{
    return slab->frees[SLAB_FAST];
}
