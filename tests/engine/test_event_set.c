/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/event_set.h"

#include <string.h>

#include "sim/engine/stream.h"
#include "tests/suite.h"

static struct actor actor[EVENT_SET_ROOM];

static void build(struct event_set *set, enum event_set_kind kind, uint32_t count)
{
    memset(set, 0, sizeof *set);
    memset(actor, 0, sizeof actor);
    set->kind = kind;
    for (uint32_t i = 0; i < count; i++) {
        event_set_add(set, &actor[i]);
    }
}

/* Every member knows its slot; in a heap no member comes before its parent; in a linear set rank
 * and slot are one. */
static void check_set(const struct event_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct actor *a = set->member[i];
        const struct actor *parent = set->member[i == 0 ? 0 : (i - 1) / 4];

        require(a->slot == i);
        if (set->kind == EVENT_SET_LINEAR) {
            require(a->rank == i);
        } else {
            require(!actor_key_before(a->next, a->rank, parent->next, parent->rank));
        }
    }
}

/* The least key and the least of the others, by looking at all. */
static struct event_choice choice_of_all(uint32_t count)
{
    struct actor *first = NULL, *second = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if (!first || actor_key_before(actor[i].next, i, first->next, first->rank)) {
            first = &actor[i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (&actor[i] != first &&
            (!second || actor_key_before(actor[i].next, i, second->next, second->rank))) {
            second = &actor[i];
        }
    }
    return (struct event_choice){first, second ? second->next : SIM_NEVER,
                                 second ? second->rank : UINT32_MAX};
}

static void check_random_operations(enum event_set_kind kind, uint32_t count)
{
    struct event_set set;
    struct stream stream;

    stream_init(&stream, 1, count, "operations");
    build(&set, kind, count);
    for (uint32_t i = 0; i < count; i++) {
        actor[i].next = (sim_time)stream_below(&stream, 10);
    }
    event_set_build(&set);
    for (int step = 0; step < 3000; step++) {
        struct event_choice choice = event_set_first(&set), expected = choice_of_all(count);
        struct actor *moved =
            stream_below(&stream, 2) ? choice.actor : &actor[stream_below(&stream, count)];

        check_set(&set);
        require(choice.actor == expected.actor && choice.limit_time == expected.limit_time);
        require(choice.limit_rank == expected.limit_rank);
        /* Small times: ties abound; some wait. */
        moved->next = stream_below(&stream, 8) ? (sim_time)stream_below(&stream, 12) : SIM_NEVER;
        event_set_moved(&set, moved);
    }
}

START_TEST(event_set_finds_the_two_least_keys_after_any_move)
{
    for (uint32_t count = 1; count <= EVENT_SET_ROOM; count++) {
        check_random_operations(EVENT_SET_LINEAR, count);
        check_random_operations(EVENT_SET_HEAP, count);
    }
}
END_TEST

START_TEST(event_set_breaks_ties_by_rank)
{
    static const enum event_set_kind kinds[] = {EVENT_SET_LINEAR, EVENT_SET_HEAP};

    for (int k = 0; k < 2; k++) {
        struct event_set set;

        build(&set, kinds[k], 20);
        event_set_build(&set);
        for (uint32_t i = 0; i < 19; i++) {
            struct event_choice choice = event_set_first(&set);

            ck_assert_uint_eq(choice.actor->rank, i);
            ck_assert_uint_eq(choice.limit_rank, i + 1);
            ck_assert_int_eq(choice.limit_time, 0);
            choice.actor->next = 1;
            event_set_moved(&set, choice.actor);
        }
    }
}
END_TEST

START_TEST(event_set_of_one_has_no_limit)
{
    for (enum event_set_kind kind = EVENT_SET_AUTO; kind <= EVENT_SET_HEAP; kind++) {
        struct event_set set;
        struct event_choice choice;

        build(&set, kind, 1);
        event_set_build(&set);
        choice = event_set_first(&set);
        ck_assert_ptr_eq(choice.actor, &actor[0]);
        ck_assert_int_eq(choice.limit_time, SIM_NEVER);
        ck_assert_uint_eq(choice.limit_rank, UINT32_MAX);
    }
}
END_TEST

START_TEST(event_set_chooses_its_structure_by_the_number_of_actors)
{
    for (uint32_t count = 1; count <= EVENT_SET_ROOM; count++) {
        struct event_set set;

        build(&set, EVENT_SET_AUTO, count);
        event_set_build(&set);
        ck_assert_int_eq(set.kind,
                         count <= EVENT_SET_LINEAR_MOST ? EVENT_SET_LINEAR : EVENT_SET_HEAP);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        event_set_finds_the_two_least_keys_after_any_move,
        event_set_breaks_ties_by_rank,
        event_set_of_one_has_no_limit,
        event_set_chooses_its_structure_by_the_number_of_actors,
        NULL,
    };

    return suite_run("event_set", cases);
}
