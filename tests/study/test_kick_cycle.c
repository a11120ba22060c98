/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The last batch of vhost's copy path before or after notifications are enabled, through scenarios: who kicks, who
 * sleeps, and that no packet stays behind. The bed of
 * the published pair is held by test_kick_cycle.sh.
 */
#include "tests/study/outcome.h"

#define AFTER  "\"host.vhost.flush_order\": \"after_enable\""
#define BEFORE "\"host.vhost.flush_order\": \"before_enable\""

/* The worker needs 1.3 us for a packet that comes every 1.2 us: whatever it does, one is published meanwhile. */
#define PACED                                                                                      \
    "\"kernel\": \"6.12\", \"jitter\": 0, \"workload\": {\"type\": \"constant\", \"rate\": "       \
    "\"833333pps\", \"size\": 64}, \"guest.stack.packet\": \"0.3us\", "                            \
    "\"host.vhost.socket\": \"tap\", \"costs\": {\"socket.tap\": \"900ns\", "                       \
    "\"notify.doorbell\": \"0.1us\", \"vhost.used_entry\": \"150ns\"}"

START_TEST(a_packet_that_is_published_while_the_batch_is_sent_kicks_only_after_enabling)
{
    struct outcome before = run(PACED, BEFORE), after = run(PACED, AFTER);

    ck_assert_double_lt(before.metric[METRIC_KICKS_PER_PACKET], 0.01);
    ck_assert_double_gt(after.metric[METRIC_KICKS_PER_PACKET], 0.01);
}
END_TEST

/* The kick finds the worker running: one more run, no wake-up. */
START_TEST(such_a_kick_costs_another_run_and_no_wake_up)
{
    struct outcome after = run(PACED, AFTER);

    ck_assert_double_gt(after.metric[METRIC_WORKER_RUNS], 5000);
    ck_assert_double_lt(after.metric[METRIC_WORKER_WAKEUPS],
                        0.01 * after.metric[METRIC_WORKER_RUNS]);
}
END_TEST

/* A packet alone, long before the next: there is nothing that the order could change but by nanoseconds. */
START_TEST(packets_far_apart_kick_each_in_either_order)
{
    const char *text = "\"kernel\": \"6.12\", \"jitter\": 0, \"workload\": {\"type\": \"constant\", "
                       "\"rate\": \"10kpps\", \"size\": 64}, \"host.vhost.socket\": \"tap\"";
    struct outcome before = run(text, BEFORE), after = run(text, AFTER);

    ck_assert_double_eq(before.metric[METRIC_KICKS_PER_PACKET], 1);
    ck_assert_double_eq(after.metric[METRIC_KICKS_PER_PACKET], 1);
    ck_assert_double_eq(before.metric[METRIC_WORKER_WAKEUPS], after.metric[METRIC_WORKER_WAKEUPS]);
}
END_TEST

/* Every account holds, nothing hangs and both engines agree, with whatever ends a run early. */
START_TEST(no_packet_stays_behind_in_either_order)
{
    static const char *const change[] = {
        "\"guest.tx_ring.event_idx\": false", "\"host.vhost.busyloop_timeout\": \"5us\"",
        "\"host.vhost.weight_packets\": 3",   "\"host.vhost.socket\": \"nic\", \"host.nic.tx_queue_len\": 64",
        "\"host.vhost.copy_batch\": 1",       "\"guest.tx_ring.layout\": \"packed\"",
        "\"guest.napi_tx\": false",           "\"host.vhost.socket\": \"macvtap\"",
    };
    const char *members = AFTER ", \"kernel\": \"6.12\", \"workload\": {\"type\": \"poisson\", \"rate\": "
                                "\"100kpps\", \"size\": 1000}";

    for (size_t i = 0; i < sizeof change / sizeof change[0]; i++) {
        struct outcome fast = run_of(members, change[i], SIM_FAST);
        struct outcome plain_one = run_of(members, change[i], SIM_PLAIN);

        ck_assert_msg(fast.metric[METRIC_HUNG] == 0, "%s: %s", change[i], fast.hung_why);
        ck_assert_double_gt(fast.metric[METRIC_TX_PPS], 98e3);
        ck_assert_uint_eq(fast.fingerprint, plain_one.fingerprint);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {a_packet_that_is_published_while_the_batch_is_sent_kicks_only_after_enabling,
                            such_a_kick_costs_another_run_and_no_wake_up,
                            packets_far_apart_kick_each_in_either_order,
                            no_packet_stays_behind_in_either_order,
                            NULL};

    return suite_run("kick_cycle", cases);
}
