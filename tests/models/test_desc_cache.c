/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/models/tables_fixture.h"
#include "tests/suite.h"

/* A cache alone, with an array or with items that the test invents. */
struct bench {
    struct memory memory;
    struct desc_cache cache;
    struct ledger ledger;
    uint64_t base;
};

static struct bench bench;

static struct desc_cache_config config_of(int variant, uint32_t thr)
{
    struct desc_cache_config config = default_cache;

    config.variant = variant;
    config.thr = thr;
    return config;
}

static void bench_init(const struct desc_cache_config *config, uint32_t ring_size)
{
    struct desc_cache_queue queue = default_queue;
    struct desc_cache_shape shape;
    struct error error = {0};

    queue.ring_size = ring_size;
    shape = desc_cache_shape_of(config, &queue);
    memset(&bench, 0, sizeof(bench));
    ck_assert(memory_init(&bench.memory, &default_memory, 64, 1 << 20, &error));
    bench.base = memory_table_base(&bench.memory);
    ck_assert(desc_cache_init(&bench.cache, config, &shape, &bench.memory, bench.base, &error));
}

static void bench_fini(void)
{
    desc_cache_check(&bench.cache, 0);
    memory_check(&bench.memory, 0);
    desc_cache_fini(&bench.cache);
    memory_fini(&bench.memory);
}

static uint64_t pop(uint32_t num_free)
{
    uint64_t address;

    desc_cache_pop(&bench.cache, num_free, 0, &bench.ledger, &address);
    return address;
}

static void push(uint64_t address)
{
    desc_cache_push(&bench.cache, address, 0, &bench.ledger);
}

/* A list item as a miss makes it: the driver wrote it, the device read it. */
static uint64_t made_item(uint32_t i)
{
    uint64_t address = bench.base + i * (uint64_t)bench.cache.shape.item_bytes;

    desc_cache_adopt(&bench.cache);
    memory_guest_write(&bench.memory, 0, address, bench.cache.shape.item_bytes, MEMORY_ALLOC);
    memory_host_read(&bench.memory, 0, address, bench.cache.shape.item_bytes);
    return address;
}

START_TEST(desc_cache_memory_agrees_with_the_vectors)
{
    FILE *file = vectors_open("desc_cache_memory.csv");
    uint64_t row[8];
    int rows = 0;

    while (vectors_row(file, row, 8)) {
        struct desc_cache_queue queue = default_queue;
        struct desc_cache_config list = config_of(DESC_CACHE_V2, (uint32_t)row[1]);
        struct desc_cache_config array = config_of(DESC_CACHE_V3, (uint32_t)row[1]);
        struct desc_cache_shape shape;

        queue.ring_size = (uint32_t)row[0];
        queue.max_skb_frags = 45;
        shape = desc_cache_shape_of(&list, &queue);
        ck_assert_uint_eq(shape.item_bytes, row[2]);
        ck_assert_uint_eq(desc_cache_allocated_bytes(&shape, 1), row[3]);
        ck_assert_uint_eq(desc_cache_allocated_bytes(&shape, queue.ring_size), row[4]);
        ck_assert_uint_eq(desc_cache_asked_bytes(&shape, queue.ring_size), row[5]);
        shape = desc_cache_shape_of(&array, &queue);
        ck_assert_uint_eq(shape.array_bytes, row[5]);
        ck_assert_uint_eq(shape.array_allocated_bytes, row[6]);
        ck_assert_uint_eq(shape.off == DESC_CACHE_ON, row[7]);
        ck_assert_uint_eq(desc_cache_allocated_bytes(&shape, 1), row[7] ? row[6] : 0);
        rows++;
    }
    fclose(file);
    ck_assert_int_eq(rows, 80);
}
END_TEST

START_TEST(desc_cache_threshold_is_clamped_as_the_driver_does)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V2, 4294967295u);

    ck_assert_uint_eq(desc_cache_thr(&config, 17), 19);
    ck_assert_uint_eq(desc_cache_thr(&config, 45), 47);
    config.thr = 19;
    ck_assert_uint_eq(desc_cache_thr(&config, 17), 19);
}
END_TEST

