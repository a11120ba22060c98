/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/dma.h"

#include "tests/models/tables_fixture.h"
#include "tests/suite.h"

static const struct dma_config costs = {
    .map = 60000, .unmap = 50000, .slot = 40000, .free_slot = 30000, .line = 6000};

static struct stand stand;
static struct dma_config dma;

static void begin(int mode, bool keeps, uint32_t thr, int variant)
{
    struct indirect_plan plan;
    struct error error = {0};

    dma = costs;
    dma.mode = mode;
    dma.keeps_mapping = keeps;
    stand = stand_of(64, variant, thr);
    plan = (struct indirect_plan){.slab = &stand.slab,
                                  .cache = &stand.cache,
                                  .indirect = &stand.config,
                                  .dma = &dma,
                                  .ring_size = 64,
                                  .max_skb_frags = 17,
                                  .most_sg = 19,
                                  .uses_indirect = true};
    ck_assert(
        memory_init(&stand.memory, &default_memory, 64, indirect_address_bytes(&plan), &error));
    ck_assert(indirect_init(&stand.indirect, &plan, &stand.memory, 1, 0, &error));
}

/* Mapping cost of one table taken, and of it given back. */
static void expect(uint32_t n, sim_time mapped, sim_time unmapped)
{
    sim_time before = stand.ledger.time[SYMBOL_ADD_OUTBUF];
    uint64_t address;

    indirect_get(&stand.indirect, n, 64, 0, &stand.ledger, &address);
    ck_assert_int_eq(stand.ledger.time[SYMBOL_ADD_OUTBUF] - before, mapped);
    before = stand.ledger.time[SYMBOL_DETACH];
    indirect_put(&stand.indirect, address, n, 0, &stand.ledger);
    ck_assert_int_eq(stand.ledger.time[SYMBOL_DETACH] - before, unmapped);
}

START_TEST(dma_none_costs_nothing)
{
    ck_assert_int_eq(dma_map_cost(&costs, 18, 65536), 0);
    ck_assert_int_eq(dma_unmap_cost(&costs, 18), 0);
    ck_assert_int_eq(dma_sync_cost(&costs, 4096), 0);
}
END_TEST

START_TEST(dma_maps_each_buffer_and_bounces_each_line)
{
    dma = costs;
    dma.mode = DMA_MAP;
    ck_assert_int_eq(dma_map_cost(&dma, 3, 65536), 180000);
    ck_assert_int_eq(dma_unmap_cost(&dma, 3), 150000);
    dma.mode = DMA_BOUNCE;
    ck_assert_int_eq(dma_map_cost(&dma, 3, 1500), 3 * 40000 + 24 * 6000);
    ck_assert_int_eq(dma_unmap_cost(&dma, 3), 90000);
}
END_TEST

START_TEST(dma_table_is_mapped_and_unmapped_each_time)
{
    begin(DMA_MAP, false, 4, DESC_CACHE_V2);
    expect(2, 60000, 50000);
    expect(2, 60000, 50000);
    expect(9, 60000, 50000);
    stand_fini(&stand);
}
END_TEST

START_TEST(dma_kept_mapping_saves_it_on_every_hit)
{
    begin(DMA_MAP, true, 4, DESC_CACHE_V2);
    expect(2, 60000, 0);
    expect(2, 0, 0);
    expect(9, 60000, 50000);
    stand_fini(&stand);
    begin(DMA_MAP, true, 4, DESC_CACHE_V4);
    expect(2, 0, 0);
    stand_fini(&stand);
}
END_TEST

START_TEST(dma_kept_bounce_buffer_still_needs_the_copy)
{
    begin(DMA_BOUNCE, true, 19, DESC_CACHE_V4);
    expect(4, 6000, 0);
    expect(18, 5 * 6000, 0);
    stand_fini(&stand);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        dma_none_costs_nothing,
        dma_maps_each_buffer_and_bounces_each_line,
        dma_table_is_mapped_and_unmapped_each_time,
        dma_kept_mapping_saves_it_on_every_hit,
        dma_kept_bounce_buffer_still_needs_the_copy,
        NULL,
    };

    return suite_run("dma", cases);
}
