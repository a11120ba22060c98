/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim plan: how much a sweep would be, before anything is kept. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/study_args.h"
#include "sim/study/json_out.h"
#include "sim/study/recommend_probe.h"
#include "sim/study/table.h"

#define TRIALS     6             /* runs that measure the speed */
#define TRIAL_SPAN (20 * SIM_MS) /* simulated, at most, by one of them */

struct plan {
    uint64_t runs, most_runs; /* equal without stop.relative_precision */
    double simulated_s, most_simulated_s;
    double wall_per_simulated; /* seconds of one CPU per simulated second */
    uint64_t probes;           /* about, at most */
    uint32_t threads;
};

static double weight_s(const struct config *config)
{
    return sim_time_s(config->study.warmup) + sim_time_s(config->study.duration);
}

static void plan_count(struct plan *plan, const struct scenario *scenario, struct config *config)
{
    for (size_t point = 0; point < scenario_point_count(scenario); point++) {
        for (size_t v = 0; v < scenario_variant_count(scenario); v++) {
            uint32_t least, most;

            scenario_config(scenario, point, v, config);
            least = config->study.replications;
            most = config->study.relative_precision > 0 && config->study.most_replications > least
                       ? config->study.most_replications
                       : least;
            plan->runs += least;
            plan->most_runs += most;
            plan->simulated_s += least * weight_s(config);
            plan->most_simulated_s += most * weight_s(config);
        }
    }
    plan->probes = recommend_probes_most(scenario);
    scenario_config(scenario, 0, 0, config);
    plan->most_simulated_s += (double)plan->probes * weight_s(config);
}

/* Runs a short piece of a few cells spread over the sweep, each without its warm-up, and takes
 * their mean speed. The first one is run twice: its first time pays for memory and caches. */
static bool plan_measure(struct plan *plan, const struct scenario *scenario, struct config *config,
                         struct error *error)
{
    size_t variants = scenario_variant_count(scenario);
    size_t cells = scenario_point_count(scenario) * variants;
    size_t trials = cells < TRIALS ? cells : TRIALS;
    struct run_result *result = run_result_new();
    double spent_s = 0, simulated_s = 0;
    bool ok = result != NULL;

    for (size_t i = 0; ok && i < trials + 1; i++) {
        size_t cell = i == 0 ? 0 : (i - 1) * cells / trials;
        struct run_id id;
        double begun_s;

        scenario_config(scenario, cell / variants, cell % variants, config);
        id = config_run_id(config, 0);
        id.warmup = 0;
        id.duration = id.duration < TRIAL_SPAN ? id.duration : TRIAL_SPAN;
        begun_s = progress_clock_s();
        ok = datapath_run(&config->datapath, &id, result, error);
        if (i > 0) {
            spent_s += progress_clock_s() - begun_s;
            simulated_s += sim_time_s(id.duration);
        }
    }
    run_result_free(result);
    plan->wall_per_simulated = simulated_s > 0 ? spent_s / simulated_s : NAN;
    return ok || error_set(error, ERROR_SYSTEM, "", "out of memory");
}

static double estimate_s(const struct plan *plan, double simulated_s, uint64_t runs)
{
    double threads = plan->threads < runs ? plan->threads : (double)runs;

    return simulated_s * plan->wall_per_simulated / fmax(threads, 1);
}

static void print_axes(const struct scenario *scenario, struct table *table)
{
    size_t last = scenario_point_count(scenario) - 1;

    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        table_add(table, "axis %s", scenario_axis_path(scenario, i));
        table_add(table, "%zu values, %s .. %s", scenario_axis_values(scenario, i),
                  scenario_point_value(scenario, 0, i), scenario_point_value(scenario, last, i));
    }
}

