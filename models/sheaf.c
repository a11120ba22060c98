/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/sheaf.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/slab.h"
#include "models/slab_page.h"
#include "sim/engine/assert.h"

/* What the barn may hold, and what there is with the CPUs' mains and spares. */
#define IN_BARN      (SHEAF_BARN_FULL + SHEAF_BARN_EMPTY)
#define SHEAVES(set) (2 * (set)->cpus + IN_BARN)

uint32_t sheaf_capacity(uint32_t object_bytes)
{
    uint32_t least = object_bytes >= 4096   ? 4
                     : object_bytes >= 1024 ? 12
                     : object_bytes >= 256  ? 26
                                            : 60;

    return (uint32_t)(slab_bucket_bytes(SHEAF_HEADER_BYTES + 8 * least) - SHEAF_HEADER_BYTES) / 8;
}

bool sheaf_init(struct sheaf_set *set, uint32_t object_bytes, uint32_t cpus)
{
    uint32_t *next;

    memset(set, 0, sizeof(*set));
    set->capacity = sheaf_capacity(object_bytes);
    set->cpus = cpus > 1 ? cpus : 1;
    set->storage = calloc((size_t)SHEAVES(set) * set->capacity, sizeof(*set->storage));
    if (!set->storage) {
        return false;
    }
    next = set->storage;
    for (uint32_t i = 0; i < set->cpus; i++) {
        set->cpu[i].main.object = next;
        set->cpu[i].spare.object = next + set->capacity;
        set->cpu[i].main.holder = set->cpu[i].spare.holder = (uint8_t)(i + 1);
        next += 2 * (size_t)set->capacity;
    }
    for (uint32_t i = 0; i < IN_BARN; i++) {
        set->empty[i].object = next + (size_t)i * set->capacity;
    }
    set->unmade = IN_BARN;
    return true;
}

void sheaf_fini(struct sheaf_set *set)
{
    free(set->storage);
    memset(set, 0, sizeof(*set));
}

uint32_t sheaf_objects(const struct sheaf_set *set)
{
    uint32_t sum = set->full_count * set->capacity;

    for (uint32_t i = 0; i < set->cpus; i++) {
        sum += set->cpu[i].main.count + set->cpu[i].spare.count;
    }
    return sum;
}

/* Of the CPU whose turn it is. */
static struct sheaf_cpu *cpu_of(const struct slab *slab, struct slab_cache *cache)
{
    return &cache->sheaves.cpu[slab->memory->cpu];
}

/* The barn's line, and those of a sheaf that comes from it: full ones are read, empty ones filled. */
static sim_time fetch(struct slab *slab, struct sheaf_set *set, struct sheaf *sheaf, sim_time each)
{
    struct memory *memory = slab->memory;
    uint32_t lines = (SHEAF_HEADER_BYTES + 8 * set->capacity) / MEMORY_LINE_BYTES;

    return memory_handover(memory, &set->barn_holder, 1, memory->config.cpu_read) +
           memory_handover(memory, &sheaf->holder, lines, each);
}

static void swap(struct sheaf *a, struct sheaf *b)
{
    struct sheaf held = *a;

    *a = *b;
    *b = held;
}

/* Empty sheaves are alike, so one stack holds those of the barn and those that are not there; an
 * empty one beyond the barn's ten is given back. */
static struct sheaf take_empty(struct sheaf_set *set)
{
    struct sheaf sheaf = set->empty[set->empty_count + set->unmade - 1];

    if (set->empty_count > 0) {
        set->empty_count--;
    } else {
        set->unmade--;
    }
    return sheaf;
}

static void put_empty(struct sheaf_set *set, struct sheaf sheaf)
{
    set->empty[set->empty_count + set->unmade] = sheaf;
    if (set->empty_count < SHEAF_BARN_EMPTY) {
        set->empty_count++;
    } else {
        set->unmade++;
    }
}

/* Fills main from the slabs with free objects, oldest first, and new ones. */
static sim_time refill(struct slab *slab, struct slab_cache *cache, sim_time now,
                       struct ledger *ledger)
{
    const struct slab_costs *costs = &slab->config.costs;
    struct sheaf_set *set = &cache->sheaves;
    struct sheaf *main = &cpu_of(slab, cache)->main;
    sim_time cost = costs->node_list;

    while (main->count < set->capacity) {
        uint32_t id = cache->node;
        struct slab_page *page;
        uint16_t *link, object;

        if (id == SLAB_NO_PAGE) {
            cost += slab_page_new(slab, cache, now, ledger, &id);
            slab_page_append(cache, id);
        }
        page = &cache->page[id];
        link = &cache->link[(size_t)id * cache->objects];
        object = page->free;
        page->free = link[object];
        page->free_count--;
        link[object] = SLAB_LINK_SHEAF;
        main->object[main->count++] = id * cache->objects + object;
        cost += costs->sheaf.object;
        if (page->free_count == 0) {
            slab_page_remove(cache, id);
            page->place = SLAB_FULL;
        }
    }
    set->refills++;
    return cost;
}

