/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The way through a trace, and small queues, each by itself. */
#include "models/replay.h"
#include "models/tsq.h"
#include "tests/suite.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct packet_trace_entry uneven[] = {
    {.at = 0, .size = 100},
    {.at = 7, .size = 200, .frags = 1},
    {.at = 7, .size = 300, .frags = 17},
    {.at = 1000007, .size = 400, .more = 1},
};
static const struct packet_trace trace = {.entry = uneven, .count = COUNT(uneven)};
static const struct replay_config plain = {.mode = REPLAY_TIMING, .time_scale = 1};

/* Takes all that comes, at most `most`; what was due goes into due[]. Returns how many came. */
static size_t take_all(const struct replay_config *config, sim_time *due, size_t most)
{
    struct replay replay;
    size_t count = 0;

    replay_init(&replay, config, &trace);
    while (count < most && !replay_ended(&replay)) {
        due[count++] = replay_due(&replay);
        replay_take(&replay);
    }
    return count;
}

START_TEST(entries_are_due_when_the_capture_had_them)
{
    sim_time due[8];

    ck_assert_uint_eq(take_all(&plain, due, COUNT(due)), COUNT(uneven));
    for (size_t i = 0; i < COUNT(uneven); i++) {
        ck_assert_int_eq(due[i], uneven[i].at);
    }
}
END_TEST

START_TEST(the_end_without_a_loop_is_the_end)
{
    struct replay replay;

    replay_init(&replay, &plain, &trace);
    for (size_t i = 0; i < COUNT(uneven); i++) {
        ck_assert_double_eq(replay_rounds(&replay), (double)i / COUNT(uneven));
        replay_take(&replay);
    }
    ck_assert(replay_ended(&replay));
    ck_assert_int_eq(replay_due(&replay), SIM_NEVER);
    ck_assert_double_eq(replay_rounds(&replay), 1);
}
END_TEST

START_TEST(the_last_entry_of_a_round_promises_no_other)
{
    struct replay replay;

    replay_init(&replay, &plain, &trace);
    for (size_t i = 0; i + 1 < COUNT(uneven); i++) {
        replay_take(&replay);
    }
    ck_assert_uint_eq(replay_take(&replay).more, 0);
}
END_TEST

START_TEST(gaps_are_cut_and_then_scaled)
{
    struct replay_config config = plain;
    sim_time due[8];

    config.most_gap = 1000;
    config.time_scale = 0.5;
    take_all(&config, due, COUNT(due));
    ck_assert_int_eq(due[1], 4); /* 3.5 rounded up */
    ck_assert_int_eq(due[2], 4);
    ck_assert_int_eq(due[3], 504);
}
END_TEST

START_TEST(rounds_follow_each_other_at_the_given_gap_or_the_mean_one)
{
    struct replay_config config = plain;
    sim_time due[9];

    config.loop = true;
    config.loop_gap = 13;
    ck_assert_uint_eq(take_all(&config, due, COUNT(due)), COUNT(due));
    ck_assert_int_eq(due[4], 1000020);
    ck_assert_int_eq(due[5], 1000027);
    ck_assert_int_eq(due[8], 2000040);
    config.loop_gap = 0;
    take_all(&config, due, COUNT(due));
    ck_assert_int_eq(due[4], 1000007 + 1000007 / 3);
}
END_TEST

START_TEST(times_beyond_what_can_be_simulated_never_come)
{
    struct replay_config config = plain;
    sim_time due[8];

    config.time_scale = 1e6;
    config.loop = true;
    config.loop_gap = SIM_TIME_LIMIT;
    take_all(&config, due, COUNT(due));
    ck_assert_int_eq(due[4], SIM_NEVER);
    ck_assert_int_eq(due[7], SIM_NEVER);
}
END_TEST

START_TEST(the_span_of_a_round_is_that_of_its_gaps)
{
    struct replay_config config = plain;

    ck_assert_int_eq(replay_span(&config, &trace, SIM_S), 1000007);
    ck_assert_int_eq(replay_span(&config, &trace, 5), 5);
    config.most_gap = 3;
    ck_assert_int_eq(replay_span(&config, &trace, SIM_S), 6);
}
END_TEST

