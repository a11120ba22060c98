/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Traces in memory through the whole datapath, watched. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/datapath.h"
#include "sim/study/scenario.h"
#include "tests/suite.h"

#define PACKETS 400

/* Uneven gaps (some 0), sizes and fragments; a list of three now and then. */
static void make(struct packet_trace *trace, struct packet_trace_entry *entry, bool lists)
{
    sim_time at = 0;
    uint64_t state = 7;

    for (uint32_t i = 0; i < PACKETS; i++) {
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
        entry[i] = (struct packet_trace_entry){.at = at,
                                               .size = 60 + (uint32_t)(state >> 33) % 60000,
                                               .frags = (uint16_t)((state >> 50) % 18),
                                               .more = lists && i % 10 < 2};
        at += (state >> 40) % 5 == 0 ? 0 : (sim_time)(state >> 44) * 30;
    }
    *trace = (struct packet_trace){.entry = entry, .count = PACKETS};
    packet_trace_summarise(trace);
}

static struct config *config_of(const char *members, const struct packet_trace *trace, int mode)
{
    struct scenario_options options = {0};
    struct config *config = malloc(sizeof *config);
    struct scenario *scenario;
    struct problems problems;
    char text[1024];

    snprintf(text, sizeof text,
             "{\"version\": 1, \"warmup\": \"0s\", \"workload.type\": \"saturating\", %s}", members);
    problems_init(&problems);
    scenario = scenario_open_text("here.json", text, strlen(text), &options, &problems);
    ck_assert_ptr_nonnull(scenario);
    ck_assert_ptr_nonnull(config);
    scenario_config(scenario, 0, 0, config);
    scenario_free(scenario);
    problems_fini(&problems);
    config->datapath.workload.type = WORKLOAD_TRACE;
    config->datapath.workload.trace = trace;
    config->datapath.workload.replay.mode = mode;
    return config;
}

static void make_costs_zero(struct config *config)
{
    for (size_t i = 0; i < param_count(&config_schema); i++) {
        struct param_place place = param_at(&config_schema, i);

        if (place.row->kind == PARAM_COST) {
            memset((char *)config + place.part + place.row->offset, 0, sizeof(sim_time));
        }
    }
}

/* What an observer saw of a run. */
struct seen {
    const struct config *config;
    struct run_result *result;
    sim_time at[3][2 * PACKETS];
    uint32_t size[2 * PACKETS];
    uint64_t count[3];
    uint64_t unfreed, unfreed_most; /* true sizes published and not reclaimed */
    sim_time guest_busy, guest_last[OBSERVER_PARTIES];
    bool disorder;
};

static void on_packet(void *context, enum observer_party party, enum observer_point point,
                      uint64_t packet, uint32_t size, sim_time now)
{
    struct seen *seen = context;
    uint64_t i = packet - 1;

    seen->disorder |= (party == OBSERVER_BACKEND) != (point == OBSERVER_SENT);
    seen->disorder |= packet != ++seen->count[point];
    if (i < 2 * PACKETS) {
        seen->at[point][i] = now;
        if (point == OBSERVER_PUBLISHED) {
            seen->size[i] = size;
        }
        seen->disorder |= seen->size[i] != size;
    }
    if (point == OBSERVER_PUBLISHED) {
        seen->unfreed += size;
        seen->unfreed_most = seen->unfreed > seen->unfreed_most ? seen->unfreed : seen->unfreed_most;
    } else if (point == OBSERVER_RECLAIMED) {
        seen->unfreed -= size;
    }
}

static void on_work(void *context, enum observer_party party, const char *what, sim_time from,
                    sim_time to)
{
    struct seen *seen = context;

    seen->disorder |= what == NULL || from > to;
    if (party == OBSERVER_GUEST || party == OBSERVER_GUEST_OTHER) {
        seen->disorder |= from < seen->guest_last[party];
        seen->guest_last[party] = to;
        seen->guest_busy += to - from;
    }
}

/* Runs the configuration, once watched and once not, and frees it. */
static struct seen *watch(struct config *config)
{
    struct seen *seen = calloc(1, sizeof *seen);
    struct observer observer = {.context = seen, .on_packet = on_packet, .on_work = on_work};
    struct run_id id = config_run_id(config, 0);
    struct run_result *alone = run_result_new();
    struct error error = {0};

    ck_assert(seen && alone);
    seen->result = run_result_new();
    ck_assert(seen->result);
    ck_assert(datapath_run(&config->datapath, &id, alone, &error));
    id.observer = &observer;
    ck_assert(datapath_run(&config->datapath, &id, seen->result, &error));
    ck_assert(!seen->disorder);
    ck_assert_uint_eq(seen->result->fingerprint, alone->fingerprint);
    ck_assert_mem_eq(seen->result->metric, alone->metric, sizeof alone->metric);
    run_result_free(alone);
    free(config);
    return seen;
}

static void seen_free(struct seen *seen)
{
    run_result_free(seen->result);
    free(seen);
}

START_TEST(an_idle_datapath_without_costs_keeps_every_gap)
{
    static struct packet_trace_entry entry[PACKETS];
    struct packet_trace trace;
    struct config *config;
    struct seen *seen;

    make(&trace, entry, false);
    config = config_of("\"duration\": \"1s\", \"jitter\": 0, \"host.backend.type\": \"kicked\"",
                       &trace, REPLAY_TIMING);
    make_costs_zero(config);
    seen = watch(config);
    ck_assert_uint_eq(seen->count[OBSERVER_SENT], PACKETS);
    ck_assert_double_eq(seen->result->metric[METRIC_TRACE_ROUNDS], 1);
    ck_assert_double_eq(seen->result->metric[METRIC_HUNG], 0);
    for (size_t i = 0; i < PACKETS; i++) {
        ck_assert_int_eq(seen->at[OBSERVER_SENT][i] - seen->at[OBSERVER_SENT][0], entry[i].at);
        ck_assert_uint_eq(seen->size[i], entry[i].size);
    }
    seen_free(seen);
}
END_TEST

