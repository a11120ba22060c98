/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which notification protocols lose a wake-up, and how soon. A claim is a protocol, the barriers of
 * its producer and consumer, with or without the re-check; then the length of the shortest trace to
 * a hang (0: none exists) and the number of states tried. docs/protocol.md tells what follows.
 */
#include "tests/protocol/explorer.h"
#include "tests/protocol/protocols.h"
#include "tests/suite.h"

#define NONE  BARRIER_NONE
#define READ  BARRIER_READ
#define WRITE BARRIER_WRITE
#define FULL  BARRIER_FULL

#define RESCAN true

/* The steps of the shortest trace to a hang, 0 where none exists, and in *states what was tried. */
static uint32_t shortest_hang(const struct protocol *protocol, struct machine_options options,
                              uint32_t *states)
{
    struct machine_step steps[EXPLORER_TRACE];
    struct explorer e;
    uint32_t length;

    explorer_init(&e, protocol, &options);
    length = e.hung == EXPLORER_NONE ? 0 : explorer_trace(&e, e.hung, steps);
    ck_assert_uint_gt(e.at_rest, 0);
    ck_assert_msg(e.no_exit == 0, "%s: a loop without a way out", protocol->name);
    *states = e.count;
    explorer_fini(&e);
    return length;
}

static void claim(const char *name, enum barrier producer, enum barrier consumer, bool recheck,
                  uint32_t steps, uint32_t states)
{
    const struct protocol *protocol = protocol_find(name);
    uint32_t tried, length;

    length =
        shortest_hang(protocol, protocol_options(protocol, producer, consumer, recheck), &tried);
    ck_assert_msg(length == steps && tried == states, "%s %s %s: %u steps, %u states", name,
                  barrier_names[producer], barrier_names[consumer], length, tried);
}

START_TEST(no_barrier_after_marking_done_loses_a_wake_up)
{
    claim("callback", NONE, NONE, RESCAN, 7, 87);
    claim("callback", NONE, FULL, RESCAN, 8, 87);
}
END_TEST

START_TEST(a_read_barrier_after_marking_done_loses_a_wake_up)
{
    claim("callback", READ, READ, RESCAN, 9, 138);
    claim("callback", READ, FULL, RESCAN, 9, 108);
}
END_TEST

START_TEST(a_write_barrier_does_as_little_as_a_read_barrier)
{
    for (size_t i = 0; i < PROTOCOL_COUNT; i++) {
        for (uint32_t other = 0; other < BARRIER_KINDS; other++) {
            const struct protocol *p = &protocols[i];
            uint32_t read_states, write_states;
            uint32_t read = shortest_hang(p, protocol_options(p, READ, other, true), &read_states);
            uint32_t write =
                shortest_hang(p, protocol_options(p, WRITE, other, true), &write_states);

            ck_assert_uint_eq(read, write);
            ck_assert_uint_eq(read_states, write_states);
        }
    }
}
END_TEST

START_TEST(a_full_barrier_on_the_callbacks_side_alone_loses_a_wake_up)
{
    claim("callback", FULL, NONE, RESCAN, 8, 95);
    claim("callback", FULL, READ, RESCAN, 9, 119);
}
END_TEST

START_TEST(full_barriers_and_a_rescan_lose_none)
{
    claim("callback", FULL, FULL, RESCAN, 0, 92);
    claim("vhost", FULL, FULL, RESCAN, 0, 2147);
}
END_TEST

START_TEST(without_the_rescan_full_barriers_lose_a_wake_up)
{
    claim("callback", FULL, FULL, !RESCAN, 8, 56);
}
END_TEST

/* The worker looks at avail.idx again, but not at the zerocopy entries. */
START_TEST(a_second_look_at_avail_idx_does_not_replace_the_rescan)
{
    claim("vhost", FULL, FULL, !RESCAN, 14, 1637);
}
END_TEST

START_TEST(a_locked_decrement_between_mark_and_test_is_a_full_barrier)
{
    claim("callback-put", FULL, FULL, RESCAN, 0, 92);
    claim("callback-put", FULL, READ, RESCAN, 9, 119);
    claim("callback-put", FULL, FULL, !RESCAN, 8, 56);
}
END_TEST

START_TEST(a_worker_that_leaves_with_no_notify_set_hangs_whatever_the_barrier)
{
    claim("callback-exit", NONE, FULL, RESCAN, 4, 12);
    claim("callback-exit", READ, FULL, RESCAN, 5, 17);
    claim("callback-exit", FULL, FULL, RESCAN, 5, 13);
}
END_TEST

START_TEST(a_kick_is_lost_without_full_barriers_or_recheck)
{
    claim("kick-flags", FULL, FULL, true, 0, 92);
    claim("kick-flags", READ, FULL, true, 9, 108);
    claim("kick-flags", FULL, READ, true, 9, 119);
    claim("kick-flags", FULL, FULL, false, 8, 56);
    claim("kick-event", FULL, FULL, true, 0, 78);
    claim("kick-event", NONE, FULL, true, 8, 75);
    claim("kick-event", READ, FULL, true, 9, 94);
    claim("kick-event", FULL, READ, true, 9, 114);
    claim("kick-event", FULL, FULL, false, 8, 48);
}
END_TEST

START_TEST(a_call_is_lost_without_full_barriers_or_recheck)
{
    claim("call-flags", FULL, FULL, true, 0, 92);
    claim("call-flags", READ, FULL, true, 9, 108);
    claim("call-flags", FULL, FULL, false, 8, 56);
    claim("call-event", FULL, FULL, true, 0, 78);
    claim("call-event", READ, FULL, true, 9, 94);
    claim("call-event", FULL, FULL, false, 8, 48);
    claim("napi", FULL, FULL, true, 0, 216);
    claim("napi", READ, FULL, true, 10, 235);
    claim("napi", FULL, FULL, false, 9, 109);
}
END_TEST

