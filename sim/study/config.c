/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "models/metric.h"
#include "sim/engine/unit.h"

static const struct param_choice metric_choices[] = {
#define X(suffix, text, unit_, help_) {.name = text, .help = help_},
    METRICS(X)
#undef X
        {0},
};

static const struct param_choice engine_choices[] = {
    [SIM_FAST] = {.name = "fast", .help = "stays in an actor while it is next"},
    [SIM_PLAIN] = {.name = "plain", .help = "takes the next actor from the event set every time"},
    {0},
};

#define FIELD(member) .offset = offsetof(struct study_config, member)

static const struct param rows[] = {
    {.path = "version",
     .kind = PARAM_COUNT,
     FIELD(version),
     .least = 1,
     .most = 1,
     .required = true,
     .help = "version of the scenario format"},
    {.path = "name",
     .kind = PARAM_TEXT,
     FIELD(name),
     .fallback = "",
     .help = "name of the scenario; the name of its file when left out"},
    {.path = "question",
     .kind = PARAM_TEXT,
     FIELD(question),
     .fallback = "",
     .help = "what the scenario asks; shown on top of the report"},
    {.path = "seed",
     .kind = PARAM_U64,
     FIELD(seed),
     .fallback = "1",
     .help = "of all random streams, together with the replication"},
    {.path = "duration",
     .kind = PARAM_TIME,
     FIELD(duration),
     .most = (double)SIM_TIME_LIMIT,
     .above_zero = true,
     .fallback = "20ms",
     .help = "measured window of a run"},
    {.path = "warmup",
     .kind = PARAM_TIME,
     FIELD(warmup),
     .most = (double)SIM_TIME_LIMIT,
     .fallback = "2ms",
     .help = "simulated before the window and not measured"},
    {.path = "replications",
     .kind = PARAM_COUNT,
     FIELD(replications),
     .least = 1,
     .most = 1000000,
     .fallback = "8", /* the least that is tested for two modes */
     .unit = "runs",
     .help = "independent runs of each point and variant; the least with stop.relative_precision"},
    {.path = "stop.relative_precision",
     .kind = PARAM_RATIO,
     FIELD(relative_precision),
     .most = 1,
     .above_zero = true,
     .below_most = true,
     .help = "adds replications until the half width of stop.metric is this share of its mean"},
    {.path = "stop.confidence",
     .kind = PARAM_RATIO,
     FIELD(confidence),
     .most = 1,
     .above_zero = true,
     .below_most = true,
     .fallback = "0.95",
     .help = "level of the intervals"},
    {.path = "stop.metric",
     .kind = PARAM_CHOICE,
     FIELD(stop_metric),
     .fallback = "tx_pps",
     .choices = metric_choices,
     .help = "metric that stop.relative_precision is judged on"},
    {.path = "stop.most_replications",
     .kind = PARAM_COUNT,
     FIELD(most_replications),
     .least = 1,
     .most = 1000000,
     .fallback = "100",
     .unit = "runs",
     .help = "replications after which stop.relative_precision gives up"},
    {.path = "engine",
     .kind = PARAM_CHOICE,
     FIELD(engine),
     .fallback = "fast",
     .choices = engine_choices,
     .help = "how the next actor is found; the results are the same"},
};

static void check(const void *part, struct problems *problems)
{
    const struct study_config *c = part;

    if (c->relative_precision > 0 && c->most_replications < c->replications) {
        problems_error(problems, "stop.most_replications", "%u is below replications, which is %u",
                       c->most_replications, c->replications);
    }
    if (c->duration > SIM_TIME_LIMIT - c->warmup) {
        problems_error(problems, "warmup", "warmup and duration are more than 100 days together");
    }
}

static const struct param_table study_params =
    PARAM_TABLE("study", struct study_config, rows, check);

static const struct param_part parts[] = {
    {.table = &study_params, .offset = offsetof(struct config, study)},
    {.table = &trace_params, .offset = offsetof(struct config, trace)},
};

/* A source that falls silent is seldom what was meant. */
static void check_trace(const struct config *config, struct problems *problems)
{
    const struct workload_config *w = &config->datapath.workload;
    sim_time end = config->study.warmup + config->study.duration, span;
    char ends[40], lasts[40];

    if (!config->trace.file[0]) {
        problems_error(problems, "workload.file", "missing: the type of the workload reads one");
    }
    if (!w->trace || w->replay.loop || w->replay.mode != REPLAY_TIMING) {
        return;
    }
    span = replay_span(&w->replay, w->trace, end);
    unit_show(UNIT_TIME, (double)span, ends, sizeof ends);
    if (span < config->study.warmup) {
        unit_show(UNIT_TIME, (double)config->study.warmup, lasts, sizeof lasts);
        problems_error(problems, "workload.file",
                       "nothing is measured: the capture ends after %s, in the warm-up of %s; "
                       "shorten warmup or set workload.loop",
                       ends, lasts);
    } else if (span < end) {
        unit_show(UNIT_TIME, (double)end, lasts, sizeof lasts);
        problems_warning(problems, "workload.file",
                         "the capture ends after %s of %s: nothing comes from there on; shorten "
                         "duration or set workload.loop",
                         ends, lasts);
    }
}

static void check_all(const void *whole, struct problems *problems)
{
    const struct config *config = whole;

    datapath_check(&config->datapath, problems);
    if (workload_replays(&config->datapath.workload)) {
        check_trace(config, problems);
    }
}

const struct param_schema config_schema = {
    .config_bytes = sizeof(struct config),
    .parts = parts,
    .count = 2,
    .further = datapath_parts,
    .further_count = &datapath_part_count,
    .further_offset = offsetof(struct config, datapath),
    .check = check_all,
    .not_yet = datapath_not_yet,
};

/* What cannot change the result of a run. */
static bool outside_identity(const char *path)
{
    static const char *const names[] = {"version", "name", "question", "replications", "engine",
                                        "workload.file"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(path, names[i]) == 0) {
            return true;
        }
    }
    return strncmp(path, "stop.", 5) == 0;
}

static int compare_paths(const void *a, const void *b)
{
    const struct param_place *x = a, *y = b;

    return strcmp(x->row->path, y->row->path);
}

char *config_canonical(const struct config *config)
{
    size_t count = param_count(&config_schema), bytes;
    struct param_place *places = malloc(count * sizeof *places);
    char *text = NULL, *value;
    FILE *out = open_memstream(&text, &bytes);

    if (!places || !out) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = param_at(&config_schema, i);
    }
    qsort(places, count, sizeof *places, compare_paths);
    for (size_t i = 0; i < count; i++) {
        const struct param *row = places[i].row;
        const char *field = (const char *)config + places[i].part + row->offset;

        if (outside_identity(row->path)) {
            continue;
        }
        value = param_text(row, field);
        fprintf(out, "%s=%s\n", row->path, value);
        free(value);
    }
    fclose(out);
    free(places);
    return text;
}

struct run_id config_run_id(const struct config *config, uint32_t replication)
{
    const struct study_config *study = &config->study;

    return (struct run_id){
        .seed = study->seed,
        .replication = replication,
        .warmup = study->warmup,
        .duration = study->duration,
        .engine = (enum sim_engine)study->engine,
        .event_set = EVENT_SET_AUTO,
    };
}
