/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/notes.h"
#include "sim/cli/point_summary.h"
#include "sim/study/modes.h"
#include "sim/study/scenario_probe.h"
#include "sim/study/table.h"

#define GROUPS_IN_FULL 12 /* a cut section of more groups shows only the best of each */

/* The points of one case, which share a table. */
struct section {
    size_t from, to;
    size_t first_axis; /* 1 behind "case" */
    size_t groups;
    bool cut;
    uint32_t undecided; /* replications behind a gain whose interval contains 0; 0: there is none */
    bool fresh;         /* a row is of another seed */
};

/* A point under a variant, as it was swept and, where the answer rests on it, under another seed.
 */
struct line {
    const struct summary *swept;
    struct summary fresh; /* count 0: there is none */
};

/* Points that differ in the last axis only: what is gained is told against the first of them. */
struct group {
    struct section *section;
    size_t from, to;
    bool *shown; /* point - from, then variant */
};

static bool has_cases(const struct scenario *scenario)
{
    return scenario_axis_count(scenario) > 0 &&
           strcmp(scenario_axis_path(scenario, 0), "case") == 0;
}

/* The first point after `from` that differs from it in one of the axes first..last-1. */
static size_t run_end(const struct sweep_table *sweep, size_t from, size_t most, size_t first,
                      size_t last)
{
    for (size_t to = from + 1; to < most; to++) {
        for (size_t i = first; i < last; i++) {
            if (strcmp(scenario_point_value(sweep->scenario, to, i),
                       scenario_point_value(sweep->scenario, from, i)) != 0) {
                return to;
            }
        }
    }
    return most;
}

static size_t group_end(const struct sweep_table *sweep, const struct section *section, size_t from)
{
    size_t axes = scenario_axis_count(sweep->scenario);

    return run_end(sweep, from, section->to, section->first_axis, axes > 0 ? axes - 1 : 0);
}

static bool read_point(const struct sweep_table *sweep, size_t point, struct point_summary *summary,
                       struct error *error)
{
    if (point_summary_init(summary, sweep->scenario, sweep->experiment, sweep->store, point,
                           error)) {
        return true;
    }
    point_summary_fini(summary);
    return false;
}

/* What the scenario is about at a point: packets sent or received. */
static enum metric rate_at(const struct sweep_table *sweep, size_t point)
{
    struct config *config = malloc(sizeof *config);
    enum metric rate;

    if (!config) {
        abort();
    }
    scenario_config(sweep->scenario, point, 0, config);
    rate = config->datapath.workload.type == WORKLOAD_RECEIVE ? METRIC_RX_PPS : METRIC_TX_PPS;
    free(config);
    return rate;
}

/* Of one variant in a group: where it does best, and where it does worse than at the first point by
 * more than an interval. */
struct extremes {
    double best_ns, worst_ns;
    size_t best, worst;
};

static void look_at(struct extremes *extremes, const struct summary *summary,
                    const struct summary *first, size_t point)
{
    double ns = summary_interval(summary, METRIC_GUEST_NS).mean;
    struct interval lost = summary_difference(summary, first, METRIC_GUEST_NS);

    if (ns < extremes->best_ns) {
        extremes->best_ns = ns;
        extremes->best = point;
    }
    if (ns > extremes->worst_ns && lost.mean > lost.half_width) {
        extremes->worst_ns = ns;
        extremes->worst = point;
    }
}

/* First, best, last of each variant, and the worst if that is worse than the first; where there are
 * many groups the best. */
static bool choose(const struct sweep_table *sweep, struct group *group, struct error *error)
{
    size_t variants = sweep->experiment->variants;
    struct extremes *extremes = calloc(variants, sizeof *extremes);
    struct point_summary first = {0};
    bool ok = extremes && read_point(sweep, group->from, &first, error);

    for (size_t v = 0; ok && v < variants; v++) {
        extremes[v] = (struct extremes){
            .best_ns = INFINITY, .worst_ns = 0, .best = group->from, .worst = group->from};
    }
    for (size_t point = group->from; ok && point < group->to; point++) {
        struct point_summary summary;

        ok = read_point(sweep, point, &summary, error);
        for (size_t v = 0; ok && v < variants; v++) {
            look_at(&extremes[v], &summary.variant[v], &first.variant[v], point);
        }
        if (ok) {
            point_summary_fini(&summary);
        }
    }
    for (size_t v = 0; ok && v < variants; v++) {
        bool ends = group->section->groups <= GROUPS_IN_FULL;

        group->shown[v] = group->shown[v] || ends;
        group->shown[(extremes[v].best - group->from) * variants + v] = true;
        group->shown[(extremes[v].worst - group->from) * variants + v] |= ends;
        group->shown[(group->to - 1 - group->from) * variants + v] |= ends;
    }
    point_summary_fini(&first);
    free(extremes);
    return ok;
}

