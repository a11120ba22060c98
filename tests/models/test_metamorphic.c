/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Relations between runs that must hold whatever the costs are: what is true of the answer without
 * knowing the answer. Each case changes a configuration in a way whose effect is known exactly, or
 * known to be none.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/datapath.h"
#include "models/datapath_config.h"
#include "sim/engine/interval.h"
#include "sim/study/scenario.h"
#include "tests/suite.h"

#define REPLICATIONS 5

#define XSK                                                                                        \
    "{\"version\": 1, \"duration\": \"5ms\", \"warmup\": \"1ms\", \"jitter\": 0,"                  \
    " \"guest\": {\"path\": \"xsk\"}, \"workload\": {\"type\": \"saturating\", \"size\": 64}}"
#define TCP                                                                                        \
    "{\"version\": 1, \"duration\": \"20ms\", \"warmup\": \"2ms\","                                \
    " \"workload\": {\"type\": \"saturating\", \"size\": 1514, \"frags\": 2, \"window\": 60}}"

static struct config *config_with(const char *text, const char *const *set, size_t count)
{
    struct scenario_options options = {.set = set, .set_count = count};
    struct config *config = malloc(sizeof *config);
    struct problems problems;
    struct scenario *scenario;

    problems_init(&problems);
    scenario = scenario_open_text("here.json", text, strlen(text), &options, &problems);
    for (size_t i = 0; i < problems.count && !scenario; i++) {
        fprintf(stderr, "%s: %s\n", problems.list[i].error.path, problems.list[i].error.text);
    }
    ck_assert_ptr_nonnull(scenario);
    ck_assert_ptr_nonnull(config);
    scenario_config(scenario, 0, 0, config);
    scenario_free(scenario);
    problems_fini(&problems);
    return config;
}

/* Settings are "PATH=VALUE", the list ends with NULL. */
#define CONFIG(text, ...) config_of(text, (const char *const[]){__VA_ARGS__, NULL})

static struct config *config_of(const char *text, const char *const *set)
{
    size_t count = 0;

    while (set[count]) {
        count++;
    }
    return config_with(text, set, count);
}

static void run(const struct config *config, uint32_t replication, struct run_result *result)
{
    struct run_id id = config_run_id(config, replication);
    struct error error = {0};

    ck_assert_msg(datapath_run(&config->datapath, &id, result, &error), "%s", error.text);
}

struct outcome {
    double metric[METRIC_COUNT];
    uint64_t fingerprint, packets;
};

/* Runs replication 0 and frees the configuration. */
static struct outcome outcome_of(struct config *config)
{
    struct run_result *result = run_result_new();
    struct outcome outcome;

    ck_assert_ptr_nonnull(result);
    run(config, 0, result);
    memcpy(outcome.metric, result->metric, sizeof outcome.metric);
    outcome.fingerprint = result->fingerprint;
    outcome.packets = result->packets;
    run_result_free(result);
    free(config);
    return outcome;
}

/* One metric of all replications. */
static void sample(struct config *config, enum metric metric, double x[REPLICATIONS])
{
    struct run_result *result = run_result_new();

    ck_assert_ptr_nonnull(result);
    for (uint32_t i = 0; i < REPLICATIONS; i++) {
        run(config, i, result);
        x[i] = result->metric[metric];
    }
    run_result_free(result);
    free(config);
}

/* Two independent samples have one mean: within five standard errors of their difference. */
static void assert_same_mean(const double *a, const double *b)
{
    struct interval x = interval_of(a, REPLICATIONS, 0.95), y = interval_of(b, REPLICATIONS, 0.95);
    double t = interval_t(0.95, REPLICATIONS);
    double error = sqrt(x.half_width * x.half_width + y.half_width * y.half_width) / t;

    ck_assert_msg(fabs(x.mean - y.mean) <= 5 * error, "%g and %g, standard error %g", x.mean,
                  y.mean, error);
}

/* Every time of a configuration: all costs, and what else the two tests below use. */
static void double_times(struct config *config)
{
    for (size_t part = 0; part < datapath_part_count; part++) {
        const struct param_table *table = datapath_parts[part].table;

        for (size_t i = 0; i < table->count; i++) {
            const struct param *row = &table->rows[i];

            if (row->kind == PARAM_COST || row->kind == PARAM_TIME) {
                sim_time *time = (sim_time *)(void *)((char *)&config->datapath +
                                                      datapath_parts[part].offset + row->offset);

                *time *= 2;
            }
        }
    }
    config->study.warmup *= 2;
    config->study.duration *= 2;
}

