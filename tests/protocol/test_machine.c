/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The machine is one of total store order: it shows what such a machine shows and forbids what it
 * forbids, on the usual small programs with known answers.
 */
#include "tests/protocol/explorer.h"
#include "tests/suite.h"

#define X 0
#define Y 1

/* Any outcome that the programs may leave in the registers at rest. */
struct outcome {
    uint8_t reg[2][2]; /* of the first and second party */
};

static struct protocol litmus(const struct instruction *first, const struct instruction *second)
{
    return (struct protocol){.name = "litmus",
                             .variables = {"x", "y"},
                             .parties = {{"first", first}, {"second", second}},
                             .party_count = 2,
                             .consumer = 1};
}

static bool ends_in(const struct protocol *protocol, enum barrier first, enum barrier second,
                    uint32_t depth, struct outcome outcome)
{
    struct machine_options options = {.barriers = {first, second}, .depth = depth, .rounds = 1};
    uint64_t next[EXPLORER_STEPS];
    struct machine_step steps[EXPLORER_STEPS];
    struct explorer e;
    bool found = false;

    explorer_init(&e, protocol, &options);
    for (uint32_t i = 0; i < e.count; i++) {
        struct machine_state s = machine_unpack(&e.machine, e.nodes[i].state);

        found |= explorer_next(&e, i, next, steps) == 0 &&
                 memcmp(s.party[0].reg, outcome.reg[0], 2) == 0 &&
                 memcmp(s.party[1].reg, outcome.reg[1], 2) == 0;
    }
    explorer_fini(&e);
    return found;
}

static const struct instruction store_x_load_y[] = {STORE(X, 1, ""), BARRIER(), LOAD(0, Y, ""),
                                                    END()};
static const struct instruction store_y_load_x[] = {STORE(Y, 1, ""), BARRIER(), LOAD(0, X, ""),
                                                    END()};

START_TEST(both_loads_pass_both_stores_unless_both_sides_have_a_full_barrier)
{
    struct protocol p = litmus(store_x_load_y, store_y_load_x);
    struct outcome both_old = {{{0, 0}, {0, 0}}};

    for (uint32_t depth = 1; depth <= MACHINE_DEPTH; depth++) {
        for (uint32_t a = 0; a < BARRIER_KINDS; a++) {
            for (uint32_t b = 0; b < BARRIER_KINDS; b++) {
                bool safe = a == BARRIER_FULL && b == BARRIER_FULL;

                ck_assert(ends_in(&p, a, b, depth, both_old) != safe);
                ck_assert(ends_in(&p, a, b, depth, (struct outcome){{{1, 0}, {1, 0}}}));
            }
        }
    }
}
END_TEST

START_TEST(stores_become_visible_in_their_order)
{
    const struct instruction writer[] = {STORE(X, 1, ""), STORE(Y, 1, ""), END()};
    const struct instruction reader[] = {LOAD(0, Y, ""), LOAD(1, X, ""), END()};
    struct protocol p = litmus(writer, reader);

    for (uint32_t depth = 1; depth <= MACHINE_DEPTH; depth++) {
        ck_assert(
            !ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{0, 0}, {1, 0}}}));
        ck_assert(
            ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{0, 0}, {0, 0}}}));
        ck_assert(
            ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{0, 0}, {0, 1}}}));
        ck_assert(
            ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{0, 0}, {1, 1}}}));
    }
}
END_TEST

START_TEST(a_load_is_never_overtaken_by_a_later_store)
{
    const struct instruction first[] = {LOAD(0, X, ""), STORE(Y, 1, ""), END()};
    const struct instruction second[] = {LOAD(0, Y, ""), STORE(X, 1, ""), END()};
    struct protocol p = litmus(first, second);

    for (uint32_t depth = 1; depth <= MACHINE_DEPTH; depth++) {
        ck_assert(
            !ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{1, 0}, {1, 0}}}));
        ck_assert(
            ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{1, 0}, {0, 0}}}));
    }
}
END_TEST

