/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The datapath as a whole, through scenarios: faults that were found once and must not come back, and what every
 * configuration must give.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/study/scenario.h"
#include "tests/suite.h"

/* Opens a scenario of these members beside version and name; the caller frees it. NULL: refused. */
static struct scenario *open_members(const char *members)
{
    struct scenario_options options = {0};
    struct problems problems;
    struct scenario *scenario;
    char text[2048];

    snprintf(text, sizeof text, "{\"version\": 1, \"name\": \"test\", %s}", members);
    problems_init(&problems);
    scenario = scenario_open_text("test.json", text, strlen(text), &options, &problems);
    problems_fini(&problems);
    return scenario;
}

static void run(const char *members, uint32_t replication, struct run_result *result)
{
    struct scenario *scenario = open_members(members);
    struct config *config = malloc(sizeof *config);
    struct error error = {0};
    struct run_id id;

    ck_assert_msg(scenario != NULL, "refused: %s", members);
    scenario_config(scenario, 0, 0, config);
    id = config_run_id(config, replication);
    ck_assert(datapath_run(&config->datapath, &id, result, &error));
    scenario_free(scenario);
    free(config);
}

static double metric_of(const char *members, enum metric metric)
{
    struct run_result *result = run_result_new();
    double value;

    run(members, 0, result);
    value = result->metric[metric];
    run_result_free(result);
    return value;
}

START_TEST(replies_on_their_way_have_no_limit)
{
    ck_assert_double_eq(metric_of("\"duration\": \"40ms\", \"guest.path\": \"xsk\", \"workload\": {\"type\": "
                                  "\"saturating\", \"reply\": {\"every\": 1, \"delay\": \"30ms\"}}",
                                  METRIC_HUNG),
                        0);
}
END_TEST

/* 32 packets that arrive together wait for the list to be complete, not for each other's kick. */
START_TEST(a_list_is_sent_when_the_stack_has_made_all_of_it)
{
    const char *members = "\"workload\": {\"type\": \"poisson\", \"burst\": 32, \"rate\": \"200kpps\"}, "
                          "\"host.backend.type\": \"kicked\", \"guest.stack.packet\": \"1us\"";

    ck_assert_double_lt(metric_of(members, METRIC_LATENCY_P50), 16);
    ck_assert_double_eq_tol(metric_of(members, METRIC_KICK_TESTS_PER_PACKET), 1.0 / 32, 0.003);
    ck_assert_double_eq(metric_of(members, METRIC_KICK_EMPTY), 100);
}
END_TEST

START_TEST(shares_stay_shares_in_the_shortest_window)
{
    struct run_result *result = run_result_new();

    for (uint32_t i = 0; i < 300; i++) {
        run("\"duration\": \"50us\", \"warmup\": \"20us\", \"workload\": {\"type\": \"poisson\", \"rate\": "
            "\"200kpps\"}, \"host.backend.type\": \"kicked\"",
            i, result);
        for (int m = 0; m < METRIC_COUNT; m++) {
            require(strcmp(metric_unit((enum metric)m), "%") != 0 || isnan(result->metric[m]) ||
                    (result->metric[m] >= 0 && result->metric[m] <= 100));
        }
    }
    run_result_free(result);
}
END_TEST

START_TEST(slow_is_not_hung)
{
    ck_assert_double_eq(metric_of("\"duration\": \"2s\", \"workload\": {\"type\": \"poisson\", \"rate\": "
                                  "\"30pps\"}, \"guest.stack.packet\": \"25ms\"",
                                  METRIC_HUNG),
                        0);
    ck_assert_double_eq(metric_of("\"duration\": \"1s\", \"workload\": {\"type\": \"poisson\", \"rate\": "
                                  "\"50pps\"}, \"costs.host.packet\": \"12ms\"",
                                  METRIC_HUNG),
                        0);
}
END_TEST

