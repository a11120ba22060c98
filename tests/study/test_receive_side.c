/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The receive side through scenarios: engines agree to the bit, loads are what they should be, and net_dim leads where
 * it does on a device without costs.
 */
#include <stdlib.h>

#define OUTCOME_WINDOW "\"duration\": \"600ms\", \"warmup\": \"150ms\""

#include "models/datapath.h"
#include "sim/study/scenario.h"
#include "tests/study/outcome.h"
#include "tests/suite.h"

#define RECEIVE "\"workload\": {\"type\": \"receive\", \"receive\": {"
#define FREE                                                                                       \
    ", \"guest.rx.app\": \"xdp\", \"host.cvq.command\": \"0us\", \"costs.rx\": {\"inject\": \"0ns\", "      \
    "\"vcpu_exit\": \"0ns\", \"interrupt_entry\": \"0ns\", \"interrupt_exit\": \"0ns\", \"poll\": \"0ns\", "     \
    "\"sample\": \"0ns\", \"packet\": \"0ns\", \"thread_switch\": \"0ns\"}"

START_TEST(fast_and_plain_are_the_same_to_the_bit)
{
    static const char *const members[] = {
        RECEIVE "\"arrivals\": \"closed\", \"connections\": 24}}, \"guest.rx.app\": \"epoll\", "
                "\"costs.rx.message\": \"6us\", \"guest.dim.enable\": true",
        RECEIVE "\"arrivals\": \"poisson\", \"offered\": \"1.2Mpps\"}}, \"guest.dim.enable\": true",
        RECEIVE "\"arrivals\": \"constant\", \"offered\": \"3Mpps\"}}, \"guest.rx_ring.size\": 64",
        RECEIVE "\"arrivals\": \"poisson\", \"offered\": \"500kpps\"}}, \"guest.tx_ring.event_idx\": false, "
                "\"guest.coalesce\": {\"max_usecs\": 50, \"max_packets\": 32}",
        RECEIVE "\"arrivals\": \"poisson\"}}, \"guest.tx_ring.layout\": \"packed\", \"guest.rx.app\": \"xdp\"",
    };
    struct outcome fast = run_of(members[_i], "", SIM_FAST), slow = run_of(members[_i], "", SIM_PLAIN);

    ck_assert_uint_eq(fast.fingerprint, slow.fingerprint);
    ck_assert_double_gt(fast.metric[METRIC_RX_PPS], 0);
}
END_TEST

/* Even dropping takes longer than the packets' distance: the application hardly runs, and the run ends on time. */
START_TEST(a_livelock_ends_on_time)
{
    struct outcome o = run(RECEIVE "\"arrivals\": \"constant\", \"offered\": \"6Mpps\"}}", "");

    ck_assert_double_gt(o.metric[METRIC_GUEST_BUSY], 99.9);
    ck_assert_double_lt(o.metric[METRIC_RX_SOCKET_PPS], 1e3);
}
END_TEST

/* Constant gaps at 50 kpps: hunts between the first two profiles, ten commands in 1,290 interrupts. */
START_TEST(constant_gaps_hunt)
{
    struct outcome o = run(RECEIVE "\"arrivals\": \"constant\", \"offered\": \"50kpps\"}}" FREE,
                           "\"guest.dim.enable\": true");

    ck_assert_double_eq_tol(o.metric[METRIC_DIM_COMMANDS],
                            10.0 / 1290 * o.metric[METRIC_INTERRUPTS], 12);
    ck_assert_double_eq_tol(o.metric[METRIC_DIM_SHARE_0], 75, 2);
    ck_assert_double_eq_tol(o.metric[METRIC_DIM_SHARE_1], 25, 2);
}
END_TEST

START_TEST(higher_rates_park_and_very_high_ones_hunt)
{
    static const char *const rates[] = {"200kpps", "1Mpps", "2Mpps", "5Mpps"};
    static const double commands[] = {0, 0, 61, 158};
    char members[300];
    struct outcome o;

    snprintf(members, sizeof members,
             RECEIVE "\"arrivals\": \"constant\", \"offered\": \"%s\"}}",
             rates[_i]);
    o = run(members, "\"guest.dim.enable\": true" FREE);
    /* Hunting goes in tens: one more or fewer in 600 ms. */
    ck_assert_double_eq_tol(o.metric[METRIC_DIM_COMMANDS], commands[_i], commands[_i] > 0 ? 10 / 0.6 : 0.01);
    if (commands[_i] == 0) {
        ck_assert_double_eq(o.metric[METRIC_DIM_SHARE_4], 100);
    }
}
END_TEST

/* Few connections do not saturate the CPU: waiting for more packets costs them requests. */
START_TEST(few_connections_lose_by_moderation)
{
    const char *members = RECEIVE "\"arrivals\": \"closed\", \"connections\": 8}}, \"guest.rx.app\": \"epoll\", "
                                  "\"costs.rx.message\": \"6036ns\"";
    double off = run(members, "").metric[METRIC_REQUESTS];
    double on = run(members, "\"guest.dim.enable\": true").metric[METRIC_REQUESTS];

    ck_assert_double_lt(on, 0.96 * off);
    ck_assert_double_gt(on, 0.86 * off);
}
END_TEST

START_TEST(a_ping_pong_costs_one_interrupt_a_round_trip)
{
    struct outcome o = run(RECEIVE "\"arrivals\": \"closed\", \"connections\": 1, \"pause\": \"30us\"}}", "\"guest.rx.app\": \"epoll\"");

    ck_assert_double_eq_tol(o.metric[METRIC_INTERRUPTS_PER_PACKET], 1, 0.01);
    ck_assert_double_eq_tol(o.metric[METRIC_REQUEST_CYCLE] - 30,
                            o.metric[METRIC_LATENCY_P50], 0.5);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {{.test = fast_and_plain_are_the_same_to_the_bit, .end = 5},
                                       {.test = a_livelock_ends_on_time},
                                       {.test = constant_gaps_hunt},
                                       {.test = higher_rates_park_and_very_high_ones_hunt, .end = 4},
                                       {.test = few_connections_lose_by_moderation},
                                       {.test = a_ping_pong_costs_one_interrupt_a_round_trip},
                                       {0}};

    return suite_run_cases("receive_side", NULL, NULL, cases);
}
