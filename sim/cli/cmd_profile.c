/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim profile: guest time per packet by kernel symbol, as perf would show it, of every case and
 * variant. */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/notes.h"
#include "sim/cli/point_summary.h"
#include "sim/cli/profile_compare.h"
#include "sim/cli/study_args.h"
#include "sim/study/table.h"

/* One configuration's symbols in the order of their time; share of the whole. */
#define SYMBOLS_SQL                                                                                \
    "SELECT s.name, avg(s.ns_per_packet) AS ns, half_width(s.ns_per_packet), "                     \
    "100 * avg(s.ns_per_packet) / (SELECT avg(total) FROM (SELECT sum(t.ns_per_packet) AS total "  \
    "FROM symbol t JOIN run q ON q.id = t.run_id WHERE q.config_id = %lld GROUP BY q.id)) "        \
    "FROM symbol s JOIN run r ON r.id = s.run_id WHERE r.config_id = %lld GROUP BY s.name "        \
    "HAVING ns > 0 ORDER BY ns DESC"

struct sheet {
    struct table table;
    double ns[SYMBOL_COUNT];
    struct json_out *json; /* NULL: text */
    double sum;
};

static bool add_symbol(void *context, int columns, const char *const *names,
                       const char *const *values)
{
    struct sheet *sheet = context;
    double ns = strtod(values[1], NULL), share = strtod(values[3], NULL);
    double half = values[2] ? strtod(values[2], NULL) : 0;

    (void)columns;
    (void)names;
    sheet->sum += ns;
    if (sheet->json) {
        json_object(sheet->json, values[0]);
        json_number(sheet->json, "ns_per_packet", ns);
        if (values[2]) {
            json_number(sheet->json, "half_width", half);
        } else {
            json_null(sheet->json, "half_width");
        }
        json_number(sheet->json, "percent", share);
        json_end(sheet->json);
        return true;
    }
    table_add(&sheet->table, "%.2f%%", share);
    table_add(&sheet->table, "%.1f", ns);
    table_add(&sheet->table, values[2] ? "+- %.2f" : "n/a", half);
    table_add(&sheet->table, "%s", values[0]);
    table_end_row(&sheet->table);
    return true;
}

static bool keep_symbol(void *context, int columns, const char *const *names,
                        const char *const *values)
{
    struct sheet *sheet = context;

    (void)columns;
    (void)names;
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        if (strcmp(symbol_name((enum symbol)i), values[0]) == 0) {
            sheet->ns[i] = strtod(values[1], NULL);
        }
    }
    return true;
}

static void title(const struct scenario *scenario, size_t point, size_t variant)
{
    printf("\n");
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        printf("%s %s, ", scenario_axis_path(scenario, i),
               scenario_point_value(scenario, point, i));
    }
    printf("variant %s\n", scenario_variant_name(scenario, variant));
}

static bool print_config(const struct experiment *experiment, const struct scenario *scenario,
                         struct store *store, const struct perf_profile *published,
                         struct json_out *json, size_t point, size_t variant, struct error *error)
{
    long long id = (long long)experiment_at(experiment, point, variant)->config_id;
    struct sheet sheet = {.json = json};
    char sql[1024];
    bool ok;

    snprintf(sql, sizeof sql, SYMBOLS_SQL, id, id);
    if (json) {
        json_object(json, NULL);
        json_text(json, "name", scenario_variant_name(scenario, variant));
        for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
            json_text(json, scenario_axis_path(scenario, i),
                      scenario_point_value(scenario, point, i));
        }
        json_object(json, "symbols");
        ok = store_query(store, sql, add_symbol, &sheet, error);
        json_end(json);
        if (ok && published) {
            ok = store_query(store, sql, keep_symbol, &sheet, error);
            profile_compare_json(published, sheet.ns, json);
        }
        json_number(json, "ns_per_packet", sheet.sum);
        json_end(json);
        return ok;
    }
    title(scenario, point, variant);
    if (published) {
        ok = store_query(store, sql, keep_symbol, &sheet, error);
        if (ok) {
            profile_compare_print(published, sheet.ns);
        }
        return ok;
    }
    table_init(&sheet.table, "rrrl");
    table_add(&sheet.table, "share");
    table_add(&sheet.table, "ns/packet");
    table_add(&sheet.table, "%s", "");
    table_add(&sheet.table, "symbol");
    table_end_row(&sheet.table);
    ok = store_query(store, sql, add_symbol, &sheet, error);
    table_add(&sheet.table, "%s", "");
    table_add(&sheet.table, "%.1f", sheet.sum);
    table_add(&sheet.table, "%s", "");
    table_add(&sheet.table, "all");
    table_end_row(&sheet.table);
    if (ok) {
        table_print(&sheet.table, stdout);
    }
    table_fini(&sheet.table);
    return ok;
}

static bool print_profiles(const struct study_args *args, const struct experiment *experiment,
                           const struct scenario *scenario, struct store *store,
                           const struct perf_profile *published, const struct problems *problems,
                           struct error *error)
{
    struct json_out json;
    bool ok = true;

    json_init(&json, stdout, 5);
    if (args->json) {
        json_object(&json, NULL);
        json_text(&json, "scenario", scenario_name(scenario));
        json_array(&json, "profiles");
    } else {
        printf("%s: guest CPU time per packet by kernel symbol\n", scenario_name(scenario));
        notes_left_out(scenario, stdout);
    }
    for (size_t point = 0; ok && point < experiment->points; point++) {
        for (size_t variant = 0; ok && variant < scenario_variant_count(scenario); variant++) {
            ok = print_config(experiment, scenario, store, published, args->json ? &json : NULL,
                              point, variant, error);
        }
    }
    if (ok && args->json) {
        json_end(&json);
        problems_json(problems, &json);
        json_end(&json);
    }
    return ok;
}

static int profile(const struct study_args *args, const struct scenario *scenario,
                   struct problems *problems)
{
    struct error error = {0};
    struct experiment experiment = {0};
    struct perf_profile published = {0};
    struct store *store;
    int code;

    if (args->published && (!perf_profile_read(&published, args->published, &error) ||
                            !perf_profile_match(&published, &error))) {
        perf_profile_fini(&published);
        return command_fail(&error);
    }
    store = study_store(args, NULL, &error);
    if (!store) {
        perf_profile_fini(&published);
        return command_fail(&error);
    }
    code = study_run(args, "", &experiment, scenario, store, problems);
    if (code == 0) {
        code = print_profiles(args, &experiment, scenario, store,
                              args->published ? &published : NULL, problems, &error)
                   ? command_finish(0)
                   : command_fail(&error);
    }
    experiment_fini(&experiment);
    store_close(store);
    perf_profile_fini(&published);
    return code;
}

int cmd_profile(int argc, char **argv)
{
    struct study_args args;
    struct problems problems;
    struct scenario *scenario;
    int code =
        study_args_read(&args, argc, argv,
                        STUDY_SET | STUDY_JSON | STUDY_THREADS | STUDY_STRICT | STUDY_PUBLISHED, 1);

    problems_init(&problems);
    if (code == 0) {
        args.scenario.without_axes = true;
        scenario = study_scenario(&args, &problems, &code);
        if (scenario) {
            code = profile(&args, scenario, &problems);
        }
        scenario_free(scenario);
    }
    problems_fini(&problems);
    study_args_fini(&args);
    return code;
}
