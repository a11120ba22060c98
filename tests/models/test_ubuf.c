/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The zerocopy ring and its rules: limit and callback against their vectors, order of return, selection, and
 * random operations with every invariant after each.
 */
#include <string.h>

#include "models/ubuf.h"
#include "sim/engine/stream.h"
#include "tests/suite.h"

static FILE *open_vectors(const char *name)
{
    char path[400], heading[200];
    FILE *file;

    snprintf(path, sizeof path, "%s/models/vectors/%s", TESTS_DIR, name);
    file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_ptr_nonnull(fgets(heading, sizeof heading, file));
    return file;
}

START_TEST(limits_agree_with_their_vectors)
{
    FILE *file = open_vectors("zc_maxpend.csv");
    unsigned size, pending, equal, above, rows = 0;
    struct ubuf u;

    while (fscanf(file, "%u,%u,%u,%u", &size, &pending, &equal, &above) == 4) {
        ubuf_init(&u);
        u.upend = pending % UBUF_RING;
        require(ubuf_over_limit(&u, UBUF_LIMIT_EQUAL, size) == (equal != 0));
        require(ubuf_over_limit(&u, UBUF_LIMIT_ABOVE, size) == (above != 0));
        rows++;
    }
    fclose(file);
    ck_assert_uint_eq(rows, 1988);
}
END_TEST

START_TEST(callback_rules_agree_with_their_vectors)
{
    FILE *file = open_vectors("zc_callback_poll.csv");
    unsigned outstanding, before, after, rows = 0;

    while (fscanf(file, "%u,%u,%u", &outstanding, &before, &after) == 3) {
        require(ubuf_fires(UBUF_BEFORE_PUT, outstanding, 16) == (before != 0));
        require(ubuf_fires(UBUF_AFTER_PUT, outstanding, 16) == (after != 0));
        require(ubuf_fires(UBUF_ALWAYS, outstanding, 16));
        require(!ubuf_fires(UBUF_NEVER, outstanding, 16));
        require(ubuf_fires(UBUF_AFTER_PUT, outstanding, 1));
        rows++;
    }
    fclose(file);
    ck_assert_uint_eq(rows, 1024);
}
END_TEST

/* The equality of 3.13 is met by no number of packets that a ring of 256 can hold. */
START_TEST(old_limit_is_out_of_reach_of_a_ring_of_256)
{
    struct ubuf u;

    ubuf_init(&u);
    for (uint32_t i = 0; i <= 256; i++) {
        ck_assert(!ubuf_over_limit(&u, UBUF_LIMIT_EQUAL, 256));
        ubuf_begin(&u, 0);
    }
    ubuf_init(&u);
    for (uint32_t i = 0; i < 128; i++) {
        ck_assert(!ubuf_over_limit(&u, UBUF_LIMIT_EQUAL, 1024));
        ubuf_begin(&u, 0);
    }
    ck_assert(ubuf_over_limit(&u, UBUF_LIMIT_EQUAL, 1024));
}
END_TEST

START_TEST(a_late_completion_holds_back_those_after_it)
{
    struct ubuf u;

    ubuf_init(&u);
    for (uint16_t id = 0; id < 3; id++) {
        ubuf_begin(&u, (uint16_t)(10 + id));
    }
    ubuf_complete(&u, 0, 1, false);
    ubuf_complete(&u, 0, 2, false);
    ck_assert_uint_eq(ubuf_returnable(&u), 0);
    ubuf_complete(&u, 0, 0, false);
    ck_assert_uint_eq(ubuf_returnable(&u), 3);
    for (uint16_t id = 0; id < 3; id++) {
        ck_assert_uint_eq(ubuf_return(&u).id, 10u + id);
    }
}
END_TEST

START_TEST(returnable_ends_where_the_array_does)
{
    struct ubuf u;

    ubuf_init(&u);
    u.upend = u.done = UBUF_RING - 2;
    for (uint16_t i = 0; i < 5; i++) {
        ubuf_complete(&u, 0, ubuf_begin(&u, i), false);
    }
    ck_assert_uint_eq(ubuf_returnable(&u), 2);
    ubuf_return(&u);
    ubuf_return(&u);
    ck_assert_uint_eq(ubuf_returnable(&u), 3);
    for (int i = 0; i < 5; i++) {
        ubuf_put(&u);
    }
    ubuf_check(&u, 0);
}
END_TEST

/* Errors on every attempt leave one attempt in 64 packets. */
START_TEST(errors_leave_one_attempt_in_64_packets)
{
    struct ubuf u;
    uint32_t attempts = 0;

    ubuf_init(&u);
    for (uint32_t i = 0; i < 4 * UBUF_WINDOW; i++) {
        if (ubuf_selects(&u)) {
            ubuf_complete(&u, 0, ubuf_begin(&u, 0), true);
            ubuf_put(&u);
            ubuf_return(&u);
            attempts++;
        }
        ubuf_count_packet(&u);
    }
    ck_assert_uint_eq(attempts, 4 * UBUF_WINDOW / UBUF_PER_ERROR);
}
END_TEST

START_TEST(random_operations_keep_every_invariant)
{
    struct stream stream;
    struct ubuf u;
    uint64_t next = 0, seen = 0;

    stream_init(&stream, 7, 0, "ubuf");
    ubuf_init(&u);
    for (int i = 0; i < 100000; i++) {
        uint64_t what = stream_below(&stream, 4);
        uint32_t at = (u.done + (uint32_t)stream_below(&stream, ubuf_pending(&u) + 1)) % UBUF_RING;

        if (what < 2 && ubuf_has_room(&u)) {
            ubuf_begin(&u, (uint16_t)next++);
            if (what == 1 && stream_below(&stream, 8) == 0) {
                ubuf_cancel(&u);
                next--;
            }
        } else if (what == 2 && u.entry[at].state == UBUF_IN_PROGRESS) {
            ubuf_complete(&u, 0, at, stream_below(&stream, 4) == 0);
            ubuf_put(&u);
        } else if (what == 3 && ubuf_returnable(&u) > 0) {
            ck_assert_uint_eq(ubuf_return(&u).id, (uint16_t)seen++);
        }
        if (i % 16 == 0) {
            ubuf_check(&u, i);
        }
    }
    ck_assert_uint_gt(seen, UBUF_RING); /* round the array */
}
END_TEST

START_TEST(an_entry_that_completes_twice_aborts)
{
    struct ubuf u;
    uint32_t index;

    ubuf_init(&u);
    index = ubuf_begin(&u, 0);
    ubuf_complete(&u, 0, index, false);
    ubuf_complete(&u, 0, index, false);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = limits_agree_with_their_vectors},
        {.test = callback_rules_agree_with_their_vectors},
        {.test = old_limit_is_out_of_reach_of_a_ring_of_256},
        {.test = a_late_completion_holds_back_those_after_it},
        {.test = returnable_ends_where_the_array_does},
        {.test = errors_leave_one_attempt_in_64_packets},
        {.test = random_operations_keep_every_invariant},
        {.test = an_entry_that_completes_twice_aborts, .signal = SIGABRT},
        {0},
    };

    return suite_run_cases("ubuf", NULL, NULL, cases);
}
