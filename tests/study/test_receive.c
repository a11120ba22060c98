/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Receiving on the worker that also sends: how long a packet from outside waits for a transmit run and the
 * reverse, what becomes of an echo request in every configuration, and what stalls. That requests sent =
 * answered + dropped + inside is asserted at the end of every run.
 */
#include <math.h>

#include "tests/study/outcome.h"

/* A sender that the worker never catches up with. */
#define FLOOD                                                                                       \
    "\"workload\": {\"type\": \"saturating\", \"size\": 43, \"window\": 277, "                      \
    "\"outside\": {\"type\": \"ping\", \"ping_interval\": \"200us\"}}, "                                 \
    "\"guest.napi_tx\": false, \"costs.vhost.tx_packet\": \"2.5us\", \"host.vhost.copy_batch\": 1"

/* One packet a second: whatever else happens, happens to packets from outside. */
#define QUIET(outside)                                                                              \
    "\"workload\": {\"type\": \"constant\", \"rate\": \"1pps\", \"outside\": " outside "}"

/* Members that take the place of some of those, or add to them. */
#define BUT(members) "\"variants\": {\"but\": {" members "}}"

/* The first replication, long enough for many transmit runs. */
static void run_long(const char *members, const char *change, struct run_result *result)
{
    struct config *config;
    struct scenario *scenario;
    struct error error = {0};
    struct run_id id;
    char text[2048];

    snprintf(text, sizeof text, "{\"version\": 1, \"duration\": \"400ms\", \"warmup\": \"50ms\", %s%s%s}",
             members, change[0] ? ", " : "", change);
    scenario = open_text(text, &plain);
    config = config_of(scenario, 0, 0);
    id = config_run_id(config, 0);
    ck_assert(datapath_run(&config->datapath, &id, result, &error));
    scenario_free(scenario);
    free(config);
}

static const struct histogram *wait_of(const struct run_result *result)
{
    for (int i = 0; i < RUN_HISTOGRAMS; i++) {
        if (result->histogram[i].name && strcmp(result->histogram[i].name, "rx_wait") == 0) {
            return &result->histogram[i].data;
        }
    }
    return NULL;
}

/* ---- waiting for a transmit run ---- */

/* Packets of a run by the weight in packets or in bytes (43 each, and the header). */
static const struct weight {
    const char *change;
    double packets;
} weights[] = {
    {"\"host.vhost.weight_packets\": 64", 64},
    {"\"host.vhost.weight_packets\": 256", 256},
    {"\"host.vhost.weight_packets\": 1024", 1024},
    {"\"host.vhost\": {\"weight_packets\": 0, \"weight_bytes\": 43000}", 1000},
    {"\"host.vhost\": {\"weight_packets\": 0, \"weight_bytes\": 55000, \"header_bytes\": 12}", 1000},
    {"\"host.vhost.weight_packets\": 0", 12193}, /* 512 KiB of 43 bytes */
};

/* A run begins, sends so many packets at the rate that the flood has, and the receive handler follows. */
START_TEST(a_packet_from_outside_waits_for_one_transmit_run_at_most)
{
    const struct weight *w = &weights[_i];
    struct run_result *result = run_result_new();
    const struct histogram *wait;
    double run_us, slack_us = 10; /* handlers' beginnings and ends, its own way */

    run_long(FLOOD, w->change, result);
    wait = wait_of(result);
    run_us = w->packets / result->metric[METRIC_TX_PPS] * 1e6;
    ck_assert_double_lt((double)wait->most / 1e6, run_us + slack_us);
    ck_assert_double_gt((double)wait->most / 1e6, 0.9 * run_us);
    run_result_free(result);
}
END_TEST

/* Requests come at a moment of a run that is uniform, and one in each interval: the scatter of the mean is at
 * most that of independent ones. */
START_TEST(it_waits_for_half_a_run_in_the_mean)
{
    const struct weight *w = &weights[_i];
    struct run_result *result = run_result_new();
    double run_us, n, own_us = 4;

    run_long(FLOOD, w->change, result);
    n = (double)wait_of(result)->count;
    run_us = w->packets / result->metric[METRIC_TX_PPS] * 1e6;
    ck_assert_double_eq_tol(result->metric[METRIC_RX_WAIT_MEAN], run_us / 2,
                            5 * run_us / sqrt(12 * n) + own_us);
    run_result_free(result);
}
END_TEST

/* What a weight adds to the round trip is the wait for the run: the answer's way back does not depend on it. */
START_TEST(a_weight_adds_its_wait_to_the_round_trip_and_nothing_else)
{
    struct outcome small = run(FLOOD, "\"host.vhost.weight_packets\": 64");
    struct outcome large = run(FLOOD, "\"host.vhost.weight_packets\": 512");
    double longer = large.metric[METRIC_PING_MEAN] - small.metric[METRIC_PING_MEAN];
    double wait = large.metric[METRIC_RX_WAIT_MEAN] - small.metric[METRIC_RX_WAIT_MEAN];

    /* The way back goes through a queue that swings between 178 packets less and full, in a period of its own. */
    double swing_us = 178 / large.metric[METRIC_TX_PPS] * 1e6, n = 40e3 / 200 * OUTCOME_RUNS;

    ck_assert_double_eq_tol(longer, wait, 5 * swing_us * sqrt(2 / (12 * n)));
    ck_assert_double_gt(wait, 500);
}
END_TEST

