/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim sweep: every point of the scenario into a store, and a table of what came out. */
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/notes.h"
#include "sim/cli/point_summary.h"
#include "sim/cli/saving_table.h"
#include "sim/cli/study_args.h"
#include "sim/cli/sweep_table.h"
#include "sim/study/recommend_probe.h"

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

/* A sweep that is done, with the runs that probe its answer. */
struct done {
    const struct study_args *args;
    const struct scenario *scenario;
    struct experiment experiment;
    struct scenario *probes; /* NULL: none */
    struct experiment probed;
    struct recommend recommend; /* no cases: nothing to choose */
    struct expectations expectations;
};

static void answer_json(const struct recommend *r, struct json_out *json)
{
    json_array(json, "answers");
    for (size_t i = 0; i < r->count; i++) {
        json_object(json, NULL);
        json_text(json, "case", r->cases[i].label);
        json_text(json, "parameter", r->parameter);
        json_unsigned(json, "fresh_replications", r->cases[i].fresh);
        saving_json(&r->cases[i], json);
        json_end(json);
    }
    json_end(json);
}

static bool print_json(struct done *done, struct store *store, const struct problems *problems,
                       struct error *error)
{
    const struct scenario *scenario = done->scenario;
    const struct experiment *experiment = &done->experiment;
    struct json_out json;
    bool ok = true;

    json_init(&json, stdout, 3);
    json_object(&json, NULL);
    json_text(&json, "scenario", scenario_name(scenario));
    json_text(&json, "store", done->args->store);
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
            expectations_add(&done->expectations, &summary);
        }
        point_summary_fini(&summary);
    }
    if (ok) {
        json_end(&json);
        answer_json(&done->recommend, &json);
        captures_json(scenario, &json);
        if (done->args->expect) {
            expectations_json(&done->expectations, &json);
        }
        problems_json(problems, &json);
        json_end(&json);
    }
    return ok;
}

static bool print_text(struct done *done, struct store *store, struct error *error)
{
    const struct scenario *scenario = done->scenario;
    const struct experiment *experiment = &done->experiment;
    bool expect = done->args->expect;
    struct sweep_table table = {.scenario = scenario,
                                .experiment = experiment,
                                .probes = done->probes,
                                .probed = &done->probed,
                                .store = store,
                                .all = done->args->all};
    struct config config;

    scenario_config(scenario, 0, 0, &config);
    printf("%s%s%s\n", scenario_name(scenario), config.study.question[0] ? ": " : "",
           config.study.question);
    notes_captures(scenario, stdout);
    if (!sweep_table_print(&table, stdout, error)) {
        return false;
    }
    if (done->recommend.count > 0 &&
        (done->recommend.count <= RECOMMEND_PROBE_CASES || table.all || done->probes)) {
        saving_table_print(&done->recommend, stdout);
    }
    for (size_t point = 0; expect && point < experiment->points; point++) {
        struct point_summary summary;
        bool ok = point_summary_init(&summary, scenario, experiment, store, point, error);

        if (ok) {
            expectations_add(&done->expectations, &summary);
        }
        point_summary_fini(&summary);
        if (!ok) {
            return false;
        }
    }
    if (expect) {
        printf("\n");
        expectations_print(&done->expectations, stdout);
    }
    return true;
}

/* Runs one stage of the probes and takes in what came out; 0 or an exit code. */
static int probe(struct done *done, enum recommend_stage stage, struct store *store,
                 struct problems *problems)
{
    static const char *const names[] = {"fresh streams: ", "costs: "};
    struct scenario *probes =
        recommend_probes(&done->recommend, stage, done->scenario, &done->experiment);
    struct experiment probed = {0};
    struct error error = {0};
    int code = 0;

    if (!probes) {
        return 0;
    }
    code = study_run(done->args, names[stage], &probed, probes, store, problems);
    if (code == 0 && !recommend_take_probes(&done->recommend, store, &error)) {
        code = command_fail(&error);
    }
    if (stage == RECOMMEND_FRESH) {
        done->probes = probes;
        done->probed = probed;
    } else {
        scenario_free(probes);
        experiment_fini(&probed);
    }
    return code;
}

/* What the sweep chooses, and the runs that this rests on; 0 or an exit code. */
static int answer(struct done *done, struct store *store, struct problems *problems)
{
    const struct study_args *args = done->args;
    struct recommend *r = &done->recommend;
    struct error error = {0};
    int code = 0;

    if (!recommend_read_sweep(r, done->scenario, &done->experiment, store, &error)) {
        return command_fail(&error);
    }
    if (r->count > RECOMMEND_PROBE_CASES && !args->all_probes && !args->no_probes) {
        fprintf(stderr,
                "vqsim: %zu cases, too many to probe each answer (fresh streams, costs at the ends "
                "of their ranges); --all-probes does\n",
                r->count);
    } else if (!args->no_probes) {
        code = probe(done, RECOMMEND_FRESH, store, problems);
        code = code ? code : probe(done, RECOMMEND_COSTS, store, problems);
    }
    return code;
}

static int sweep_into(struct done *done, struct store *store, struct problems *problems)
{
    const struct study_args *args = done->args;
    struct error error = {0};
    int code = study_run(args, "", &done->experiment, done->scenario, store, problems);
    bool ok;

    if (code == 0) {
        code = answer(done, store, problems);
    }
    if (code != 0) {
        return code;
    }
    ok = args->json ? print_json(done, store, problems, &error) : print_text(done, store, &error);
    if (!ok) {
        return command_fail(&error);
    }
    code = command_finish(
        args->expect && expectations_failed(&done->expectations) > 0 ? ERROR_DIFFERS : 0);
    if (!args->json) {
        fprintf(stderr, "vqsim: results are in %s; draw them with: vqsim report %s\n", args->store,
                args->store);
    }
    return code;
}

static int sweep_scenario(struct study_args *args, const struct scenario *scenario,
                          struct problems *problems)
{
    char *name = args->store ? NULL : default_store(scenario);
    struct done done = {.args = args, .scenario = scenario};
    struct error error = {0};
    struct store *store;
    int code;

    args->store = args->store ? args->store : name;
    store = study_store(args, args->store, &error);
    expectations_init(&done.expectations, scenario);
    code = store ? sweep_into(&done, store, problems) : command_fail(&error);
    expectations_fini(&done.expectations);
    recommend_free(&done.recommend);
    experiment_fini(&done.probed);
    scenario_free(done.probes);
    experiment_fini(&done.experiment);
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
                                   STUDY_PROGRESS | STUDY_FORCE | STUDY_ALL | STUDY_PROBES,
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
