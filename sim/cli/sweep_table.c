/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/sweep_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/notes.h"
#include "sim/cli/point_summary.h"
#include "sim/study/table.h"

#define GROUPS_IN_FULL 12 /* a cut section of more groups shows only the best of each */

/* The points of one case, which share a table. */
struct section {
    size_t from, to;
    size_t first_axis; /* 1 behind "case" */
    size_t groups;
    bool cut;
    uint32_t undecided; /* replications behind a gain whose interval contains 0; 0: there is none */
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

/* First, best and last of each variant, or where there are many groups the best. */
static bool choose(const struct sweep_table *sweep, struct group *group, struct error *error)
{
    size_t variants = sweep->experiment->variants;
    double *best = calloc(variants, sizeof *best);
    size_t *at = calloc(variants, sizeof *at);
    bool ok = best && at;

    for (size_t v = 0; ok && v < variants; v++) {
        best[v] = INFINITY;
        at[v] = group->from;
    }
    for (size_t point = group->from; ok && point < group->to; point++) {
        struct point_summary summary;

        ok = read_point(sweep, point, &summary, error);
        for (size_t v = 0; ok && v < variants; v++) {
            double ns = summary_interval(&summary.variant[v], METRIC_GUEST_NS).mean;

            if (ns < best[v]) {
                best[v] = ns;
                at[v] = point;
            }
        }
        if (ok) {
            point_summary_fini(&summary);
        }
    }
    for (size_t v = 0; ok && v < variants; v++) {
        bool ends = group->section->groups <= GROUPS_IN_FULL;

        group->shown[v] = group->shown[v] || ends;
        group->shown[(at[v] - group->from) * variants + v] = true;
        group->shown[(group->to - 1 - group->from) * variants + v] |= ends;
    }
    free(best);
    free(at);
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
    table_add(table, "tx_pps");
    table_add(table, "guest_ns_per_packet");
    table_add(table, "less than %s, ns", than);
    table_add(table, "percent");
    table_end_row(table);
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

static void point_rows(const struct sweep_table *sweep, const struct group *group,
                       const struct point_summary *summary, const struct point_summary *first,
                       struct table *table)
{
    size_t variants = sweep->experiment->variants;

    for (size_t v = 0; v < variants; v++) {
        const struct summary *own = &summary->variant[v];
        const struct summary *reference = variants > 1 ? &summary->variant[0] : &first->variant[0];
        struct interval rate = summary_interval(own, METRIC_TX_PPS);
        struct interval time = summary_interval(own, METRIC_GUEST_NS);
        char text[80];

        if (!group->shown[(summary->point - group->from) * variants + v]) {
            continue;
        }
        for (size_t i = group->section->first_axis; i < scenario_axis_count(sweep->scenario); i++) {
            table_add(table, "%s", scenario_point_value(sweep->scenario, summary->point, i));
        }
        if (variants > 1) {
            table_add(table, "%s", scenario_variant_name(sweep->scenario, v));
        }
        summary_text(&rate, text, sizeof text);
        table_add(table, "%s", text);
        summary_text(&time, text, sizeof text);
        table_add(table, "%s", text);
        if (variants > 1 ? v == 0 : summary->point == first->point) {
            table_add(table, "-");
            table_add(table, "-");
        } else {
            gain_cells(table, group->section, own, reference);
        }
        table_end_row(table);
    }
}

static bool group_rows(const struct sweep_table *sweep, const struct group *group,
                       struct table *table, struct error *error)
{
    struct point_summary first;
    bool ok = true;

    if (!read_point(sweep, group->from, &first, error)) {
        return false;
    }
    for (size_t point = group->from; ok && point < group->to; point++) {
        struct point_summary summary;

        ok = read_point(sweep, point, &summary, error);
        if (ok) {
            point_rows(sweep, group, &summary, &first, table);
            point_summary_fini(&summary);
        }
    }
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
    strcat(alignment, sweep->experiment->variants > 1 ? "lrrrr" : "rrrr");
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
        from = section.to;
    }
    if (undecided > 0) {
        notes_advice(undecided, "\nintervals contain 0", out);
    }
    if (cut) {
        fprintf(out, "\n(not every point; --all prints all)\n");
    }
    return true;
}