/* The last part of a path is enough to read a column by. */
static const char *short_path(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot ? dot + 1 : path;
}

static void head_row(const struct sweep_table *sweep, const struct section *section,
                     struct table *table)
{
    const struct scenario *scenario = sweep->scenario;
    size_t axes = scenario_axis_count(scenario);
    char than[80];

    for (size_t i = section->first_axis; i < scenario_axis_count(scenario); i++) {
        table_add(table, "%s", short_path(scenario_axis_path(scenario, i)));
    }
    if (sweep->experiment->variants > 1) {
        table_add(table, "variant");
        snprintf(than, sizeof than, "%s", scenario_variant_name(scenario, 0));
    } else {
        snprintf(than, sizeof than, "at %s",
                 axes > section->first_axis
                     ? scenario_point_value(scenario, section->from, axes - 1)
                     : "first");
    }
    table_add(table, "%s", metric_name(rate_at(sweep, section->from)));
    table_add(table, "guest_ns_per_packet");
    table_add(table, "less than %s, ns", than);
    table_add(table, "percent");
    table_add(table, "%s", "");
    table_end_row(table);
}

static bool line_init(const struct sweep_table *sweep, const struct point_summary *summary,
                      size_t variant, struct line *line, struct error *error)
{
    size_t at = sweep->probes ? scenario_fresh(sweep->probes, summary->point, variant) : 0;

    *line = (struct line){.swept = &summary->variant[variant]};
    return !sweep->probes || at == scenario_point_count(sweep->probes) ||
           summary_init(&line->fresh, sweep->store, experiment_at(sweep->probed, at, 0),
                        line->swept->level, error);
}

/* Of two lines that are compared the runs that share their random numbers. */
static const struct summary *line_runs(const struct line *line, const struct line *other)
{
    return line->fresh.count > 0 && other->fresh.count > 0 ? &line->fresh : line->swept;
}

/* Mean and share of both groups where the replications fall into two. */
static void modes_text(const struct summary *summary, char *text, size_t bytes)
{
    struct modes modes =
        modes_of(summary->x + (size_t)METRIC_GUEST_NS * summary->count, summary->count);

    text[0] = '\0';
    if (modes.two) {
        snprintf(text, bytes, "two modes: %.1f ns (%.0f %%), %.1f ns (%.0f %%)", modes.mean[0],
                 100 * modes.share[0], modes.mean[1], 100 * modes.share[1]);
    }
}

/* "12.3 ± 0.4" and "5.1 %"; a gain is less time. */
static void gain_cells(struct table *table, struct section *section, const struct summary *summary,
                       const struct summary *reference)
{
    struct interval gain = summary_difference(reference, summary, METRIC_GUEST_NS);
    double whole = summary_interval(reference, METRIC_GUEST_NS).mean;
    char text[80];

    if (notes_is_undecided(&gain) && gain.n > section->undecided) {
        section->undecided = gain.n;
    }
    summary_text(&gain, text, sizeof text);
    table_add(table, "%s", text);
    if (isfinite(gain.mean) && whole > 0) {
        table_add(table, "%.2f", 100 * gain.mean / whole);
    } else {
        table_add(table, "n/a");
    }
}

static void point_row(const struct sweep_table *sweep, const struct group *group, size_t point,
                      size_t variant, const struct line *own, const struct line *reference,
                      struct table *table)
{
    const struct summary *runs = line_runs(own, reference);
    struct interval rate = summary_interval(runs, rate_at(sweep, point));
    struct interval time = summary_interval(runs, METRIC_GUEST_NS);
    bool fresh = runs == &own->fresh;
    char text[160];

    for (size_t i = group->section->first_axis; i < scenario_axis_count(sweep->scenario); i++) {
        table_add(table, "%s", scenario_point_value(sweep->scenario, point, i));
    }
    if (sweep->experiment->variants > 1) {
        table_add(table, "%s", scenario_variant_name(sweep->scenario, variant));
    }
    summary_text(&rate, text, sizeof text);
    table_add(table, "%s", text);
    summary_text(&time, text, sizeof text);
    table_add(table, "%s", text);
    if (own == reference) {
        table_add(table, "-");
        table_add(table, "-");
    } else {
        gain_cells(table, group->section, runs, line_runs(reference, own));
    }
    modes_text(runs, text, sizeof text);
    table_add(table, "%s%s%s", fresh ? "*" : "", fresh && text[0] ? " " : "", text);
    table_end_row(table);
    group->section->fresh = group->section->fresh || fresh;
}

