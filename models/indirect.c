/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/indirect.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "sim/engine/assert.h"

#define AT(member) .offset = offsetof(struct indirect_config, member)

static const struct param rows[] = {
    {.path = "guest.bytes_per_sg",
     .kind = PARAM_COUNT,
     AT(bytes_per_sg),
     .least = 16,
     .most = 32,
     .power_of_two = true,
     .fallback = "16",
     .unit = "bytes",
     .when_path = "guest.tx_ring.indirect",
     .when_value = "true",
     .help = "of an indirect table for each entry: 16, or 32 from kernel 6.13"},
    {.path = "guest.alloc_failure",
     .kind = PARAM_RATIO,
     AT(alloc_failure),
     .least = 0,
     .most = 1,
     .fallback = "0",
     .when_path = "guest.tx_ring.indirect",
     .when_value = "true",
     .help = "probability that the allocation of a table fails and direct descriptors are used"},
};

const struct param_table indirect_params =
    PARAM_TABLE("indirect tables", struct indirect_config, rows, NULL);

/* What the plan comes to: the cache's shape, the slab caches, and how the addresses are laid out.
 */
struct layout {
    struct desc_cache_shape shape;
    struct slab_plan slab;
    uint32_t kmem_limit;
    uint64_t slab_bytes, array_bytes;
};

static struct desc_cache_queue queue_of(const struct indirect_plan *plan)
{
    return (struct desc_cache_queue){.ring_size = plan->ring_size,
                                     .max_skb_frags = plan->max_skb_frags,
                                     .bytes_per_sg = plan->indirect->bytes_per_sg,
                                     .indirect = plan->uses_indirect};
}

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES * MEMORY_PAGE_BYTES;
}

static struct layout layout_of(const struct indirect_plan *plan)
{
    uint32_t bytes_per_sg = plan->indirect->bytes_per_sg;
    struct desc_cache_queue queue = queue_of(plan);
    struct layout layout = {.shape = desc_cache_shape_of(plan->cache, &queue)};

    if (plan->slab->tables == SLAB_TABLES_KMEM_CACHE) {
        uint32_t thr = desc_cache_thr(plan->cache, plan->max_skb_frags);

        layout.kmem_limit = thr >= 2 ? thr : 0;
        layout.slab.dedicated_bytes = layout.kmem_limit * bytes_per_sg;
        layout.shape = (struct desc_cache_shape){.off = DESC_CACHE_OFF_SLAB};
    }
    if (plan->uses_indirect) {
        uint32_t most = plan->most_sg * bytes_per_sg;
        bool items = layout.shape.off == DESC_CACHE_ON && !layout.shape.array;

        layout.slab.least_bytes = bytes_per_sg;
        layout.slab.most_bytes =
            items && layout.shape.item_bytes > most ? layout.shape.item_bytes : most;
        /* Items that are kept and tables of another size in the same class. */
        layout.slab.cpus = plan->cpus;
        layout.slab.live_most = 2 * (plan->ring_size + 1) + 2 * plan->slab->bulk +
                                background_live_most(&plan->slab->background);
    } else {
        layout.slab = (struct slab_plan){.live_most = 0};
    }
    layout.slab_bytes = slab_address_bytes(plan->slab, &layout.slab);
    layout.array_bytes = layout.shape.off == DESC_CACHE_ON ? layout.shape.array_bytes : 0;
    return layout;
}

void indirect_warn(const struct indirect_plan *plan, struct problems *problems)
{
    struct desc_cache_queue queue = queue_of(plan);

    if (!plan->uses_indirect) {
        return;
    }
    if (plan->slab->tables == SLAB_TABLES_KMALLOC) {
        desc_cache_warn(plan->cache, &queue, problems);
    } else if (desc_cache_thr(plan->cache, plan->max_skb_frags) < 2) {
        problems_warning(problems, "guest.slab.tables",
                         "a dedicated cache needs virtio_desc_cache_thr of 2 or more, all tables "
                         "come from kmalloc");
    }
}

uint64_t indirect_address_bytes(const struct indirect_plan *plan)
{
    struct layout layout = layout_of(plan);

    return whole_pages(layout.slab_bytes) + whole_pages(layout.array_bytes);
}

static void hold(struct indirect *ind, uint64_t asked, uint64_t allocated)
{
    struct indirect_memory *held = &ind->held;

    held->asked += asked;
    held->allocated += allocated;
    held->asked_most = held->asked > held->asked_most ? held->asked : held->asked_most;
    held->allocated_most =
        held->allocated > held->allocated_most ? held->allocated : held->allocated_most;
}

static void release(struct indirect *ind, uint64_t asked, uint64_t allocated)
{
    ind->held.asked -= asked;
    ind->held.allocated -= allocated;
}

