/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/models/tables_fixture.h"
#include "tests/suite.h"

#define LIVE_MOST 600u

/* A slab allocator with its own memory, and what it charged. */
struct bench {
    struct memory memory;
    struct slab slab;
    struct ledger ledger;
    sim_time paid;
};

static struct bench bench;

static void bench_init(const struct slab_config *config, uint32_t least, uint32_t most,
                       uint32_t dedicated)
{
    struct slab_plan plan = {.least_bytes = least,
                             .most_bytes = most,
                             .dedicated_bytes = dedicated,
                             .live_most = LIVE_MOST};
    struct error error = {0};

    memset(&bench, 0, sizeof(bench));
    ck_assert(
        memory_init(&bench.memory, &default_memory, 64, slab_address_bytes(config, &plan), &error));
    ck_assert(slab_init(&bench.slab, config, &plan, &bench.memory, memory_table_base(&bench.memory),
                        1, 0, &error));
}

static void bench_fini(void)
{
    slab_check(&bench.slab, 0);
    memory_check(&bench.memory, 0);
    ck_assert_int_eq(ledger_sum(&bench.ledger), bench.paid);
    slab_fini(&bench.slab);
    memory_fini(&bench.memory);
}

static uint64_t take(uint32_t index)
{
    uint64_t address;

    bench.paid += slab_alloc(&bench.slab, index, 0, &bench.ledger, &address);
    return address;
}

static void give(uint32_t index, uint64_t address)
{
    bench.paid += slab_free(&bench.slab, index, address, 0, &bench.ledger);
}

START_TEST(slab_bucket_of_every_size_agrees_with_the_vectors)
{
    FILE *file = vectors_open("kmalloc_buckets.csv");
    uint64_t row[2];
    int rows = 0;

    while (vectors_row(file, row, 2)) {
        ck_assert_msg(slab_bucket_bytes(row[0]) == row[1], "%llu bytes: %llu, not %llu",
                      (unsigned long long)row[0], (unsigned long long)slab_bucket_bytes(row[0]),
                      (unsigned long long)row[1]);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 1069);
}
END_TEST

START_TEST(slab_geometry_agrees_with_a_real_guest)
{
    FILE *file = vectors_open("slab_geometry.csv");
    uint64_t row[5];
    int rows = 0;

    bench_init(&default_slab, 8, 8192, 0);
    while (vectors_row(file, row, 5)) {
        uint32_t index = slab_class((uint32_t)row[0]);
        const struct slab_cache *cache = &bench.slab.cache[index];

        ck_assert_uint_eq(cache->object_bytes, row[0]);
        ck_assert_uint_eq(cache->order, row[1]);
        ck_assert_uint_eq(cache->objects, row[2]);
        ck_assert_uint_eq(slab_partial_objects(cache->object_bytes), row[3]);
        ck_assert_uint_eq(bench.slab.config.min_partial, row[4]);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 7);
    bench_fini();
}
END_TEST

START_TEST(slab_sequential_list_hands_out_objects_by_address)
{
    bench_init(&default_slab, 64, 64, 0);
    uint64_t first = take(3);

    ck_assert_uint_eq(first, memory_table_base(&bench.memory));
    for (uint64_t i = 1; i < 64; i++) {
        ck_assert_uint_eq(take(3), first + i * 64);
    }
    ck_assert_uint_eq(take(3), first + 4096);
    ck_assert_uint_eq(bench.slab.allocs[SLAB_SLOW_NEW_PAGE], 2);
    bench_fini();
}
END_TEST

START_TEST(slab_random_list_is_a_permutation_of_the_same_objects)
{
    struct slab_config config = default_slab;
    bool seen[128] = {false};
    int in_place = 0;

    config.freelist = SLAB_RANDOM;
    bench_init(&config, 32, 32, 0);
    for (int i = 0; i < 128; i++) {
        uint64_t place = (take(2) - memory_table_base(&bench.memory)) / 32;

        ck_assert_uint_lt(place, 128);
        ck_assert(!seen[place]);
        seen[place] = true;
        in_place += (int)place == i;
    }
    /* The number of fixed points of a random permutation has mean 1 and variance 1. */
    ck_assert_int_le(in_place, 6);
    bench_fini();
}
END_TEST