/* ---- the answer ---- */

START_TEST(an_answer_waits_behind_what_is_above_the_driver)
{
    struct outcome few = run(FLOOD, BUT("\"workload.window\": 50"));
    struct outcome many = run(FLOOD, BUT("\"workload.window\": 450"));
    double packet_us = 1e6 / many.metric[METRIC_TX_PPS];
    double longer = many.metric[METRIC_PING_MEAN] - few.metric[METRIC_PING_MEAN];

    ck_assert_double_gt(longer, 400 * packet_us * 0.7); /* the queue swings with the ring's refills */
    ck_assert_double_lt(longer, 400 * packet_us * 1.3);
    ck_assert_double_eq(few.metric[METRIC_PING_LOST], 0);
}
END_TEST

START_TEST(a_full_queue_above_the_driver_drops_answers)
{
    ck_assert_double_gt(run(FLOOD, BUT("\"workload.window\": 0")).metric[METRIC_PING_LOST], 20);
}
END_TEST

START_TEST(a_full_socket_drops_requests)
{
    struct outcome outcome = run(FLOOD, "\"host.vhost\": {\"rx_queue\": 2, \"weight_packets\": 1024}");

    ck_assert_double_gt(outcome.metric[METRIC_RX_DROPS], 1000);
    ck_assert_double_gt(outcome.metric[METRIC_PING_LOST], 20);
}
END_TEST

/* With nobody else there, a round trip is both latencies and less than 100 us of work. */
START_TEST(a_quiet_host_answers_at_once)
{
    struct outcome outcome =
        run(QUIET("{\"type\": \"ping\", \"ping_interval\": \"1ms\", \"one_way\": \"50us\"}"), "\"jitter\": 0");

    ck_assert_double_gt(outcome.metric[METRIC_PING_LEAST], 100);
    ck_assert_double_lt(outcome.metric[METRIC_PING_MOST], 200);
    ck_assert_double_eq(outcome.metric[METRIC_PING_LOST], 0);
}
END_TEST

/* The transmit handler spins on an empty ring, and a packet from outside ends that. */
START_TEST(a_busy_loop_ends_when_a_packet_arrives)
{
    const char *members = "\"workload\": {\"type\": \"constant\", \"rate\": \"20kpps\", \"outside\": "
                          "{\"type\": \"ping\", \"ping_interval\": \"1ms\"}}, \"host.vhost.busyloop_timeout\": \"1ms\"";
    struct outcome outcome = run(members, "");

    ck_assert_double_gt(outcome.metric[METRIC_HOST_WORK], 40);
    ck_assert_double_lt(outcome.metric[METRIC_RX_WAIT_MEAN], 5);
}
END_TEST

/* A packet that comes while the guest is signalled ends up in a run of its own, or in the same one. */
START_TEST(a_look_after_the_signal_saves_runs)
{
    const char *members = QUIET("{\"type\": \"flood\", \"flood_rate\": \"300kpps\"}") ", \"guest.rx_buffers\": 1024";
    struct outcome ends = run(members, ""), looks = run(members, "\"host.vhost.rx_repeek\": true");

    ck_assert_double_gt(ends.metric[METRIC_RX_MISSED], 5000);
    ck_assert_double_lt(looks.metric[METRIC_RX_MISSED], 100);
    ck_assert_double_lt(looks.metric[METRIC_WORKER_RUNS], ends.metric[METRIC_WORKER_RUNS] - 5000);
}
END_TEST

/* ---- the reverse ---- */

/* More than the receive handler can take, and buffers enough: a run ends by its weight alone. */
#define RECEIVES                                                                                    \
    "\"workload\": {\"type\": \"poisson\", \"rate\": \"10kpps\", \"size\": 60, "                    \
    "\"outside\": {\"type\": \"flood\", \"flood_rate\": \"1Mpps\", \"frame_bytes\": 60}}, "                      \
    "\"guest\": {\"reclaim_cpu\": \"other\", \"rx_buffers\": 4096}, "                               \
    "\"costs\": {\"guest.napi_reply\": \"300ns\", \"vhost.rx_packet\": \"1.5us\"}"

START_TEST(sending_waits_for_receive_runs_without_a_packet_weight)
{
    struct outcome none = run(RECEIVES, "\"host.vhost.weight_packets\": 0");
    struct outcome some = run(RECEIVES, "\"host.vhost.weight_packets\": 256");

    ck_assert_double_gt(none.metric[METRIC_LATENCY_P99], 4000);
    ck_assert_double_lt(some.metric[METRIC_LATENCY_P99], 1500);
    ck_assert_double_gt(some.metric[METRIC_RX_DROPS], 100e3);
}
END_TEST

/* ---- every configuration ---- */