START_TEST(desc_cache_threshold_zero_is_off_in_every_variant)
{
    for (int variant = DESC_CACHE_V1; variant <= DESC_CACHE_V4; variant++) {
        struct desc_cache_config config = config_of(variant, 0);
        struct desc_cache_shape shape = desc_cache_shape_of(&config, &default_queue);

        ck_assert_int_eq(shape.off, DESC_CACHE_OFF_THR);
        ck_assert_uint_eq(shape.limit, 0);
        ck_assert_uint_eq(desc_cache_allocated_bytes(&shape, 100), 0);
    }
}
END_TEST

START_TEST(desc_cache_v1_has_items_of_four_entries)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V1, 19);
    struct desc_cache_shape shape = desc_cache_shape_of(&config, &default_queue);

    ck_assert_uint_eq(shape.limit, 4);
    ck_assert_uint_eq(shape.item_bytes, 64);
}
END_TEST

START_TEST(desc_cache_v3_holds_its_array_on_a_queue_without_indirect_and_v4_does_not)
{
    struct desc_cache_queue queue = default_queue;
    struct desc_cache_config config = config_of(DESC_CACHE_V3, 4);
    struct desc_cache_shape shape;

    queue.indirect = false;
    shape = desc_cache_shape_of(&config, &queue);
    ck_assert_uint_eq(desc_cache_allocated_bytes(&shape, 0), 16384);
    config.variant = DESC_CACHE_V4;
    shape = desc_cache_shape_of(&config, &queue);
    ck_assert_int_eq(shape.off, DESC_CACHE_OFF_QUEUE);
    ck_assert_uint_eq(desc_cache_allocated_bytes(&shape, 0), 0);
}
END_TEST

START_TEST(desc_cache_items_double_with_the_drivers_own_half)
{
    struct desc_cache_queue queue = default_queue;
    struct desc_cache_config config = config_of(DESC_CACHE_V4, 19);
    struct desc_cache_shape shape;

    queue.bytes_per_sg = 32;
    shape = desc_cache_shape_of(&config, &queue);
    ck_assert_uint_eq(shape.array_bytes, 155648);
    ck_assert_uint_eq(shape.array_allocated_bytes, 262144);
}
END_TEST

START_TEST(desc_cache_rounds_items_to_whole_lines_when_asked_to)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V4, 19);

    ck_assert_uint_eq(desc_cache_shape_of(&config, &default_queue).item_bytes, 304);
    config.round_to_line = true;
    ck_assert_uint_eq(desc_cache_shape_of(&config, &default_queue).item_bytes, 320);
    config.thr = 4;
    ck_assert_uint_eq(desc_cache_shape_of(&config, &default_queue).item_bytes, 64);
}
END_TEST

START_TEST(desc_cache_bytes_are_the_memory_that_is_allocated)
{
    const struct {
        int variant;
        uint32_t thr;
        uint64_t bytes;
        uint32_t items;
    } cases[] = {
        {DESC_CACHE_V2, 4, 4096, 64},    {DESC_CACHE_V2, 19, 4096, 8},
        {DESC_CACHE_V2, 4, 63, 0},       {DESC_CACHE_V2, 4, 1 << 30, 256},
        {DESC_CACHE_V4, 19, 4096, 13},   {DESC_CACHE_V4, 19, 5000, 13},
        {DESC_CACHE_V4, 4, 100000, 256}, {DESC_CACHE_V4, 4, 16383, 128},
        {DESC_CACHE_V4, 4, 63, 0},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct desc_cache_config config = config_of(cases[i].variant, cases[i].thr);
        struct desc_cache_shape shape;

        config.bytes = cases[i].bytes;
        shape = desc_cache_shape_of(&config, &default_queue);
        ck_assert_msg(shape.items == cases[i].items, "case %zu: %u items", i, shape.items);
        ck_assert((shape.items == 0) == (shape.off == DESC_CACHE_OFF_BYTES));
        ck_assert_uint_le(desc_cache_allocated_bytes(&shape, shape.items), cases[i].bytes);
        config.items = 10;
        ck_assert_uint_eq(desc_cache_shape_of(&config, &default_queue).items,
                          cases[i].items < 10 ? cases[i].items : 10);
    }
}
END_TEST

