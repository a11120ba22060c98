/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ensembles of a published table; their cells are published_ensemble_cell.c. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/config.h"
#include "sim/study/published_parts.h"

/* The row at "parameter" (or another key), in its place. */
static bool read_place(struct published_reader *r, struct node object, const char *key,
                       struct param_place *place)
{
    struct node node = node_member(object, key);
    const char *path = node.item ? node_text(node) : NULL;
    ptrdiff_t index = path ? param_lookup(&config_schema, path, true, NULL) : -1;

    if (index < 0) {
        published_complain(r, node.item ? node : object, key, "the path of a parameter is needed");
        return false;
    }
    *place = param_at(&config_schema, (size_t)index);
    return true;
}

static void copy_text(char *into, size_t bytes, const char *text)
{
    snprintf(into, bytes, "%s", text);
}

/* ---- unknowns ---- */

/* A limit of the range: the file's, or the certificate's. */
static double read_limit(struct published_reader *r, struct node object, const char *key,
                         struct param_place place, const char *certificate)
{
    struct node node = node_member(object, key);
    const char *text = node.item ? node_text(node) : certificate;
    double value = text ? ensemble_free_value(place, text) : NAN;

    if (node.item && !text && published_number(node, &value)) {
        return value;
    }
    if (!isfinite(value)) {
        published_complain(r, node.item ? node : object, key,
                           "a limit of the range is needed where the parameter has no certificate");
    }
    return value;
}

static void read_free(struct published_reader *r, struct node node, struct ensemble_plan *plan)
{
    struct ensemble_free *one = &plan->free[plan->free_count];
    struct node scale = node_member(node, "scale");
    const struct param *row;

    if (plan->free_count == ENSEMBLE_FREE) {
        published_complain(r, node, "free", "too many");
        return;
    }
    if (!read_place(r, node, "parameter", &one->place)) {
        return;
    }
    row = one->place.row;
    if (row->kind != PARAM_TIME && row->kind != PARAM_COST && row->kind != PARAM_RATIO) {
        published_complain(r, node, row->path, "only times, costs and ratios can be free");
        return;
    }
    one->low = read_limit(r, node, "low", one->place, row->certificate.low);
    one->high = read_limit(r, node, "high", one->place, row->certificate.high);
    one->logarithmic = scale.item && node_text(scale) && strcmp(node_text(scale), "log") == 0;
    if (!(one->low <= one->high) || (one->logarithmic && one->low <= 0)) {
        published_complain(r, node, row->path,
                           "a range from low to high is needed, above 0 for log");
    }
    plan->free_count++;
}

static void read_regime(struct published_reader *r, struct node node, struct ensemble_plan *plan)
{
    struct ensemble_regime *regime = &plan->regime[plan->regime_count];
    struct node values = node_member(node, "values");

    if (plan->regime_count == ENSEMBLE_REGIMES) {
        published_complain(r, node, "regimes", "too many");
        return;
    }
    if (!read_place(r, node, "parameter", &regime->place)) {
        return;
    }
    for (struct node n = node_first(values); n.item; n = node_next(n)) {
        const char *text = node_text(n);
        char shown[ENSEMBLE_TEXT];

        text = text ? text : node_show(n, shown, sizeof shown);
        if (regime->count == ENSEMBLE_CHOICES || strlen(text) >= ENSEMBLE_TEXT) {
            published_complain(r, n, "values", "too many, or too long");
            return;
        }
        copy_text(regime->value[regime->count++], ENSEMBLE_TEXT, text);
    }
    if (regime->count == 0) {
        published_complain(r, node, "values", "a list of values is needed");
        return;
    }
    plan->regime_count++;
}

static void read_dither(struct published_reader *r, struct node node, struct ensemble_plan *plan)
{
    bool known = false;

    if (!read_place(r, node, "parameter", &plan->dither)) {
        return;
    }
    for (size_t i = 0; i < plan->free_count; i++) {
        known = known || plan->free[i].place.row == plan->dither.row;
    }
    if (!known) {
        published_complain(r, node, "dither", "a free parameter is needed");
    }
    for (struct node n = node_first(node_member(node, "factors")); n.item; n = node_next(n)) {
        if (plan->factors == ENSEMBLE_FACTORS ||
            !published_number(n, &plan->factor[plan->factors])) {
            published_complain(r, n, "factors", "up to eight numbers are needed");
            return;
        }
        plan->factors++;
    }
    if (plan->factors == 0) {
        published_complain(r, node, "factors", "a list of factors is needed");
    }
}

