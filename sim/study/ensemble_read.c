/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/ensemble_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/config.h"
#include "sim/study/ensemble_cells.h"

static void complain(struct node at, struct problems *problems, const char *path, const char *text)
{
    node_problem(at, problems, false, path, "%s", text);
}

bool ensemble_text(struct node object, const char *key, char *into, size_t bytes,
                   struct problems *problems)
{
    struct node node = node_member(object, key);
    const char *text = node.item ? node_text(node) : NULL;

    if (!text || text[0] == '\0' || strlen(text) >= bytes) {
        complain(node.item ? node : object, problems, key, "a text is needed");
        return false;
    }
    memcpy(into, text, strlen(text) + 1);
    return true;
}

bool ensemble_number(struct node node, double *value)
{
    char text[JSON_NUMBER_MOST + 1];

    if (!node.item || !node_number(node, text)) {
        return false;
    }
    *value = strtod(text, NULL);
    return isfinite(*value);
}

/* The row at "parameter" (or another key), in its place. */
static bool read_place(struct node object, const char *key, struct param_place *place,
                       struct problems *problems)
{
    struct node node = node_member(object, key);
    const char *path = node.item ? node_text(node) : NULL;
    ptrdiff_t index = path ? param_lookup(&config_schema, path, true, NULL) : -1;

