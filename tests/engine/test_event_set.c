/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/event_set.h"

#include <string.h>

#include "sim/engine/stream.h"
#include "tests/suite.h"

static struct actor actor[EVENT_SET_ROOM];

static void build(struct event_set *set, enum event_set_kind kind, uint32_t count)
{
    event_set_init(set, kind);
    memset(actor, 0, sizeof actor);
    for (uint32_t i = 0; i < count; i++) {
        event_set_add(set, &actor[i]);
    }
}

/* Those that wait have no order. */
static bool before(const struct actor *a, const struct actor *b)
{
    return a->next != SIM_NEVER && actor_before(a, b);
}

/* Every entry has its actor's time; none comes before the one ahead of it, which in a heap is its
 * parent and in a linear set its neighbour. In a heap every actor knows its slot. */
static void check_set(const struct event_set *set)
{
    for (uint32_t i = 0; i < set->count; i++) {
        const struct actor *a = set->entry[i].actor;
        bool heap = set->kind == EVENT_SET_HEAP;

        require(set->entry[i].next == a->next);
        require(!heap || a->slot == i);
        require(i == 0 || !before(a, set->entry[heap ? (i - 1) / 4 : i - 1].actor));
    }
}

/* The least key of all but one, by looking at all; NULL: there is no other. */
static struct actor *least_but(const struct actor *one, uint32_t count)
{
    struct actor *least = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if (&actor[i] != one && (!least || actor_before(&actor[i], least))) {
            least = &actor[i];
        }
    }
    return least;
}

static void move(struct event_set *set, struct actor *moved, sim_time next)
{
    bool sooner = next < moved->next;

    moved->next = next;
    if (sooner) {
        event_set_sooner(set, moved);
    } else {
        event_set_later(set, moved);
    }
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
        struct actor *first = event_set_first(&set);
        struct actor *second = least_but(first, count);
        struct actor *moved =
            stream_below(&stream, 2) ? first : &actor[stream_below(&stream, count)];

        check_set(&set);
        require(first == least_but(NULL, count) || !before(least_but(NULL, count), first));
        require(event_set_second_time(&set) == (second ? second->next : SIM_NEVER));
        /* Small times: ties abound; some wait. */
        move(&set, moved,
             stream_below(&stream, 8) ? (sim_time)stream_below(&stream, 12) : SIM_NEVER);
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
            ck_assert_uint_eq(event_set_first(&set)->rank, i);
            ck_assert_int_eq(event_set_second_time(&set), 0);
            move(&set, event_set_first(&set), 1);
        }
    }
}
END_TEST

START_TEST(event_set_of_one_has_no_second)
{
    for (enum event_set_kind kind = EVENT_SET_AUTO; kind <= EVENT_SET_HEAP; kind++) {
        struct event_set set;

        build(&set, kind, 1);
        event_set_build(&set);
        ck_assert_ptr_eq(event_set_first(&set), &actor[0]);
        ck_assert_int_eq(event_set_second_time(&set), SIM_NEVER);
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
        event_set_of_one_has_no_second,
        event_set_chooses_its_structure_by_the_number_of_actors,
        NULL,
    };

    return suite_run("event_set", cases);
}