/* Times are whole picoseconds and doubling them is exact, so it is the same run on another scale;
 * only the phase of the device's polls, drawn below the interval, may differ: with an interval of 1
 * ns by less than that. */
START_TEST(all_times_doubled_halve_every_rate)
{
    const char *const phase = "host.backend.poll_interval=1ns";
    struct config *twice = CONFIG(XSK, phase);
    struct outcome once = outcome_of(CONFIG(XSK, phase)), slow;

    double_times(twice);
    slow = outcome_of(twice);
    ck_assert_uint_gt(once.packets, 10000);
    ck_assert_double_eq_tol(slow.metric[METRIC_TX_PPS] / once.metric[METRIC_TX_PPS], 0.5, 0.0005);
    ck_assert_double_eq_tol(slow.metric[METRIC_GUEST_NS] / once.metric[METRIC_GUEST_NS], 2, 0.002);
    ck_assert_double_eq_tol(slow.metric[METRIC_IN_FLIGHT_MEAN], once.metric[METRIC_IN_FLIGHT_MEAN],
                            0.01 * once.metric[METRIC_IN_FLIGHT_MEAN]);
}
END_TEST

/* A device that needs 2 us a packet, before a guest that needs 0.4 us: the device's time is the
 * rate. */
START_TEST(slow_device_sets_the_rate)
{
    struct outcome o = outcome_of(CONFIG(XSK, "costs.host.packet=2us", "costs.host.ring_fetch=0ns",
                                         "costs.host.table_fetch=0ns", "costs.host.entry_fetch=0ns",
                                         "costs.memory.host_read=0ns", "guest.tx_ring.size=256"));

    ck_assert_double_eq_tol(o.metric[METRIC_TX_PPS], 500e3, 500e3 * 0.01);
}
END_TEST

/* A device that needs no time: the guest's time per packet is the rate, to the last packet. */
START_TEST(free_device_leaves_the_guests_rate)
{
    struct outcome o =
        outcome_of(CONFIG(XSK, "costs.host.packet=0ns", "costs.host.ring_fetch=0ns",
                          "costs.host.table_fetch=0ns", "costs.host.entry_fetch=0ns"));
    double guest_pps = 1e9 / o.metric[METRIC_GUEST_NS];

    ck_assert_double_eq_tol(o.metric[METRIC_GUEST_BUSY], 100, 0.01);
    ck_assert_double_eq_tol(o.metric[METRIC_TX_PPS] / guest_pps, 1, 0.005);
}
END_TEST

/* Costs of steps that this path never takes. */
START_TEST(costs_that_nothing_pays_change_no_bit)
{
    struct outcome plain = outcome_of(CONFIG(XSK, "guest.tx_ring.size=256"));
    struct outcome other = outcome_of(CONFIG(
        XSK, "guest.tx_ring.size=256", "costs.guest.start_xmit=150ns", "costs.guest.free_skb=119ns",
        "costs.guest.napi=500ns", "costs.slab.kmem_alloc=15ns", "guest.stack.packet=2us"));

    ck_assert_uint_eq(plain.fingerprint, other.fingerprint);
}
END_TEST

START_TEST(idle_reply_path_changes_no_bit)
{
    struct outcome plain = outcome_of(CONFIG(TCP, "workload.reply.every=0"));
    struct outcome other = outcome_of(CONFIG(
        TCP, "workload.reply.every=0", "workload.reply.delay=75us", "costs.guest.napi_reply=2us"));

    ck_assert_uint_eq(plain.fingerprint, other.fingerprint);
}
END_TEST

START_TEST(other_seeds_stay_within_the_noise)
{
    static const enum metric metrics[] = {METRIC_TX_PPS, METRIC_GUEST_NS, METRIC_IN_FLIGHT_MEAN};
    double a[REPLICATIONS], b[REPLICATIONS];

    for (size_t i = 0; i < sizeof metrics / sizeof metrics[0]; i++) {
        sample(CONFIG(TCP, "seed=1"), metrics[i], a);
        sample(CONFIG(TCP, "seed=77"), metrics[i], b);
        ck_assert(memcmp(a, b, sizeof a) != 0);
        assert_same_mean(a, b);
    }
}
END_TEST

/* kmalloc gives 64 bytes for three entries and for four. Array items differ by their stride, hence
 * lines: with whole lines the strides of 3 and 4 agree, too. */
