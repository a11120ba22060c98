/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A few short runs of a scenario that a test writes as text, and what came of them.
 */
#ifndef TESTS_STUDY_OUTCOME_H
#define TESTS_STUDY_OUTCOME_H

#include <string.h>

#include "tests/study/scenario_text.h"

#define OUTCOME_RUNS 4u
#ifndef OUTCOME_WINDOW /* a test may measure another one */
#define OUTCOME_WINDOW "\"duration\": \"40ms\", \"warmup\": \"4ms\""
#endif

/* Means over replications. */
struct outcome {
    double metric[METRIC_COUNT];
    uint64_t fingerprint;
    char hung_why[200]; /* of the last run that hung */
};

/* members: beside version and duration. Assertions of every run are in it. */
static inline struct outcome run_of(const char *members, const char *change, enum sim_engine engine)
{
    struct outcome outcome = {.fingerprint = 0};
    struct run_result *result = run_result_new();
    struct config *config;
    struct scenario *scenario;
    struct error error = {0};
    char text[2048];

    snprintf(text, sizeof text, "{\"version\": 1, " OUTCOME_WINDOW ", %s%s%s}",
             members, change[0] ? ", " : "", change);
    scenario = open_text(text, &plain);
    config = config_of(scenario, 0, 0);
    for (uint32_t i = 0; i < OUTCOME_RUNS; i++) {
        struct run_id id = config_run_id(config, i);

        id.engine = engine;
        ck_assert(datapath_run(&config->datapath, &id, result, &error));
        for (int m = 0; m < METRIC_COUNT; m++) {
            outcome.metric[m] += result->metric[m] / OUTCOME_RUNS;
        }
        outcome.fingerprint = outcome.fingerprint * 31 + result->fingerprint;
        if (result->hung_why[0]) {
            memcpy(outcome.hung_why, result->hung_why, sizeof outcome.hung_why);
        }
    }
    scenario_free(scenario);
    free(config);
    run_result_free(result);
    return outcome;
}

static inline struct outcome run(const char *members, const char *change)
{
    return run_of(members, change, SIM_FAST);
}

/* Hangs with the fault, for that reason, and does not without. */
static inline void check_hang(const char *members, const char *fault, const char *cure, const char *why)
{
    struct outcome bad = run(members, fault), good = run(members, cure);

    ck_assert_msg(bad.metric[METRIC_HUNG] > 0, "does not hang: %s", fault);
    ck_assert_msg(strstr(bad.hung_why, why), "%s", bad.hung_why);
    ck_assert_double_eq(good.metric[METRIC_HUNG], 0);
}

#endif