START_TEST(a_summary_counts_every_entry_alike)
{
    struct packet_trace summed = trace;

    packet_trace_summarise(&summed);
    ck_assert_uint_eq(summed.most_frags, 17);
    ck_assert_double_eq(summed.mean_size, 250);
    ck_assert_double_eq(summed.mean_frags, 4.5);
}
END_TEST

/* Packets of 1000 bytes of true size until the socket may not; returns how many. */
static uint32_t fill(struct tsq *tsq, uint32_t size)
{
    uint32_t count = 0;

    while (tsq_admits(tsq, size)) {
        tsq_charge(tsq, size, false);
        count++;
    }
    return count;
}

START_TEST(one_packet_goes_beyond_the_limit_and_none_after_it)
{
    struct tsq_config config = {.sockets = 1, .limit_bytes = 10000, .overhead_bytes = 200};
    struct tsq tsq;

    tsq_init(&tsq, &config);
    ck_assert_uint_eq(fill(&tsq, 800), 11); /* at 10000 exactly it is not over the limit */
    tsq_free(&tsq, 0, 800);
    ck_assert_uint_eq(fill(&tsq, 800), 1);
}
END_TEST

START_TEST(two_large_packets_are_always_under_way)
{
    struct tsq_config config = {.sockets = 1, .limit_bytes = 1, .overhead_bytes = 1280};
    struct tsq tsq;

    tsq_init(&tsq, &config);
    ck_assert_uint_eq(fill(&tsq, 65226), 3); /* twice its size is not over the limit either */
    tsq_free(&tsq, 0, 65226);
    tsq_free(&tsq, 0, 65226);
    ck_assert(tsq_admits(&tsq, 14));
}
END_TEST

START_TEST(each_socket_has_its_own_limit_and_its_turn)
{
    struct tsq_config config = {.sockets = 3, .limit_bytes = 2000, .overhead_bytes = 0};
    struct tsq tsq;

    tsq_init(&tsq, &config);
    ck_assert_uint_eq(tsq_charge(&tsq, 1000, true), 0);
    ck_assert_uint_eq(tsq_charge(&tsq, 1000, false), 0); /* of one list */
    ck_assert_uint_eq(tsq_charge(&tsq, 1000, false), 1);
    ck_assert_uint_eq(tsq_charge(&tsq, 1000, false), 2);
    ck_assert(tsq_admits(&tsq, 1000)); /* socket 0 at its limit, not over it */
    ck_assert_uint_eq(tsq_charge(&tsq, 1000, false), 0);
    ck_assert_uint_eq(tsq_charge(&tsq, 1000, false), 1);
    ck_assert_uint_eq(tsq_charge(&tsq, 1000, false), 2);
    ck_assert(!tsq_admits(&tsq, 1000)); /* holds up socket 1, which might */
    tsq_free(&tsq, 1, 1000);
    ck_assert(!tsq_admits(&tsq, 1000));
    tsq_free(&tsq, 0, 1000);
    ck_assert(tsq_admits(&tsq, 1000));
}
END_TEST

int main(void)
{
    const TTest *cases[] = {entries_are_due_when_the_capture_had_them,
                            the_end_without_a_loop_is_the_end,
                            the_last_entry_of_a_round_promises_no_other,
                            gaps_are_cut_and_then_scaled,
                            rounds_follow_each_other_at_the_given_gap_or_the_mean_one,
                            times_beyond_what_can_be_simulated_never_come,
                            the_span_of_a_round_is_that_of_its_gaps,
                            a_summary_counts_every_entry_alike,
                            one_packet_goes_beyond_the_limit_and_none_after_it,
                            two_large_packets_are_always_under_way,
                            each_socket_has_its_own_limit_and_its_turn,
                            NULL};

    return suite_run("replay", cases);
}