START_TEST(slab_last_freed_object_is_the_next_one)
{
    uint64_t a, b;

    bench_init(&default_slab, 64, 64, 0);
    a = take(3);
    b = take(3);
    give(3, a);
    give(3, b);
    ck_assert_uint_eq(take(3), b);
    ck_assert_uint_eq(take(3), a);
    bench_fini();
}
END_TEST

START_TEST(slab_fast_paths_cost_what_the_table_says)
{
    uint64_t a;

    bench_init(&default_slab, 32, 32, 64);
    give(2, take(2));
    ck_assert_int_eq(bench.ledger.time[SYMBOL_SLAB_ALLOC], (40 + 400) * SIM_NS);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KMALLOC], 20800);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KFREE], 12200);
    a = take(SLAB_DEDICATED);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KMALLOC], 20800);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KMEM_ALLOC], 14600);
    memory_guest_write(&bench.memory, 0, a, 64, MEMORY_ALLOC);
    memory_host_read(&bench.memory, 0, a, 64);
    give(SLAB_DEDICATED, a);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KFREE], 12200);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KMEM_FREE], 10500 + 5 * SIM_NS);
    bench_fini();
}
END_TEST

START_TEST(slab_hardening_and_zeroing_are_charged_by_operation_and_by_line)
{
    struct slab_config config = default_slab;

    config.hardened = true;
    config.init_on_alloc = true;
    bench_init(&config, 512, 512, 0);
    give(8, take(8));
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KMALLOC], 20800 + (1 + 8) * SIM_NS);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_KFREE], 12200 + SIM_NS);
    ck_assert_uint_ge(memory_lines_in(&bench.memory, MEMORY_TABLES, MEMORY_GUEST), 8);
    bench_fini();
}
END_TEST

/* First in, first out with at most `depth` in use: adds in bursts of 64, then completes down to
 * depth - 64. Returns the share of slow frees after a start-up of 20 bursts. */
static double slow_share(uint32_t index, uint32_t depth)
{
    uint64_t queue[LIVE_MOST], slow = 0, all = 0;
    uint32_t head = 0, tail = 0;

    for (int burst = 0; burst < 2000; burst++) {
        while (tail - head < depth) {
            queue[tail++ % LIVE_MOST] = take(index);
        }
        if (burst == 20) {
            slow = slab_slow_frees(&bench.slab);
            all = slow + slab_fast_frees(&bench.slab);
        }
        for (int i = 0; i < 64 && head < tail; i++) {
            give(index, queue[head++ % LIVE_MOST]);
        }
    }
    slow = slab_slow_frees(&bench.slab) - slow;
    all = slab_slow_frees(&bench.slab) + slab_fast_frees(&bench.slab) - all;
    while (head < tail) {
        give(index, queue[head++ % LIVE_MOST]);
    }
    return (double)slow / (double)all;
}

START_TEST(slab_frees_are_all_fast_while_one_slab_holds_all_objects)
{
    const struct {
        uint32_t index, objects;
    } cases[] = {{2, 128}, {3, 64}};

    for (int i = 0; i < 2; i++) {
        for (uint32_t depth = 1; depth <= cases[i].objects; depth += 21) {
            bench_init(&default_slab, 32, 64, 0);
            ck_assert(slow_share(cases[i].index, depth) == 0.0);
            bench_fini();
        }
    }
}
END_TEST

START_TEST(slab_frees_are_mostly_slow_beyond_one_slab)
{
    for (uint32_t depth = 65; depth <= 300; depth += 3) {
        double share;

        bench_init(&default_slab, 64, 64, 0);
        share = slow_share(3, depth);
        ck_assert_msg(share > 0.5, "depth %u: %g", depth, share);
        bench_fini();
    }
}
END_TEST