START_TEST(desc_cache_is_last_in_first_out)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V4, 4);
    uint64_t a, b;

    bench_init(&config, 8);
    a = pop(8);
    b = pop(7);
    ck_assert_uint_eq(a, bench.base);
    ck_assert_uint_eq(b, bench.base + 64);
    push(a);
    push(b);
    ck_assert_uint_eq(pop(8), b);
    ck_assert_uint_eq(pop(7), a);
    ck_assert_int_eq(bench.ledger.time[SYMBOL_DESC_CACHE], 6 * 1500);
    bench_fini();
}
END_TEST

START_TEST(desc_cache_v1_writes_the_item_alone)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V1, 4);
    uint64_t a, b;

    bench_init(&config, 8);
    a = made_item(0);
    b = made_item(1);
    push(a);
    push(b);
    ck_assert_uint_eq(memory_upgrades(&bench.memory, MEMORY_TABLES), 2);
    memory_host_read(&bench.memory, 0, a, 16);
    ck_assert_uint_eq(pop(8), b);
    ck_assert_uint_eq(memory_upgrades(&bench.memory, MEMORY_TABLES), 2);
    bench_fini();
}
END_TEST

START_TEST(desc_cache_v2_also_writes_the_neighbour)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V2, 4);
    uint64_t a, b;

    bench_init(&config, 8);
    a = made_item(0);
    b = made_item(1);
    push(a);
    memory_host_read(&bench.memory, 0, a, 16);
    push(b); /* the old head's link, hidden */
    ck_assert_uint_eq(bench.memory.count[MEMORY_TABLES].upgrades[MEMORY_FREE], 3);
    memory_host_read(&bench.memory, 0, a, 16);
    ck_assert_uint_eq(pop(8), b); /* the next one's link, exposed */
    ck_assert_uint_eq(bench.memory.count[MEMORY_TABLES].upgrades[MEMORY_ALLOC], 1);
    ck_assert_int_eq(memory_drain(&bench.memory, 0), 57 * SIM_NS);
    bench_fini();
}
END_TEST

START_TEST(desc_cache_list_is_empty_until_something_was_put)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V2, 4);

    bench_init(&config, 8);
    ck_assert(pop(8) == MEMORY_NONE);
    ck_assert_int_eq(ledger_sum(&bench.ledger), 0);
    bench_fini();
}
END_TEST

START_TEST(desc_cache_list_keeps_no_more_than_its_cap)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V2, 4);
    uint64_t item[3];

    config.items = 2;
    bench_init(&config, 8);
    for (uint32_t i = 0; i < 3; i++) {
        item[i] = made_item(i);
    }
    push(item[0]);
    ck_assert(desc_cache_keeps(&bench.cache, item[1]));
    push(item[1]);
    ck_assert(!desc_cache_keeps(&bench.cache, item[2]));
    bench_fini();
}
END_TEST

START_TEST(desc_cache_array_below_full_size_runs_empty_and_knows_its_own)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V4, 4);

    config.items = 2;
    bench_init(&config, 8);
    ck_assert_uint_eq(pop(1), bench.base);
    ck_assert_uint_eq(pop(1), bench.base + 64);
    ck_assert(pop(1) == MEMORY_NONE);
    ck_assert(desc_cache_keeps(&bench.cache, bench.base + 64));
    ck_assert(!desc_cache_keeps(&bench.cache, bench.base + 128));
    ck_assert(!desc_cache_keeps(&bench.cache, bench.base - 64));
    bench_fini();
}
END_TEST

START_TEST(desc_cache_full_array_must_not_be_asked_while_the_ring_is_full)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V4, 4);

    bench_init(&config, 8);
    for (uint32_t i = 0; i < 8; i++) {
        pop(8 - i);
    }
    pop(0);
}
END_TEST

START_TEST(desc_cache_full_array_shared_by_two_queues_breaks_its_invariant)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V4, 4);

    bench_init(&config, 8);
    pop(8);
    pop(8); /* of another queue that has all its slots free */
}
END_TEST

