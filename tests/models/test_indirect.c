/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "tests/models/tables_fixture.h"
#include "tests/suite.h"

static struct stand stand;

static uint64_t get(uint32_t n)
{
    uint64_t address;
    uint32_t num_free = stand.ring_size - (uint32_t)indirect_live(&stand.indirect);

    indirect_get(&stand.indirect, n, num_free, 0, &stand.ledger, &address);
    return address;
}

static void put(uint64_t address, uint32_t n)
{
    indirect_put(&stand.indirect, address, n, 0, &stand.ledger);
}

static void check_counts(uint64_t hits, uint64_t misses, uint64_t plain)
{
    ck_assert_uint_eq(stand.indirect.count[INDIRECT_HIT], hits);
    ck_assert_uint_eq(stand.indirect.count[INDIRECT_MISS], misses);
    ck_assert_uint_eq(stand.indirect.count[INDIRECT_PLAIN], plain);
}

START_TEST(indirect_table_sizes_agree_with_the_vectors)
{
    FILE *file = vectors_open("indirect_table_size.csv");
    uint64_t row[4];
    int rows = 0;

    while (vectors_row(file, row, 4)) {
        uint64_t bytes = indirect_table_bytes((uint32_t)row[0], 16);

        ck_assert_uint_eq(bytes, row[1]);
        ck_assert_uint_eq(slab_bucket_bytes(bytes), row[2]);
        ck_assert_uint_eq(slab_bucket_bytes(bytes) - bytes, row[3]);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 47);
}
END_TEST

START_TEST(indirect_without_a_cache_always_allocates)
{
    stand = stand_of(256, DESC_CACHE_V2, 0);
    stand_init(&stand);
    for (uint32_t n = 2; n <= 19; n++) {
        put(get(n), n);
    }
    check_counts(0, 0, 18);
    ck_assert(indirect_hit_percent(&stand.indirect) == 0.0);
    ck_assert_uint_eq(stand.indirect.held.allocated, 0);
    ck_assert_uint_eq(stand.indirect.held.allocated_most, 512);
    stand_fini(&stand);
}
END_TEST

START_TEST(indirect_list_misses_once_and_then_hits)
{
    for (int variant = DESC_CACHE_V1; variant <= DESC_CACHE_V2; variant++) {
        uint64_t first;

        stand = stand_of(256, variant, 4);
        stand_init(&stand);
        first = get(2);
        put(first, 2);
        ck_assert_uint_eq(get(4), first);
        put(first, 4);
        put(get(5), 5);
        check_counts(1, 1, 1);
        ck_assert_uint_eq(stand.indirect.held.asked, 64);
        ck_assert_uint_eq(stand.indirect.held.allocated_most, 64 + 96);
        indirect_check(&stand.indirect, 0);
        stand_fini(&stand);
    }
}
END_TEST

START_TEST(indirect_array_never_misses)
{
    for (int variant = DESC_CACHE_V3; variant <= DESC_CACHE_V4; variant++) {
        stand = stand_of(256, variant, 4);
        stand_init(&stand);
        put(get(2), 2);
        put(get(4), 4);
        put(get(5), 5);
        check_counts(2, 0, 1);
        ck_assert_uint_eq(stand.indirect.held.allocated, 16384);
        ck_assert_uint_eq(stand.indirect.held.allocated_most, 16384 + 96);
        indirect_check(&stand.indirect, 0);
        stand_fini(&stand);
    }
}
END_TEST

START_TEST(indirect_threshold_of_one_holds_an_array_and_never_hits)
{
    stand = stand_of(256, DESC_CACHE_V4, 1);
    stand_init(&stand);
    put(get(2), 2);
    check_counts(0, 0, 1);
    ck_assert_uint_eq(stand.indirect.held.allocated, 4096);
    stand_fini(&stand);
}
END_TEST

START_TEST(indirect_capped_list_gives_the_rest_back)
{
    uint64_t table[4];

    stand = stand_of(256, DESC_CACHE_V2, 4);
    stand.cache.items = 2;
    stand_init(&stand);
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 4; i++) {
            table[i] = get(3);
        }
        ck_assert_uint_eq(stand.indirect.held.allocated, 256);
        for (int i = 0; i < 4; i++) {
            put(table[i], 3);
        }
        ck_assert_uint_eq(stand.indirect.held.allocated, 128);
        indirect_check(&stand.indirect, 0);
    }
    check_counts(2, 6, 0);
    stand_fini(&stand);
}
END_TEST

