/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/notes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WORK_FULL_PERCENT 98 /* of the time: the backend waits for nothing */

#define NAMES_BYTES 400

void notes_left_out(const struct scenario *scenario, FILE *out)
{
    size_t count = scenario_left_out_count(scenario);

    for (size_t i = 0; i < count; i++) {
        char value[PARAM_TEXT_BYTES];
        const char *path = scenario_left_out(scenario, i, value, sizeof value);

        fprintf(out, "%s%s %s %s", i ? ", " : "axes are left out: ", path,
                value[0] ? "is" : "differs by case or variant", value[0] ? value : "");
    }
    if (count > 0) {
        fprintf(out, "; vqsim sweep crosses them\n");
    }
}

/* The variants for which a finding holds, gathered for one line; names stay empty when there is
 * only one variant. */
struct finding {
    size_t count;
    char names[NAMES_BYTES];
    double most;
};

static void find(struct finding *finding, const struct point_summary *summary, size_t variant,
                 double value)
{
    size_t used = strlen(finding->names);

    if (summary->count > 1 && used < NAMES_BYTES) {
        snprintf(finding->names + used, NAMES_BYTES - used, "%s%s", used ? ", " : "",
                 scenario_variant_name(summary->scenario, variant));
    }
    finding->most = finding->count == 0 ? value : fmax(finding->most, value);
    finding->count++;
}

/* "none, cache: " where it does not hold for all. */
static void print_names(const struct finding *finding, const struct point_summary *summary,
                        FILE *out)
{
    fprintf(out, "note: ");
    if (finding->count < summary->count) {
        fprintf(out, "%s: ", finding->names);
    }
}

void notes_overload(const struct point_summary *summary, FILE *out)
{
    struct finding drops = {0}, backend = {0}, ring = {0};

    for (size_t v = 0; v < summary->count; v++) {
        const struct summary *own = &summary->variant[v];
        double dropped = summary_interval(own, METRIC_DROPS).mean;
        double work = summary_interval(own, METRIC_HOST_WORK).mean;
        double stops = summary_interval(own, METRIC_QUEUE_STOPS).mean;

        if (dropped > 0) {
            find(&drops, summary, v, dropped);
        }
        if (work >= WORK_FULL_PERCENT) {
            find(&backend, summary, v, work);
        } else if (stops > 0) {
            find(&ring, summary, v, stops);
        }
    }
    if (drops.count > 0) {
        print_names(&drops, summary, out);
        fprintf(out, "drops %s%.3g%s packets/s: the sender is faster than the path\n",
                drops.count > 1 ? "up to " : "",
                drops.most >= 1e6   ? drops.most / 1e6
                : drops.most >= 1e3 ? drops.most / 1e3
                                    : drops.most,
                drops.most >= 1e6   ? " M"
                : drops.most >= 1e3 ? " k"
                                    : "");
    }
    if (backend.count > 0) {
        print_names(&backend, summary, out);
        fprintf(out, "host_work_percent near 100: the backend is the bottleneck, so what the guest "
                     "saves does not show in tx_pps\n");
    }
    if (ring.count > 0) {
        print_names(&ring, summary, out);
        fprintf(out, "queue_stops_per_s above 0: the ring fills up, and the sender waits for it\n");
    }
}

void notes_captures(const struct scenario *scenario, FILE *out)
{
    for (size_t i = 0; i < scenario_trace_count(scenario); i++) {
        fprintf(out, "capture %s\n", scenario_trace_note(scenario, i));
    }
}

void notes_replay(const struct point_summary *summary, FILE *out)
{
    struct finding emulated = {0};
    struct config *config = malloc(sizeof *config);

    if (!config) {
        abort();
    }
    for (size_t v = 0; v < summary->count; v++) {
        const struct workload_config *w = &config->datapath.workload;

        scenario_config(summary->scenario, summary->point, v, config);
        if (workload_replays(w) && w->replay.emulated && w->replay.mode == REPLAY_TIMING) {
            find(&emulated, summary, v, 0);
        }
    }
    free(config);
    if (emulated.count > 0) {
        print_names(&emulated, summary, out);
        fprintf(out, "the gaps are an emulated machine's: hold them against workload.replay=marks\n");
    }
}

bool notes_is_undecided(const struct interval *difference)
{
    return isfinite(difference->half_width) && difference->half_width > 0 &&
           fabs(difference->mean) <= difference->half_width;
}

void notes_advice(uint32_t replications, const char *what, FILE *out)
{
    fprintf(out,
            "%s: more replications (--set replications=%u) or longer runs (--set duration=...) "
            "narrow them\n",
            what, 4 * replications);
}

void notes_undecided(const struct point_summary *summary, FILE *out)
{
    struct finding undecided = {0};
    char what[NAMES_BYTES + 140];

    for (size_t v = 1; v < summary->count; v++) {
        struct interval difference =
            summary_difference(&summary->variant[v], &summary->variant[0], METRIC_GUEST_NS);

        if (notes_is_undecided(&difference)) {
            find(&undecided, summary, v, difference.mean);
        }
    }
    if (undecided.count > 0) {
        snprintf(what, sizeof what,
                 "note: %s: intervals of guest_ns_per_packet less that of %.60s contain 0",
                 undecided.names, scenario_variant_name(summary->scenario, 0));
        notes_advice(summary->variant[0].count, what, out);
    }
}
