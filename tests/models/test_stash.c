/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/stash.h"

#include "tests/models/allocator_fixture.h"
#include "tests/suite.h"

#define CLASS_64 3u

static struct allocator a;
static struct stash stash;

static void begin(uint32_t batch, int model)
{
    struct slab_config config = default_slab;

    config.model = model;
    config.costs.bulk_object = 3500;
    config.costs.stash = 1500;
    allocator_init(&a, &config, 64, 64);
    ck_assert(stash_init(&stash, batch));
}

static void end(void)
{
    stash_fini(&stash);
    allocator_fini(&a);
}

static uint64_t get(uint32_t *moved)
{
    uint64_t address;

    a.paid += stash_get(&stash, &a.slab, CLASS_64, 0, &a.ledger, &address, moved);
    return address;
}

static uint32_t put(uint64_t address)
{
    uint32_t moved;

    a.paid += stash_put(&stash, &a.slab, CLASS_64, address, 0, &a.ledger, &moved);
    return moved;
}

START_TEST(stash_takes_a_batch_when_it_is_empty)
{
    uint32_t moved;

    begin(16, SLAB_SLUB);
    get(&moved);
    ck_assert_uint_eq(moved, 16);
    for (int i = 1; i < 16; i++) {
        get(&moved);
        ck_assert_uint_eq(moved, 0);
    }
    get(&moved);
    ck_assert_uint_eq(moved, 16);
    ck_assert_uint_eq(stash.fills, 2);
    ck_assert_uint_eq(a.slab.cache[CLASS_64].live, 32);
    end();
}
END_TEST

START_TEST(stash_gives_the_colder_half_back_when_it_holds_two_batches)
{
    uint64_t table[48];
    uint32_t moved;

    begin(16, SLAB_SLUB);
    for (int i = 0; i < 48; i++) {
        table[i] = get(&moved);
    }
    for (int i = 0; i < 32; i++) {
        ck_assert_uint_eq(put(table[i]), 0);
    }
    ck_assert_uint_eq(put(table[32]), 16);
    ck_assert_uint_eq(stash.count[CLASS_64], 17);
    ck_assert_uint_eq(get(&moved), table[32]);
    ck_assert_uint_eq(get(&moved), table[31]);
    end();
}
END_TEST

START_TEST(stash_pays_the_bulk_cost_for_each_object_and_no_fast_path)
{
    uint64_t table[16];
    uint32_t moved;
    sim_time before;

    begin(16, SLAB_SLUB);
    for (int i = 0; i < 16; i++) {
        table[i] = get(&moved);
    }
    before = a.paid;
    get(&moved);
    ck_assert_int_eq(a.paid - before, 16 * 3500 + 1500);
    before = a.paid;
    put(table[0]);
    ck_assert_int_eq(a.paid - before, 1500);
    end();
}
END_TEST

START_TEST(stash_bulk_free_pays_the_slow_path_once_for_each_slab)
{
    uint64_t table[256];
    sim_time cost;
    uint64_t mixed[16];

    begin(16, SLAB_SLUB);
    for (int i = 0; i < 256; i++) {
        table[i] = allocator_take(&a, CLASS_64);
    }
    /* Slabs of 64 objects, taken by address; the fourth is the CPU's. Eight of the first, eight of
     * the second, alternating. */
    for (int i = 0; i < 16; i++) {
        mixed[i] = table[(i % 2) * 64 + i];
    }
    cost = slab_free_bulk(&a.slab, CLASS_64, 16, mixed, 0, &a.ledger);
    a.paid += cost;
    ck_assert_int_eq(cost, 16 * 3500 + 2 * 38 * SIM_NS);
    end();
}
END_TEST

START_TEST(stash_accounts_hold_under_random_operations)
{
    static uint64_t live[512];

    for (int kind = 0; kind < 4; kind++) {
        uint32_t count = 0, moved;
        uint64_t came = 0, went = 0;
        struct stream stream;

        stream_init(&stream, (uint64_t)kind, 0, "test");
        begin(kind & 1 ? 32 : 1, kind & 2 ? SLAB_SHEAVES : SLAB_SLUB);
        for (int step = 0; step < 5000; step++) {
            uint32_t target = (uint32_t)stream_below(&stream, 2) * 500;

            for (int i = 0; i < 8; i++) {
                if (count < target) {
                    live[count++] = get(&moved);
                    came += moved;
                } else if (count > 0) {
                    uint32_t at = (uint32_t)stream_below(&stream, count);

                    went += put(live[at]);
                    live[at] = live[--count];
                }
            }
            ck_assert_uint_le(stash.count[CLASS_64], 2 * stash.batch);
            ck_assert_uint_eq(a.slab.cache[CLASS_64].live, count + stash.count[CLASS_64]);
            ck_assert_uint_eq(came - went, count + stash.count[CLASS_64]);
            if (step % 32 == 0) {
                slab_check(&a.slab, step);
            }
        }
        end();
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        stash_takes_a_batch_when_it_is_empty,
        stash_gives_the_colder_half_back_when_it_holds_two_batches,
        stash_pays_the_bulk_cost_for_each_object_and_no_fast_path,
        stash_bulk_free_pays_the_slow_path_once_for_each_slab,
        stash_accounts_hold_under_random_operations,
        NULL,
    };

    return suite_run("stash", cases);
}