START_TEST(marks_keep_sizes_and_order_and_not_the_times)
{
    static struct packet_trace_entry entry[PACKETS];
    struct packet_trace trace;
    struct seen *seen;

    make(&trace, entry, true);
    seen = watch(config_of("\"duration\": \"1s\"", &trace, REPLAY_MARKS));
    ck_assert_uint_eq(seen->count[OBSERVER_SENT], PACKETS);
    for (size_t i = 0; i < PACKETS; i++) {
        ck_assert_uint_eq(seen->size[i], entry[i].size);
    }
    ck_assert_int_lt(seen->at[OBSERVER_SENT][PACKETS - 1], entry[PACKETS - 1].at);
    ck_assert_double_eq(seen->result->metric[METRIC_HUNG], 0);
    seen_free(seen);
}
END_TEST

START_TEST(the_observer_sees_all_of_the_guests_time)
{
    static struct packet_trace_entry entry[PACKETS];
    struct packet_trace trace;
    struct seen *seen;

    make(&trace, entry, true);
    for (int cpus = 1; cpus <= 2; cpus++) {
        seen = watch(config_of(cpus == 1 ? "\"duration\": \"3ms\", \"workload.reply.every\": 2"
                                         : "\"duration\": \"3ms\", \"workload.reply.every\": 2, "
                                           "\"guest.reclaim_cpu\": \"other\"",
                               &trace, REPLAY_MARKS));
        ck_assert_double_eq_tol((double)seen->guest_busy / (3 * SIM_MS) * 100,
                                seen->result->metric[METRIC_GUEST_BUSY], 1e-9);
        seen_free(seen);
    }
}
END_TEST

/* The most that was published and not reclaimed, for a device that completes late. */
static uint64_t most_unfreed(const char *members)
{
    static struct packet_trace_entry entry[PACKETS];
    struct packet_trace trace;
    struct config *config;
    struct seen *seen;
    uint64_t most;

    make(&trace, entry, false);
    config = config_of(members, &trace, REPLAY_MARKS);
    config->datapath.workload.replay.loop = true;
    config->datapath.workload.tsq.overhead_bytes = 0;
    config->datapath.workload.tsq.limit_bytes = 200000;
    seen = watch(config);
    ck_assert_double_gt(seen->result->metric[METRIC_TRACE_ROUNDS], 0.1);
    most = seen->unfreed_most;
    seen_free(seen);
    return most;
}

START_TEST(small_queues_hold_a_sender_that_is_reclaimed_late_and_no_other)
{
    uint64_t napi = most_unfreed("\"duration\": \"10ms\", \"host.backend.latency\": \"1ms\"");
    uint64_t orphan = most_unfreed("\"duration\": \"10ms\", \"host.backend.latency\": \"1ms\", "
                                   "\"guest.napi_tx\": false");

    ck_assert_uint_gt(napi, 200000);
    ck_assert_uint_le(napi, 200000 + 60060);
    ck_assert_uint_gt(orphan, 1000000);
}
END_TEST

START_TEST(a_list_is_handed_over_whole_in_both_ways)
{
    static struct packet_trace_entry entry[PACKETS];
    struct packet_trace trace;

    make(&trace, entry, true);
    for (int mode = REPLAY_TIMING; mode <= REPLAY_MARKS; mode++) {
        struct config *config = config_of("\"duration\": \"1s\"", &trace, mode);
        struct seen *seen;

        config->datapath.workload.tsq.limit_bytes = 1;
        seen = watch(config);
        ck_assert_uint_eq(seen->count[OBSERVER_SENT], PACKETS);
        ck_assert_double_eq_tol(seen->result->metric[METRIC_KICK_TESTS_PER_PACKET], 0.8, 1e-9);
        seen_free(seen);
    }
}
END_TEST

START_TEST(a_loop_goes_round_until_the_run_ends)
{
    static struct packet_trace_entry entry[PACKETS];
    struct packet_trace trace;
    struct config *config;
    struct seen *seen;

    make(&trace, entry, false);
    config = config_of("\"duration\": \"1s\"", &trace, REPLAY_TIMING);
    config->datapath.workload.replay.loop = true;
    config->study.duration = 2 * entry[PACKETS - 1].at;
    seen = watch(config);
    ck_assert_double_eq_tol(seen->result->metric[METRIC_TRACE_ROUNDS], 2, 0.02);
    seen_free(seen);
}
END_TEST

START_TEST(an_xdp_sender_has_no_small_queues)
{
    static struct packet_trace_entry entry[PACKETS];
    struct packet_trace trace;
    struct config *config;
    struct seen *seen;

    make(&trace, entry, false);
    config = config_of("\"duration\": \"1ms\", \"guest.path\": \"xsk\"", &trace, REPLAY_MARKS);
    config->datapath.workload.replay.loop = true;
    config->datapath.workload.tsq.limit_bytes = 1;
    seen = watch(config);
    ck_assert_double_gt(seen->result->metric[METRIC_IN_FLIGHT_MAX], 10);
    seen_free(seen);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {an_idle_datapath_without_costs_keeps_every_gap,
                            marks_keep_sizes_and_order_and_not_the_times,
                            the_observer_sees_all_of_the_guests_time,
                            small_queues_hold_a_sender_that_is_reclaimed_late_and_no_other,
                            a_list_is_handed_over_whole_in_both_ways,
                            a_loop_goes_round_until_the_run_ends,
                            an_xdp_sender_has_no_small_queues,
                            NULL};

    return suite_run("replay_run", cases);
}
