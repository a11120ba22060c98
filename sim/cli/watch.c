/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/watch.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/engine/unit.h"
#include "sim/study/pcapng_out.h"
#include "sim/study/timeline_out.h"

#define WINDOW (100 * SIM_US)

/* Where the calls of the observer go; NULL: not asked for. */
struct watch {
    struct pcapng_out *pcapng;
    struct timeline_out *timeline;
};

static void on_work(void *context, enum observer_party party, const char *what, sim_time from,
                    sim_time to)
{
    struct watch *watch = context;

    if (watch->timeline) {
        timeline_out_work(watch->timeline, party, what, from, to);
    }
}

static void on_packet(void *context, enum observer_party party, enum observer_point point,
                      uint64_t packet, uint32_t size, sim_time now)
{
    struct watch *watch = context;

    if (watch->pcapng && point == OBSERVER_SENT) {
        pcapng_out_packet(watch->pcapng, now, packet, size);
    }
    if (watch->timeline) {
        timeline_out_packet(watch->timeline, party, point, packet, size, now);
    }
}

/* "A..B", both with their units. */
static bool read_window(const char *text, sim_time *from, sim_time *to, struct error *error)
{
    const char *dots = strstr(text, "..");
    char first[64];
    double value;

    if (!dots || (size_t)(dots - text) >= sizeof first) {
        return error_set(error, ERROR_USAGE, "", "two times are needed, as in 2ms..2.1ms");
    }
    snprintf(first, sizeof first, "%.*s", (int)(dots - text), text);
    if (!unit_read(UNIT_TIME, first, false, &value, from, error) ||
        !unit_read(UNIT_TIME, dots + 2, false, &value, to, error)) {
        return false;
    }
    return (*from >= 0 && *from < *to) ||
           error_set(error, ERROR_USAGE, "", "the end must be after the beginning");
}

int watch_check(const struct watch_args *args)
{
    struct error error = {0};
    sim_time from, to;

    if (args->window && !args->timeline) {
        return command_usage("run", "--window goes with --timeline");
    }
    if (args->packets && !args->pcapng) {
        return command_usage("run", "--pcapng-packets goes with --pcapng");
    }
    if (args->variant && !args->pcapng && !args->timeline) {
        return command_usage("run", "--variant says what --pcapng and --timeline show");
    }
    if (args->window && !read_window(args->window, &from, &to, &error)) {
        return command_usage("run", "--window %.80s: %s", args->window, error.text);
    }
    return 0;
}

static bool find_variant(const struct scenario *scenario, const char *name, size_t *variant)
{
    for (*variant = 0; name && *variant < scenario_variant_count(scenario); ++*variant) {
        if (strcmp(scenario_variant_name(scenario, *variant), name) == 0) {
            return true;
        }
    }
    return name == NULL;
}

static void say_what(const struct watch *watch, const struct config *config)
{
    char end[40];

    if (watch->pcapng && watch->pcapng->packets > watch->pcapng->most) {
        fprintf(stderr, "vqsim: note: %s holds the first %" PRIu64 " of %" PRIu64 " packets\n",
                watch->pcapng->name, watch->pcapng->most, watch->pcapng->packets);
    }
    if (watch->timeline && watch->timeline->entries == 0) {
        unit_show(UNIT_TIME, (double)(config->study.warmup + config->study.duration), end,
                  sizeof end);
        fprintf(stderr,
                "vqsim: note: %s is empty, nothing happened in its window; the run ends at %s\n",
                watch->timeline->name, end);
    }
    if (watch->timeline && watch->timeline->left_out > 0) {
        fprintf(stderr, "vqsim: note: %s holds the first %d of %" PRIu64 " entries of its window\n",
                watch->timeline->name, TIMELINE_OUT_MOST,
                watch->timeline->entries + watch->timeline->left_out);
    }
}

static bool open_files(const struct watch_args *args, const struct config *config,
                       struct watch *watch, struct pcapng_out *pcapng,
                       struct timeline_out *timeline, struct error *error)
{
    sim_time from = config->study.warmup, to = from + WINDOW;

    if (args->window && !read_window(args->window, &from, &to, error)) {
        return false;
    }
    if (args->pcapng) {
        if (!pcapng_out_open(pcapng, args->pcapng, args->packets ? args->packets : WATCH_PACKETS,
                             error)) {
            return false;
        }
        watch->pcapng = pcapng;
    }
    if (args->timeline) {
        if (!timeline_out_open(timeline, args->timeline, from, to, error)) {
            return false;
        }
        watch->timeline = timeline;
    }
    return true;
}

static bool run(const struct watch_args *args, const struct config *config, struct error *error)
{
    struct pcapng_out pcapng;
    struct timeline_out timeline;
    struct watch watch = {0};
    struct observer observer = {.context = &watch, .on_work = on_work, .on_packet = on_packet};
    struct run_result *result = run_result_new();
    struct run_id id = config_run_id(config, 0);
    bool ok = result && open_files(args, config, &watch, &pcapng, &timeline, error);

    id.observer = &observer;
    ok = ok && datapath_run(&config->datapath, &id, result, error);
    if (watch.pcapng) {
        ok = pcapng_out_close(watch.pcapng, error) && ok;
    }
    if (watch.timeline) {
        ok = timeline_out_close(watch.timeline, error) && ok;
    }
    run_result_free(result);
    if (ok) {
        say_what(&watch, config);
    }
    return ok || error_set(error, ERROR_SYSTEM, "", "out of memory");
}

int watch_run(const struct watch_args *args, const struct scenario *scenario)
{
    struct config *config;
    struct error error = {0};
    size_t variant;
    bool ok;

    if (!args->pcapng && !args->timeline) {
        return 0;
    }
    if (!find_variant(scenario, args->variant, &variant)) {
        error_set(&error, ERROR_INPUT, "--variant", "no variant is named %.80s", args->variant);
        return command_fail(&error);
    }
    config = calloc(1, sizeof *config);
    if (!config) {
        abort();
    }
    scenario_config(scenario, 0, variant, config);
    ok = run(args, config, &error);
    free(config);
    return ok ? 0 : command_fail(&error);
}
