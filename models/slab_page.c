/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/slab_page.h"

#include <inttypes.h>

#include "sim/engine/assert.h"

void slab_page_append(struct slab_cache *cache, uint32_t id)
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

void slab_page_remove(struct slab_cache *cache, uint32_t id)
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

/* Cuts a new slab into objects and writes the links, in the order the configuration says. */
static sim_time cut(struct slab *slab, struct slab_cache *cache, uint32_t id, sim_time now)
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

sim_time slab_page_new(struct slab *slab, struct slab_cache *cache, sim_time now,
                       struct ledger *ledger, uint32_t *id)
{
    *id = cache->spare;
    if (*id != SLAB_NO_PAGE) {
        cache->spare = cache->page[*id].next;
    } else {
        sim_assert(cache->fresh < cache->page_count, now,
                   "slabs of %" PRIu32 " B: more than %" PRIu32, cache->object_bytes,
                   cache->page_count);
        *id = cache->fresh++;
    }
    return slab->config.costs.new_page +
           ledger_wait(ledger, LEDGER_TABLE_LINES, SYMBOL_SLAB_ALLOC, cut(slab, cache, *id, now));
}

void slab_page_discard(struct slab *slab, struct slab_cache *cache, uint32_t id)
{
    cache->page[id].place = SLAB_UNUSED;
    cache->page[id].next = cache->spare;
    cache->spare = id;
    cache->held--;
    slab->discards++;
}
