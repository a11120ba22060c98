/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <inttypes.h>

#include "models/slab.h"
#include "models/slab_page.h"
#include "sim/engine/assert.h"

/* Length of a free list of slab `id`; every member must be free, and the list must end. */
static uint32_t list_length(const struct slab_cache *cache, uint32_t id, uint16_t head,
                            sim_time now)
{
    const uint16_t *link = &cache->link[(size_t)id * cache->objects];
    uint32_t length = 0;

    for (uint16_t object = head; object != SLAB_LINK_END; object = link[object]) {
        sim_assert(object < cache->objects && link[object] != SLAB_LINK_USED, now,
                   "slab %" PRIu32 " of %" PRIu32 " B: object %u is in use and on a free list", id,
                   cache->object_bytes, object);
        length++;
        sim_assert(length <= cache->objects, now, "slab %" PRIu32 ": its free list is a ring", id);
    }
    return length;
}

/* The CPU whose slab it is; NULL: none's. */
static const struct slab_cpu *cpu_with(const struct slab_cache *cache, uint32_t id)
{
    for (uint32_t i = 0; i < MEMORY_CPUS; i++) {
        if (cache->cpu[i].page == id) {
            return &cache->cpu[i];
        }
    }
    return NULL;
}

/* One slab: in use + in sheaves + free = objects, and its place fits its fill. Returns the objects
 * in use and adds those in sheaves. */
static uint32_t check_page(const struct slab_cache *cache, uint32_t id, uint32_t cpus,
                           sim_time now, uint32_t *in_sheaves)
{
    const struct slab_page *page = &cache->page[id];
    uint32_t own = list_length(cache, id, page->free, now);
    const struct slab_cpu *holder = cpu_with(cache, id);
    uint32_t cpu = holder ? list_length(cache, id, holder->free, now) : 0;
    uint32_t used = 0, kept = 0;

    for (uint32_t i = 0; i < cache->objects; i++) {
        used += cache->link[(size_t)id * cache->objects + i] == SLAB_LINK_USED;
        kept += cache->link[(size_t)id * cache->objects + i] == SLAB_LINK_SHEAF;
    }
    *in_sheaves += kept;
    sim_assert(own == page->free_count, now, "slab %" PRIu32 ": %" PRIu32 " free, count %u", id,
               own, page->free_count);
    sim_assert(used + kept + own + cpu == cache->objects, now,
               "slab %" PRIu32 ": %" PRIu32 " in use + %" PRIu32 " in sheaves + %" PRIu32
               " own + %" PRIu32 " CPU free",
               id, used, kept, own, cpu);
    sim_assert((page->place == SLAB_ON_CPU) == (holder != NULL), now,
               "slab %" PRIu32 " is on the CPU in one view only", id);
    if (holder) {
        sim_assert((own == 0 || cpus > 1) && cpu == holder->free_count, now,
                   "CPU slab %" PRIu32 ": %" PRIu32 " on its own list, %" PRIu32 " on the CPU's",
                   id, own, cpu);
    } else {
        sim_assert((page->place == SLAB_FULL) == (own == 0), now,
                   "slab %" PRIu32 " in place %d has %" PRIu32 " free", id, page->place, own);
    }
    return used;
}

static void check_lists(const struct slab_cache *cache, const uint32_t count[], sim_time now)
{
    uint32_t partial = 0, counted = 0, node = 0, previous = SLAB_NO_PAGE;

    for (uint32_t i = 0; i < MEMORY_CPUS; i++) {
        for (uint32_t id = cache->cpu[i].partial; id != SLAB_NO_PAGE; id = cache->page[id].next) {
            sim_assert(cache->page[id].place == SLAB_CPU_PARTIAL && partial < cache->fresh, now,
                       "slab %" PRIu32 " is not on the CPU's partial list", id);
            partial++;
        }
        counted += cache->cpu[i].partial_slabs;
        sim_assert(partial == counted, now,
                   "partial lists of %" PRIu32 " slabs, count %" PRIu32, partial, counted);
    }
    for (uint32_t id = cache->node; id != SLAB_NO_PAGE; id = cache->page[id].next) {
        sim_assert(cache->page[id].place == SLAB_NODE_PARTIAL &&
                       cache->page[id].previous == previous && node < cache->fresh,
                   now, "slab %" PRIu32 " is not on the node's list", id);
        previous = id;
        node++;
    }
    sim_assert(previous == cache->node_tail, now, "the node's list ends elsewhere");
    sim_assert(partial == count[SLAB_CPU_PARTIAL], now,
               "partial lists: %" PRIu32 " slabs, %" PRIu32 " in that place", partial,
               count[SLAB_CPU_PARTIAL]);
    sim_assert(node == cache->node_slabs && node == count[SLAB_NODE_PARTIAL], now,
               "node's list: %" PRIu32 " slabs, count %" PRIu32, node, cache->node_slabs);
}

static void check_cache(const struct slab_cache *cache, uint32_t cpus, sim_time now)
{
    uint32_t count[SLAB_FULL + 1] = {0}, live = 0, held = 0, in_sheaves = 0;

    for (uint32_t id = 0; id < cache->fresh; id++) {
        uint8_t place = cache->page[id].place;

        count[place]++;
        if (place != SLAB_UNUSED) {
            held++;
            live += check_page(cache, id, cpus, now, &in_sheaves);
        }
    }
    sim_assert(live == cache->live, now, "%" PRIu32 " B: %" PRIu32 " in use, count %" PRIu32,
               cache->object_bytes, live, cache->live);
    sim_assert(held == cache->held, now, "%" PRIu32 " B: %" PRIu32 " slabs, count %" PRIu32,
               cache->object_bytes, held, cache->held);
    sim_assert(in_sheaves == sheaf_objects(&cache->sheaves), now,
               "%" PRIu32 " B: %" PRIu32 " objects in sheaves, counts %" PRIu32,
               cache->object_bytes, in_sheaves, sheaf_objects(&cache->sheaves));
    if (cache->sheaves.capacity > 0) {
        sheaf_check(&cache->sheaves, now);
    }
    check_lists(cache, count, now);
}

void slab_check(const struct slab *slab, sim_time now)
{
    uint64_t allocs = 0, frees = 0, live = 0;

    for (uint32_t index = 0; index < SLAB_CACHES; index++) {
        if (slab->cache[index].object_bytes > 0) {
            check_cache(&slab->cache[index], slab->memory->cpus, now);
            live += slab->cache[index].live;
        }
    }
    for (int path = 0; path < SLAB_PATHS; path++) {
        allocs += slab->allocs[path];
        frees += slab->frees[path];
    }
    sim_assert(allocs == frees + live, now,
               "%" PRIu64 " allocated, %" PRIu64 " freed, %" PRIu64 " in use", allocs, frees, live);
}