START_TEST(a_queue_that_nobody_wakes_is_hung_however_short_the_run)
{
    const char *skb = "\"duration\": \"100us\", \"workload.type\": \"saturating\", \"guest.tx_ring.size\": 16";
    const char *xsk = "\"workload.type\": \"saturating\", \"guest.path\": \"xsk\", \"guest.tx_ring.size\": 16";

    ck_assert_double_eq(metric_of(skb, METRIC_HUNG), 1);
    ck_assert_double_eq(metric_of(xsk, METRIC_HUNG), 1);
}
END_TEST

START_TEST(every_mix_of_reclaim_and_arming_moves)
{
    static const char *const values[] = {"true", "false"};

    for (int i = 0; i < 8; i++) {
        char members[512];

        snprintf(members, sizeof members,
                 "\"workload\": {\"type\": \"poisson\", \"rate\": \"200kpps\"}, \"host.backend.type\": \"kicked\", "
                 "\"guest\": {\"reclaim_in_xmit\": %s, \"arm_after_kick\": %s, \"bql\": %s}",
                 values[i & 1], values[i >> 1 & 1], values[i >> 2]);
        ck_assert_msg(metric_of(members, METRIC_HUNG) == 0, "hung: %s", members);
    }
}
END_TEST

/* A second kick before the backend has begun its run does not cost a run of its own. */
START_TEST(kicks_up_to_the_start_of_a_run_are_one)
{
    const char *members = "\"workload\": {\"type\": \"saturating\", \"size\": 60}, \"guest\": {\"stack.packet\": "
                          "\"300ns\", \"tx_ring.event_idx\": false}, \"host.backend.type\": \"kicked\"";

    ck_assert_double_lt(metric_of(members, METRIC_WORKER_EMPTY_RUNS),
                        0.05 * metric_of(members, METRIC_WORKER_WAKEUPS));
}
END_TEST

/* Sizes that become random leave the fragments of every packet as they were. */
START_TEST(each_property_of_a_packet_has_its_own_stream)
{
    double constant = metric_of("\"workload\": {\"type\": \"saturating\", \"window\": 50, \"size\": 1514, "
                                "\"frags\": {\"uniform\": [0, 1]}}, \"guest.stack.per_byte\": \"0ns\"",
                                METRIC_TABLES_PER_PACKET);
    double random = metric_of("\"workload\": {\"type\": \"saturating\", \"window\": 50, \"size\": {\"uniform\": "
                              "[1513, 1514]}, \"frags\": {\"uniform\": [0, 1]}}, \"guest.stack.per_byte\": \"0ns\"",
                              METRIC_TABLES_PER_PACKET);

    ck_assert_double_eq(constant, random);
}
END_TEST

START_TEST(what_could_never_end_is_refused)
{
    static const char *const members[] = {
        "\"workload.type\": \"saturating\", \"guest.path\": \"xsk\", \"costs.guest.xsk_run\": \"0ns\"",
        "\"workload\": {\"type\": \"on_off\", \"rate\": \"1pps\", \"on\": \"1ns\", \"off\": \"1ns\"}",
        "\"workload.type\": \"saturating\", \"guest.stack.per_byte\": \"2s\"",
        "\"workload.type\": \"saturating\", \"warmup\": \"60d\", \"duration\": \"60d\"",
    };

    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        struct scenario *scenario = open_members(members[i]);

        ck_assert_msg(scenario == NULL, "accepted: %s", members[i]);
        scenario_free(scenario);
    }
}
END_TEST

START_TEST(the_rarest_packets_need_no_overflow)
{
    ck_assert_double_eq(metric_of("\"workload\": {\"type\": \"constant\", \"rate\": \"0.0000001pps\"}",
                                  METRIC_TX_PPS),
                        0);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {replies_on_their_way_have_no_limit,
                                  a_list_is_sent_when_the_stack_has_made_all_of_it,
                                  shares_stay_shares_in_the_shortest_window,
                                  slow_is_not_hung,
                                  a_queue_that_nobody_wakes_is_hung_however_short_the_run,
                                  every_mix_of_reclaim_and_arming_moves,
                                  kicks_up_to_the_start_of_a_run_are_one,
                                  each_property_of_a_packet_has_its_own_stream,
                                  what_could_never_end_is_refused,
                                  the_rarest_packets_need_no_overflow,
                                  NULL};

    return suite_run("datapath", cases);
}
