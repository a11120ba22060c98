/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Faults that stall the path, each beside the run without it; and that what makes them possible changes nothing else.
 */
#include "tests/study/outcome.h"

/* ---- completions on two CPUs ---- */

/* Three packets, then silence until all are back. Sizes vary, so the two CPUs drift against each other. */
#define SENDER_OF_THREE                                                                                   \
    "\"workload\": {\"type\": \"saturating\", \"size\": {\"uniform\": [256, 1514]}, \"window\": 3}, "   \
    "\"host.vhost.era\": \"3.13\", \"costs.vhost.callback_gap\": \"200ns\""

#define TWO_CPUS "\"host.nic.completion_cpus\": 2"

START_TEST(two_callbacks_that_read_before_either_puts_lose_the_call)
{
    check_hang(SENDER_OF_THREE, TWO_CPUS, TWO_CPUS ", \"host.vhost.zcopy_callback\": \"after_put\"",
               "3 completed zerocopy packets not returned: no completion queued it, the last two read");
}
END_TEST

START_TEST(one_completing_cpu_never_loses_it)
{
    check_hang(SENDER_OF_THREE, TWO_CPUS, "", "no completion queued it");
}
END_TEST

/* Whatever the rule, every completion is one of those that are accounted for, and both engines agree. */
START_TEST(two_completing_cpus_run_the_same_on_both_engines)
{
    static const char *const changes[] = {
        "", "\"host.vhost.zcopy_callback\": \"after_put\"",
        "\"host.vhost\": {\"zcopy_callback\": \"always\", \"zcopy_cb_gated\": true, \"zcopy_rescan\": true}",
        "\"host.nic.softirq_cpu\": \"worker\"", "\"host.nic.tx_queue_len\": 8",
        "\"host.nic\": {\"slow_every\": 50, \"slow_by\": \"100us\"}", "\"host.vhost.zerocopy\": false",
    };
    const char *members = "\"workload\": {\"type\": \"poisson\", \"rate\": \"250kpps\", \"size\": "
                          "{\"uniform\": [60, 1514]}}, \"guest.napi_tx\": false, \"host.vhost.era\": \"3.13\", " TWO_CPUS;

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct outcome fast = run_of(members, changes[i], SIM_FAST);
        struct outcome slow = run_of(members, changes[i], SIM_PLAIN);

        ck_assert_msg(fast.fingerprint == slow.fingerprint, "%s", changes[i]);
        ck_assert_double_eq(fast.metric[METRIC_HUNG], 0);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {two_callbacks_that_read_before_either_puts_lose_the_call,
                            one_completing_cpu_never_loses_it,
                            two_completing_cpus_run_the_same_on_both_engines, NULL};

    return suite_run("stalls", cases);
}
