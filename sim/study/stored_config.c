/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/stored_config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/value.h"

struct reading {
    struct config *config;
    struct error *error;
};

/* The text of a parameter that is not set: it needs no reading, and may be no value a file can give
 * ("0" of stop.relative_precision). */
static bool is_unset(const struct reading *reading, const struct param *row, size_t offset,
                     const char *text)
{
    char *unset = param_text(row, (const char *)reading->config + offset);
    bool same = strcmp(unset, text) == 0;

    free(unset);
    return same;
}

/* One stored parameter into the configuration. */
static bool take_param(void *context, int columns, const char *const *names,
                       const char *const *values)
{
    struct reading *reading = context;
    size_t offset;
    const struct param *row = param_find(&config_schema, values[0], &offset);

    (void)columns;
    (void)names;
    if (!row) {
        return error_set(reading->error, ERROR_INPUT, values[0],
                         "the store has this parameter, this program has not");
    }
    if (!value_from_text(row, values[1], (char *)reading->config + offset - row->offset) &&
        !is_unset(reading, row, offset, values[1])) {
        return error_set(reading->error, ERROR_INPUT, values[0],
                         "the store has the value %.60s, which this program does not take",
                         values[1]);
    }
    return true;
}

/* What kept the capture from being read. */
static bool refuse_trace(const struct config *config, const struct problems *problems,
                         struct error *error)
{
    for (size_t i = 0; i < problems->count; i++) {
        if (!problems->list[i].warning) {
            return error_set(error, ERROR_INPUT, "workload.file",
                             "the run replays %.200s: %.200s", config->trace.file,
                             problems->list[i].error.text);
        }
    }
    return error_set(error, ERROR_INPUT, "workload.file", "the run replays %.200s: cannot be read",
                     config->trace.file);
}

static bool open_trace(struct config *config, struct trace_set *traces, struct error *error)
{
    char stored[sizeof config->trace.sha256];
    struct problems problems;
    bool fresh, ok;

    memcpy(stored, config->trace.sha256, sizeof stored);
    problems_init(&problems);
    ok = trace_set_add(traces, config, &fresh, &problems) ||
         refuse_trace(config, &problems, error);
    problems_fini(&problems);
    if (!ok) {
        return false;
    }
    trace_set_apply(traces, config);
    if (strcmp(stored, config->trace.sha256) != 0) {
        return error_set(error, ERROR_INPUT, "workload.file",
                         "%.200s is not what the run replayed: SHA-256 %.16s... then, %.16s... now",
                         config->trace.file, stored, config->trace.sha256);
    }
    return true;
}

bool stored_config_read(struct config *config, struct store *store, int64_t config_id,
                        struct trace_set *traces, struct error *error)
{
    struct reading reading = {.config = config, .error = error};
    char sql[96];

    snprintf(sql, sizeof sql, "SELECT path, value FROM param WHERE config_id = %lld",
             (long long)config_id);
    memset(config, 0, sizeof *config);
    if (!store_query(store, sql, take_param, &reading, error) || error->kind != ERROR_NONE) {
        return false;
    }
    return !workload_replays(&config->datapath.workload) || open_trace(config, traces, error);
}