START_TEST(a_party_sees_its_own_store_before_others_do)
{
    const struct instruction first[] = {STORE(X, 1, ""), LOAD(0, X, ""), LOAD(1, Y, ""), END()};
    const struct instruction second[] = {STORE(Y, 1, ""), LOAD(0, Y, ""), LOAD(1, X, ""), END()};
    struct protocol p = litmus(first, second);

    for (uint32_t depth = 1; depth <= MACHINE_DEPTH; depth++) {
        ck_assert(
            ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{1, 0}, {1, 0}}}));
        ck_assert(
            !ends_in(&p, BARRIER_NONE, BARRIER_NONE, depth, (struct outcome){{{0, 0}, {1, 0}}}));
    }
}
END_TEST

START_TEST(of_two_locked_exchanges_one_comes_first)
{
    const struct instruction take[] = {RMW(0, X, MAP(1, 1, 1, 1), ""), END()};
    struct protocol p = litmus(take, take);

    ck_assert(ends_in(&p, BARRIER_NONE, BARRIER_NONE, 1, (struct outcome){{{0, 0}, {1, 0}}}));
    ck_assert(ends_in(&p, BARRIER_NONE, BARRIER_NONE, 1, (struct outcome){{{1, 0}, {0, 0}}}));
    ck_assert(!ends_in(&p, BARRIER_NONE, BARRIER_NONE, 1, (struct outcome){{{0, 0}, {0, 0}}}));
    ck_assert(!ends_in(&p, BARRIER_NONE, BARRIER_NONE, 1, (struct outcome){{{1, 0}, {1, 0}}}));
}
END_TEST

/* Before the store, stored, drained: three states each, and nothing in common. */
START_TEST(states_of_parties_with_nothing_in_common_multiply)
{
    const struct instruction first[] = {STORE(X, 1, ""), END()};
    const struct instruction second[] = {STORE(Y, 1, ""), END()};
    struct machine_options options = {.depth = 1, .rounds = 1};
    struct protocol p = litmus(first, second);
    struct explorer e;

    explorer_init(&e, &p, &options);
    ck_assert_uint_eq(e.count, 9);
    ck_assert_uint_eq(e.at_rest, 1);
    ck_assert_uint_eq(e.no_exit, 0);
    explorer_fini(&e);
}
END_TEST

START_TEST(an_early_wake_up_is_kept)
{
    const struct instruction waker[] = {WAKE(1, ""), END()};
    const struct instruction sleeper[] = {LOAD(1, X, ""), SLEEP(""), STORE(X, 1, ""),
                                          LOAD(0, X, ""), END()};
    struct protocol p = litmus(waker, sleeper);

    ck_assert(ends_in(&p, BARRIER_NONE, BARRIER_NONE, 1, (struct outcome){{{0, 0}, {1, 0}}}));
    ck_assert(!ends_in(&p, BARRIER_NONE, BARRIER_NONE, 1, (struct outcome){{{0, 0}, {0, 0}}}));
}
END_TEST

/* What goes round for ever is not at rest, and is told from what comes to rest. */
START_TEST(a_party_that_goes_round_for_ever_has_no_exit)
{
    const struct instruction looker[] = {LOAD(0, X, ""), IF_EQUAL(0, 0, 0), END()};
    const struct instruction idle[] = {END()};
    struct machine_options options = {.depth = 1, .rounds = 1};
    struct protocol p = litmus(looker, idle);
    struct explorer e;

    explorer_init(&e, &p, &options);
    ck_assert_uint_eq(e.at_rest, 0);
    ck_assert_uint_eq(e.no_exit, e.count);
    explorer_fini(&e);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {both_loads_pass_both_stores_unless_both_sides_have_a_full_barrier,
                            stores_become_visible_in_their_order,
                            a_load_is_never_overtaken_by_a_later_store,
                            a_party_sees_its_own_store_before_others_do,
                            of_two_locked_exchanges_one_comes_first,
                            states_of_parties_with_nothing_in_common_multiply,
                            an_early_wake_up_is_kept,
                            a_party_that_goes_round_for_ever_has_no_exit,
                            NULL};

    return suite_run("machine", cases);
}
