/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim run: the scenario as it stands, without its axes: every case, every variant, one table. */
#include <math.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/notes.h"
#include "sim/cli/point_summary.h"
#include "sim/cli/study_args.h"
#include "sim/study/table.h"

#define COLUMNS_MOST 3 /* variants beside the first in one table */

static const enum metric headlines[] = {
    METRIC_TX_PPS,
    METRIC_TX_BPS,
    METRIC_RX_PPS,
    METRIC_RX_SOCKET_PPS,
    METRIC_REQUESTS,
    METRIC_GUEST_NS,
    METRIC_DRIVER_NS,
    METRIC_GUEST_BUSY,
    METRIC_HOST_BUSY,
    METRIC_HOST_WORK,
    METRIC_KICKS_PER_PACKET,
    METRIC_INTERRUPTS_PER_PACKET,
    METRIC_DIM_COMMANDS,
    METRIC_CACHE_HIT,
    METRIC_CACHE_BYTES,
    METRIC_IN_FLIGHT_MEAN,
    METRIC_QUEUE_STOPS,
    METRIC_DROPS,
    METRIC_RX_DROPS,
    METRIC_LATENCY_P50,
    METRIC_LATENCY_P99,
    METRIC_RECLAIM_P99,
    METRIC_HUNG,
};
#define HEADLINES (sizeof headlines / sizeof headlines[0])

static void metric_row(struct table *table, const struct point_summary *summary, enum metric metric,
                       size_t from, size_t to)
{
    struct interval first = summary_interval(&summary->variant[0], metric);
    char text[80];

    table_add(table, "%s", metric_name(metric));
    table_add(table, "%s", metric_unit(metric));
    summary_text(&first, text, sizeof text);
    table_add(table, "%s", text);
    for (size_t i = from; i < to; i++) {
        struct interval value = summary_interval(&summary->variant[i], metric);
        struct interval ratio = summary_ratio(&summary->variant[i], &summary->variant[0], metric);

        summary_text(&value, text, sizeof text);
        table_add(table, "%s", text);
        summary_text(&ratio, text, sizeof text);
        table_add(table, isfinite(ratio.mean) ? "x %s" : "%s", text);
    }
    table_end_row(table);
}

/* Whether any variant has a value. */
static bool is_known(const struct point_summary *summary, enum metric metric)
{
    for (size_t i = 0; i < summary->count; i++) {
        if (summary_interval(&summary->variant[i], metric).n > 0) {
            return true;
        }
    }
    return false;
}

/* The first variant and those from..to-1 with their ratios to it. */
static void print_variants(const struct point_summary *summary, size_t from, size_t to, bool all)
{
    char alignment[TABLE_COLUMNS + 1] = "llr";
    struct table table;

    for (size_t i = from; i < to; i++) {
        strcat(alignment, "rr");
    }
    table_init(&table, alignment);
    table_add(&table, "metric");
    table_add(&table, "unit");
    table_add(&table, "%s", scenario_variant_name(summary->scenario, 0));
    for (size_t i = from; i < to; i++) {
        table_add(&table, "%s", scenario_variant_name(summary->scenario, i));
        table_add(&table, "ratio");
    }
    table_end_row(&table);
    for (size_t m = 0; m < (all ? METRIC_COUNT : HEADLINES); m++) {
        enum metric metric = all ? (enum metric)m : headlines[m];

        if (all || is_known(summary, metric)) {
            metric_row(&table, summary, metric, from, to);
        }
    }
    table_print(&table, stdout);
    table_fini(&table);
}

static void print_replications(const struct point_summary *summary)
{
    const struct summary *first = &summary->variant[0];

    if (first->count < 2) {
        printf("%u replication: no interval (n/a)\n", first->count);
    } else {
        printf("%u replications, %g %% intervals\n", first->count, 100 * first->level);
    }
}

static bool print_reason(void *context, int columns, const char *const *names,
                         const char *const *values)
{
    (void)columns;
    (void)names;
    printf("%s hung in %s of its replications: %s\n", (const char *)context, values[0], values[1]);
    return true;
}

static bool print_hangs(const struct point_summary *summary, struct store *store,
                        struct error *error)
{
    for (size_t i = 0; i < summary->count; i++) {
        char sql[256], name[PARAM_TEXT_BYTES];

        snprintf(
            sql, sizeof sql,
            "SELECT count(*), min(hung_why) FROM run WHERE config_id = %lld AND hung_why <> '' "
            "HAVING count(*) > 0",
            (long long)experiment_at(summary->experiment, summary->point, i)->config_id);
        snprintf(name, sizeof name, "%s", scenario_variant_name(summary->scenario, i));
        if (!store_query(store, sql, print_reason, name, error)) {
            return false;
        }
    }
    return true;
}

