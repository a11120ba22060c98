/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/dma.h"

#define LINE_BYTES 64u

static const struct param_choice modes[] = {
    {.name = "none", .help = "the device sees all of the guest's memory"},
    {.name = "map", .help = "an IOMMU: each buffer and each table is mapped and unmapped"},
    {.name = "bounce", .help = "copies through a pool of bounce buffers"},
    {.name = NULL},
};

#define AT(member)   .offset = offsetof(struct dma_config, member)
#define COST(member) .kind = PARAM_COST, AT(member), .most = 1e12
#define MAPPED       .when_path = "guest.dma", .when_value = "map|bounce"

static const struct param rows[] = {
    {.path = "guest.dma",
     .kind = PARAM_CHOICE,
     AT(mode),
     .choices = modes,
     .fallback = "none",
     .help = "how buffers and tables are made visible to the device"},
    {.path = "guest.desc_cache.keeps_mapping",
     .kind = PARAM_BOOL,
     AT(keeps_mapping),
     .fallback = "false",
     MAPPED,
     .help = "a table stays mapped while the descriptor cache has it"},
    {.path = "costs.dma.map",
     .when_path = "guest.dma",
     .when_value = "map",
     COST(map),
     .fallback = "60ns",
     .help = "one mapping made",
     .certificate = {"20ns", "300ns", PARAM_GUESS,
                     "address from a per-CPU cache and a page-table entry; more with a lock"}},
    {.path = "costs.dma.unmap",
     .when_path = "guest.dma",
     .when_value = "map",
     COST(unmap),
     .fallback = "60ns",
     .help = "one mapping undone, invalidation left to a batch",
     .certificate = {"20ns", "1500ns", PARAM_GUESS,
                     "the upper end with an invalidation for each, as strict mode does"}},
    {.path = "costs.dma.slot",
     .when_path = "guest.dma",
     .when_value = "bounce",
     COST(slot),
     .fallback = "60ns",
     .help = "a bounce buffer found in the pool",
     .certificate = {"30ns", "300ns", PARAM_GUESS, "a lock and a search of the pool's area"}},
    {.path = "costs.dma.free_slot",
     .when_path = "guest.dma",
     .when_value = "bounce",
     COST(free_slot),
     .fallback = "40ns",
     .help = "a bounce buffer given back",
     .certificate = {"20ns", "200ns", PARAM_GUESS, "the same lock"}},
    {.path = "costs.dma.line",
     .when_path = "guest.dma",
     .when_value = "bounce",
     COST(line),
     .fallback = "6ns",
     .help = "64 bytes copied into a bounce buffer",
     .certificate = {"3.8ns", "7.4ns", PARAM_GUESS,
                     "0.06 to 0.115 ns a byte, the slope of the copies in docs/evidence.md"}},
};

const struct param_table dma_params = PARAM_TABLE("DMA mapping", struct dma_config, rows, NULL);

sim_time dma_sync_cost(const struct dma_config *config, uint32_t bytes)
{
    return config->mode == DMA_BOUNCE ? config->line * ((bytes + LINE_BYTES - 1) / LINE_BYTES) : 0;
}

sim_time dma_map_cost(const struct dma_config *config, uint32_t count, uint32_t bytes)
{
    switch (config->mode) {
    case DMA_MAP:
        return count * config->map;
    case DMA_BOUNCE:
        return count * config->slot + dma_sync_cost(config, bytes);
    default:
        return 0;
    }
}

sim_time dma_unmap_cost(const struct dma_config *config, uint32_t count)
{
    switch (config->mode) {
    case DMA_MAP:
        return count * config->unmap;
    case DMA_BOUNCE:
        return count * config->free_slot;
    default:
        return 0;
    }
}
