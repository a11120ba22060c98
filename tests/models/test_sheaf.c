/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/models/allocator_fixture.h"
#include "tests/suite.h"

static struct allocator a;

static struct slab_config with_sheaves(void)
{
    struct slab_config config = default_slab;

    config.model = SLAB_SHEAVES;
    config.costs.sheaf = (struct sheaf_costs){.fast = 12000, .barn = 50000, .object = 20000};
    return config;
}

static void begin(uint32_t bytes)
{
    struct slab_config config = with_sheaves();

    allocator_init(&a, &config, bytes, bytes);
}

static struct sheaf_set *sheaves(uint32_t bytes)
{
    return &a.slab.cache[slab_class(bytes)].sheaves;
}

/* `count` objects taken, all given back in the same order. */
static void burst(uint32_t bytes, uint32_t count)
{
    uint64_t object[LIVE_MOST];

    for (uint32_t i = 0; i < count; i++) {
        object[i] = allocator_take(&a, slab_class(bytes));
    }
    for (uint32_t i = 0; i < count; i++) {
        allocator_give(&a, slab_class(bytes), object[i]);
        sheaf_check(sheaves(bytes), 0);
    }
}

START_TEST(sheaf_capacity_fills_a_size_class)
{
    const uint32_t expected[][2] = {{32, 60},   {64, 60},  {96, 60},  {128, 60},
                                    {192, 60},  {256, 28}, {512, 28}, {1024, 12},
                                    {2048, 12}, {4096, 4}, {8192, 4}};

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        ck_assert_uint_eq(sheaf_capacity(expected[i][0]), expected[i][1]);
    }
}
END_TEST

START_TEST(sheaf_fast_path_costs_what_the_table_says)
{
    uint64_t object;
    sim_time before;

    begin(64);
    allocator_take(&a, slab_class(64));
    before = a.paid;
    object = allocator_take(&a, slab_class(64));
    ck_assert_int_eq(a.paid - before, 1500 + 12000);
    before = a.paid;
    allocator_give(&a, slab_class(64), object);
    ck_assert_int_eq(a.paid - before, 12000);
    ck_assert_uint_eq(allocator_take(&a, slab_class(64)), object);
    allocator_fini(&a);
}
END_TEST

START_TEST(sheaf_refill_takes_a_whole_sheaf_from_the_slabs)
{
    begin(64);
    allocator_take(&a, slab_class(64));
    ck_assert_uint_eq(sheaves(64)->cpu[0].main.count, 59);
    ck_assert_uint_eq(sheaves(64)->refills, 1);
    ck_assert_uint_eq(a.slab.cache[slab_class(64)].node_slabs, 1);
    /* Exchange tried, the node's lock, one new slab, 60 objects, the pop. */
    ck_assert_int_eq(a.paid, (50 + 20 + 400 + 60 * 20) * SIM_NS + 1500 + 12000);
    allocator_fini(&a);
}
END_TEST

START_TEST(sheaf_swing_within_two_sheaves_needs_no_lock)
{
    begin(512);
    burst(512, 2 * 28);
    uint64_t takes = sheaves(512)->barn_takes, puts = sheaves(512)->barn_puts;
    uint64_t refills = sheaves(512)->refills;

    for (int round = 0; round < 20; round++) {
        burst(512, 28 + 1);
    }
    ck_assert_uint_eq(sheaves(512)->barn_takes, takes);
    ck_assert_uint_eq(sheaves(512)->barn_puts, puts);
    ck_assert_uint_eq(sheaves(512)->refills, refills);
    allocator_fini(&a);
}
END_TEST

START_TEST(sheaf_burst_that_fits_the_barn_never_reaches_the_slabs_again)
{
    begin(512);
    burst(512, 238);
    uint64_t refills = sheaves(512)->refills;

    for (int round = 0; round < 20; round++) {
        burst(512, 238);
    }
    ck_assert_uint_eq(sheaves(512)->refills, refills);
    ck_assert_uint_eq(sheaves(512)->flushes, 0);
    ck_assert_uint_gt(sheaves(512)->barn_takes, 0);
    allocator_fini(&a);
}
END_TEST

