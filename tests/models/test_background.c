/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/background.h"

#include <math.h>

#include "tests/models/allocator_fixture.h"
#include "tests/suite.h"

#define CLASS_64 3u

static struct allocator a;
static struct background others;

static void begin(double pairs, uint32_t lifetime, uint32_t replication)
{
    struct background_config config = {.pairs = pairs, .lifetime = lifetime};

    allocator_init(&a, &default_slab, 64, 64);
    ck_assert(background_init(&others, &config, 1, replication));
}

static void turns(int count)
{
    for (int i = 0; i < count; i++) {
        background_turn(&others, &a.slab, CLASS_64, i);
        ck_assert_uint_le(others.live, background_live_most(&others.config));
        ck_assert_uint_eq(others.live, a.slab.cache[CLASS_64].live);
    }
    ck_assert_uint_eq(background_live(&others, CLASS_64), others.live);
}

static void end(void)
{
    background_fini(&others);
    allocator_fini(&a);
}

START_TEST(background_of_nobody_does_nothing)
{
    begin(0, 100, 0);
    turns(100);
    ck_assert_uint_eq(background_live_most(&others.config), 0);
    ck_assert_uint_eq(a.slab.cache[CLASS_64].live, 0);
    end();
}
END_TEST

START_TEST(background_charges_the_queue_nothing)
{
    begin(2, 10, 0);
    turns(100);
    ck_assert_int_eq(ledger_sum(&a.ledger), 0);
    end();
}
END_TEST

/* Little's law: objects alive = taken per turn x mean lifetime. */
START_TEST(background_keeps_rate_times_lifetime_objects)
{
    double sum = 0;

    begin(1.5, 50, 0);
    turns(200);
    for (int i = 0; i < 4000; i++) {
        background_turn(&others, &a.slab, CLASS_64, i);
        sum += others.live;
    }
    /* Variance of the number alive is at most its mean; levels 100 turns apart are independent, so
     * 40 of them at least: z = 5. */
    ck_assert_double_le(fabs(sum / 4000 - 1.5 * 50), 5 * sqrt(75.0 / 40));
    end();
}
END_TEST

START_TEST(background_has_room_for_its_longest_lives)
{
    begin(BACKGROUND_PAIRS_MOST, 100, 0);
    turns(5000);
    end();
}
END_TEST

START_TEST(background_scatters_what_a_queue_gets)
{
    uint64_t last = 0;
    int in_order = 0;

    begin(1, 200, 0);
    turns(4000);
    for (int i = 0; i < 64; i++) {
        uint64_t address = allocator_take(&a, CLASS_64);

        in_order += address == last + 64;
        last = address;
    }
    /* Alone a queue would get 63 of 64 by address. */
    ck_assert_int_le(in_order, 48);
    end();
}
END_TEST

START_TEST(background_replications_differ_and_repeat)
{
    uint32_t live[3];

    for (uint32_t i = 0; i < 3; i++) {
        begin(0.5, 100, i % 2);
        turns(1000);
        live[i] = others.live * 100000 + a.slab.cache[CLASS_64].held;
        end();
    }
    ck_assert_uint_eq(live[0], live[2]);
    ck_assert_uint_ne(live[0], live[1]);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        background_of_nobody_does_nothing,
        background_charges_the_queue_nothing,
        background_keeps_rate_times_lifetime_objects,
        background_has_room_for_its_longest_lives,
        background_scatters_what_a_queue_gets,
        background_replications_differ_and_repeat,
        NULL,
    };

    return suite_run("background", cases);
}