bool indirect_init(struct indirect *ind, const struct indirect_plan *plan, struct memory *mem,
                   uint64_t seed, uint32_t replication, struct error *error)
{
    struct layout layout = layout_of(plan);
    uint64_t base = memory_table_base(mem);
    uint64_t most_sg = SLAB_CLASS_LARGEST / plan->indirect->bytes_per_sg;

    memset(ind, 0, sizeof(*ind));
    ind->config = *plan->indirect;
    ind->memory = mem;
    sim_assert(plan->most_sg <= most_sg, 0, "requests of %" PRIu32 " entries", plan->most_sg);
    if (!slab_init(&ind->slab, plan->slab, &layout.slab, mem, base, seed, replication, error)) {
        return false;
    }
    if (!desc_cache_init(&ind->cache, plan->cache, &layout.shape, mem,
                         base + whole_pages(layout.slab_bytes), error)) {
        slab_fini(&ind->slab);
        return false;
    }
    if (!stash_init(&ind->stash, plan->slab->bulk) ||
        !background_init(&ind->background, &plan->slab->background, seed, replication)) {
        indirect_fini(ind);
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    ind->dma = plan->dma ? *plan->dma : (struct dma_config){.mode = DMA_NONE};
    if (plan->cache->node == DESC_CACHE_REMOTE && layout.array_bytes > 0) {
        memory_set_remote(mem, base + whole_pages(layout.slab_bytes));
    }
    ind->most_sg = plan->most_sg;
    ind->kmem_limit = layout.kmem_limit;
    if (layout.shape.off == DESC_CACHE_ON && !layout.shape.array) {
        ind->item_class = slab_class(layout.shape.item_bytes);
    }
    for (uint32_t n = 1; n <= plan->most_sg; n++) {
        ind->class_of[n] = (uint8_t)slab_class(n * plan->indirect->bytes_per_sg);
    }
    stream_init(&ind->failure, seed, replication, "alloc_failure");
    ind->fail_below = (uint64_t)ldexp(plan->indirect->alloc_failure, 53);
    if (layout.array_bytes > 0) {
        hold(ind, layout.shape.array_bytes, layout.shape.array_allocated_bytes);
    }
    return true;
}

void indirect_fini(struct indirect *ind)
{
    background_fini(&ind->background);
    stash_fini(&ind->stash);
    desc_cache_fini(&ind->cache);
    slab_fini(&ind->slab);
    memset(ind, 0, sizeof(*ind));
}

static uint64_t object_bytes(const struct indirect *ind, uint32_t index)
{
    return ind->slab.cache[index].object_bytes;
}

static bool allocation_fails(struct indirect *ind)
{
    return ind->fail_below > 0 && stream_bits(&ind->failure) >> 11 < ind->fail_below;
}

/* Which slab cache serves n entries that are not served by a free item, and as what. */
static uint32_t slab_index(const struct indirect *ind, uint32_t n, enum indirect_source *source,
                           uint64_t *asked)
{
    *asked = indirect_table_bytes(n, ind->config.bytes_per_sg);
    if (n <= ind->kmem_limit) {
        *source = INDIRECT_KMEM;
        *asked = object_bytes(ind, SLAB_DEDICATED);
        return SLAB_DEDICATED;
    }
    if (n <= ind->cache.shape.limit && !ind->cache.shape.array) {
        *source = INDIRECT_MISS;
        *asked = ind->cache.shape.item_bytes;
        return ind->item_class;
    }
    *source = INDIRECT_PLAIN;
    return ind->class_of[n];
}

/* From and to the allocator, through the stash when there is one. */
static sim_time alloc(struct indirect *ind, uint32_t index, uint64_t asked, sim_time now,
                      struct ledger *ledger, uint64_t *address)
{
    uint64_t bytes = object_bytes(ind, index);
    uint32_t moved;
    sim_time cost;

    if (ind->stash.batch == 0) {
        hold(ind, asked, bytes);
        return slab_alloc(&ind->slab, index, now, ledger, address);
    }
    cost = stash_get(&ind->stash, &ind->slab, index, now, ledger, address, &moved);
    hold(ind, asked, moved * bytes);
    return cost;
}

static sim_time give_back(struct indirect *ind, uint32_t index, uint64_t asked, sim_time now,
                          struct ledger *ledger, uint64_t address)
{
    uint64_t bytes = object_bytes(ind, index);
    uint32_t moved;
    sim_time cost;

    if (ind->stash.batch == 0) {
        release(ind, asked, bytes);
        return slab_free(&ind->slab, index, address, now, ledger);
    }
    cost = stash_put(&ind->stash, &ind->slab, index, address, now, ledger, &moved);
    release(ind, asked, moved * bytes);
    return cost;
}

/* The mapping of a table that was taken, and of one that goes back. */
static sim_time map_table(const struct indirect *ind, uint32_t n, bool mapped,
                          struct ledger *ledger)
{
    uint32_t bytes = n * INDIRECT_DESC_BYTES;

    if (ind->dma.mode == DMA_NONE) {
        return 0;
    }
    return ledger_charge(ledger, SYMBOL_ADD_OUTBUF,
                         mapped ? dma_sync_cost(&ind->dma, bytes)
                                : dma_map_cost(&ind->dma, 1, bytes));
}

/* The entries are read to unmap their buffers: they may lie with the guest's other CPU. */
static sim_time unmap_table(const struct indirect *ind, uint64_t address, uint32_t n, bool keeps,
                            struct ledger *ledger)
{
    sim_time lines;

    if (ind->dma.mode == DMA_NONE) {
        return 0;
    }
    lines = ledger_wait(ledger, LEDGER_TABLE_LINES, SYMBOL_DETACH,
                        memory_guest_read(ind->memory, address, n * INDIRECT_DESC_BYTES));
    return ledger_charge(ledger, SYMBOL_DETACH,
                         lines + (keeps ? 0 : dma_unmap_cost(&ind->dma, 1)));
}

sim_time indirect_get(struct indirect *ind, uint32_t n, uint32_t num_free, sim_time now,
                      struct ledger *ledger, uint64_t *address)
{
    enum indirect_source source;
    uint64_t asked;
    uint32_t index;
    sim_time cost;

    sim_assert(n >= 1 && n <= ind->most_sg, now, "a table of %" PRIu32 " entries", n);
    background_turn(&ind->background, &ind->slab, ind->class_of[n], now);
    if (n <= ind->cache.shape.limit) {
        cost = desc_cache_pop(&ind->cache, num_free, now, ledger, address);
        if (*address != MEMORY_NONE) {
            ind->count[INDIRECT_HIT]++;
            return cost + map_table(ind, n, ind->dma.keeps_mapping, ledger);
        }
    }
    if (allocation_fails(ind)) {
        *address = MEMORY_NONE;
        ind->count[INDIRECT_NONE]++;
        return 0;
    }
    index = slab_index(ind, n, &source, &asked);
    ind->count[source]++;
    if (source == INDIRECT_MISS) {
        desc_cache_adopt(&ind->cache);
    }
    cost = alloc(ind, index, asked, now, ledger, address);
    return cost + map_table(ind, n, false, ledger);
}

sim_time indirect_put(struct indirect *ind, uint64_t address, uint32_t n, sim_time now,
                      struct ledger *ledger)
{
    enum indirect_source source;
    uint64_t asked;
    uint32_t index;
    sim_time cost;

    sim_assert(address != MEMORY_NONE, now, "a request without a table gives one back");
    ind->puts++;
    if (n <= ind->cache.shape.limit && desc_cache_keeps(&ind->cache, address)) {
        cost = unmap_table(ind, address, n, ind->dma.keeps_mapping, ledger);
        return cost + desc_cache_push(&ind->cache, address, now + cost, ledger);
    }
    cost = unmap_table(ind, address, n, false, ledger);
    index = slab_index(ind, n, &source, &asked);
    if (source == INDIRECT_MISS) {
        desc_cache_abandon(&ind->cache);
    }
    return cost + give_back(ind, index, asked, now + cost, ledger, address);
}

static uint64_t tables_made(const struct indirect *ind)
{
    return ind->count[INDIRECT_HIT] + ind->count[INDIRECT_MISS] + ind->count[INDIRECT_PLAIN] +
           ind->count[INDIRECT_KMEM];
}

uint64_t indirect_live(const struct indirect *ind)
{
    return tables_made(ind) - ind->puts;
}

double indirect_hit_percent(const struct indirect *ind)
{
    uint64_t all = tables_made(ind) + ind->count[INDIRECT_NONE];

    return all == 0 ? NAN : 100.0 * (double)ind->count[INDIRECT_HIT] / (double)all;
}

void indirect_check(const struct indirect *ind, sim_time now)
{
    const struct desc_cache *cache = &ind->cache;
    uint64_t allocated = cache->shape.off == DESC_CACHE_ON ? cache->shape.array_allocated_bytes : 0;
    uint64_t live = 0;

    slab_check(&ind->slab, now);
    desc_cache_check(cache, now);
    for (uint32_t index = 0; index < SLAB_CACHES; index++) {
        uint64_t own = ind->slab.cache[index].live - background_live(&ind->background, index);

        allocated += own * object_bytes(ind, index);
        live += own - ind->stash.count[index];
    }
    live += cache->shape.array ? cache->in_use : 0;
    live -= cache->shape.array ? 0 : cache->free_count;
    sim_assert(live == indirect_live(ind), now,
               "%" PRIu64 " tables in use, %" PRIu64 " not given back", live, indirect_live(ind));
    sim_assert(ind->held.allocated == allocated, now,
               "%" PRIu64 " bytes held, %" PRIu64 " by the formulas", ind->held.allocated,
               allocated);
    sim_assert(ind->held.asked <= ind->held.allocated, now,
               "%" PRIu64 " bytes asked for, %" PRIu64 " allocated", ind->held.asked,
               ind->held.allocated);
}