/* ---- how worlds are told apart ---- */

static ptrdiff_t unknown_of(const struct ensemble_plan *plan, const char *path)
{
    for (size_t i = 0; i < ensemble_unknowns(plan); i++) {
        if (strcmp(ensemble_unknown(plan, i).row->path, path) == 0) {
            return (ptrdiff_t)i;
        }
    }
    return -1;
}

static bool read_edge(const struct ensemble_plan *plan, const struct ensemble_split *split,
                      struct node node, double *edge)
{
    if (node_text(node) && split->unknown >= 0) {
        *edge =
            ensemble_free_value(ensemble_unknown(plan, (size_t)split->unknown), node_text(node));
        return isfinite(*edge);
    }
    return published_number(node, edge);
}

static void read_split(struct published_reader *r, struct node node, struct ensemble_plan *plan)
{
    struct ensemble_split *split = &plan->split[plan->splits];

    if (plan->splits == ENSEMBLE_SPLITS) {
        published_complain(r, node, "split", "too many");
        return;
    }
    if (!published_text(r, node, "by", split->name, sizeof split->name)) {
        return;
    }
    split->unknown = unknown_of(plan, split->name);
    split->metric = split->unknown < 0 ? metric_find(split->name) : 0;
    if (split->metric < 0) {
        published_complain(r, node, "by", "an unknown of the ensemble, or a metric, is needed");
        return;
    }
    for (struct node n = node_first(node_member(node, "edges")); n.item; n = node_next(n)) {
        if (split->edges == sizeof split->edge / sizeof split->edge[0] ||
            !read_edge(plan, split, n, &split->edge[split->edges])) {
            published_complain(r, n, "edges", "up to four values are needed");
            return;
        }
        split->edges++;
    }
    plan->splits++;
}

/* ---- all of it ---- */

static void read_list(struct published_reader *r, struct node list, struct ensemble_plan *plan,
                      void (*read)(struct published_reader *, struct node, struct ensemble_plan *))
{
    for (struct node n = node_first(list); n.item; n = node_next(n)) {
        read(r, n, plan);
    }
}

static void read_file(struct published_reader *r, struct node object, const char *key,
                      char path[PATH_MAX])
{
    char name[PUBLISHED_NAME];

    if (published_text(r, object, key, name, sizeof name) &&
        !published_beside(r->published, name, path, PATH_MAX)) {
        published_complain(r, node_member(object, key), key, "too long");
    }
}

static void read_search(struct published_reader *r, struct node node, struct ensemble_plan *plan)
{
    static const struct param row = {.path = "search", .kind = PARAM_TIME, .help = ""};
    struct param_place time = {.row = &row};
    struct node duration = node_member(node, "duration"), warmup = node_member(node, "warmup");

    if (!duration.item || !warmup.item || !node_text(duration) || !node_text(warmup)) {
        published_complain(r, node, "search", "duration and warmup are needed");
        return;
    }
    plan->search_duration = ensemble_free_value(time, node_text(duration));
    plan->search_warmup = ensemble_free_value(time, node_text(warmup));
    if (!(plan->search_duration > 0) || !(plan->search_warmup >= 0)) {
        published_complain(r, node, "search", "duration and warmup are times");
    }
}

static void read_compare(struct published_reader *r, struct node node, struct ensemble_plan *plan)
{
    struct node second = node_first(node);
    const char *first = second.item ? node_text(second) : NULL, *other;

    second = second.item ? node_next(second) : second;
    other = second.item ? node_text(second) : NULL;
    if (!first || !other) {
        published_complain(r, node, "compare", "two variants are needed");
        return;
    }
    copy_text(plan->first, sizeof plan->first, first);
    copy_text(plan->second, sizeof plan->second, other);
}

