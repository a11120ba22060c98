/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whole runs with a second guest CPU. Every run ends with its accounts checked (time by symbol for each CPU,
 * lines, tables, stays), so a case also proves that those hold.
 */
#include <stdio.h>
#include <string.h>

#include "models/datapath.h"
#include "models/datapath_config.h"
#include "sim/study/scenario.h"
#include "tests/suite.h"

#define TEXT(more, load)                                                                           \
    "{\"version\": 1, \"duration\": \"10ms\", \"warmup\": \"2ms\", " more                          \
    "\"workload\": {\"type\": \"saturating\", " load "}}"
#define TWO_ENTRIES TEXT("", "\"size\": 1514, \"frags\": 1, \"window\": 60, \"reply\": {\"every\": 2}")
#define AF_XDP      TEXT("\"guest\": {\"path\": \"xsk\"}, ", "\"size\": 64")
#define OTHER       "guest.reclaim_cpu=other"
#define FREE_MOVES                                                                                 \
    "costs.memory.cpu_read=0ns", "costs.memory.cpu_write=0ns", "costs.memory.cpu_post=0ns",        \
        "costs.guest.skb_other=0ns"

struct outcome {
    double metric[METRIC_COUNT];
    double symbol[SYMBOL_COUNT];
    uint64_t fingerprint, packets;
};

#define RUN(text, ...) run_of(text, SIM_FAST, (const char *const[]){__VA_ARGS__, NULL})

static struct outcome run_of(const char *text, enum sim_engine engine, const char *const *set)
{
    struct scenario_options options = {.set = set};
    struct config *config = malloc(sizeof *config);
    struct run_result *result = run_result_new();
    struct error error = {0};
    struct problems problems;
    struct scenario *scenario;
    struct outcome outcome;
    struct run_id id;

    while (set[options.set_count]) {
        options.set_count++;
    }
    problems_init(&problems);
    scenario = scenario_open_text("here.json", text, strlen(text), &options, &problems);
    for (size_t i = 0; i < problems.count && !scenario; i++) {
        fprintf(stderr, "%s: %s\n", problems.list[i].error.path, problems.list[i].error.text);
    }
    ck_assert_ptr_nonnull(scenario);
    ck_assert(config && result);
    scenario_config(scenario, 0, 0, config);
    id = config_run_id(config, 0);
    id.engine = engine;
    ck_assert_msg(datapath_run(&config->datapath, &id, result, &error), "%s", error.text);
    ck_assert_str_eq(result->hung_why, "");
    memcpy(outcome.metric, result->metric, sizeof outcome.metric);
    memcpy(outcome.symbol, result->symbol_ns_per_packet, sizeof outcome.symbol);
    outcome.fingerprint = result->fingerprint;
    outcome.packets = result->packets;
    scenario_free(scenario);
    problems_fini(&problems);
    run_result_free(result);
    free(config);
    return outcome;
}

START_TEST(two_cpus_give_the_same_bits_on_both_engines)
{
    const char *const kernels[] = {"kernel=3.13", "kernel=6.1", "kernel=6.12", "kernel=6.15",
                                   "kernel=7.0"};
    const char *const backends[] = {"host.backend.type=polling", "host.backend.type=kicked"};

    for (size_t i = 0; i < sizeof kernels / sizeof kernels[0]; i++) {
        for (size_t j = 0; j < 2; j++) {
            const char *const set[] = {OTHER, kernels[i], backends[j], NULL};
            struct outcome fast = run_of(TWO_ENTRIES, SIM_FAST, set);
            struct outcome plain = run_of(TWO_ENTRIES, SIM_PLAIN, set);

            ck_assert_uint_gt(fast.packets, 100);
            ck_assert_uint_eq(fast.fingerprint, plain.fingerprint);
        }
    }
}
END_TEST

/* An AF_XDP poll sends what it reclaims: there is no other CPU. */
START_TEST(af_xdp_has_one_cpu)
{
    ck_assert_uint_eq(RUN(AF_XDP, "guest.reclaim_cpu=same").fingerprint,
                      RUN(AF_XDP, OTHER).fingerprint);
}
END_TEST

START_TEST(move_costs_change_no_bit_of_one_cpu)
{
    ck_assert_uint_eq(RUN(TWO_ENTRIES, "guest.virtio_desc_cache_thr=4").fingerprint,
                      RUN(TWO_ENTRIES, "guest.virtio_desc_cache_thr=4", FREE_MOVES).fingerprint);
}
END_TEST

/* From 6.15 on start_xmit never reclaims, so every table is freed by the polls. */
START_TEST(every_free_by_the_other_cpus_polls_is_slow)
{
    struct outcome same = RUN(TWO_ENTRIES, "kernel=6.15", "guest.bql=false", "guest.virtio_desc_cache_thr=0");
    struct outcome other = RUN(TWO_ENTRIES, "kernel=6.15", "guest.bql=false", "guest.virtio_desc_cache_thr=0", OTHER);

    ck_assert_double_eq(same.metric[METRIC_SLAB_SLOW_FREE], 0);
    ck_assert_double_gt(other.metric[METRIC_SLAB_SLOW_FREE], 99);
    ck_assert_double_gt(other.symbol[SYMBOL_SLAB_FREE], 0);
    ck_assert_double_gt(other.metric[METRIC_CPU_MOVES], 1);
}
END_TEST