START_TEST(sheaf_burst_beyond_the_barn_is_flushed_and_refilled_by_the_dozen)
{
    uint64_t refills, flushes;

    begin(1024);
    burst(1024, 238);
    burst(1024, 238);
    refills = sheaves(1024)->refills;
    flushes = sheaves(1024)->flushes;
    burst(1024, 238);
    /* 238 less the 144 of twelve sheaves are 94: eight dozens, one more or less. */
    ck_assert_uint_ge(sheaves(1024)->flushes - flushes, 7);
    ck_assert_uint_le(sheaves(1024)->flushes - flushes, 9);
    ck_assert_uint_eq(sheaves(1024)->refills - refills, sheaves(1024)->flushes - flushes);
    ck_assert_uint_le(sheaves(1024)->full_count, SHEAF_BARN_FULL);
    allocator_fini(&a);
}
END_TEST

START_TEST(sheaf_free_does_not_write_the_object)
{
    uint64_t object;

    begin(64);
    object = allocator_take(&a, slab_class(64));
    memory_guest_write(&a.memory, 0, object, 64, MEMORY_ALLOC);
    memory_host_read(&a.memory, 0, object, 32);
    allocator_give(&a, slab_class(64), object);
    ck_assert_uint_eq(memory_upgrades(&a.memory, MEMORY_TABLES), 0);
    ck_assert_uint_eq(memory_lines_in(&a.memory, MEMORY_TABLES, MEMORY_SHARED), 1);
    allocator_fini(&a);
}
END_TEST

START_TEST(sheaf_flush_gives_empty_slabs_back)
{
    begin(1024);
    burst(1024, 1200);
    /* The node keeps min_partial empty slabs; 144 objects of 16 a slab are in sheaves. */
    ck_assert_uint_gt(a.slab.discards, 0);
    ck_assert_uint_le(a.slab.cache[slab_class(1024)].held, 5 + 144);
    allocator_fini(&a);
}
END_TEST

START_TEST(sheaf_keeps_every_object_in_one_place_under_random_operations)
{
    static uint64_t live[LIVE_MOST];

    for (uint32_t seed = 0; seed < 6; seed++) {
        uint32_t bytes = seed % 3 == 0 ? 64 : seed % 3 == 1 ? 512 : 1024, count = 0, target = 0;
        struct slab_config config = with_sheaves();
        struct stream stream;

        config.freelist = seed & 1 ? SLAB_RANDOM : SLAB_SEQUENTIAL;
        config.init_on_alloc = seed & 1;
        config.min_partial = seed == 3 ? 0 : 5;
        stream_init(&stream, seed, 0, "test");
        allocator_init(&a, &config, bytes, bytes);
        for (int step = 0; step < 6000; step++) {
            if (step % 400 == 0) {
                target = (uint32_t)stream_below(&stream, 900);
            }
            if (count < target) {
                live[count++] = allocator_take(&a, slab_class(bytes));
            } else if (count > 0) {
                uint32_t i = (uint32_t)stream_below(&stream, count);

                allocator_give(&a, slab_class(bytes), live[i]);
                live[i] = live[--count];
            }
            sheaf_check(sheaves(bytes), step);
            if (step % 16 == 0) {
                slab_check(&a.slab, step);
            }
        }
        ck_assert_uint_eq(a.slab.cache[slab_class(bytes)].live, count);
        allocator_fini(&a);
    }
}
END_TEST

START_TEST(sheaf_free_twice_is_a_broken_invariant)
{
    uint64_t object;

    begin(64);
    object = allocator_take(&a, slab_class(64));
    allocator_give(&a, slab_class(64), object);
    allocator_give(&a, slab_class(64), object);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = sheaf_capacity_fills_a_size_class},
        {.test = sheaf_fast_path_costs_what_the_table_says},
        {.test = sheaf_refill_takes_a_whole_sheaf_from_the_slabs},
        {.test = sheaf_swing_within_two_sheaves_needs_no_lock},
        {.test = sheaf_burst_that_fits_the_barn_never_reaches_the_slabs_again},
        {.test = sheaf_burst_beyond_the_barn_is_flushed_and_refilled_by_the_dozen},
        {.test = sheaf_free_does_not_write_the_object},
        {.test = sheaf_flush_gives_empty_slabs_back},
        {.test = sheaf_keeps_every_object_in_one_place_under_random_operations},
        {.test = sheaf_free_twice_is_a_broken_invariant, .signal = SIGABRT},
        {0},
    };

    return suite_run_cases("sheaf", NULL, NULL, cases);
}
