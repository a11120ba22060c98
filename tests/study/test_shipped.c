/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every shipped scenario gives the same bits on the fast and the plain engine, with a linear event set and a
 * heap. Long runs are cut short: the order of steps shows in the first milliseconds.
 */
#include <glob.h>
#include <math.h>
#include <string.h>

#include "sim/study/scenario.h"
#include "tests/suite.h"

#define POINTS_MOST 12 /* of a scenario, spread over all */

static void run(const struct config *config, enum sim_engine engine, enum event_set_kind set,
                struct run_result *result)
{
    struct run_id id = config_run_id(config, 0);
    struct error error = {0};

    id.engine = engine;
    id.event_set = set;
    id.warmup = id.warmup < SIM_MS ? id.warmup : SIM_MS;
    id.duration = id.duration < 3 * SIM_MS ? id.duration : 3 * SIM_MS;
    require(datapath_run(&config->datapath, &id, result, &error));
}

static void compare(const struct run_result *a, const struct run_result *b)
{
    require(a->fingerprint == b->fingerprint);
    require(a->packets == b->packets);
    for (int i = 0; i < METRIC_COUNT; i++) {
        require(memcmp(&a->metric[i], &b->metric[i], sizeof a->metric[i]) == 0 ||
                (isnan(a->metric[i]) && isnan(b->metric[i])));
    }
}

static void check_config(const struct config *config)
{
    static const enum event_set_kind sets[] = {EVENT_SET_LINEAR, EVENT_SET_HEAP};
    struct run_result *first = run_result_new(), *other = run_result_new();

    run(config, SIM_FAST, EVENT_SET_LINEAR, first);
    for (int i = 0; i < 2; i++) {
        run(config, SIM_PLAIN, sets[i], other);
        compare(first, other);
        run(config, SIM_FAST, sets[i], other);
        compare(first, other);
    }
    run_result_free(first);
    run_result_free(other);
}

static void check_scenario(const char *file)
{
    struct scenario_options options = {0};
    struct problems problems;
    struct scenario *scenario;
    struct config *config = malloc(sizeof *config);
    size_t points, step;

    problems_init(&problems);
    scenario = scenario_open(file, &options, &problems);
    ck_assert_msg(scenario != NULL, "%s: %s", file,
                  problems.count > 0 ? problems.list[0].error.text : "?");
    points = scenario_point_count(scenario);
    step = points > POINTS_MOST ? points / POINTS_MOST : 1;
    for (size_t point = 0; point < points; point += step) {
        for (size_t variant = 0; variant < scenario_variant_count(scenario); variant++) {
            scenario_config(scenario, point, variant, config);
            check_config(config);
        }
    }
    scenario_free(scenario);
    problems_fini(&problems);
    free(config);
}

START_TEST(every_shipped_scenario_gives_the_same_bits_on_both_engines_and_event_sets)
{
    glob_t found;

    ck_assert_int_eq(glob(SOURCE_DIR "/scenarios/*/*.json", 0, NULL, &found), 0);
    ck_assert_int_gt((int)found.gl_pathc, 5);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        /* parts that scenarios include, and published tables, are no scenarios */
        if (!strstr(found.gl_pathv[i], "/costs/") && !strstr(found.gl_pathv[i], "/published/")) {
            check_scenario(found.gl_pathv[i]);
        }
    }
    globfree(&found);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        every_shipped_scenario_gives_the_same_bits_on_both_engines_and_event_sets, NULL};

    return suite_run("shipped", cases);
}