/* Random requests on a ring of 64 descriptors, with some that are not cached. */
START_TEST(desc_cache_full_array_never_runs_empty_under_random_operations)
{
    for (int variant = DESC_CACHE_V3; variant <= DESC_CACHE_V4; variant++) {
        struct desc_cache_config config = config_of(variant, 5);
        uint64_t request[64];
        uint32_t count = 0;
        struct stream stream;

        stream_init(&stream, 3, 0, "test");
        bench_init(&config, 64);
        for (int step = 0; step < 50000; step++) {
            if (count < 64 && stream_below(&stream, 2) == 0) {
                request[count] = stream_below(&stream, 4) > 0 ? pop(64 - count) : MEMORY_NONE;
                count++;
            } else if (count > 0) {
                uint32_t i = (uint32_t)stream_below(&stream, count);

                if (request[i] != MEMORY_NONE) {
                    push(request[i]);
                }
                request[i] = request[--count];
            }
            desc_cache_check(&bench.cache, step);
        }
        bench_fini();
    }
}
END_TEST

/* Whether exactly this warning comes, or none when text is NULL. */
static void check_warning(const struct desc_cache_config *config, const char *text)
{
    struct problems problems;

    problems_init(&problems);
    desc_cache_warn(config, &default_queue, &problems);
    ck_assert_uint_eq(problems.errors, 0);
    ck_assert_uint_eq(problems.count, text ? 1 : 0);
    if (text) {
        ck_assert(problems.list[0].warning);
        ck_assert_str_eq(problems.list[0].error.text, text);
    }
    problems_fini(&problems);
}

START_TEST(desc_cache_warns_about_settings_that_do_something_else)
{
    struct desc_cache_config config = config_of(DESC_CACHE_V2, 20);

    check_warning(&config, "20 is above 2 + guest.max_skb_frags, the driver clamps it to 19");
    config.thr = 19;
    check_warning(&config, NULL);
    config.thr = 1;
    check_warning(&config,
                  "1 can never hit, the smallest table has 2 entries; 0 turns the cache off");
    config = config_of(DESC_CACHE_V1, 7);
    check_warning(&config, "7 acts as 4: the items of variant v1 have a fixed size");
    config = config_of(DESC_CACHE_V2, 4);
    config.bytes = 32;
    check_warning(&config, "32 bytes hold no item of 64 bytes: the cache is off");
    config.bytes = 0;
    config.items = 300;
    check_warning(&config, "300 has no effect above the ring size 256");
    config = config_of(DESC_CACHE_V3, 19);
    config.most_contiguous = 65536;
    check_warning(&config, "an array of 256 items of 304 bytes takes 131072 bytes, above "
                           "guest.desc_cache.most_contiguous: the cache is off");
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = desc_cache_memory_agrees_with_the_vectors},
        {.test = desc_cache_threshold_is_clamped_as_the_driver_does},
        {.test = desc_cache_threshold_zero_is_off_in_every_variant},
        {.test = desc_cache_v1_has_items_of_four_entries},
        {.test = desc_cache_v3_holds_its_array_on_a_queue_without_indirect_and_v4_does_not},
        {.test = desc_cache_items_double_with_the_drivers_own_half},
        {.test = desc_cache_rounds_items_to_whole_lines_when_asked_to},
        {.test = desc_cache_bytes_are_the_memory_that_is_allocated},
        {.test = desc_cache_is_last_in_first_out},
        {.test = desc_cache_v1_writes_the_item_alone},
        {.test = desc_cache_v2_also_writes_the_neighbour},
        {.test = desc_cache_list_is_empty_until_something_was_put},
        {.test = desc_cache_list_keeps_no_more_than_its_cap},
        {.test = desc_cache_array_below_full_size_runs_empty_and_knows_its_own},
        {.test = desc_cache_full_array_must_not_be_asked_while_the_ring_is_full, .signal = SIGABRT},
        {.test = desc_cache_full_array_shared_by_two_queues_breaks_its_invariant,
         .signal = SIGABRT},
        {.test = desc_cache_full_array_never_runs_empty_under_random_operations},
        {.test = desc_cache_warns_about_settings_that_do_something_else},
        {0},
    };

    return suite_run_cases("desc_cache", NULL, NULL, cases);
}
