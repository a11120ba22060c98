/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/axis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/json_text.h"
#include "sim/study/suggest.h"
#include "sim/study/value.h"

void axis_fini(struct axis *axis)
{
    for (uint64_t i = 0; i < axis->count && axis->texts; i++) {
        free(axis->texts[i]);
    }
    for (uint64_t i = 0; i < axis->count && axis->values; i++) {
        free(axis->values[i].packed);
    }
    free(axis->texts);
    free(axis->values);
    free(axis->path);
    memset(axis, 0, sizeof *axis);
}

static void refuse_path(const struct param_schema *schema, struct node node, const char *key,
                        size_t matches, struct problems *problems)
{
    char hint[LAYER_HINT_BYTES];

    if (param_not_yet(schema, key)) {
        node_key_problem(node, problems, false, key, "not modelled yet");
        return;
    }
    if (matches < 2) {
        node_key_problem(node, problems, false, key, "unknown parameter%s",
                         layer_hint(schema, key, NULL, hint));
        return;
    }
    node_key_problem(node, problems, false, key, "could be %s; write the whole path",
                     layer_candidates(schema, key, hint, sizeof hint));
}

/* The text of an end of a range: a number's own text or a string. */
static bool range_text(struct node node, const char *path, char *text, size_t bytes,
                       struct problems *problems)
{
    char number[JSON_NUMBER_MOST + 1], shown[256];

    if (node_number(node, number)) {
        snprintf(text, bytes, "%s", number);
        return true;
    }
    if (node_text(node) && strlen(node_text(node)) < bytes) {
        snprintf(text, bytes, "%s", node_text(node));
        return true;
    }
    node_problem(node, problems, false, path, "expected a number or a quantity, got %s",
                 node_show(node, shown, sizeof shown));
    return false;
}

/* {"from": a, "to": b, "step": s} or "factor": f. A fault of one member is shown at that member. */
static bool read_range_object(struct axis *axis, const struct param *row, struct node node,
                              struct problems *problems)
{
    static const char *const names[] = {"from", "to", "step", "factor"};
    struct node ends[4];
    char texts[4][64], shown[256], hint[SUGGEST_TEXT_BYTES];
    struct error error = {0};
    bool ok = true;

    for (struct node n = node_first(node); n.item; n = node_next(n)) {
        struct suggest suggest;

        suggest_init(&suggest, node_key(n));
        for (int i = 0; i < 4; i++) {
            suggest_offer(&suggest, names[i]);
        }
        if (node_key(n)[0] != '_' && strcmp(suggest.best, node_key(n)) != 0) {
            node_key_problem(n, problems, false, axis->path,
                             "unknown key %s; a range has from, to, step or factor%s",
                             node_show_key(n, shown, sizeof shown), suggest_text(&suggest, hint));
            ok = false;
        }
    }
    for (int i = 0; i < 4; i++) {
        ends[i] = node_member(node, names[i]);
        if (i < 2 && !ends[i].item) {
            node_problem(node, problems, false, axis->path, "range: %s is missing", names[i]);
            ok = false;
        } else if (ends[i].item) {
            ok = range_text(ends[i], axis->path, texts[i], sizeof texts[i], problems) && ok;
        }
    }
    if (!ok) {
        return false;
    }
    if (!range_read(&axis->range, row, texts[0], texts[1], ends[2].item ? texts[2] : NULL,
                    ends[3].item ? texts[3] : NULL, &error)) {
        struct node at = strstr(error.text, "step must") && ends[2].item     ? ends[2]
                         : strstr(error.text, "factor must") && ends[3].item ? ends[3]
                                                                             : node;

        node_problem(at, problems, false, axis->path, "%s", error.text);
        return false;
    }
    return true;
}

/* Whether two dots of this row's values mean a range: those of a text may be a file's folder. */
static bool has_ranges(const struct param *row)
{
    return row && row->kind != PARAM_TEXT && row->kind != PARAM_CHOICE && row->kind != PARAM_BOOL &&
           row->kind != PARAM_ARRAY;
}

/* A member of a list that stands for several values. */
static bool is_range_member(const struct param *row, struct node node)
{
    return has_ranges(row) && node_text(node) && range_is(node_text(node));
}

static bool read_list(struct axis *axis, const struct param *row, struct node node,
                      struct problems *problems)
{
    bool ok = true;