START_TEST(indirect_capped_array_falls_back_to_plain_tables)
{
    uint64_t table[4];

    stand = stand_of(256, DESC_CACHE_V4, 4);
    stand.cache.items = 2;
    stand_init(&stand);
    for (int i = 0; i < 4; i++) {
        table[i] = get(2);
    }
    check_counts(2, 0, 2);
    ck_assert_uint_eq(stand.indirect.held.allocated, 128 + 2 * 32);
    for (int i = 0; i < 4; i++) {
        put(table[i], 2);
        indirect_check(&stand.indirect, i);
    }
    ck_assert_uint_eq(stand.indirect.held.allocated, 128);
    stand_fini(&stand);
}
END_TEST

START_TEST(indirect_dedicated_slab_cache_stands_in_for_the_descriptor_cache)
{
    stand = stand_of(256, DESC_CACHE_V2, 4);
    stand.slab.tables = SLAB_TABLES_KMEM_CACHE;
    stand_init(&stand);
    put(get(2), 2);
    put(get(4), 4);
    put(get(5), 5);
    ck_assert_uint_eq(stand.indirect.count[INDIRECT_KMEM], 2);
    check_counts(0, 0, 1);
    ck_assert_uint_eq(stand.indirect.held.asked_most, 80);
    ck_assert_int_eq(stand.indirect.cache.shape.off, DESC_CACHE_OFF_SLAB);
    ck_assert_uint_eq(stand.indirect.slab.cache[SLAB_DEDICATED].object_bytes, 64);
    ck_assert_uint_eq(stand.indirect.slab.cache[SLAB_DEDICATED].objects, 64);
    indirect_check(&stand.indirect, 0);
    stand_fini(&stand);
}
END_TEST

START_TEST(indirect_array_that_cannot_be_allocated_leaves_the_cache_off)
{
    stand = stand_of(256, DESC_CACHE_V4, 4);
    stand.cache.most_contiguous = 8192;
    stand_init(&stand);
    put(get(2), 2);
    check_counts(0, 0, 1);
    ck_assert_int_eq(stand.indirect.cache.shape.off, DESC_CACHE_OFF_CONTIGUOUS);
    ck_assert_uint_eq(stand.indirect.held.allocated, 0);
    stand_fini(&stand);
}
END_TEST

/* A queue without indirect descriptors: v3 holds its array all the same. */
START_TEST(indirect_queue_that_uses_none_holds_an_array_only_in_v3)
{
    for (int variant = DESC_CACHE_V1; variant <= DESC_CACHE_V4; variant++) {
        struct indirect_plan plan = {.slab = &default_slab,
                                     .cache = &stand.cache,
                                     .indirect = &default_indirect,
                                     .ring_size = 256,
                                     .max_skb_frags = 17,
                                     .most_sg = 19};
        struct error error = {0};

        stand = stand_of(256, variant, 4);
        ck_assert_uint_eq(indirect_address_bytes(&plan), variant == DESC_CACHE_V3 ? 16384 : 0);
        ck_assert(memory_init(&stand.memory, &default_memory, 4096, indirect_address_bytes(&plan),
                              &error));
        ck_assert(indirect_init(&stand.indirect, &plan, &stand.memory, 1, 0, &error));
        ck_assert_uint_eq(stand.indirect.held.allocated, variant == DESC_CACHE_V3 ? 16384 : 0);
        indirect_check(&stand.indirect, 0);
        stand_fini(&stand);
    }
}
END_TEST

START_TEST(indirect_warns_that_a_dedicated_cache_needs_a_threshold)
{
    struct slab_config slab = default_slab;
    struct desc_cache_config cache = default_cache;
    struct indirect_plan plan = {.slab = &slab,
                                 .cache = &cache,
                                 .indirect = &default_indirect,
                                 .ring_size = 256,
                                 .max_skb_frags = 17,
                                 .most_sg = 19,
                                 .uses_indirect = true};
    struct problems problems;

    problems_init(&problems);
    slab.tables = SLAB_TABLES_KMEM_CACHE;
    indirect_warn(&plan, &problems);
    ck_assert_uint_eq(problems.count, 0);
    cache.thr = 0;
    indirect_warn(&plan, &problems);
    ck_assert_uint_eq(problems.count, 1);
    ck_assert_str_eq(problems.list[0].error.path, "guest.slab.tables");
    slab.tables = SLAB_TABLES_KMALLOC;
    cache.thr = 1;
    indirect_warn(&plan, &problems);
    ck_assert_uint_eq(problems.count, 2);
    ck_assert_str_eq(problems.list[1].error.path, "guest.virtio_desc_cache_thr");
    problems_fini(&problems);
}
END_TEST