/* Empties a sheaf into its slabs. */
static sim_time flush(struct slab *slab, struct slab_cache *cache, struct sheaf *sheaf,
                      sim_time now, struct ledger *ledger)
{
    const struct slab_costs *costs = &slab->config.costs;
    sim_time cost = costs->node_list;

    while (sheaf->count > 0) {
        uint32_t object = sheaf->object[--sheaf->count];
        uint32_t id = object / cache->objects;
        struct slab_page *page = &cache->page[id];

        cost +=
            costs->sheaf.object +
            ledger_wait(ledger, LEDGER_TABLE_LINES, SYMBOL_SLAB_FREE,
                        memory_guest_write(slab->memory, now,
                                           slab_page_address(cache, object) + cache->link_offset, 8,
                                           MEMORY_FREE));
        cache->link[object] = page->free;
        page->free = (uint16_t)(object % cache->objects);
        page->free_count++;
        if (page->place == SLAB_FULL) {
            slab_page_append(cache, id);
        } else if (page->free_count == cache->objects &&
                   cache->node_slabs >= slab->config.min_partial) {
            slab_page_remove(cache, id);
            slab_page_discard(slab, cache, id);
            cost += costs->discard;
        }
    }
    cache->sheaves.flushes++;
    return cost;
}

/* Main is empty. */
static sim_time replace_empty(struct slab *slab, struct slab_cache *cache, sim_time now,
                              struct ledger *ledger, bool *refilled)
{
    struct sheaf_set *set = &cache->sheaves;
    struct sheaf_cpu *cpu = cpu_of(slab, cache);

    if (cpu->spare.count > 0) {
        swap(&cpu->main, &cpu->spare);
        set->swaps++;
        return 0;
    }
    if (set->full_count > 0) {
        put_empty(set, cpu->main);
        cpu->main = set->full[--set->full_count];
        set->barn_takes++;
        return slab->config.costs.sheaf.barn +
               fetch(slab, set, &cpu->main, slab->memory->config.cpu_read);
    }
    *refilled = true;
    return slab->config.costs.sheaf.barn + refill(slab, cache, now, ledger);
}

/* Main is full. */
static sim_time replace_full(struct slab *slab, struct slab_cache *cache, sim_time now,
                             struct ledger *ledger, bool *flushed)
{
    struct sheaf_set *set = &cache->sheaves;
    struct sheaf_cpu *cpu = cpu_of(slab, cache);
    sim_time cost = 0;

    if (cpu->spare.count == 0) {
        swap(&cpu->main, &cpu->spare);
        set->swaps++;
        return 0;
    }
    if (set->full_count < SHEAF_BARN_FULL) {
        set->full[set->full_count++] = cpu->main;
        cpu->main = take_empty(set);
        set->barn_puts++;
        return slab->config.costs.sheaf.barn +
               fetch(slab, set, &cpu->main, slab->memory->config.cpu_post);
    }
    *flushed = true;
    cost = slab->config.costs.sheaf.barn + flush(slab, cache, &cpu->spare, now, ledger);
    swap(&cpu->main, &cpu->spare);
    return cost;
}

sim_time sheaf_take(struct slab *slab, struct slab_cache *cache, sim_time now,
                    struct ledger *ledger, uint32_t *object, bool *refilled)
{
    struct sheaf *main = &cpu_of(slab, cache)->main;
    sim_time cost = 0;

    *refilled = false;
    if (main->count == 0) {
        cost = ledger_charge(ledger, SYMBOL_SLAB_ALLOC,
                             replace_empty(slab, cache, now, ledger, refilled));
    }
    *object = main->object[--main->count];
    cache->link[*object] = SLAB_LINK_USED;
    return cost;
}

sim_time sheaf_give(struct slab *slab, struct slab_cache *cache, uint32_t object, sim_time now,
                    struct ledger *ledger, bool *flushed)
{
    struct sheaf *main = &cpu_of(slab, cache)->main;
    sim_time cost = 0;

    *flushed = false;
    if (main->count == cache->sheaves.capacity) {
        cost = ledger_charge(ledger, SYMBOL_SLAB_FREE,
                             replace_full(slab, cache, now, ledger, flushed));
    }
    main->object[main->count++] = object;
    cache->link[object] = SLAB_LINK_SHEAF;
    return cost;
}

void sheaf_check(const struct sheaf_set *set, sim_time now)
{
    for (uint32_t i = 0; i < set->cpus; i++) {
        const struct sheaf_cpu *cpu = &set->cpu[i];

        sim_assert(cpu->main.count <= set->capacity, now,
                   "main sheaf of %" PRIu32 ", capacity %" PRIu32, cpu->main.count, set->capacity);
        sim_assert(cpu->spare.count == 0 || cpu->spare.count == set->capacity, now,
                   "spare sheaf of %" PRIu32 ", capacity %" PRIu32, cpu->spare.count,
                   set->capacity);
    }
    sim_assert(set->full_count <= SHEAF_BARN_FULL && set->empty_count <= SHEAF_BARN_EMPTY, now,
               "barn of %" PRIu32 " full and %" PRIu32 " empty sheaves", set->full_count,
               set->empty_count);
    sim_assert(set->full_count + set->empty_count + set->unmade == IN_BARN, now,
               "%" PRIu32 " sheaves are lost",
               IN_BARN - set->full_count - set->empty_count - set->unmade);
    for (uint32_t i = 0; i < set->full_count; i++) {
        sim_assert(set->full[i].count == set->capacity, now,
                   "a full sheaf of the barn has %" PRIu32 " objects", set->full[i].count);
    }
}
