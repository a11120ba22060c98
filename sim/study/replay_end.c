/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/replay_end.h"

#include <stdlib.h>

/* Whether the sender takes the marks of a capture and does not begin again. */
static bool may_end(const struct config *config)
{
    const struct workload_config *w = &config->datapath.workload;

    return workload_replays(w) && w->replay.mode == REPLAY_MARKS && !w->replay.loop;
}

/* Counts the configurations whose capture ended, and those of them that measured nothing. */
static void count_ended(const struct experiment *experiment, const struct scenario *scenario,
                        struct store *store, size_t *ended, size_t *silent)
{
    struct config *config = malloc(sizeof *config);

    if (!config) {
        abort();
    }
    for (size_t i = 0; i < experiment->points * experiment->variants; i++) {
        double metric[METRIC_COUNT];

        scenario_config(scenario, i / experiment->variants, i % experiment->variants, config);
        if (may_end(config) &&
            store_read_metrics(store, experiment->cell[i].config_id, 0, metric) &&
            metric[METRIC_TRACE_ROUNDS] >= 1) {
            *ended += 1;
            *silent += !(metric[METRIC_TX_PPS] > 0);
        }
    }
    free(config);
}

static bool warn(struct store *store, int64_t scenario_id, size_t count, size_t of,
                 const char *text, struct problems *problems, struct error *error)
{
    char line[1200];

    if (count < of) {
        problems_warning(problems, "workload.loop", "%s, in %zu of %zu configurations", text, count,
                         of);
    } else {
        problems_warning(problems, "workload.loop", "%s", text);
    }
    error_format(&problems->list[problems->count - 1].error, "warning", line, sizeof line);
    return store_warn(store, scenario_id, line, error);
}

bool replay_end_warn(const struct experiment *experiment, const struct scenario *scenario,
                     struct store *store, int64_t scenario_id, struct problems *problems,
                     struct error *error)
{
    const size_t all = experiment->points * experiment->variants;
    size_t ended = 0, silent = 0;

    if (scenario_trace_count(scenario) == 0) {
        return true;
    }
    count_ended(experiment, scenario, store, &ended, &silent);
    if (silent > 0 &&
        !warn(store, scenario_id, silent, all,
              "false, and the capture ends in the warm-up: nothing is measured", problems, error)) {
        return false;
    }
    return ended == silent ||
           warn(store, scenario_id, ended - silent, all,
                "false, and the capture ended before the run did: nothing came from there on, and "
                "rates per second are too low",
                problems, error);
}