START_TEST(slab_gives_empty_slabs_back)
{
    uint64_t object[LIVE_MOST];

    bench_init(&default_slab, 512, 512, 0);
    for (int round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < LIVE_MOST; i++) {
            object[i] = take(8);
        }
        ck_assert_uint_ge(bench.slab.cache[8].held, (LIVE_MOST + 15) / 16);
        for (uint32_t i = 0; i < LIVE_MOST; i++) {
            give(8, object[i]);
        }
        /* What stays: the CPU slab, the CPU's partial list and the node's min_partial. */
        ck_assert_uint_le(bench.slab.cache[8].held,
                          1 + bench.slab.cache[8].partial_limit + bench.slab.config.min_partial);
    }
    ck_assert_uint_gt(bench.slab.discards, 0);
    ck_assert_uint_gt(bench.slab.drains, 0);
    bench_fini();
}
END_TEST

START_TEST(slab_free_twice_is_a_broken_invariant)
{
    uint64_t a;

    bench_init(&default_slab, 64, 64, 0);
    a = take(3);
    give(3, a);
    give(3, a);
}
END_TEST

/* Random allocations and frees over all classes with a shadow list; every invariant after every
 * step. */
static void random_operations(const struct slab_config *config, uint64_t seed)
{
    struct {
        uint64_t address;
        uint32_t index;
    } live[LIVE_MOST];
    uint32_t count = 0, target = 0;
    struct stream stream;

    stream_init(&stream, seed, 0, "test");
    bench_init(config, 32, 2048, 304);
    for (int step = 0; step < 6000; step++) {
        if (step % 500 == 0) {
            target = (uint32_t)stream_below(&stream, 120);
        }
        if (count < 1 + stream_below(&stream, 2 * target + 1)) {
            uint32_t index = 2 + (uint32_t)stream_below(&stream, 10);

            index = index == 11 ? SLAB_DEDICATED : index;
            live[count].index = index;
            live[count].address = take(index);
            for (uint32_t i = 0; i < count; i++) {
                ck_assert(live[i].address != live[count].address);
            }
            count++;
        } else {
            uint32_t i = (uint32_t)stream_below(&stream, count);

            give(live[i].index, live[i].address);
            live[i] = live[--count];
        }
        slab_check(&bench.slab, step);
    }
    bench_fini();
}

START_TEST(slab_keeps_every_object_in_one_place_under_random_operations)
{
    for (int kind = 0; kind < 4; kind++) {
        struct slab_config config = default_slab;

        config.freelist = kind & 1 ? SLAB_RANDOM : SLAB_SEQUENTIAL;
        config.partial_count = kind & 2 ? SLAB_PARTIAL_OBJECTS : SLAB_PARTIAL_SLABS;
        config.min_partial = kind == 3 ? 0 : 5;
        random_operations(&config, (uint64_t)kind);
    }
}
END_TEST

/* One object left in each slab, again and again: what the address space is made for. */
START_TEST(slab_has_room_for_the_worst_fragmentation)
{
    uint64_t kept[LIVE_MOST], burst[16];
    uint32_t count = 0;

    bench_init(&default_slab, 512, 512, 0);
    while (count < LIVE_MOST - 16) {
        for (int i = 0; i < 16; i++) {
            burst[i] = take(8);
        }
        kept[count++] = burst[0];
        for (int i = 1; i < 16; i++) {
            give(8, burst[i]);
        }
        slab_check(&bench.slab, count);
    }
    while (count > 0) {
        give(8, kept[--count]);
    }
    bench_fini();
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = slab_bucket_of_every_size_agrees_with_the_vectors},
        {.test = slab_geometry_agrees_with_a_real_guest},
        {.test = slab_sequential_list_hands_out_objects_by_address},
        {.test = slab_random_list_is_a_permutation_of_the_same_objects},
        {.test = slab_last_freed_object_is_the_next_one},
        {.test = slab_fast_paths_cost_what_the_table_says},
        {.test = slab_hardening_and_zeroing_are_charged_by_operation_and_by_line},
        {.test = slab_frees_are_all_fast_while_one_slab_holds_all_objects},
        {.test = slab_frees_are_mostly_slow_beyond_one_slab},
        {.test = slab_gives_empty_slabs_back},
        {.test = slab_free_twice_is_a_broken_invariant, .signal = SIGABRT},
        {.test = slab_keeps_every_object_in_one_place_under_random_operations},
        {.test = slab_has_room_for_the_worst_fragmentation},
        {0},
    };

    return suite_run_cases("slab", NULL, NULL, cases);
}
