/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A slab allocator with its own memory, and what it charged; for one test program each. */
#ifndef TESTS_MODELS_ALLOCATOR_FIXTURE_H
#define TESTS_MODELS_ALLOCATOR_FIXTURE_H

#include "tests/models/tables_fixture.h"

#define LIVE_MOST 2048u

struct allocator {
    struct memory memory;
    struct slab slab;
    struct ledger ledger;
    sim_time paid;
};

static UNUSED void allocator_init(struct allocator *a, const struct slab_config *config,
                                  uint32_t least, uint32_t most)
{
    struct slab_plan plan = {.least_bytes = least, .most_bytes = most, .live_most = LIVE_MOST};
    struct error error = {0};

    memset(a, 0, sizeof(*a));
    ck_assert(
        memory_init(&a->memory, &default_memory, 64, slab_address_bytes(config, &plan), &error));
    ck_assert(slab_init(&a->slab, config, &plan, &a->memory, memory_table_base(&a->memory), 1, 0,
                        &error));
}

static UNUSED void allocator_fini(struct allocator *a)
{
    slab_check(&a->slab, 0);
    memory_check(&a->memory, 0);
    ck_assert_int_eq(ledger_sum(&a->ledger), a->paid);
    slab_fini(&a->slab);
    memory_fini(&a->memory);
}

static UNUSED uint64_t allocator_take(struct allocator *a, uint32_t index)
{
    uint64_t address;

    a->paid += slab_alloc(&a->slab, index, 0, &a->ledger, &address);
    return address;
}

static UNUSED void allocator_give(struct allocator *a, uint32_t index, uint64_t address)
{
    a->paid += slab_free(&a->slab, index, address, 0, &a->ledger);
}

#endif