START_TEST(threshold_above_the_largest_request_equals_it_when_items_are_alike)
{
    struct outcome at =
        outcome_of(CONFIG(TCP, "guest.desc_cache.variant=v2", "guest.virtio_desc_cache_thr=3"));
    struct outcome above =
        outcome_of(CONFIG(TCP, "guest.desc_cache.variant=v2", "guest.virtio_desc_cache_thr=4"));

    ck_assert_double_eq(at.metric[METRIC_GUEST_NS], above.metric[METRIC_GUEST_NS]);
    ck_assert_uint_eq(at.packets, above.packets);
    at = outcome_of(CONFIG(TCP, "guest.desc_cache.variant=v3", "guest.virtio_desc_cache_thr=3",
                           "guest.desc_cache.round_to_line=true"));
    above = outcome_of(CONFIG(TCP, "guest.desc_cache.variant=v3", "guest.virtio_desc_cache_thr=4",
                              "guest.desc_cache.round_to_line=true"));
    ck_assert_double_eq(at.metric[METRIC_GUEST_NS], above.metric[METRIC_GUEST_NS]);
    ck_assert_uint_eq(at.packets, above.packets);
}
END_TEST

START_TEST(ring_size_does_not_matter_while_the_ring_is_never_full)
{
    double small[REPLICATIONS], large[REPLICATIONS];
    struct outcome o = outcome_of(CONFIG(TCP, "guest.tx_ring.size=256"));

    ck_assert_double_lt(o.metric[METRIC_IN_FLIGHT_MAX], 100);
    sample(CONFIG(TCP, "guest.tx_ring.size=256"), METRIC_TX_PPS, small);
    sample(CONFIG(TCP, "guest.tx_ring.size=1024"), METRIC_TX_PPS, large);
    for (int i = 0; i < REPLICATIONS; i++) {
        /* Only places of ring lines differ: 12 ns of 2 us at the very most. */
        ck_assert_double_eq_tol(large[i] / small[i], 1, 0.006);
    }
}
END_TEST

/* The layouts differ in which ring lines are touched: at most three of 12 ns or 30 ns in a packet
 * of more than 2 us. */
START_TEST(packed_and_split_send_at_the_same_rate)
{
    double split[REPLICATIONS], packed[REPLICATIONS];

    sample(CONFIG(TCP, "guest.tx_ring.layout=split"), METRIC_TX_PPS, split);
    sample(CONFIG(TCP, "guest.tx_ring.layout=packed"), METRIC_TX_PPS, packed);
    for (int i = 0; i < REPLICATIONS; i++) {
        ck_assert_double_eq_tol(packed[i] / split[i], 1, 0.04);
    }
}
END_TEST

/* Without a table neither allocator nor cache is touched, whether indirect is off or there is one
 * entry. */
START_TEST(direct_descriptors_and_single_entries_touch_no_table)
{
    struct outcome off = outcome_of(CONFIG(TCP, "guest.tx_ring.indirect=false"));
    struct outcome one = outcome_of(CONFIG(TCP, "workload.frags=0"));
    struct outcome one_cached =
        outcome_of(CONFIG(TCP, "workload.frags=0", "guest.virtio_desc_cache_thr=8"));

    ck_assert_double_eq(off.metric[METRIC_TABLES_PER_PACKET], 0);
    ck_assert_double_eq(one.metric[METRIC_TABLES_PER_PACKET], 0);
    ck_assert_double_eq(off.metric[METRIC_TABLE_NS], 0);
    ck_assert_double_eq(one.metric[METRIC_TABLE_NS], 0);
    ck_assert_double_eq(one.metric[METRIC_GUEST_NS], one_cached.metric[METRIC_GUEST_NS]);
    ck_assert_uint_eq(one.packets, one_cached.packets);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {all_times_doubled_halve_every_rate,
                            slow_device_sets_the_rate,
                            free_device_leaves_the_guests_rate,
                            costs_that_nothing_pays_change_no_bit,
                            idle_reply_path_changes_no_bit,
                            other_seeds_stay_within_the_noise,
                            threshold_above_the_largest_request_equals_it_when_items_are_alike,
                            ring_size_does_not_matter_while_the_ring_is_never_full,
                            packed_and_split_send_at_the_same_rate,
                            direct_descriptors_and_single_entries_touch_no_table,
                            NULL};

    return suite_run("metamorphic", cases);
}
