/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   What making memory visible to the device costs the guest: nothing (the device sees all of
 *        it), a mapping in an IOMMU, or a copy through bounce buffers (encrypted guests). Each data
 *        buffer of an skb is mapped when it is added and unmapped when it is reclaimed, and so is
 *        each indirect table, unless a cached table keeps its mapping.
 * PLACE  Buffers: models/guest_add.c and guest_reclaim.c. Tables: models/indirect.c.
 * LEAVES OUT  The IOTLB, its invalidation in batches, the device's translation misses; bounce
 *        buffers as cache lines of their own (the table's lines move as without); exhaustion of the
 *        pool. AF_XDP frames are mapped when their pool is set up: a table costs, and the
 *        copy of a frame that bounces.
 * SOURCE docs/datapath.md, section "DMA mapping": orders of magnitude, guesses all.
 */
#ifndef MODELS_DMA_H
#define MODELS_DMA_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/param.h"

enum dma_mode { DMA_NONE, DMA_MAP, DMA_BOUNCE };

struct dma_config {
    int mode;                 /* enum dma_mode */
    bool keeps_mapping;       /* a free item of the descriptor cache stays mapped */
    sim_time map, unmap;      /* a mapping made and undone */
    sim_time slot, free_slot; /* a bounce buffer found and given back */
    sim_time line;            /* 64 bytes copied into one */
};

extern const struct param_table dma_params;

/* What `count` buffers of `bytes` in all cost at the add, and at the reclaim. */
sim_time dma_map_cost(const struct dma_config *config, uint32_t count, uint32_t bytes);
sim_time dma_unmap_cost(const struct dma_config *config, uint32_t count);

/* What a table that is mapped already costs at the add: the copy, when it bounces. */
sim_time dma_sync_cost(const struct dma_config *config, uint32_t bytes);

#endif