/* On x86, where a locked operation is a full barrier. */
START_TEST(complete_is_the_drivers_barrier_only_where_it_stands_between_enable_and_look)
{
    claim("napi", FULL, NONE, true, 0, 189);
    claim("napi-complete-first", FULL, NONE, true, 9, 197);
    claim("napi-complete-first", FULL, FULL, true, 0, 202);
    claim("napi-look-first", FULL, NONE, true, 9, 187);
}
END_TEST

START_TEST(a_second_look_before_complete_is_safe_only_if_missed_interrupts_are_remembered)
{
    claim("napi-look-first", FULL, FULL, true, 0, 190);
    claim("napi-no-missed", FULL, FULL, true, 15, 177);
}
END_TEST

START_TEST(a_count_read_before_the_put_loses_the_last_completions)
{
    claim("refcount-read", FULL, FULL, true, 8, 42);
    claim("refcount-put", FULL, FULL, true, 0, 25);
}
END_TEST

/* Beyond one entry and one piece of work: the verdict stays, for each protocol and barrier. States
 * of three parties with deeper buffers do not fit into 64 bits. */
START_TEST(deeper_store_buffers_and_more_rounds_change_no_verdict)
{
    static const enum barrier kinds[] = {NONE, READ, FULL};
    const struct protocol *protocol = &protocols[_i];
    uint32_t deepest = protocol->party_count == 2 ? MACHINE_DEPTH : 1;
    /* Three rounds of both guest and callback take a third of a million states: once, below. */
    uint32_t most = protocol == protocol_find("vhost") ? 2 : 3;
    uint32_t states;

    for (uint32_t p = 0; p < 3; p++) {
        for (uint32_t n = 0; n < 6; n++) {
            struct machine_options o =
                protocol_options(protocol, kinds[p], kinds[n / 2], n % 2 != 0);
            bool expected = shortest_hang(protocol, o, &states) != 0;

            for (o.depth = 1; o.depth <= deepest; o.depth++) {
                for (o.rounds = 1; o.rounds <= most; o.rounds++) {
                    ck_assert((shortest_hang(protocol, o, &states) != 0) == expected);
                }
            }
        }
    }
}
END_TEST

START_TEST(three_rounds_of_guest_and_callback_lose_no_wake_up)
{
    const struct protocol *vhost = protocol_find("vhost");
    struct machine_options o = protocol_options(vhost, FULL, FULL, true);
    uint32_t states;

    o.rounds = 3;
    ck_assert_uint_eq(shortest_hang(vhost, o, &states), 0);
    ck_assert_uint_eq(states, 181898);
}
END_TEST

/* Depth first, without memory of what was visited: another way to the same answer. */
static bool hangs_within(const struct machine *m, struct machine_state s, uint32_t steps)
{
    bool moved = false;

    for (uint8_t i = 0; i < 2 * m->protocol->party_count; i++) {
        struct machine_state next = s;

        if (machine_take(m, &next, (struct machine_step){.party = i / 2, .drain = i % 2})) {
            moved = true;
            if (steps > 0 && hangs_within(m, next, steps - 1)) {
                return true;
            }
        }
    }
    return !moved && !machine_work_seen(m, &s);
}

START_TEST(no_trace_is_shorter_than_the_one_told)
{
    const struct protocol *protocol = &protocols[_i];

    for (uint32_t n = 0; n < 2 * BARRIER_KINDS * BARRIER_KINDS; n++) {
        struct machine_options o =
            protocol_options(protocol, n / 2 % BARRIER_KINDS, n / 2 / BARRIER_KINDS, n % 2 != 0);
        uint32_t states, length = shortest_hang(protocol, o, &states);
        struct machine m;

        machine_init(&m, protocol, &o);
        if (length > 0 && length <= 9) { /* longer ones take too many orders */
            ck_assert(!hangs_within(&m, machine_start(&m), length - 1));
            ck_assert(hangs_within(&m, machine_start(&m), length));
        } else {
            ck_assert(!hangs_within(&m, machine_start(&m), 9));
        }
    }
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = no_barrier_after_marking_done_loses_a_wake_up},
        {.test = a_read_barrier_after_marking_done_loses_a_wake_up},
        {.test = a_write_barrier_does_as_little_as_a_read_barrier},
        {.test = a_full_barrier_on_the_callbacks_side_alone_loses_a_wake_up},
        {.test = full_barriers_and_a_rescan_lose_none},
        {.test = without_the_rescan_full_barriers_lose_a_wake_up},
        {.test = a_second_look_at_avail_idx_does_not_replace_the_rescan},
        {.test = a_locked_decrement_between_mark_and_test_is_a_full_barrier},
        {.test = a_worker_that_leaves_with_no_notify_set_hangs_whatever_the_barrier},
        {.test = a_kick_is_lost_without_full_barriers_or_recheck},
        {.test = a_call_is_lost_without_full_barriers_or_recheck},
        {.test = complete_is_the_drivers_barrier_only_where_it_stands_between_enable_and_look},
        {.test = a_second_look_before_complete_is_safe_only_if_missed_interrupts_are_remembered},
        {.test = a_count_read_before_the_put_loses_the_last_completions},
        {.test = deeper_store_buffers_and_more_rounds_change_no_verdict, .end = PROTOCOL_COUNT},
        {.test = three_rounds_of_guest_and_callback_lose_no_wake_up},
        {.test = no_trace_is_shorter_than_the_one_told, .end = PROTOCOL_COUNT},
        {0}};

    return suite_run_cases("protocol", NULL, NULL, cases);
}
