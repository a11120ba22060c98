/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/scenario.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

static const struct scenario_options no_options;

static int compare_problems(const void *a, const void *b)
{
    const struct problem *x = *(const struct problem *const *)a;
    const struct problem *y = *(const struct problem *const *)b;
    int order = strcmp(x->error.source, y->error.source);

    if (order == 0 && x->error.line != y->error.line) {
        order = x->error.line < y->error.line ? -1 : 1;
    }
    if (order == 0 && x->error.column != y->error.column) {
        order = x->error.column < y->error.column ? -1 : 1;
    }
    return order ? order : (x > y) - (x < y);
}

/* Brings the findings from `from` on into the order of the text, each once. */
static void sort_problems(struct problems *problems, size_t from)
{
    size_t count = problems->count - from;
    const struct problem **order = malloc((count + 1) * sizeof(const struct problem *));
    struct problems sorted;

    if (!order) {
        abort();
    }
    problems_init(&sorted);
    for (size_t i = 0; i < count; i++) {
        order[i] = &problems->list[from + i];
    }
    qsort(order, count, sizeof(const struct problem *), compare_problems);
    for (size_t i = 0; i < from; i++) {
        problems_add(&sorted, problems->list[i].warning, &problems->list[i].error);
    }
    for (size_t i = 0; i < count; i++) {
        const struct problem *last = i ? &sorted.list[sorted.count - 1] : NULL;

        if (!last || last->warning != order[i]->warning ||
            memcmp(&last->error, &order[i]->error, sizeof last->error) != 0) {
            problems_add(&sorted, order[i]->warning, &order[i]->error);
        }
    }
    free(order);
    problems_fini(problems);
    *problems = sorted;
}

static void be_strict(struct problems *problems, size_t from)
{
    for (size_t i = from; i < problems->count; i++) {
        if (problems->list[i].warning) {
            problems->list[i].warning = false;
            problems->errors++;
        }
    }
}

/* Leaves the points that the cases make. */
static void drop_axes(struct scenario *s)
{
    size_t keep = s->cases.count > 0; /* "case" is the first axis */

    s->left_out = calloc(s->axis_count + 1, sizeof *s->left_out);
    if (!s->left_out) {
        abort();
    }
    for (size_t i = keep; i < s->axis_count; i++) {
        s->left_out[s->left_out_count++] = (size_t)s->axes[i].index;
    }
    while (s->axis_count > keep) {
        axis_fini(&s->axes[--s->axis_count]);
    }
    s->points = keep ? s->cases.count : 1;
}

/* After the files are read, well or not. */
static struct scenario *finish(struct scenario *s, bool ok, const struct scenario_options *options,
                               struct problems *problems)
{
    size_t before = s->errors_before, from = s->problems_before;

    if (ok) {
        scenario_read(s, options, problems);
        scenario_choose_cases(s, options, problems);
        if (scenario_sweep(s, options, problems) && problems->errors == before) {
            scenario_read_traces(s, problems);
            scenario_check_expect(s, problems);
            scenario_check_effect(s, options->without_axes, problems);
        }
        scenario_check(s, problems);
        if (options->without_axes && problems->errors == before) {
            drop_axes(s);
            scenario_check_required(s, problems);
        }
        if (problems->errors == before) {
            scenario_drop_cases(s);
        }
    }
    if (problems->count - from >= PROBLEMS_MOST) {
        problems_warning(problems, "", "more than %d problems; the rest is not shown",
                         PROBLEMS_MOST);
    }
    sort_problems(problems, from);
    if (options->strict) {
        be_strict(problems, from);
    }
    if (problems->errors > before) {
        scenario_free(s);
        return NULL;
    }
    return s;
}

static struct scenario *new_scenario(const struct problems *problems)
{
    struct scenario *s = calloc(1, sizeof *s);

    if (!s) {
        abort();
    }
    s->schema = &config_schema;
    s->conditions = conditions_new(s->schema);
    s->problems_before = problems->count;
    s->errors_before = problems->errors;
    return s;
}

struct scenario *scenario_open(const char *file, const struct scenario_options *options,
                               struct problems *problems)
{
    struct scenario *s = new_scenario(problems);
    bool ok = file_set_open(&s->files, file, problems);

    return finish(s, ok, options ? options : &no_options, problems);
}

struct scenario *scenario_open_text(const char *name, const char *text, size_t length,
                                    const struct scenario_options *options,
                                    struct problems *problems)
{
    struct scenario *s = new_scenario(problems);
    bool ok = file_set_parse(&s->files, name, text, length, problems);

    return finish(s, ok, options ? options : &no_options, problems);
}

