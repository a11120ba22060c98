/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim sweep: every point of the scenario into a store, and a table of what came out. */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/point_summary.h"
#include "sim/cli/study_args.h"
#include "sim/cli/sweep_table.h"

#define NAME_BYTES 100

/* NAME.db in the working directory; what does not belong into a file name becomes '_'. */
static char *default_store(const struct scenario *scenario)
{
    const char *name = scenario_name(scenario);
    char *file;

    if (asprintf(&file, "%.*s.db", NAME_BYTES, name[0] ? name : "scenario") < 0) {
        abort();
    }
    for (char *s = file; *s; s++) {
        bool plain = (*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') ||
                     (*s >= '0' && *s <= '9') || *s == '_' ||
                     ((*s == '.' || *s == '-') && s != file);

        *s = plain ? *s : '_';
    }
    return file;
}

static void params_json(const struct scenario *scenario, size_t point, struct json_out *json)
{
    json_object(json, "params");
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        const char *path = scenario_axis_path(scenario, i);
        const char *value = scenario_point_value(scenario, point, i);

        if (strcmp(path, "case") == 0) {
            json_text(json, path, value);
        } else {
            json_value(json, path, value);
        }
    }
    json_end(json);
}

static bool print_json(const struct study_args *args, const struct scenario *scenario,
                       const struct experiment *experiment, struct store *store,
                       const struct problems *problems, struct expectations *expectations,
                       struct error *error)
{
    struct json_out json;
    bool ok = true;

    json_init(&json, stdout, 3);
    json_object(&json, NULL);
    json_text(&json, "scenario", scenario_name(scenario));
    json_text(&json, "store", args->store);
    json_array(&json, "points");
    for (size_t point = 0; ok && point < experiment->points; point++) {
        struct point_summary summary;

        ok = point_summary_init(&summary, scenario, experiment, store, point, error);
        if (ok) {
            json_object(&json, NULL);
            params_json(scenario, point, &json);
            json_array(&json, "variants");
            point_summary_json(&summary, &json, false);
            json_end(&json);
            json_end(&json);
            expectations_add(expectations, &summary);
        }
        point_summary_fini(&summary);
    }
    if (ok) {
        json_end(&json);
        if (args->expect) {
            expectations_json(expectations, &json);
        }
        problems_json(problems, &json);
        json_end(&json);
    }
    return ok;
}

static bool print_text(const struct study_args *args, const struct scenario *scenario,
                       const struct experiment *experiment, struct store *store,
                       struct expectations *expectations, struct error *error)
{
    struct sweep_table table = {
        .scenario = scenario, .experiment = experiment, .store = store, .all = args->all};
    struct config config;

    scenario_config(scenario, 0, 0, &config);
    printf("%s%s%s\n", scenario_name(scenario), config.study.question[0] ? ": " : "",
           config.study.question);
    if (!sweep_table_print(&table, stdout, error)) {
        return false;
    }
    for (size_t point = 0; args->expect && point < experiment->points; point++) {
        struct point_summary summary;
        bool ok = point_summary_init(&summary, scenario, experiment, store, point, error);

        if (ok) {
            expectations_add(expectations, &summary);
        }
        point_summary_fini(&summary);
        if (!ok) {
            return false;
        }
    }
    if (args->expect) {
        printf("\n");
        expectations_print(expectations, stdout);
    }
    return true;
}

static int sweep_into(const struct study_args *args, const struct scenario *scenario,
                      struct store *store, struct problems *problems)
{
    struct error error = {0};
    struct experiment experiment = {0};
    struct expectations expectations;
    int code = study_run(args, &experiment, scenario, store, problems);
    bool ok;

    if (code == 0) {
        expectations_init(&expectations, scenario);
        ok = args->json
                 ? print_json(args, scenario, &experiment, store, problems, &expectations, &error)
                 : print_text(args, scenario, &experiment, store, &expectations, &error);
        code = !ok ? command_fail(&error)
                   : command_finish(args->expect && expectations_failed(&expectations) > 0
                                        ? ERROR_DIFFERS
                                        : 0);
        if (ok && !args->json) {
            fprintf(stderr, "vqsim: results are in %s; draw them with: vqsim report %s\n",
                    args->store, args->store);
        }
        expectations_fini(&expectations);
    }
    experiment_fini(&experiment);
    return code;
}

static int sweep_scenario(struct study_args *args, const struct scenario *scenario,
                          struct problems *problems)
{
    char *name = args->store ? NULL : default_store(scenario);
    struct error error = {0};
    struct store *store;
    int code;

    args->store = args->store ? args->store : name;
    store = study_store(args, args->store, &error);
    code = store ? sweep_into(args, scenario, store, problems) : command_fail(&error);
    store_close(store);
    free(name);
    return code;
}

int cmd_sweep(int argc, char **argv)
{
    struct study_args args;
    struct problems problems;
    struct scenario *scenario;
    int code = study_args_read(&args, argc, argv,
                               STUDY_SET | STUDY_VARY | STUDY_EXPECT | STUDY_STORE | STUDY_JSON |
                                   STUDY_THREADS | STUDY_STRICT | STUDY_MAX_POINTS |
                                   STUDY_PROGRESS | STUDY_FORCE | STUDY_ALL,
                               1);

    problems_init(&problems);
    if (code == 0) {
        scenario = study_scenario(&args, &problems, &code);
        if (scenario) {
            code = sweep_scenario(&args, scenario, &problems);
        }
        scenario_free(scenario);
    }
    problems_fini(&problems);
    study_args_fini(&args);
    return code;
}