    for (struct node n = node_first(node); n.item; n = node_next(n)) {
        struct range range = {.count = 1};
        struct error error = {0};

        if (is_range_member(row, n) && !range_parse(&range, row, node_text(n), &error)) {
            node_problem(n, problems, false, axis->path, "%s", error.text);
            ok = false;
        }
        axis->count =
            axis->count > UINT64_MAX - range.count ? UINT64_MAX : axis->count + range.count;
    }
    if (axis->count == 0) {
        node_problem(node, problems, false, axis->path, "sweep list is empty");
        return false;
    }
    return ok;
}

static bool read_values(struct axis *axis, const struct param *row, struct node node,
                        struct problems *problems)
{
    struct error error = {0};
    char shown[256];

    if (node_type(node) == JSON_ARRAY) {
        return read_list(axis, row, node, problems);
    }
    axis->is_range = true;
    if (node_type(node) == JSON_OBJECT) {
        if (!read_range_object(axis, row, node, problems)) {
            return false;
        }
    } else if (node_text(node)) {
        if (!range_parse(&axis->range, row, node_text(node), &error)) {
            node_problem(node, problems, false, axis->path, "%s", error.text);
            return false;
        }
    } else {
        node_problem(node, problems, false, axis->path, "expected a list or a range, got %s",
                     node_show(node, shown, sizeof shown));
        return false;
    }
    axis->count = axis->range.count;
    return true;
}

bool axis_read(struct axis *axis, const struct param_schema *schema, struct node node,
               const char *key, bool zipped, struct problems *problems)
{
    size_t matches = 0;
    const struct param *row = NULL;
    bool ok;

    memset(axis, 0, sizeof *axis);
    axis->index = param_lookup(schema, key, false, &matches);
    axis->node = node;
    axis->zipped = zipped;
    if (axis->index >= 0) {
        row = param_at(schema, (size_t)axis->index).row;
    }
    axis->path = strdup(row ? row->path : key);
    if (!axis->path) {
        abort();
    }
    if (!row) {
        refuse_path(schema, node, key, matches, problems);
    }
    ok = read_values(axis, row, node, problems);
    if (axis->count == 0) {
        axis->count = 1;
    }
    axis->sound = row && ok;
    return axis->sound;
}

/* Value number `axis->count` from a node; false: refused. */
static bool make_value(struct axis *axis, const struct param_schema *schema, struct node node,
                       struct problems *problems)
{
    struct layer one = {0};
    struct setting *setting = &axis->values[axis->count];
    char range[64];

    if (has_ranges(param_at(schema, (size_t)axis->index).row) && node_text(node) &&
        range_meant(node_text(node), range, sizeof range)) {
        node_problem(node, problems, false, axis->path, "\"%.40s\" is no value; a range is \"%s\"",
                     node_text(node), range);
        return false;
    }
    if (!layer_read_value(&one, schema, (size_t)axis->index, node, false, problems)) {
        layer_fini(&one);
        return false;
    }
    *setting = one.list[0];
    one.list[0].packed = NULL;
    layer_fini(&one);
    axis->texts[axis->count] = setting_text(setting);
    axis->count++;
    return true;
}

struct ordered {
    const char *text;
    uint64_t index;
};

static int compare_texts(const void *a, const void *b)
{
    const struct ordered *x = a, *y = b;
    int order = strcmp(x->text, y->text);

    return order ? order : (x->index > y->index) - (x->index < y->index);
}

static void drop(struct axis *axis, uint64_t index, struct problems *problems)
{
    struct setting *setting = &axis->values[index];

    if (!axis->is_range && !is_range_member(setting->place.row, setting->node)) {
        node_problem(setting->node, problems, true, axis->path,
                     "value %.60s is listed twice; it runs once", axis->texts[index]);
    }
    free(setting->packed);
    setting->packed = NULL;
    free(axis->texts[index]);
    axis->texts[index] = NULL;
}

/* Leaves out values that came before: sorted by text, so that a long list is no burden. */
static void drop_repeats(struct axis *axis, struct problems *problems)
{
    struct ordered *order = malloc(axis->count * sizeof *order);
    uint64_t kept = 0, first = 0;

    if (!order) {
        abort();
    }
    for (uint64_t i = 0; i < axis->count; i++) {
        order[i] = (struct ordered){axis->texts[i], i};
    }
    qsort(order, axis->count, sizeof *order, compare_texts);
    for (uint64_t i = 1; i < axis->count; i++) {
        if (strcmp(order[i].text, order[first].text) == 0) {
            drop(axis, order[i].index, problems);
        } else {
            first = i;
        }
    }
    free(order);
    for (uint64_t i = 0; i < axis->count; i++) {
        if (axis->texts[i]) {
            axis->texts[kept] = axis->texts[i];
            axis->values[kept] = axis->values[i];
            kept++;
        }
    }
    axis->count = kept;
}

