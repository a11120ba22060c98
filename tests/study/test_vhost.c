/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vhost, its zerocopy and the network card as a whole, through scenarios: the mechanisms that its policies rest
 * on, each in a bed where it can be seen, inside the plausible range of every cost; and the ways in which it
 * hangs, each beside the run without the fault.
 */
#include <math.h>
#include <string.h>

#include "tests/study/outcome.h"

#define GATED "\"host.vhost.zcopy_cb_gated\": true, \"host.vhost.zcopy_rescan\": true"

/* Orphan mode without event index, as the guests of 2014. */
#define GUEST "\"guest\": {\"napi_tx\": false, \"tx_ring.event_idx\": false}"
#define SENDER GUEST ", \"workload\": {\"type\": \"saturating\", \"size\": 1460}, \"guest.stack.packet\": \"2us\""

/* The worker is busy three quarters of the time, and a completion comes while it handles the packet after. */
#define ONE_OUTSTANDING                                                                            \
    SENDER ", \"host.vhost.era\": \"3.14\", \"host.link.speed\": \"100Gbit/s\", "                  \
           "\"host.nic\": {\"moderation\": \"0us\", \"completion_latency\": \"0us\"}, "            \
           "\"costs\": {\"vhost\": {\"tx_packet\": \"1.5us\", \"enable_notify\": \"0.5us\"}, "     \
           "\"nic.interrupt\": \"0.5us\"}"

static double extra_runs(const struct outcome *o)
{
    return o->metric[METRIC_WORKER_RUNS] - o->metric[METRIC_WORKER_WAKEUPS];
}

START_TEST(gating_cuts_extra_runs_of_a_busy_worker_with_one_outstanding)
{
    struct outcome old = run(ONE_OUTSTANDING, ""), gated = run(ONE_OUTSTANDING, GATED);

    ck_assert_double_gt(old.metric[METRIC_HOST_WORK], 70);
    ck_assert_double_gt(extra_runs(&old), 10000);
    ck_assert_double_le(extra_runs(&gated), 0.7 * extra_runs(&old));
    ck_assert_double_lt(gated.metric[METRIC_CALLBACK_POLLS], old.metric[METRIC_CALLBACK_POLLS]);
}
END_TEST

/* Completions that come in batches leave little to gate: less than 0.2 points of idle. */
START_TEST(gating_gains_nothing_with_completions_moderated_by_30_us)
{
    static const char *const moderation[] = {"30us", "36us", "60us"};

    for (int i = 0; i < 3; i++) {
        char change[200], both[400];
        struct outcome old, gated;

        snprintf(change, sizeof change, "\"host.nic.moderation\": \"%s\"", moderation[i]);
        snprintf(both, sizeof both, "%s, %s", change, GATED);
        old = run(SENDER ", \"host.vhost.era\": \"3.14\"", change);
        gated = run(SENDER ", \"host.vhost.era\": \"3.14\"", both);
        ck_assert_double_lt(
            fabs(gated.metric[METRIC_HOST_IDLE] - old.metric[METRIC_HOST_IDLE]), 0.2);
    }
}
END_TEST

/* Whoever finds the worker asleep finds notifications enabled. */
START_TEST(gating_changes_nothing_while_the_worker_sleeps)
{
    const char *members = GUEST ", \"workload\": {\"type\": \"constant\", \"rate\": \"20kpps\", \"size\": 1460}, "
                                "\"host.vhost.era\": \"3.14\", \"host.nic.moderation\": \"0us\"";
    struct outcome old = run(members, ""), gated = run(members, GATED);

    ck_assert_double_eq(old.metric[METRIC_CALLBACK_POLLS_PERCENT], 100);
    ck_assert_double_eq(gated.metric[METRIC_CALLBACK_POLLS_PERCENT], 100);
    ck_assert_double_eq(gated.metric[METRIC_WORKER_RUNS], old.metric[METRIC_WORKER_RUNS]);
    ck_assert_double_eq(gated.metric[METRIC_HOST_IDLE], old.metric[METRIC_HOST_IDLE]);
}
END_TEST