/* Nothing is lost or counted twice, and both engines agree. */
START_TEST(requests_add_up_in_every_configuration)
{
    static const char *const changes[] = {
        "",
        BUT("\"workload.outside.ping_interval\": \"3us\""),
        BUT("\"workload.outside.ping_interval\": \"3us\", \"host.vhost.rx_queue\": 7, \"guest.rx_buffers\": 3"),
        BUT("\"workload.outside\": {\"ping_interval\": \"5us\", \"one_way\": \"2ms\"}, \"jitter\": 0.3"),
        BUT("\"guest.napi_tx\": true"),
        BUT("\"guest.napi_tx\": true, \"guest.reclaim_cpu\": \"other\""),
        BUT("\"guest.reclaim_cpu\": \"other\", \"workload.outside.ping_interval\": \"3us\""),
        BUT("\"guest.tx_ring.event_idx\": false, \"guest.rx_buffers\": 2, \"workload.outside.ping_interval\": \"3us\""),
        BUT("\"guest.tx_ring.layout\": \"packed\", \"kernel\": \"6.11\", \"guest.napi_tx\": true"),
        BUT("\"guest.tx_ring\": {\"indirect\": false, \"size\": 64}, \"workload.frags\": 17"),
        BUT("\"host.vhost.era\": \"3.13\", \"workload.size\": 1514, \"workload.outside.frame_bytes\": 1514"),
        BUT("\"host.nic.softirq_cpu\": \"worker\""),
        BUT("\"host.nic.tx_queue_len\": 8"),
        BUT("\"host.link.speed\": \"100Mbit/s\""),
        BUT("\"workload.window\": 0"),
        BUT("\"workload.burst\": 32"),
        BUT("\"host.vhost.busyloop_timeout\": \"50us\", \"workload.window\": 1"),
        BUT("\"workload.outside\": {\"type\": \"flood\", \"flood_rate\": \"2Mpps\"}"),
        BUT("\"workload.outside.type\": \"flood\", \"guest.rx_buffers\": 1, \"guest.rx_budget\": 1"),
        BUT("\"workload.reply.every\": 1"),
        BUT("\"host.link\": {\"speed\": \"100Mbit/s\", \"loss\": 0.1}, \"host.nic.tx_queue_len\": 4, "
            "\"host.qdisc.limit\": 16"),
        BUT("\"host.link.speed\": \"100Mbit/s\", \"host.nic.tx_queue_len\": 4, "
            "\"host.qdisc\": {\"limit\": 16, \"on_full\": \"enobufs\"}"),
        BUT("\"host.vhost\": {\"socket\": \"tap\", \"copy_batch\": 64}"),
        BUT("\"host.vhost\": {\"socket\": \"macvtap\", \"local_share\": 0.5}"),
        BUT("\"host.vhost.socket\": \"local\""),
        BUT("\"host.vhost.rx_repeek\": true, \"workload.outside.ping_interval\": \"3us\""),
    };

    struct outcome fast = run_of(FLOOD, changes[_i], SIM_FAST);
    struct outcome slow = run_of(FLOOD, changes[_i], SIM_PLAIN);

    ck_assert_msg(fast.fingerprint == slow.fingerprint, "%s", changes[_i]);
    ck_assert_double_eq(fast.metric[METRIC_HUNG], 0);
    ck_assert_double_gt(fast.metric[METRIC_RX_PPS], 0);
}
END_TEST

/* ---- stalls ---- */

/* The guest posts its buffers again while the handler still returns the last ones, just before it asks to be told. */
START_TEST(buffers_posted_before_the_kick_was_asked_for_are_lost_without_the_second_look)
{
    check_hang(QUIET("{\"type\": \"flood\", \"flood_rate\": \"1.5Mpps\", \"frame_bytes\": 60}") ", \"guest.rx_buffers\": 5, "
               "\"jitter\": 0.2, \"costs\": {\"vhost.enable_notify\": \"0.5us\", \"guest.napi_reply\": \"0.3us\", "
               "\"vhost.rx_packet\": \"1.5us\"}, \"host.vhost.copy_batch\": 1",
               BUT("\"host.vhost.notify_recheck\": false"), "", "at a socket that it does not watch");
}
END_TEST

int main(void)
{
    const int count = (int)(sizeof weights / sizeof weights[0]);
    const struct suite_case cases[] = {
        {.test = a_packet_from_outside_waits_for_one_transmit_run_at_most, .end = count},
        {.test = it_waits_for_half_a_run_in_the_mean, .end = count},
        {.test = a_weight_adds_its_wait_to_the_round_trip_and_nothing_else},
        {.test = an_answer_waits_behind_what_is_above_the_driver},
        {.test = a_full_queue_above_the_driver_drops_answers},
        {.test = a_full_socket_drops_requests},
        {.test = a_quiet_host_answers_at_once},
        {.test = a_busy_loop_ends_when_a_packet_arrives},
        {.test = a_look_after_the_signal_saves_runs},
        {.test = sending_waits_for_receive_runs_without_a_packet_weight},
        {.test = requests_add_up_in_every_configuration, .end = 26},
        {.test = buffers_posted_before_the_kick_was_asked_for_are_lost_without_the_second_look},
        {0}};

    return suite_run_cases("receive", NULL, NULL, cases);
}
