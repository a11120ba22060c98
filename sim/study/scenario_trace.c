/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The captures of a scenario, read before its checks, which ask what is in them. Of the points those
 * are visited that differ in what says which capture is read, and how. What a reader has to say
 * stands at the place in the scenario where the file is named.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

#define MODEL_MATTERS 100 /* one packet in so many: fewer leave every answer as it is */

/* The rows that say which capture: workload.type and those of the file. */
struct rows {
    size_t file, sha256, type, sg_model;
    bool *asked; /* [all rows] */
};

static size_t row_of(const struct scenario *s, const char *path)
{
    return (size_t)param_lookup(s->schema, path, true, NULL);
}

static void rows_init(struct rows *rows, const struct scenario *s)
{
    rows->file = row_of(s, "workload.file");
    rows->sha256 = row_of(s, "workload.sha256");
    rows->type = row_of(s, "workload.type");
    rows->sg_model = row_of(s, "workload.sg_model");
    rows->asked = calloc(param_count(s->schema), sizeof *rows->asked);
    if (!rows->asked) {
        abort();
    }
    rows->asked[rows->type] = true;
    for (size_t i = 0; i < trace_params.count; i++) {
        rows->asked[row_of(s, trace_params.rows[i].path)] = true;
    }
}

/* Whether anything names a file. */
static bool names_file(const struct scenario *s, size_t file)
{
    bool named = layer_find(&s->base, file) != NULL;

    for (size_t i = 0; i < s->axis_count; i++) {
        named = named || s->axes[i].index == (ptrdiff_t)file;
    }
    for (size_t i = 0; i < s->cases.count; i++) {
        named = named || layer_find(&s->cases.list[i].layer, file);
    }
    for (size_t i = 0; i < s->variants.count; i++) {
        named = named || layer_find(&s->variants.list[i].layer, file);
    }
    return named;
}

/* Whether a point is the first of those that differ in other axes only. Zipped axes are walked
 * whole when one of them is asked for. */
static bool is_first(const struct scenario *s, const bool *walked, size_t point)
{
    for (size_t i = 0; i < s->axis_count; i++) {
        if (!walked[scenario_dimension(s, i)] && scenario_point_index(s, point, i) != 0) {
            return false;
        }
    }
    return true;
}

/* What the reader found, at the place that names the file. */
static void place(const struct problems *found, struct node node, const char *file,
                  struct problems *problems)
{
    for (size_t i = 0; i < found->count; i++) {
        const struct error *e = &found->list[i].error;
        char where[24] = "";

        if (e->line > 0) {
            snprintf(where, sizeof where, ":%u", e->line);
        }
        node_problem(node, problems, found->list[i].warning, "workload.file", "%.120s%s: %s", file,
                     where, e->text);
    }
}

/* A sum that was given must be the content's. */
static void check_sum(const struct scenario *s, const struct pile *pile, const struct rows *rows,
                      const struct config *config, struct problems *problems)
{
    const struct setting *setting = pile_find(pile, rows->sha256);
    struct config *applied = malloc(sizeof *applied);
    char *given = setting ? setting_text(setting) : NULL;

    if (!applied) {
        abort();
    }
    *applied = *config;
    trace_set_apply(s->traces, applied);
    if (given && given[0] && strcmp(given, applied->trace.sha256) != 0) {
        node_problem(setting->node, problems, false, "workload.sha256",
                     "the content of workload.file has %s", applied->trace.sha256);
    }
    free(given);
    free(applied);
}

/* A model that was not chosen, where another one gives packets other entries. */
static void warn_model(const struct scenario *s, const struct pile *pile, const struct rows *rows,
                       const struct config *config, struct node node, struct problems *problems)
{
    const struct trace_spool *spool = trace_set_spool(s->traces, config);

    if (spool->sg_differs * MODEL_MATTERS > spool->packets.count && !pile_find(pile, rows->sg_model)) {
        node_problem(node, problems, true, "workload.sg_model",
                     "entries of %llu of %llu packets are not in the capture and come from a model, "
                     "write; as sendfile %llu of them have others, and the answer may be another: "
                     "choose, or sweep both (--vary workload.sg_model=write,sendfile)",
                     (unsigned long long)spool->sg_modelled,
                     (unsigned long long)spool->packets.count, (unsigned long long)spool->sg_differs);
    }
}

static void read_one(struct scenario *s, const struct rows *rows, size_t point, size_t variant,
                     struct config *config, struct problems *problems)
{
    struct pile pile;
    const struct setting *setting;
    struct problems found;
    bool fresh;
    char *file;

    pile_init(&pile, s, point, variant);
    pile_build(&pile, s, config);
    setting = pile_find(&pile, rows->file);
    if (!workload_replays(&config->datapath.workload) || !setting || !config->trace.file[0]) {
        return;
    }
    problems_init(&found);
    file = setting_text(setting);
    trace_set_place(s->traces, config, file, setting->node.doc->file);
    if (trace_set_add(s->traces, config, &fresh, &found)) {
        check_sum(s, &pile, rows, config, problems);
        if (fresh) {
            warn_model(s, &pile, rows, config, setting->node, problems);
        }
    }
    place(&found, setting->node, file, problems);
    free(file);
    problems_fini(&found);
}

/* A store knows the scenario by its first case, asked for or not. */
static void read_first(struct scenario *s, const struct rows *rows, struct config *config)
{
    struct problems unsaid;

    if (s->points > 0 && scenario_is_dropped(s, 0)) {
        problems_init(&unsaid);
        read_one(s, rows, 0, 0, config, &unsaid);
        problems_fini(&unsaid);
    }
}

void scenario_read_traces(struct scenario *s, struct problems *problems)
{
    size_t variants = s->variants.count ? s->variants.count : 1;
    struct config *config = calloc(1, sizeof *config);
    bool *walked = calloc(s->axis_count + 1, sizeof *walked);
    struct rows rows;

    if (!config || !walked) {
        abort();
    }
    rows_init(&rows, s);
    if (names_file(s, rows.file)) {
        s->traces = trace_set_new();
        for (size_t i = 0; i < s->axis_count; i++) {
            ptrdiff_t index = s->axes[i].index;

            walked[scenario_dimension(s, i)] |= index < 0 || rows.asked[index];
        }
        for (size_t point = 0; point < s->points; point++) {
            bool asked = is_first(s, walked, point) && !scenario_is_dropped(s, point);

            for (size_t v = 0; v < variants && asked; v++) {
                read_one(s, &rows, point, v, config, problems);
            }
        }
        s->shown_traces = trace_set_count(s->traces);
        read_first(s, &rows, config);
    }
    free(rows.asked);
    free(walked);
    free(config);
}

void scenario_check_file(const struct scenario *s, struct problems *problems)
{
    const struct setting *type = layer_find(&s->base, row_of(s, "workload.type"));
    struct node root = document_root(s->files.docs[s->files.count - 1]);
    struct node group = node_member(root, "workload");
    int chosen = -1;

    for (size_t i = s->problems_before; i < problems->count; i++) {
        if (strcmp(problems->list[i].error.path, "workload.file") == 0) {
            return;
        }
    }
    if (type) {
        memcpy(&chosen, type->packed, sizeof chosen);
    }
    if (chosen >= WORKLOAD_TRACE && !names_file(s, row_of(s, "workload.file"))) {
        node_problem(group.item ? group : root, problems, false, "workload.file",
                     "missing: the type of the workload reads one");
    }
}

size_t scenario_trace_count(const struct scenario *s)
{
    return s->shown_traces;
}

const char *scenario_trace_note(const struct scenario *s, size_t index)
{
    return trace_set_note(s->traces, index);
}
