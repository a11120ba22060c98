/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim rerun: a stored run once more, from the parameters in the store alone. Equal fingerprints:
 * the program still computes what it did; else the first differences are named.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/study_args.h"
#include "sim/study/json_out.h"
#include "sim/study/stored_config.h"

#define DIFFERENCES_SHOWN 8

struct stored_run {
    int64_t id, config_id;
    uint32_t replication;
    int revision;
    char version[32], fingerprint[17];
};

struct rerun {
    struct store *store;
    struct stored_run *list;
    size_t count, room;
    struct run_result *result;
    struct config *config;
    struct trace_set *traces;
    struct error *error;
    uint64_t differ;
};

static bool take_run(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct rerun *rerun = context;
    struct stored_run *run;

    (void)columns;
    (void)names;
    if (rerun->count == rerun->room) {
        rerun->room = rerun->room ? 2 * rerun->room : 64;
        rerun->list = realloc(rerun->list, rerun->room * sizeof *rerun->list);
        if (!rerun->list) {
            abort();
        }
    }
    run = &rerun->list[rerun->count++];
    memset(run, 0, sizeof *run);
    run->id = strtoll(values[0], NULL, 10);
    run->config_id = strtoll(values[1], NULL, 10);
    run->replication = (uint32_t)strtoul(values[2], NULL, 10);
    run->revision = (int)strtol(values[3], NULL, 10);
    snprintf(run->version, sizeof run->version, "%s", values[4]);
    snprintf(run->fingerprint, sizeof run->fingerprint, "%s", values[5]);
    return true;
}

static void print_differences(const struct rerun *rerun, const struct stored_run *run)
{
    double stored[METRIC_COUNT];
    int shown = 0;

    printf("run %lld differs: fingerprint %s stored, %016" PRIx64 " now (model revision %d and %d, "
           "version %s and %s)\n",
           (long long)run->id, run->fingerprint, rerun->result->fingerprint, run->revision,
           MODEL_REVISION, run->version, VQSIM_VERSION);
    if (!store_read_metrics(rerun->store, run->config_id, run->replication, stored)) {
        return;
    }
    for (int i = 0; i < METRIC_COUNT && shown < DIFFERENCES_SHOWN; i++) {
        double now = rerun->result->metric[i];
        char before_text[JSON_NUMBER_BYTES], now_text[JSON_NUMBER_BYTES];

        json_number_text(stored[i], before_text);
        json_number_text(now, now_text);
        if (strcmp(before_text, now_text) != 0) {
            printf("  %s: %s stored, %s now\n", metric_name((enum metric)i), before_text, now_text);
            shown++;
        }
    }
    if (shown == 0) {
        printf("  all metrics are the same\n");
    }
}

static bool rerun_one(struct rerun *rerun, const struct stored_run *run)
{
    char fingerprint[17];
    struct run_id id;

    if (!stored_config_read(rerun->config, rerun->store, run->config_id, rerun->traces,
                            rerun->error)) {
        return false;
    }
    id = config_run_id(rerun->config, run->replication);
    if (!datapath_run(&rerun->config->datapath, &id, rerun->result, rerun->error)) {
        return error_set(rerun->error, ERROR_SYSTEM, "", "the run failed");
    }
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, rerun->result->fingerprint);
    if (strcmp(fingerprint, run->fingerprint) == 0) {
        printf("run %lld is identical: fingerprint %s\n", (long long)run->id, fingerprint);
    } else {
        rerun->differ++;
        print_differences(rerun, run);
    }
    return true;
}

static bool select_runs(struct rerun *rerun, const char *file, const char *which)
{
    char sql[256];

    /* of configurations that share a run, one will do */
    snprintf(sql, sizeof sql,
             "SELECT id, min(config_id), replication, revision, version, fingerprint FROM run "
             "%s%s GROUP BY id ORDER BY id",
             which ? "WHERE id = " : "", which ? which : "");
    if (!store_query(rerun->store, sql, take_run, rerun, rerun->error)) {
        return false;
    }
    if (rerun->count == 0) {
        error_set(rerun->error, ERROR_INPUT, "", "holds no run %s; see: vqsim list --runs %s",
                  which ? which : "at all", file);
        snprintf(rerun->error->source, sizeof rerun->error->source, "%s", file);
        return false;
    }
    return true;
}

static int rerun_store(const struct study_args *args)
{
    struct error error = {0};
    struct rerun rerun = {.store = store_open(args->file, false, &error),
                          .result = run_result_new(),
                          .config = calloc(1, sizeof *rerun.config),
                          .traces = trace_set_new(),
                          .error = &error};
    bool ok = rerun.store && rerun.result && rerun.config &&
              select_runs(&rerun, args->file, args->argument);

    for (size_t i = 0; ok && i < rerun.count; i++) {
        ok = rerun_one(&rerun, &rerun.list[i]);
    }
    if (!ok) {
        error_set(&error, ERROR_SYSTEM, "", "out of memory");
    } else if (!args->argument) {
        fprintf(stderr, "vqsim: %zu runs again: %zu identical, %" PRIu64 " differ\n", rerun.count,
                rerun.count - (size_t)rerun.differ, rerun.differ);
    }
    store_close(rerun.store);
    run_result_free(rerun.result);
    trace_set_free(rerun.traces);
    free(rerun.config);
    free(rerun.list);
    return ok ? command_finish(rerun.differ ? ERROR_DIFFERS : 0) : command_fail(&error);
}

int cmd_rerun(int argc, char **argv)
{
    struct study_args args;
    int code = study_args_read(&args, argc, argv, STUDY_ALL, 2);

    if (code == 0 && args.all == (args.argument != NULL)) {
        code = command_usage("rerun", "a run's number is needed, or --all");
    } else if (code == 0 && args.argument &&
               (strspn(args.argument, "0123456789") != strlen(args.argument) ||
                strlen(args.argument) > 18)) {
        code = command_usage("rerun", "'%s' is no run's number", args.argument);
    }
    if (code == 0) {
        code = rerun_store(&args);
    }
    study_args_fini(&args);
    return code;
}