/* A value of a range has no text of its own in the file: it is read from a text, and shown at the
 * place of the range. */
static bool make_range_value(struct axis *axis, const struct param_schema *schema, struct node at,
                             const char *text, struct problems *problems)
{
    const struct param *row = param_at(schema, (size_t)axis->index).row;
    size_t before = problems->count;
    struct document doc;
    bool ok = value_parse(row, text, row->path, &doc, problems) &&
              make_value(axis, schema, document_root(&doc), problems);

    document_fini(&doc);
    if (ok) {
        axis->values[axis->count - 1].node = at;
    }
    for (size_t i = before; i < problems->count; i++) {
        struct error *error = &problems->list[i].error, placed = {.kind = ERROR_INPUT};
        struct problems one;

        problems_init(&one);
        node_problem(at, &one, false, "", "%s", "");
        placed = one.list[0].error;
        problems_fini(&one);
        memcpy(error->source, placed.source, sizeof error->source);
        error->line = placed.line;
        error->column = placed.column;
    }
    return ok;
}

static bool make_range(struct axis *axis, const struct param_schema *schema, struct node at,
                       const struct range *range, struct problems *problems)
{
    struct range_walk walk;
    char text[RANGE_TEXT_BYTES];
    bool ok = true;

    range_walk_init(&walk, range);
    while (range_walk_next(&walk, text)) {
        ok = make_range_value(axis, schema, at, text, problems) && ok;
    }
    return ok;
}

static bool make_list(struct axis *axis, const struct param_schema *schema,
                      struct problems *problems)
{
    const struct param *row = param_at(schema, (size_t)axis->index).row;
    bool ok = true;

    for (struct node n = node_first(axis->node); n.item; n = node_next(n)) {
        struct range range;
        struct error error = {0};

        if (!is_range_member(row, n)) {
            ok = make_value(axis, schema, n, problems) && ok;
        } else if (range_parse(&range, row, node_text(n), &error)) {
            ok = make_range(axis, schema, n, &range, problems) && ok;
        }
    }
    return ok;
}

bool axis_make(struct axis *axis, const struct param_schema *schema, struct problems *problems)
{
    uint64_t wanted = axis->count;
    bool ok;

    axis->values = calloc(wanted, sizeof *axis->values);
    axis->texts = calloc(wanted, sizeof *axis->texts);
    if (!axis->values || !axis->texts) {
        abort();
    }
    axis->count = 0;
    ok = axis->is_range ? make_range(axis, schema, axis->node, &axis->range, problems)
                        : make_list(axis, schema, problems);
    if (!axis->zipped) {
        drop_repeats(axis, problems);
    }
    return ok;
}

/* Appends one value of a comma list as JSON. */
static void put_value(FILE *out, const struct param *row, const char *text)
{
    struct problems ignored;
    struct json_scan scan;
    bool bare = row && row->kind != PARAM_TEXT && row->kind != PARAM_CHOICE;

    problems_init(&ignored);
    if (bare) {
        bare = json_scan(&scan, text, strlen(text), &ignored);
        json_scan_fini(&scan);
    }
    problems_fini(&ignored);
    if (bare) {
        fputs(text, out);
    } else {
        json_put_quoted(out, text);
    }
}

static char *comma_list(const struct param *row, const char *text)
{
    char *json = NULL, *copy = strdup(text), *rest = copy, *value;
    size_t bytes;
    FILE *out = open_memstream(&json, &bytes);
    bool first = true;

    if (!out || !copy) {
        abort();
    }
    fputc('[', out);
    while (text[0] && (value = strsep(&rest, ",")) != NULL) {
        fputs(first ? "" : ", ", out);
        put_value(out, row, value);
        first = false;
    }
    fputc(']', out);
    fclose(out);
    free(copy);
    return json;
}

bool axis_parse(const struct param *row, const char *text, const char *path, struct document *doc,
                struct problems *problems)
{
    size_t before = problems->count;
    char *json;
    bool ok;

    if (text[0] == '[') {
        json = strdup(text);
    } else if (range_is(text) && !strchr(text, ',') && !(row && row->kind == PARAM_TEXT)) {
        json = json_quoted(text);
    } else {
        json = comma_list(row, text);
    }
    if (!json) {
        abort();
    }
    ok = document_parse(doc, NULL, json, strlen(json), problems);
    free(json);
    value_problems_at(problems, before, path);
    return ok;
}
