/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/ensemble_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/interval.h"
#include "sim/study/experiment_each.h"

#define LEVEL 0.95

struct job {
    const struct ensemble *e;
    const struct world *worlds;
    struct ensemble_summary *summary;
    struct error *error; /* [worlds] */
};

/* 1, -1, or 0 within the noise of the runs or of the tie. */
static signed char effect_of(const struct ensemble_target *target, struct interval gain)
{
    double band = fmax(target->tie, isnan(gain.half_width) ? 0 : gain.half_width);

    if (isnan(target->tie)) {
        return 0;
    }
    return (signed char)(gain.mean > band ? 1 : gain.mean < -band ? -1 : 0);
}

static struct interval over_runs(const struct ensemble_target *target,
                                 const struct ensemble_outcome *outcome)
{
    double x[ENSEMBLE_RUNS_MOST];

    for (uint32_t run = 0; run < outcome->runs; run++) {
        x[run] = ensemble_value_in(target, outcome, run);
    }
    return interval_of(x, outcome->runs, LEVEL);
}

static void keep(struct ensemble_summary *s, size_t world, const struct ensemble_outcome *outcome)
{
    for (size_t i = 0; i < s->plan->targets; i++) {
        const struct ensemble_target *target = &s->plan->target[i];
        struct interval interval = over_runs(target, outcome);

        s->value[world * s->plan->targets + i] = ensemble_value(target, outcome);
        s->half_width[world * s->plan->targets + i] = interval.half_width;
        s->effect[world * s->plan->targets + i] = effect_of(target, interval);
    }
    for (int m = 0; m < METRIC_COUNT; m++) {
        double sum = 0;

        for (uint32_t run = 0; run < outcome->runs; run++) {
            sum += outcome->x[0][run][m];
        }
        s->metric[world * METRIC_COUNT + (size_t)m] = sum / outcome->runs;
    }
}

static void look(void *context, size_t index)
{
    struct job *job = context;
    struct ensemble_outcome *outcome = calloc(1, sizeof *outcome);

    if (!outcome) {
        abort();
    }
    if (ensemble_look(job->e, &job->worlds[index], ENSEMBLE_ALL, outcome, &job->error[index])) {
        keep(job->summary, index, outcome);
    }
    free(outcome);
}

/* ---- spreads ---- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    if (isnan(x) || isnan(y)) {
        return isnan(x) - isnan(y); /* undefined in a world: last */
    }
    return (x > y) - (x < y);
}

/* Of sorted values, between neighbours by line. */
static double quantile(const double *x, size_t n, double share)
{
    double at = share * (double)(n - 1);
    size_t i = (size_t)at;

    return i + 1 < n ? x[i] + (at - (double)i) * (x[i + 1] - x[i]) : x[n - 1];
}

/* Of one target over the worlds for which member is set; NULL: all. */
static void spread_of(const struct ensemble_summary *s, size_t target, const bool *member,
                      struct ensemble_spread *spread)
{
    double *x = calloc(s->worlds + 1, sizeof *x);
    size_t n = 0;

    if (!x) {
        abort();
    }
    memset(spread, 0, sizeof *spread);
    for (size_t w = 0; w < s->worlds; w++) {
        signed char effect = s->effect[w * s->plan->targets + target];

        if (member && !member[w]) {
            continue;
        }
        x[n++] = s->value[w * s->plan->targets + target];
        spread->helps += effect > 0 ? 1 : 0;
        spread->hurts += effect < 0 ? 1 : 0;
        spread->ties += effect == 0 ? 1 : 0;
    }
    qsort(x, n, sizeof *x, by_value);
    spread->median = n > 0 ? quantile(x, n, 0.5) : NAN;
    spread->low = n > 0 ? quantile(x, n, 0.1) : NAN;
    spread->high = n > 0 ? quantile(x, n, 0.9) : NAN;
    spread->least = n > 0 ? x[0] : NAN;
    spread->most = n > 0 ? x[n - 1] : NAN;
    free(x);
}

static bool all_ran(const struct job *job, size_t count, struct error *error)
{
    for (size_t i = 0; i < count; i++) {
        if (job->error[i].kind != ERROR_NONE) {
            *error = job->error[i];
            return false;
        }
    }
    return true;
}

bool ensemble_summarise(struct ensemble_summary *summary, const struct ensemble *e,
                        const struct world *worlds, size_t count, uint32_t threads,
                        struct progress *progress, struct error *error)
{
    struct job job = {.e = e, .worlds = worlds, .summary = summary};
    bool ok;