/* first: of the group's first point, by variant. */
static bool point_rows(const struct sweep_table *sweep, const struct group *group,
                       const struct point_summary *summary, const struct line *first,
                       struct table *table, struct error *error)
{
    size_t variants = sweep->experiment->variants;
    struct line *line = calloc(variants, sizeof *line);
    bool ok = line != NULL;

    for (size_t v = 0; ok && v < variants; v++) {
        ok = line_init(sweep, summary, v, &line[v], error);
    }
    for (size_t v = 0; ok && v < variants; v++) {
        bool is_first = variants > 1 ? v == 0 : summary->point == group->from;
        const struct line *reference = variants > 1 ? &line[0] : first;

        if (group->shown[(summary->point - group->from) * variants + v]) {
            point_row(sweep, group, summary->point, v, is_first ? reference : &line[v], reference,
                      table);
        }
    }
    for (size_t v = 0; line && v < variants; v++) {
        summary_fini(&line[v].fresh);
    }
    free(line);
    return ok;
}

static bool group_rows(const struct sweep_table *sweep, const struct group *group,
                       struct table *table, struct error *error)
{
    struct point_summary first;
    struct line line;
    bool ok;

    if (!read_point(sweep, group->from, &first, error)) {
        return false;
    }
    ok = line_init(sweep, &first, 0, &line, error);
    for (size_t point = group->from; ok && point < group->to; point++) {
        struct point_summary summary;

        ok = read_point(sweep, point, &summary, error);
        if (ok) {
            ok = point_rows(sweep, group, &summary, &line, table, error);
            point_summary_fini(&summary);
        }
    }
    summary_fini(&line.fresh);
    point_summary_fini(&first);
    return ok;
}

static bool add_group(const struct sweep_table *sweep, struct section *section, size_t from,
                      size_t to, struct table *table, struct error *error)
{
    size_t lines = (to - from) * sweep->experiment->variants;
    struct group group = {.section = section, .from = from, .to = to};
    bool ok = true;

    group.shown = calloc(lines, sizeof *group.shown);
    if (!group.shown) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    if (section->cut && to - from > 3) {
        ok = choose(sweep, &group, error);
    } else {
        memset(group.shown, true, lines * sizeof *group.shown);
    }
    ok = ok && group_rows(sweep, &group, table, error);
    free(group.shown);
    return ok;
}

static bool print_section(const struct sweep_table *sweep, struct section *section, FILE *out,
                          struct error *error)
{
    char alignment[TABLE_COLUMNS + 1] = "";
    struct table table;
    bool ok = true;

    for (size_t i = section->first_axis; i < scenario_axis_count(sweep->scenario); i++) {
        strcat(alignment, "r");
    }
    strcat(alignment, sweep->experiment->variants > 1 ? "lrrrrl" : "rrrrl");
    for (size_t from = section->from; from < section->to;) {
        from = group_end(sweep, section, from);
        section->groups++;
    }
    if (section->first_axis > 0) {
        fprintf(out, "\ncase %s\n", scenario_point_value(sweep->scenario, section->from, 0));
    }
    table_init(&table, alignment);
    head_row(sweep, section, &table);
    for (size_t from = section->from; ok && from < section->to;) {
        size_t to = group_end(sweep, section, from);

        ok = add_group(sweep, section, from, to, &table, error);
        from = to;
    }
    if (ok) {
        table_print(&table, out);
    }
    table_fini(&table);
    return ok;
}

bool sweep_table_print(const struct sweep_table *sweep, FILE *out, struct error *error)
{
    size_t points = sweep->experiment->points, cases = has_cases(sweep->scenario);
    uint32_t undecided = 0;
    bool fresh = false;
    bool cut = !sweep->all && points * sweep->experiment->variants > SWEEP_TABLE_LINES;

    for (size_t from = 0; from < points;) {
        struct section section = {.from = from,
                                  .to = run_end(sweep, from, points, 0, cases),
                                  .first_axis = cases,
                                  .cut = cut};

        if (!print_section(sweep, &section, out, error)) {
            return false;
        }
        undecided = section.undecided > undecided ? section.undecided : undecided;
        fresh = fresh || section.fresh;
        from = section.to;
    }
    if (fresh) {
        fprintf(out, "\n* run again under another seed, which did not make the choice\n");
    }
    if (undecided > 0) {
        notes_advice(undecided, "\nintervals contain 0", out);
    }
    if (cut) {
        fprintf(out, "\n(not every point; --all prints all)\n");
    }
    return true;
}