void overrides_fini(struct overrides *one)
{
    free(one->name);
    layer_fini(&one->layer);
}

static void overrides_list_fini(struct overrides_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        overrides_fini(&list->list[i]);
    }
    free(list->list);
}

void scenario_free(struct scenario *s)
{
    if (!s) {
        return;
    }
    conditions_free(s->conditions);
    for (size_t i = 0; i < s->preset_count; i++) {
        layer_fini(&s->presets[i].layer);
    }
    for (size_t i = 0; i < s->axis_count; i++) {
        axis_fini(&s->axes[i]);
    }
    overrides_list_fini(&s->cases);
    overrides_list_fini(&s->variants);
    overrides_fini(&s->first_case);
    layer_fini(&s->base);
    file_set_fini(&s->files);
    trace_set_free(s->traces);
    for (size_t i = 0; i < s->texts.count; i++) {
        document_fini(s->texts.docs[i]);
        free(s->texts.docs[i]);
    }
    free(s->texts.docs);
    free(s->presets);
    free(s->axes);
    free(s->left_out);
    free(s->expect);
    free(s->expect_nodes);
    for (size_t i = 0; s->probe_names && i < s->points; i++) {
        free(s->probe_names[i]);
    }
    free(s->probe_names);
    free(s->probes);
    free(s->name);
    free(s);
}

static const struct document *main_document(const struct scenario *s)
{
    return s->files.docs[s->files.count - 1];
}

const char *scenario_name(const struct scenario *s)
{
    return s->name;
}

const char *scenario_file(const struct scenario *s)
{
    return main_document(s->parent ? s->parent : s)->file;
}

const char *scenario_text(const struct scenario *s)
{
    return main_document(s->parent ? s->parent : s)->text;
}

const struct scenario *scenario_parent(const struct scenario *s)
{
    return s->parent;
}

size_t scenario_axis_count(const struct scenario *s)
{
    return s->parent ? s->parent->axis_count + 1 : s->axis_count;
}

const char *scenario_axis_path(const struct scenario *s, size_t axis)
{
    if (s->parent) {
        return axis == s->parent->axis_count ? PROBE_AXIS : s->parent->axes[axis].path;
    }
    return s->axes[axis].path;
}

size_t scenario_axis_values(const struct scenario *s, size_t axis)
{
    return s->axes[axis].count;
}

size_t scenario_left_out_count(const struct scenario *s)
{
    return s->left_out_count;
}

const char *scenario_left_out(const struct scenario *s, size_t i, char *value, size_t bytes)
{
    struct param_place place = param_at(s->schema, s->left_out[i]);
    struct config *config = malloc(sizeof *config);
    size_t variants = scenario_variant_count(s);

    if (!config) {
        abort();
    }
    value[0] = '\0';
    for (size_t at = 0; at < s->points * variants; at++) {
        char *text;

        scenario_config(s, at / variants, at % variants, config);
        text = param_text(place.row, (const char *)config + place.part + place.row->offset);
        if (at > 0 && strncmp(text, value, bytes - 1) != 0) {
            value[0] = '\0';
            free(text);
            break;
        }
        snprintf(value, bytes, "%s", text);
        free(text);
    }
    free(config);
    return place.row->path;
}

size_t scenario_point_count(const struct scenario *s)
{
    return s->points;
}

const char *scenario_point_value(const struct scenario *s, size_t point, size_t axis)
{
    if (s->parent) {
        return axis == s->parent->axis_count
                   ? s->probe_names[point]
                   : scenario_point_value(s->parent, s->probes[point].point, axis);
    }
    return s->axes[axis].texts[scenario_point_index(s, point, axis)];
}

size_t scenario_variant_count(const struct scenario *s)
{
    return s->variants.count ? s->variants.count : 1;
}

size_t scenario_variant_at(const struct scenario *s, size_t point, size_t variant)
{
    return s->parent ? s->probes[point].variant : variant;
}

const char *scenario_variant_name(const struct scenario *s, size_t variant)
{
    s = s->parent ? s->parent : s;
    return s->variants.count ? s->variants.list[variant].name : "base";
}

void scenario_config(const struct scenario *s, size_t point, size_t variant, struct config *config)
{
    struct pile pile;

    if (s->parent) {
        scenario_probe_config(s, point, config);
        return;
    }
    pile_init(&pile, s, point, variant);
    pile_build(&pile, s, config);
}

size_t scenario_expect_count(const struct scenario *s)
{
    return s->expect_count;
}

const struct expectation *scenario_expect(const struct scenario *s, size_t index)
{
    return &s->expect[index];
}