    memset(summary, 0, sizeof *summary);
    summary->plan = e->plan;
    summary->worlds = count;
    summary->value = calloc(count * e->plan->targets + 1, sizeof *summary->value);
    summary->half_width = calloc(count * e->plan->targets + 1, sizeof *summary->half_width);
    summary->effect = calloc(count * e->plan->targets + 1, sizeof *summary->effect);
    summary->metric = calloc(count * METRIC_COUNT + 1, sizeof *summary->metric);
    job.error = calloc(count + 1, sizeof *job.error);
    if (!summary->value || !summary->half_width || !summary->effect || !summary->metric ||
        !job.error) {
        abort();
    }
    experiment_each(threads, count, look, &job, progress);
    ok = all_ran(&job, count, error);
    for (size_t i = 0; ok && i < e->plan->targets; i++) {
        spread_of(summary, i, NULL, &summary->spread[i]);
    }
    free(job.error);
    return ok;
}

void ensemble_summary_fini(struct ensemble_summary *summary)
{
    free(summary->value);
    free(summary->half_width);
    free(summary->effect);
    free(summary->metric);
    memset(summary, 0, sizeof *summary);
}

/* ---- groups ---- */

static void name_group(const struct ensemble_plan *plan, const struct ensemble_split *split,
                       size_t group, char *name, size_t bytes)
{
    char text[2][ENSEMBLE_TEXT] = {"", ""};

    for (size_t side = 0; side < 2; side++) {
        if (side == 0 ? group == 0 : group == split->edges) {
            continue;
        }
        if (split->unknown >= 0) {
            ensemble_print(ensemble_unknown(plan, (size_t)split->unknown).row,
                           split->edge[group - 1 + side], text[side]);
        } else {
            snprintf(text[side], ENSEMBLE_TEXT, "%.4g", split->edge[group - 1 + side]);
        }
    }
    if (group == 0) {
        snprintf(name, bytes, "below %s", text[1]);
    } else if (group == split->edges) {
        snprintf(name, bytes, "%s and more", text[0]);
    } else {
        snprintf(name, bytes, "%s..%s", text[0], text[1]);
    }
}

static bool is_regime(const struct ensemble_plan *plan, const struct ensemble_split *split)
{
    return split->unknown >= (ptrdiff_t)plan->free_count;
}

static size_t group_of(const struct ensemble_summary *s, const struct ensemble_split *split,
                       const struct world *world, size_t index)
{
    const struct ensemble_plan *plan = s->plan;
    double value = s->metric[index * METRIC_COUNT + (size_t)split->metric];
    size_t group = 0;

    if (is_regime(plan, split)) {
        return ensemble_regime_index(&plan->regime[(size_t)split->unknown - plan->free_count],
                                     world->text[split->unknown]);
    }
    if (split->unknown >= 0) {
        value = ensemble_free_value(ensemble_unknown(plan, (size_t)split->unknown),
                                    world->text[split->unknown]);
    }
    while (group < split->edges && value >= split->edge[group]) {
        group++;
    }
    return group;
}

size_t ensemble_groups(const struct ensemble_summary *summary, const struct ensemble_split *split,
                       const struct world *worlds, struct ensemble_group *groups, size_t room)
{
    const struct ensemble_plan *plan = summary->plan;
    const struct ensemble_regime *regime =
        is_regime(plan, split) ? &plan->regime[(size_t)split->unknown - plan->free_count] : NULL;
    size_t count = regime ? regime->count : split->edges + 1;
    bool *member = calloc(summary->worlds + 1, sizeof *member);

    if (!member) {
        abort();
    }
    for (size_t g = 0; g < count && g < room; g++) {
        groups[g].worlds = 0;
        for (size_t w = 0; w < summary->worlds; w++) {
            member[w] = group_of(summary, split, &worlds[w], w) == g;
            groups[g].worlds += member[w] ? 1 : 0;
        }
        if (regime) {
            snprintf(groups[g].name, sizeof groups[g].name, "%s", regime->value[g]);
        } else {
            name_group(plan, split, g, groups[g].name, sizeof groups[g].name);
        }
        for (size_t i = 0; i < plan->targets; i++) {
            spread_of(summary, i, member, &groups[g].spread[i]);
        }
    }
    free(member);
    return count < room ? count : room;
}