/* A packet every 10 us, completed 145 us after: 15 are outstanding at every completion; at 155 us 16. */
static double polls_when_parked(const char *rule, const char *latency)
{
    char change[300];

    snprintf(change, sizeof change,
             "\"host.vhost.zcopy_callback\": \"%s\", \"host.nic.completion_latency\": \"%s\"", rule,
             latency);
    return run("\"jitter\": 0, \"workload\": {\"type\": \"constant\", \"rate\": \"100kpps\", \"size\": 1460}, " GUEST
               ", \"host.vhost.era\": \"3.13\", \"host.link.speed\": \"100Gbit/s\", \"host.nic.moderation\": "
               "\"0us\"",
               change)
        .metric[METRIC_CALLBACK_POLLS_PERCENT];
}

START_TEST(a_level_that_is_parked_fires_always_or_never)
{
    ck_assert_double_ge(polls_when_parked("before_put", "145us"), 99);
    ck_assert_double_le(polls_when_parked("after_put", "145us"), 1);
    ck_assert_double_ge(polls_when_parked("after_put", "155us"), 99);
    ck_assert_double_le(polls_when_parked("before_put", "155us"), 1);
}
END_TEST

START_TEST(fast_and_plain_are_the_same_to_the_bit)
{
    static const char *const changes[] = {
        "", GATED, "\"host.nic.softirq_cpu\": \"worker\"", "\"host.vhost.zerocopy\": false",
        "\"host.vhost.busyloop_timeout\": \"20us\"", "\"host.nic.tx_queue_len\": 8",
        "\"host.vhost.zcopy_failure\": 0.1", "\"guest.tx_ring.event_idx\": true",
        "\"guest.tx_ring.layout\": \"packed\"",
        "\"host.vhost.busyloop_timeout\": \"5us\", \"host.nic.softirq_cpu\": \"worker\"",
        "\"host.nic\": {\"slow_every\": 50, \"slow_by\": \"100us\"}",
        "\"host.idle\": {\"cpu\": \"skylake\", \"sched_latency\": \"2us\", \"runqueue_busy\": 0.01, \"slice\": \"100us\"}",
        "\"host.kvm.halt_poll\": \"200us\", \"guest.haltpoll\": \"100us\", \"host.idle.cpu\": \"epyc\"",
        "\"host.vhost\": {\"descheduled_every\": \"300us\", \"descheduled_for\": \"50us\"}",
        "\"host.vhost\": {\"descheduled_every\": \"200us\", \"descheduled_for\": \"40us\", \"busyloop_timeout\": \"5us\"}, \"host.nic.softirq_cpu\": \"worker\"",
    };
    const char *members = "\"workload\": {\"type\": \"poisson\", \"rate\": \"250kpps\", \"size\": "
                          "{\"uniform\": [60, 1514]}}, \"guest.napi_tx\": false, \"host.vhost.era\": \"3.13\"";

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct outcome fast = run_of(members, changes[i], SIM_FAST);
        struct outcome slow = run_of(members, changes[i], SIM_PLAIN);

        ck_assert_msg(fast.fingerprint == slow.fingerprint, "%s", changes[i]);
        ck_assert_double_eq(fast.metric[METRIC_HUNG], 0);
    }
}
END_TEST

START_TEST(short_packets_are_copied_and_long_ones_are_not)
{
    const char *members = GUEST ", \"workload.type\": \"saturating\", \"host.vhost.zerocopy\": true";

    ck_assert_double_eq(run(members, "\"workload.size\": 255").metric[METRIC_ZEROCOPY], 0);
    ck_assert_double_eq(run(members, "\"workload.size\": 256").metric[METRIC_ZEROCOPY], 100);
}
END_TEST

/* Every attempt fails: it goes on with one in 64. */
START_TEST(zerocopy_that_always_fails_is_tried_once_in_64_packets)
{
    struct outcome o = run(SENDER, "\"host.vhost\": {\"zerocopy\": true, \"zcopy_failure\": 1}");

    ck_assert_double_eq_tol(o.metric[METRIC_ZEROCOPY], 100.0 / 64, 0.4);
}
END_TEST

/* The link at 1 Gbit/s takes 11.872 us for 1460 bytes and their gap. */
START_TEST(a_slow_link_sets_the_rate_and_the_socket_holds_the_worker_back)
{
    struct outcome o = run(SENDER, "\"host.vhost.zerocopy\": false, \"host.link.speed\": \"1Gbit/s\", "
                                   "\"host.nic.tx_queue_len\": 64");

    ck_assert_double_eq_tol(o.metric[METRIC_TX_PPS], 1e9 / (8 * (1460 + 24)), 900);
    ck_assert_double_eq(o.metric[METRIC_HUNG], 0);
}
END_TEST