    if (index < 0) {
        complain(node.item ? node : object, problems, key, "the path of a parameter is needed");
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
static double read_limit(struct node object, const char *key, struct param_place place,
                         const char *certificate, struct problems *problems)
{
    struct node node = node_member(object, key);
    const char *text = node.item ? node_text(node) : certificate;
    double value = text ? ensemble_free_value(place, text) : NAN;

    if (node.item && !text && ensemble_number(node, &value)) {
        return value;
    }
    if (!isfinite(value)) {
        complain(node.item ? node : object, problems, key,
                 "a limit of the range is needed where the parameter has no certificate");
    }
    return value;
}

static void read_free(struct ensemble_plan *plan, struct node node, struct problems *problems)
{
    struct ensemble_free *one = &plan->free[plan->free_count];
    struct node scale = node_member(node, "scale");
    const struct param *row;

    if (plan->free_count == ENSEMBLE_FREE) {
        complain(node, problems, "free", "too many");
        return;
    }
    if (!read_place(node, "parameter", &one->place, problems)) {
        return;
    }
    row = one->place.row;
    if (row->kind != PARAM_TIME && row->kind != PARAM_COST && row->kind != PARAM_RATIO) {
        complain(node, problems, row->path, "only times, costs and ratios can be free");
        return;
    }
    one->low = read_limit(node, "low", one->place, row->certificate.low, problems);
    one->high = read_limit(node, "high", one->place, row->certificate.high, problems);
    one->logarithmic = scale.item && node_text(scale) && strcmp(node_text(scale), "log") == 0;
    if (!(one->low <= one->high) || (one->logarithmic && one->low <= 0)) {
        complain(node, problems, row->path, "a range from low to high is needed, above 0 for log");
    }
    plan->free_count++;
}

static void read_regime(struct ensemble_plan *plan, struct node node, struct problems *problems)
{
    struct ensemble_regime *regime = &plan->regime[plan->regime_count];
    struct node values = node_member(node, "values");

    if (plan->regime_count == ENSEMBLE_REGIMES) {
        complain(node, problems, "regimes", "too many");
        return;
    }
    if (!read_place(node, "parameter", &regime->place, problems)) {
        return;
    }
    for (struct node n = node_first(values); n.item; n = node_next(n)) {
        const char *text = node_text(n);
        char shown[ENSEMBLE_TEXT];

        text = text ? text : node_show(n, shown, sizeof shown);
        if (regime->count == ENSEMBLE_CHOICES || strlen(text) >= ENSEMBLE_TEXT) {
            complain(n, problems, "values", "too many, or too long");
            return;
        }
        copy_text(regime->value[regime->count++], ENSEMBLE_TEXT, text);
    }
    if (regime->count == 0) {
        complain(node, problems, "values", "a list of values is needed");
        return;
    }
    plan->regime_count++;
}

static void read_dither(struct ensemble_plan *plan, struct node node, struct problems *problems)
{
    bool known = false;

    if (!read_place(node, "parameter", &plan->dither, problems)) {
        return;
    }
    for (size_t i = 0; i < plan->free_count; i++) {
        known = known || plan->free[i].place.row == plan->dither.row;
    }
    if (!known) {
        complain(node, problems, "dither", "a free parameter is needed");
    }
    for (struct node n = node_first(node_member(node, "factors")); n.item; n = node_next(n)) {
        if (plan->factors == ENSEMBLE_FACTORS ||
            !ensemble_number(n, &plan->factor[plan->factors])) {
            complain(n, problems, "factors", "up to eight numbers are needed");
            return;
        }
        plan->factors++;
    }
    if (plan->factors == 0) {
        complain(node, problems, "factors", "a list of factors is needed");
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
        *edge = ensemble_free_value(ensemble_unknown(plan, (size_t)split->unknown),
                                    node_text(node));
        return isfinite(*edge);
    }
    return ensemble_number(node, edge);
}

static void read_split(struct ensemble_plan *plan, struct node node, struct problems *problems)
{
    struct ensemble_split *split = &plan->split[plan->splits];

    if (plan->splits == ENSEMBLE_SPLITS) {
        complain(node, problems, "split", "too many");
        return;
    }
    if (!ensemble_text(node, "by", split->name, sizeof split->name, problems)) {
        return;
    }
    split->unknown = unknown_of(plan, split->name);
    split->metric = split->unknown < 0 ? metric_find(split->name) : 0;
    if (split->metric < 0) {
        complain(node, problems, "by", "an unknown of the ensemble, or a metric, is needed");
        return;
    }
    for (struct node n = node_first(node_member(node, "edges")); n.item; n = node_next(n)) {
        if (split->edges == sizeof split->edge / sizeof split->edge[0] ||
            !read_edge(plan, split, n, &split->edge[split->edges])) {
            complain(n, problems, "edges", "up to four values are needed");
            return;
        }
        split->edges++;
    }
    plan->splits++;
}

/* ---- all of it ---- */

static void read_list(struct ensemble_plan *plan, struct node list,
                      void (*read)(struct ensemble_plan *, struct node, struct problems *),
                      struct problems *problems)
{
    for (struct node n = node_first(list); n.item; n = node_next(n)) {
        read(plan, n, problems);
    }
}

static bool read_file(struct node object, const char *key, const char *file, char *path,
                      struct problems *problems)
{
    const char *slash = strrchr(file, '/');
    int folder = slash ? (int)(slash - file) + 1 : 0, length;
    char name[ENSEMBLE_NAME];

    if (!ensemble_text(object, key, name, sizeof name, problems)) {
        return false;
    }
    length = snprintf(path, PATH_MAX, "%.*s%s", folder, file, name);
    return length > 0 && length < PATH_MAX;
}

static void read_search(struct ensemble_plan *plan, struct node node, struct problems *problems)
{
    struct param_place time = {.row = &(const struct param){.path = "search", .kind = PARAM_TIME}};
    struct node duration = node_member(node, "duration"), warmup = node_member(node, "warmup");

    if (!duration.item || !warmup.item || !node_text(duration) || !node_text(warmup)) {
        complain(node, problems, "search", "duration and warmup are needed");
        return;
    }
    plan->search_duration = ensemble_free_value(time, node_text(duration));
    plan->search_warmup = ensemble_free_value(time, node_text(warmup));
    if (!(plan->search_duration > 0) || !(plan->search_warmup >= 0)) {
        complain(node, problems, "search", "duration and warmup are times");
    }
}

static void read_compare(struct ensemble_plan *plan, struct node node, struct problems *problems)
{
    struct node second = node_first(node);
    const char *first = second.item ? node_text(second) : NULL, *other;

    second = second.item ? node_next(second) : second;
    other = second.item ? node_text(second) : NULL;
    if (!first || !other) {
        complain(node, problems, "compare", "two variants are needed");
        return;
    }
    copy_text(plan->first, sizeof plan->first, first);
    copy_text(plan->second, sizeof plan->second, other);
}

bool ensemble_read(struct ensemble_plan *plan, struct node object, const char *file,
                   struct problems *problems)
{
    size_t errors = problems->errors;
    struct node seed = node_member(object, "seed");
    double number = 1;

    memset(plan, 0, sizeof *plan);
    ensemble_text(object, "name", plan->name, sizeof plan->name, problems);
    read_file(object, "bed", file, plan->bed, problems);
    if (node_member(object, "worlds").item) {
        read_file(object, "worlds", file, plan->worlds, problems);
    }
    if (seed.item && (!ensemble_number(seed, &number) || number < 0)) {
        complain(seed, problems, "seed", "a whole number is needed");
    }
    plan->seed = (uint64_t)number;
    if (node_member(object, "compare").item) {
        read_compare(plan, node_member(object, "compare"), problems);
    }
    if (node_member(object, "search").item) {
        read_search(plan, node_member(object, "search"), problems);
    }
    read_list(plan, node_member(object, "free"), read_free, problems);
    read_list(plan, node_member(object, "regimes"), read_regime, problems);
    if (node_member(object, "dither").item) {
        read_dither(plan, node_member(object, "dither"), problems);
    }
    read_list(plan, node_member(object, "cells"), ensemble_read_cell, problems);
    read_list(plan, node_member(object, "split"), read_split, problems);
    if (problems->errors == errors && (ensemble_unknowns(plan) == 0 || plan->targets == 0)) {
        complain(object, problems, "ensembles", "an ensemble needs unknowns and cells");
    }
    return problems->errors == errors;
}