/* What the task's CPU no longer does, it can send with: the second CPU may cost, never slow it. */
START_TEST(free_moves_to_a_second_cpu_never_slow_the_sender)
{
    struct outcome same = RUN(TWO_ENTRIES, "kernel=6.15");
    struct outcome other = RUN(TWO_ENTRIES, "kernel=6.15", OTHER, FREE_MOVES);

    ck_assert_double_gt(other.metric[METRIC_TX_PPS], same.metric[METRIC_TX_PPS]);
    ck_assert_double_lt(other.metric[METRIC_TASK_NS], same.metric[METRIC_TASK_NS]);
}
END_TEST

START_TEST(dearer_moves_never_make_a_packet_cheaper)
{
    struct outcome free_of_cost = RUN(TWO_ENTRIES, "kernel=6.15", OTHER, FREE_MOVES);
    struct outcome near = RUN(TWO_ENTRIES, "kernel=6.15", OTHER);
    struct outcome far =
        RUN(TWO_ENTRIES, "kernel=6.15", OTHER, "guest.reclaim_placement=remote");

    ck_assert_double_lt(free_of_cost.metric[METRIC_GUEST_NS], near.metric[METRIC_GUEST_NS]);
    ck_assert_double_lt(near.metric[METRIC_GUEST_NS], far.metric[METRIC_GUEST_NS]);
}
END_TEST

START_TEST(busy_shares_add_up_to_the_time_per_packet)
{
    struct outcome o = RUN(TWO_ENTRIES, "kernel=6.15", OTHER);
    double busy_ns = o.metric[METRIC_GUEST_BUSY] / 100 * 10e6;

    ck_assert_double_gt(o.metric[METRIC_RECLAIM_BUSY], 0);
    ck_assert_double_eq_tol(busy_ns / (double)o.packets / o.metric[METRIC_GUEST_NS], 1, 0.005);
    ck_assert_double_gt(o.metric[METRIC_GUEST_NS], o.metric[METRIC_TASK_NS]);
}
END_TEST

/* A driver that costs more than the stack above it: both CPUs want the lock all the time. */
START_TEST(lock_is_waited_for_when_both_want_it)
{
    struct outcome o = RUN(TWO_ENTRIES, "kernel=6.15", OTHER, "guest.stack.packet=1ns",
                           "guest.stack.per_byte=0ns", "workload.window=200");

    ck_assert_double_gt(o.symbol[SYMBOL_TX_LOCK], 10);
    ck_assert_uint_gt(o.packets, 1000);
}
END_TEST

/* A ring that fills, and a byte limit that holds: who wakes the queue sends from its own softirq. */
START_TEST(stopped_queues_are_woken_from_the_other_cpu)
{
    struct outcome full = RUN(TWO_ENTRIES, "kernel=6.10", OTHER, "guest.tx_ring.size=32",
                              "guest.stack.packet=100ns", "host.backend.latency=40us");
    struct outcome limit = RUN(TWO_ENTRIES, "kernel=6.15", OTHER, "guest.stack.packet=100ns",
                               "host.backend.latency=40us");

    ck_assert_double_gt(full.metric[METRIC_QUEUE_STOPS], 1000);
    ck_assert_uint_gt(full.packets, 1000);
    ck_assert_uint_gt(limit.packets, 1000);
}
END_TEST

/* The window ends 5 ns after the idle task woke and found the lock held: the idle time before is not
 * busy, and the wait counts once it is over. */
START_TEST(window_may_end_while_a_woken_task_waits_for_the_lock)
{
    static const char text[] =
        "{\"version\": 1, \"kernel\": \"6.15\", \"seed\": 7, \"warmup\": \"100us\", \"duration\": "
        "\"34712ns\", \"guest\": {\"tx_ring\": {\"size\": 64}, \"stack\": {\"packet\": "
        "\"60ns\"}}, \"workload\": {\"type\": \"poisson\", \"rate\": \"3Mpps\", \"size\": "
        "1514}}";
    struct outcome o = RUN(text, OTHER);
    double busy_ns = o.metric[METRIC_GUEST_BUSY] / 100 * 34712;

    ck_assert_double_eq_tol(busy_ns / (double)o.packets / o.metric[METRIC_GUEST_NS], 1, 0.005);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {two_cpus_give_the_same_bits_on_both_engines,
                            af_xdp_has_one_cpu,
                            move_costs_change_no_bit_of_one_cpu,
                            every_free_by_the_other_cpus_polls_is_slow,
                            free_moves_to_a_second_cpu_never_slow_the_sender,
                            dearer_moves_never_make_a_packet_cheaper,
                            busy_shares_add_up_to_the_time_per_packet,
                            lock_is_waited_for_when_both_want_it,
                            stopped_queues_are_woken_from_the_other_cpu,
                            window_may_end_while_a_woken_task_waits_for_the_lock,
                            NULL};

    return suite_run("guest lock", cases);
}