START_TEST(a_full_socket_that_nobody_waits_for_hangs)
{
    check_hang(SENDER ", \"host.vhost.zerocopy\": false, \"host.link.speed\": \"1Gbit/s\", "
                      "\"host.nic.tx_queue_len\": 64",
               "\"host.vhost.rearm\": false", "", "the socket was full and nobody queued the worker");
}
END_TEST

/* A packet that is published between the last look and the enabling: replies that come about when a busy loop
 * ends find that moment. */
START_TEST(without_the_recheck_a_kick_is_lost)
{
    check_hang("\"workload\": {\"type\": \"ping_pong\", \"reply\": {\"every\": 1, \"delay\": \"10us\"}}, "
               "\"host.vhost.busyloop_timeout\": \"19us\"",
               "\"host.vhost.notify_recheck\": false", "",
               "notifications on: the last kick was suppressed or lost");
}
END_TEST

/* The older limit ends a run with notifications off, and a gated completion takes that for a worker that looks. */
START_TEST(gated_completions_hang_behind_the_older_limit)
{
    check_hang(SENDER ", \"host.vhost.era\": \"3.13\", \"host.link.speed\": \"1Gbit/s\", "
                      "\"host.nic.tx_queue_len\": 4096, \"guest.tx_ring.size\": 1024",
               GATED, "", "128 completed zerocopy packets not returned");
}
END_TEST

/* During a busy loop notifications are off and nobody looks at completions. */
START_TEST(gated_completions_hang_without_the_rescan)
{
    check_hang("\"workload\": {\"type\": \"saturating\", \"size\": 1460, \"window\": 1}, "
               "\"host.vhost\": {\"zerocopy\": true, \"zcopy_cb_gated\": true, \"busyloop_timeout\": \"30us\"}",
               "", "\"host.vhost.zcopy_rescan\": true", "1 completed zerocopy packets not returned");
}
END_TEST

/* Only what comes after it waits for a late packet: the ring stops at 238, and nothing is lost. */
START_TEST(a_late_packet_at_the_head_stops_the_ring_and_the_newer_limit_copies)
{
    const char *members = SENDER ", \"host.vhost.era\": \"3.14\", \"host.nic\": {\"slow_every\": 2000, "
                                 "\"slow_by\": \"3ms\"}";
    struct outcome equal = run(members, ""), above = run(members, "\"host.vhost.zcopy_limit\": \"above\"");

    ck_assert_double_eq(equal.metric[METRIC_IN_FLIGHT_MAX], 238);
    ck_assert_double_eq(equal.metric[METRIC_HUNG], 0);
    ck_assert_double_gt(equal.metric[METRIC_ZEROCOPY_RETURN], 1000);
    ck_assert_double_lt(above.metric[METRIC_IN_FLIGHT_MAX], 238);
    ck_assert_double_gt(equal.metric[METRIC_QUEUE_STOPS], 0);
    ck_assert_double_eq(above.metric[METRIC_QUEUE_STOPS], 0);
    ck_assert_double_lt(above.metric[METRIC_ZEROCOPY], 90);
    ck_assert_double_eq(equal.metric[METRIC_ZEROCOPY], 100);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {gating_cuts_extra_runs_of_a_busy_worker_with_one_outstanding,
                            gating_gains_nothing_with_completions_moderated_by_30_us,
                            gating_changes_nothing_while_the_worker_sleeps,
                            a_level_that_is_parked_fires_always_or_never,
                            fast_and_plain_are_the_same_to_the_bit,
                            short_packets_are_copied_and_long_ones_are_not,
                            zerocopy_that_always_fails_is_tried_once_in_64_packets,
                            a_slow_link_sets_the_rate_and_the_socket_holds_the_worker_back,
                            a_full_socket_that_nobody_waits_for_hangs,
                            without_the_recheck_a_kick_is_lost,
                            gated_completions_hang_behind_the_older_limit,
                            gated_completions_hang_without_the_rescan,
                            a_late_packet_at_the_head_stops_the_ring_and_the_newer_limit_copies,
                            NULL};

    return suite_run("vhost", cases);
}