static void read_unknowns(struct published_reader *r, struct node object,
                          struct ensemble_plan *plan)
{
    struct node seed = node_member(object, "seed"), keeps = node_member(object, "keep");
    double number = 1;

    if (seed.item && (!published_number(seed, &number) || number < 0)) {
        published_complain(r, seed, "seed", "a whole number is needed");
    }
    plan->seed = (uint64_t)number;
    plan->best = keeps.item && node_text(keeps) && strcmp(node_text(keeps), "best") == 0;
    if (keeps.item && !plan->best) {
        published_complain(r, keeps, "keep", "best is the only word for it");
    }
    if (node_member(object, "search").item) {
        read_search(r, node_member(object, "search"), plan);
    }
    read_list(r, node_member(object, "free"), plan, read_free);
    read_list(r, node_member(object, "regimes"), plan, read_regime);
    if (node_member(object, "dither").item) {
        read_dither(r, node_member(object, "dither"), plan);
    }
}

static void read_ensemble(struct published_reader *r, struct node object,
                          struct ensemble_plan *plan)
{
    published_text(r, object, "name", plan->name, sizeof plan->name);
    read_file(r, object, "bed", plan->bed);
    if (node_member(object, "worlds").item) {
        read_file(r, object, "worlds", plan->worlds);
    }
    if (node_member(object, "compare").item) {
        read_compare(r, node_member(object, "compare"), plan);
    }
    read_unknowns(r, object, plan);
    read_list(r, node_member(object, "cells"), plan, published_read_target);
    read_list(r, node_member(object, "split"), plan, read_split);
    if (r->problems->errors == 0 && (ensemble_unknowns(plan) == 0 || plan->targets == 0)) {
        published_complain(r, object, "ensembles", "an ensemble needs unknowns and cells");
    }
}

/* ---- as cells of the table ---- */

static void name_unit(const struct ensemble_target *target, char *unit, size_t bytes)
{
    const char *text = metric_unit((enum metric)target->metric);

    if (target->measure == ENSEMBLE_ERROR_PERCENT || target->measure == ENSEMBLE_GAIN_PERCENT ||
        strcmp(text, "%") == 0) {
        text = "percent";
    } else if (strcmp(text, "packets/s") == 0) {
        text = "pps";
    }
    snprintf(unit, bytes, "%s", text);
}

static void add_cells(struct published_reader *r, struct node node, size_t ensemble)
{
    struct published *p = r->published;
    const struct ensemble_plan *plan = &p->ensemble[ensemble];

    for (size_t i = 0; i < plan->targets; i++) {
        const struct ensemble_target *target = &plan->target[i];
        struct published_cell *cell = &p->cell[p->cell_count];

        if (p->cell_count == PUBLISHED_CELLS) {
            published_complain(r, node, "cells", "too many");
            return;
        }
        *cell = (struct published_cell){.measure = MEASURE_WORLDS,
                                        .ensemble = ensemble,
                                        .target = i,
                                        .role = (enum role)target->role,
                                        .informed = target->informed,
                                        .published = target->published,
                                        .null = ensemble_null(plan, target),
                                        .low = target->low,
                                        .high = target->high};
        copy_text(cell->cell, sizeof cell->cell, target->name);
        copy_text(cell->note, sizeof cell->note, target->note);
        name_unit(target, cell->unit, sizeof cell->unit);
        p->cell_count++;
    }
}

void published_read_ensembles(struct published_reader *r, struct node list)
{
    struct published *p = r->published;
    size_t count = 0;

    for (struct node n = node_first(list); n.item; n = node_next(n)) {
        count++;
    }
    p->ensemble = calloc(count + 1, sizeof *p->ensemble);
    if (!p->ensemble) {
        abort();
    }
    for (struct node n = node_first(list); n.item && r->problems->errors == 0; n = node_next(n)) {
        read_ensemble(r, n, &p->ensemble[p->ensembles]);
        p->ensembles++;
        if (r->problems->errors == 0) {
            add_cells(r, n, p->ensembles - 1);
        }
    }
}
