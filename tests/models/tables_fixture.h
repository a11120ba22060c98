/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of memory, slab, desc_cache and indirect share: the default configurations, one
 * stand with all parts on it, and a reader of vector files. Static, for one test program each.
 */
#ifndef TESTS_MODELS_TABLES_FIXTURE_H
#define TESTS_MODELS_TABLES_FIXTURE_H

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/indirect.h"

#define UNUSED __attribute__((unused))

static const struct memory_config default_memory UNUSED = {.write_alloc = 57 * SIM_NS,
                                                           .write_free = 5 * SIM_NS,
                                                           .write_ring = 12 * SIM_NS,
                                                           .read_used = 60 * SIM_NS,
                                                           .host_read = 0};

static const struct slab_config default_slab UNUSED = {.min_partial = 5,
                                                       .order_512 = 1,
                                                       .order_1024 = 2,
                                                       .order_2048 = 3,
                                                       .costs = {.kmalloc = 19300,
                                                                 .kmalloc_slab = 1500,
                                                                 .kfree = 12200,
                                                                 .kmem_alloc = 14600,
                                                                 .kmem_free = 10500,
                                                                 .slow_free = 38 * SIM_NS,
                                                                 .drain = 60 * SIM_NS,
                                                                 .discard = 150 * SIM_NS,
                                                                 .slow_alloc = 40 * SIM_NS,
                                                                 .node_list = 20 * SIM_NS,
                                                                 .new_page = 400 * SIM_NS,
                                                                 .zero_line = 1 * SIM_NS,
                                                                 .hardened = 1 * SIM_NS}};

static const struct desc_cache_config default_cache UNUSED = {
    .thr = 4, .variant = DESC_CACHE_V2, .most_contiguous = 4u << 20, .pop_push = 1500};

static const struct indirect_config default_indirect UNUSED = {.bytes_per_sg = 16};

static const struct desc_cache_queue default_queue UNUSED = {
    .ring_size = 256, .max_skb_frags = 17, .bytes_per_sg = 16, .indirect = true};

/* A ring's worth of tables: all parts under models/indirect.h. */
struct stand {
    struct slab_config slab;
    struct desc_cache_config cache;
    struct indirect_config config;
    uint32_t ring_size;
    uint64_t seed;
    struct memory memory;
    struct indirect indirect;
    struct ledger ledger;
};

static UNUSED struct stand stand_of(uint32_t ring_size, int variant, uint32_t thr)
{
    struct stand stand = {.slab = default_slab,
                          .cache = default_cache,
                          .config = default_indirect,
                          .ring_size = ring_size,
                          .seed = 1};

    stand.cache.variant = variant;
    stand.cache.thr = thr;
    return stand;
}

static UNUSED void stand_init(struct stand *stand)
{
    struct indirect_plan plan = {.slab = &stand->slab,
                                 .cache = &stand->cache,
                                 .indirect = &stand->config,
                                 .ring_size = stand->ring_size,
                                 .max_skb_frags = 17,
                                 .most_sg = 19,
                                 .uses_indirect = true};
    struct error error = {0};

    ck_assert(
        memory_init(&stand->memory, &default_memory, 4096, indirect_address_bytes(&plan), &error));
    ck_assert(indirect_init(&stand->indirect, &plan, &stand->memory, stand->seed, 0, &error));
    stand->ledger = (struct ledger){0};
}

static UNUSED void stand_fini(struct stand *stand)
{
    indirect_fini(&stand->indirect);
    memory_fini(&stand->memory);
}

/* Opens a vector file and skips its comments and its head line; NULL ends the test. */
static UNUSED FILE *vectors_open(const char *name)
{
    char path[1024], line[512];
    FILE *file;

    snprintf(path, sizeof(path), "%s/models/vectors/%s", TESTS_DIR, name);
    file = fopen(path, "r");
    ck_assert_msg(file != NULL, "%s", path);
    do {
        ck_assert_ptr_nonnull(fgets(line, sizeof(line), file));
    } while (line[0] == '#');
    return file;
}

/* The next row's first `count` whole numbers (further columns are left out). */
static UNUSED bool vectors_row(FILE *file, uint64_t *value, int count)
{
    char line[512], *next = line;

    if (!fgets(line, sizeof(line), file)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        char *end;

        value[i] = strtoull(next, &end, 10);
        ck_assert_msg(end != next, "%s", line);
        next = end + (*end == ',');
    }
    return true;
}

#endif
