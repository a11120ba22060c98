/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The slabs of a cache, shared by slab*.c and sheaf.c only: the node's list of slabs with free
 * objects, new slabs, slabs given back. The link of an object is the index of the next free one in
 * its slab, or one of the three marks below; a new slab's links are written when it is cut, so a
 * slab that was never used has none.
 */
#ifndef MODELS_SLAB_PAGE_H
#define MODELS_SLAB_PAGE_H

#include "models/slab.h"

#define SLAB_LINK_END     0xffffu /* last of its list */
#define SLAB_LINK_USED    0xfffeu /* the object is in use */
#define SLAB_LINK_SHEAF   0xfffdu /* the object lies in a sheaf */
#define SLAB_OBJECTS_MOST 512u    /* 4 KiB of 8-byte objects */

/* To the end of the node's list, and out of its middle. */
void slab_page_append(struct slab_cache *cache, uint32_t id);
void slab_page_remove(struct slab_cache *cache, uint32_t id);

/* A new slab, all objects free on its own list; it is on no list yet. Returns the cost, to be
 * charged to ___slab_alloc; what of it waits for lines is in the ledger. */
sim_time slab_page_new(struct slab *slab, struct slab_cache *cache, sim_time now,
                       struct ledger *ledger, uint32_t *id);

/* Gives an empty slab's pages back; it is on no list. */
void slab_page_discard(struct slab *slab, struct slab_cache *cache, uint32_t id);

/* Where object `object`, counted through all slabs, lies; and which one lies at an address. */
static inline uint64_t slab_page_address(const struct slab_cache *cache, uint32_t object)
{
    return cache->base + ((uint64_t)(object / cache->objects) << cache->slab_shift) +
           (uint64_t)(object % cache->objects) * cache->object_bytes;
}

static inline uint32_t slab_page_object(const struct slab_cache *cache, uint64_t address)
{
    uint64_t offset = address - cache->base;
    uint32_t id = (uint32_t)(offset >> cache->slab_shift);

    return id * cache->objects +
           (uint32_t)(offset & ((1u << cache->slab_shift) - 1)) / cache->object_bytes;
}

#endif