static bool print_point(const struct point_summary *summary, struct store *store, bool all,
                        struct error *error)
{
    for (size_t i = 0; i < scenario_axis_count(summary->scenario); i++) {
        printf("%s%s %s", i ? ", " : "\n", scenario_axis_path(summary->scenario, i),
               scenario_point_value(summary->scenario, summary->point, i));
    }
    if (scenario_axis_count(summary->scenario) > 0) {
        printf(": ");
    }
    print_replications(summary);
    for (size_t from = 1; from == 1 || from < summary->count; from += COLUMNS_MOST) {
        size_t to = from + COLUMNS_MOST < summary->count ? from + COLUMNS_MOST : summary->count;

        print_variants(summary, from, to > from ? to : from, all);
    }
    notes_overload(summary, stdout);
    notes_replay(summary, stdout);
    notes_undecided(summary, stdout);
    return print_hangs(summary, store, error);
}

static void print_head(const struct scenario *scenario)
{
    struct config config;

    scenario_config(scenario, 0, 0, &config);
    printf("%s%s%s\n", scenario_name(scenario), config.study.question[0] ? ": " : "",
           config.study.question);
    notes_captures(scenario, stdout);
    notes_left_out(scenario, stdout);
}

/* Everything to stdout; false: the store failed. */
static bool print_all(const struct study_args *args, const struct scenario *scenario,
                      const struct experiment *experiment, struct store *store,
                      const struct problems *problems, struct expectations *expectations,
                      struct error *error)
{
    bool cases = scenario_axis_count(scenario) > 0;
    struct json_out json;
    bool ok = true;

    json_init(&json, stdout, 4);
    if (args->json) {
        json_object(&json, NULL);
        json_text(&json, "scenario", scenario_name(scenario));
        json_array(&json, "variants");
    } else {
        print_head(scenario);
    }
    for (size_t point = 0; ok && point < experiment->points; point++) {
        struct point_summary summary;

        ok = point_summary_init(&summary, scenario, experiment, store, point, error);
        if (ok && args->json) {
            point_summary_json(&summary, &json, cases);
        } else if (ok) {
            ok = print_point(&summary, store, args->all, error);
        }
        if (ok) {
            expectations_add(expectations, &summary);
        }
        point_summary_fini(&summary);
    }
    if (ok && args->json) {
        json_end(&json);
        if (args->expect) {
            expectations_json(expectations, &json);
        }
        captures_json(scenario, &json);
        problems_json(problems, &json);
        json_end(&json);
    } else if (ok && args->expect) {
        printf("\n");
        expectations_print(expectations, stdout);
    }
    return ok;
}

static int run_scenario(const struct study_args *args, const struct scenario *scenario,
                        struct problems *problems)
{
    struct error error = {0};
    struct experiment experiment = {0};
    struct store *store = study_store(args, args->store, &error);
    struct expectations expectations;
    int code;

    if (!store) {
        return command_fail(&error);
    }
    code = study_run(args, "", &experiment, scenario, store, problems);
    if (code == 0) {
        code = watch_run(&args->watch, scenario);
    }
    if (code == 0) {
        expectations_init(&expectations, scenario);
        if (!print_all(args, scenario, &experiment, store, problems, &expectations, &error)) {
            code = command_fail(&error);
        } else {
            code = command_finish(
                args->expect && expectations_failed(&expectations) > 0 ? ERROR_DIFFERS : 0);
        }
        expectations_fini(&expectations);
    }
    experiment_fini(&experiment);
    store_close(store);
    return code;
}

int cmd_run(int argc, char **argv)
{
    struct study_args args;
    struct problems problems;
    struct scenario *scenario;
    int code =
        study_args_read(&args, argc, argv,
                        STUDY_SET | STUDY_VARY | STUDY_EXPECT | STUDY_STORE | STUDY_JSON |
                            STUDY_THREADS | STUDY_STRICT | STUDY_PROGRESS | STUDY_FORCE |
                            STUDY_ALL | STUDY_WATCH,
                        1);

    problems_init(&problems);
    if (code == 0 && args.scenario.vary_count > 0) {
        code =
            command_usage("run", "run has no axes: use vqsim sweep --vary, or --set for one value");
    }
    if (code == 0) {
        code = watch_check(&args.watch);
    }
    if (code == 0) {
        args.scenario.without_axes = true;
        scenario = study_scenario(&args, &problems, &code);
        if (scenario) {
            code = run_scenario(&args, scenario, &problems);
        }
        scenario_free(scenario);
    }
    problems_fini(&problems);
    study_args_fini(&args);
    return code;
}