static void print_text(const struct plan *plan, const struct scenario *scenario)
{
    bool exact = plan->runs == plan->most_runs && plan->probes == 0;
    char least[40], most[40];
    struct table table;

    progress_duration(estimate_s(plan, plan->simulated_s, plan->runs), least, sizeof least);
    progress_duration(estimate_s(plan, plan->most_simulated_s, plan->most_runs), most, sizeof most);
    table_init(&table, "ll");
    table_add(&table, "scenario");
    table_add(&table, "%s", scenario_name(scenario));
    print_axes(scenario, &table);
    table_add(&table, "points");
    table_add(&table, "%zu", scenario_point_count(scenario));
    table_add(&table, "variants");
    table_add(&table, "%zu", scenario_variant_count(scenario));
    table_add(&table, "runs");
    if (plan->runs == plan->most_runs) {
        table_add(&table, "%" PRIu64, plan->runs);
    } else {
        table_add(&table, "%" PRIu64 " to %" PRIu64, plan->runs, plan->most_runs);
    }
    if (plan->probes > 0) {
        table_add(&table, "probes");
        table_add(&table, "about %" PRIu64 " more at most, of what the answer rests on",
                  plan->probes);
    }
    table_add(&table, "simulated time");
    table_add(&table, "%.4g s%s", plan->simulated_s, exact ? "" : " at least");
    table_add(&table, "estimate");
    table_add(&table, "%s%s%s on %u thread%s", least, exact ? "" : " to ", exact ? "" : most,
              plan->threads, plan->threads == 1 ? "" : "s");
    table_print(&table, stdout);
    table_fini(&table);
}

static void print_json(const struct plan *plan, const struct scenario *scenario,
                       const struct problems *problems)
{
    struct json_out json;

    json_init(&json, stdout, 2);
    json_object(&json, NULL);
    json_text(&json, "scenario", scenario_name(scenario));
    json_object(&json, "axes");
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        json_unsigned(&json, scenario_axis_path(scenario, i), scenario_axis_values(scenario, i));
    }
    json_end(&json);
    json_unsigned(&json, "points", scenario_point_count(scenario));
    json_unsigned(&json, "variants", scenario_variant_count(scenario));
    json_unsigned(&json, "runs", plan->runs);
    json_unsigned(&json, "most_runs", plan->most_runs);
    json_unsigned(&json, "most_probes", plan->probes);
    json_number(&json, "simulated_s", plan->simulated_s);
    json_number(&json, "estimate_s", estimate_s(plan, plan->simulated_s, plan->runs));
    json_number(&json, "most_estimate_s",
                estimate_s(plan, plan->most_simulated_s, plan->most_runs));
    json_unsigned(&json, "threads", plan->threads);
    json_array(&json, "warnings");
    for (size_t i = 0; i < problems->count; i++) {
        char line[1200];

        error_format(&problems->list[i].error, "warning", line, sizeof line);
        json_text(&json, NULL, line);
    }
    json_end(&json);
    json_end(&json);
}

static int plan_scenario(const struct study_args *args, const struct scenario *scenario,
                         const struct problems *problems)
{
    struct plan plan = {.threads = args->experiment.threads ? args->experiment.threads
                                                            : experiment_threads()};
    struct config *config = calloc(1, sizeof *config);
    struct error error = {0};

    if (!config) {
        abort();
    }
    plan_count(&plan, scenario, config);
    if (!plan_measure(&plan, scenario, config, &error)) {
        free(config);
        return command_fail(&error);
    }
    free(config);
    if (args->json) {
        print_json(&plan, scenario, problems);
    } else {
        print_text(&plan, scenario);
    }
    return command_finish(0);
}

int cmd_plan(int argc, char **argv)
{
    struct study_args args;
    struct problems problems;
    struct scenario *scenario;
    int code = study_args_read(
        &args, argc, argv,
        STUDY_SET | STUDY_VARY | STUDY_JSON | STUDY_THREADS | STUDY_STRICT | STUDY_MAX_POINTS, 1);

    problems_init(&problems);
    if (code == 0) {
        scenario = study_scenario(&args, &problems, &code);
        if (scenario) {
            code = plan_scenario(&args, scenario, &problems);
        }
        scenario_free(scenario);
    }
    problems_fini(&problems);
    study_args_fini(&args);
    return code;
}