START_TEST(indirect_device_reads_half_of_a_doubled_table)
{
    uint64_t table;

    stand = stand_of(256, DESC_CACHE_V2, 0);
    stand.config.bytes_per_sg = 32;
    stand_init(&stand);
    table = get(4);
    ck_assert_uint_eq(stand.indirect.held.allocated, 128);
    indirect_write(&stand.indirect, table, 4, 0);
    indirect_read(&stand.indirect, table, 4, 0);
    ck_assert_uint_eq(memory_lines_in(&stand.memory, MEMORY_TABLES, MEMORY_SHARED), 1);
    put(table, 4);
    memory_check(&stand.memory, 0);
    stand_fini(&stand);
}
END_TEST

START_TEST(indirect_allocations_fail_as_often_as_told)
{
    const double p = 0.2, count = 20000;
    double failures, band;

    stand = stand_of(256, DESC_CACHE_V2, 0);
    stand.config.alloc_failure = p;
    stand_init(&stand);
    for (int i = 0; i < (int)count; i++) {
        uint64_t table = get(3);

        if (table != MEMORY_NONE) {
            put(table, 3);
        }
    }
    failures = (double)stand.indirect.count[INDIRECT_NONE];
    band = 5 * sqrt(count * p * (1 - p));
    ck_assert_msg(fabs(failures - count * p) < band, "%g failures", failures);
    ck_assert_uint_eq(indirect_live(&stand.indirect), 0);
    stand_fini(&stand);
}
END_TEST

START_TEST(indirect_allocations_fail_always_or_never)
{
    for (int p = 0; p <= 1; p++) {
        stand = stand_of(256, DESC_CACHE_V2, 4);
        stand.config.alloc_failure = p;
        stand_init(&stand);
        for (int i = 0; i < 100; i++) {
            uint64_t table = get(3);

            ck_assert((table == MEMORY_NONE) == (p == 1));
            if (p == 0) {
                put(table, 3);
            }
        }
        stand_fini(&stand);
    }
}
END_TEST

/* Memory by the formulas with every combination of variant and threshold, at the deepest point. */
START_TEST(indirect_memory_equals_the_closed_forms)
{
    for (uint32_t thr = 0; thr <= 19; thr++) {
        for (int variant = DESC_CACHE_V1; variant <= DESC_CACHE_V4; variant++) {
            uint64_t asked = 0, allocated = 0, table[200];
            struct desc_cache_shape shape;
            uint32_t cached = 0;

            stand = stand_of(256, variant, thr);
            stand_init(&stand);
            shape = stand.indirect.cache.shape;
            for (uint32_t i = 0; i < 200; i++) {
                uint32_t n = 2 + i % 17;

                table[i] = get(n);
                cached += n <= shape.limit;
                asked += n <= shape.limit ? 0 : 16 * n;
                allocated += n <= shape.limit ? 0 : slab_bucket_bytes(16 * n);
            }
            ck_assert_uint_eq(stand.indirect.held.asked,
                              asked + desc_cache_asked_bytes(&shape, cached));
            ck_assert_uint_eq(stand.indirect.held.allocated,
                              allocated + desc_cache_allocated_bytes(&shape, cached));
            for (uint32_t i = 0; i < 200; i++) {
                put(table[i], 2 + i % 17);
            }
            ck_assert_uint_eq(stand.indirect.held.allocated,
                              desc_cache_allocated_bytes(&shape, cached));
            indirect_check(&stand.indirect, 0);
            stand_fini(&stand);
        }
    }
}
END_TEST

/* A random life on a ring of 32: every table is written, read by the device, and comes back; the
 * bytes of tables in use never overlap. */
static void random_operations(int steps)
{
    struct {
        uint64_t address;
        uint32_t n;
    } live[32];
    uint32_t count = 0;
    struct stream stream;
    sim_time paid = 0;

    stream_init(&stream, 11, 0, "test");
    for (int step = 0; step < steps; step++) {
        sim_time now = step * SIM_US;

        if (count < stand.ring_size && stream_below(&stream, 64) >= count * 2) {
            uint32_t n = 2 + (uint32_t)stream_below(&stream, 18);
            uint64_t end, address;

            paid += indirect_get(&stand.indirect, n, stand.ring_size - count, now, &stand.ledger,
                                 &address);
            if (address == MEMORY_NONE) {
                continue;
            }
            end = address + indirect_table_bytes(n, stand.config.bytes_per_sg);
            for (uint32_t i = 0; i < count; i++) {
                ck_assert(live[i].address >= end ||
                          live[i].address + live[i].n * stand.config.bytes_per_sg <= address);
            }
            indirect_write(&stand.indirect, address, n, now);
            indirect_read(&stand.indirect, address, n, now);
            live[count].address = address;
            live[count++].n = n;
        } else if (count > 0) {
            uint32_t i = (uint32_t)stream_below(&stream, count);

            paid += indirect_put(&stand.indirect, live[i].address, live[i].n, now, &stand.ledger);
            live[i] = live[--count];
        }
        indirect_check(&stand.indirect, now);
        if (step % 100 == 0) {
            memory_check(&stand.memory, now);
        }
    }
    ck_assert_int_eq(ledger_sum(&stand.ledger), paid);
    ck_assert_uint_eq(indirect_live(&stand.indirect), count);
}

START_TEST(indirect_accounts_hold_under_random_operations)
{
    for (int kind = 0; kind < 32; kind++) {
        stand = stand_of(32, kind % 4, kind & 8 ? 19 : 5);
        stand.cache.items = kind & 4 ? 7 : 0;
        stand.config.bytes_per_sg = kind & 16 ? 32 : 16;
        stand.config.alloc_failure = kind % 5 == 0 ? 0.1 : 0;
        stand.slab.tables = kind % 7 == 3 ? SLAB_TABLES_KMEM_CACHE : SLAB_TABLES_KMALLOC;
        stand.slab.freelist = kind % 3 == 0 ? SLAB_RANDOM : SLAB_SEQUENTIAL;
        stand.slab.init_on_alloc = kind % 11 == 0;
        stand_init(&stand);
        random_operations(2000);
        stand_fini(&stand);
    }
}
END_TEST

START_TEST(indirect_accounts_hold_with_every_allocator)
{
    for (int kind = 0; kind < 24; kind++) {
        stand = stand_of(32, kind % 3 == 0 ? DESC_CACHE_V2 : DESC_CACHE_V4, (uint32_t)kind % 5);
        stand.slab.model = kind & 1 ? SLAB_SHEAVES : SLAB_SLUB;
        stand.slab.bulk = kind & 2 ? 16 : 0;
        stand.slab.background =
            (struct background_config){.pairs = kind & 4 ? 0.7 : 0, .lifetime = 40};
        stand.slab.freelist = kind & 8 ? SLAB_RANDOM : SLAB_SEQUENTIAL;
        stand.slab.init_on_alloc = kind & 8;
        stand.slab.tables = kind % 7 == 3 ? SLAB_TABLES_KMEM_CACHE : SLAB_TABLES_KMALLOC;
        stand.cache.items = kind & 16 ? 7 : 0;
        stand.cache.node = kind & 16 ? DESC_CACHE_REMOTE : DESC_CACHE_LOCAL;
        stand.config.bytes_per_sg = kind & 1 ? 32 : 16;
        stand_init(&stand);
        random_operations(1500);
        stand_fini(&stand);
    }
}
END_TEST

START_TEST(indirect_stands_with_one_seed_are_alike)
{
    struct memory_count first[MEMORY_REGIONS];

    for (int round = 0; round < 2; round++) {
        stand = stand_of(32, DESC_CACHE_V2, 5);
        stand.slab.freelist = SLAB_RANDOM;
        stand.config.alloc_failure = 0.1;
        stand_init(&stand);
        random_operations(2000);
        if (round == 0) {
            memcpy(first, stand.memory.count, sizeof(first));
        }
        ck_assert_int_eq(memcmp(first, stand.memory.count, sizeof(first)), 0);
        stand_fini(&stand);
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        indirect_table_sizes_agree_with_the_vectors,
        indirect_without_a_cache_always_allocates,
        indirect_list_misses_once_and_then_hits,
        indirect_array_never_misses,
        indirect_threshold_of_one_holds_an_array_and_never_hits,
        indirect_capped_list_gives_the_rest_back,
        indirect_capped_array_falls_back_to_plain_tables,
        indirect_dedicated_slab_cache_stands_in_for_the_descriptor_cache,
        indirect_array_that_cannot_be_allocated_leaves_the_cache_off,
        indirect_queue_that_uses_none_holds_an_array_only_in_v3,
        indirect_warns_that_a_dedicated_cache_needs_a_threshold,
        indirect_device_reads_half_of_a_doubled_table,
        indirect_allocations_fail_as_often_as_told,
        indirect_allocations_fail_always_or_never,
        indirect_memory_equals_the_closed_forms,
        indirect_accounts_hold_under_random_operations,
        indirect_accounts_hold_with_every_allocator,
        indirect_stands_with_one_seed_are_alike,
        NULL,
    };

    return suite_run("indirect", cases);
}
