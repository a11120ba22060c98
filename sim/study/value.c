/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/decimal.h"
#include "sim/engine/unit.h"
#include "sim/study/json_text.h"
#include "sim/study/suggest.h"
#include "sim/study/value_dist.h"

/* The limits of a row as the end of a message: "must be 2..32768, a power of two". */
static void limits_text(const struct param *row, char *buffer, size_t bytes)
{
    char limits[300];

    if (param_limits(row, limits, sizeof limits) == 0) {
        snprintf(limits, sizeof limits, "%s",
                 row->kind == PARAM_COUNT                             ? "0..4294967295"
                 : row->kind == PARAM_TIME || row->kind == PARAM_COST ? "0 to 100 days"
                                                                      : "0..18446744073709551615");
    }
    snprintf(buffer, bytes, "must be %s", limits);
}

bool value_in_range(const struct param *row, double value, struct node node, const char *path,
                    struct problems *problems)
{
    char shown[256], limits[400], hint[80] = "";
    double most = param_most(row);
    bool low = row->above_zero ? value <= 0 : value < row->least;
    bool high = value > most || (row->below_most && value >= most);

    if (!low && !high && isfinite(value)) {
        return true;
    }
    limits_text(row, limits, sizeof limits);
    node_show(node, shown, sizeof shown);
    if (!isfinite(value)) {
        node_problem(node, problems, false, path, "%s: number out of range", shown);
        return false;
    }
    if (high && row->kind == PARAM_RATIO && most == 1 && value > 1 && value <= 100) {
        char share[64];

        decimal_print(decimal_from_double(value / 100), share, sizeof share);
        snprintf(hint, sizeof hint, "; write %s", share);
    }
    if (high && value > most) {
        char text[400];

        param_print_limit(row, most, text, sizeof text);
        node_problem(node, problems, false, path, "%s is larger than %.60s%s; %s%s", shown, text,
                     (row->kind == PARAM_TIME || row->kind == PARAM_COST) &&
                             most == (double)SIM_TIME_LIMIT
                         ? " (100 days)"
                         : "",
                     limits, hint);
    } else {
        node_problem(node, problems, false, path, "%s: %s%s", shown, limits, hint);
    }
    return false;
}

static bool refuse_type(const struct param *row, struct node node, const char *path,
                        struct problems *problems)
{
    char shown[256], hint[300] = "";

    if (row->kind == PARAM_TEXT && node_type(node) != JSON_OBJECT && node_type(node) != JSON_ARRAY) {
        snprintf(hint, sizeof hint, "; write \"%s\"", node_show(node, shown, sizeof shown));
    }
    if (node_type(node) == JSON_NULL) {
        node_problem(node, problems, false, path,
                     "null is not a value; leave the key out for the default");
    } else if (node_type(node) == JSON_TRUE || node_type(node) == JSON_FALSE) {
        node_problem(node, problems, false, path, "expected %s, got %s%s",
                     param_kind_name(row->kind), node_show(node, shown, sizeof shown), hint);
    } else if (node_type(node) == JSON_OBJECT || node_type(node) == JSON_ARRAY) {
        node_problem(node, problems, false, path, "expected %s, got %s", param_kind_name(row->kind),
                     node_type_name(node));
    } else {
        node_problem(node, problems, false, path, "expected %s, got %s %s%s",
                     param_kind_name(row->kind), node_type_name(node),
                     node_show(node, shown, sizeof shown), hint);
    }
    return false;
}

static bool read_bool(const struct param *row, struct node node, const char *path, void *field,
                      struct problems *problems)
{
    bool value = node_type(node) == JSON_TRUE;
    char number[JSON_NUMBER_MOST + 1];

    if (row->zero_one && node_type(node) == JSON_NUMBER && node_number(node, number) &&
        (strcmp(number, "0") == 0 || strcmp(number, "1") == 0)) {
        value = number[0] == '1';
    } else if (!value && node_type(node) != JSON_FALSE) {
        return refuse_type(row, node, path, problems);
    }
    memcpy(field, &value, sizeof value);
    return true;
}

bool value_decimal(struct node node, const char *path, struct decimal *number,
                   struct problems *problems)
{
    char text[JSON_NUMBER_MOST + 1];
    size_t used;

    if (!node_number(node, text)) {
        return false;
    }
    if (decimal_read(text, &used, number) != DECIMAL_OK) {
        node_problem(node, problems, false, path, "%s: number out of range", text);
        return false;
    }
    return true;
}

bool value_whole(const struct param *row, struct node node, const char *path, uint64_t *value,
                 struct problems *problems)
{
    struct decimal number;
    char shown[256], limits[400];

    if (node_type(node) != JSON_NUMBER) {
        return refuse_type(row, node, path, problems);
    }
    if (!value_decimal(node, path, &number, problems)) {
        return false;
    }
    node_show(node, shown, sizeof shown);
    limits_text(row, limits, sizeof limits);
    if (!decimal_whole(number)) {
        node_problem(node, problems, false, path, "%s: whole number needed", shown);
        return false;
    }
    if (decimal_sign(number) < 0) {
        node_problem(node, problems, false, path, "%s: must be >= 0; %s", shown, limits);
        return false;
    }
    if (!decimal_u64(number, value)) {
        node_problem(node, problems, false, path, "%s is larger than 18446744073709551615; %s",
                     shown, limits);
        return false;
    }
    return true;
}

static bool read_count(const struct param *row, struct node node, const char *path, void *field,
                       struct problems *problems)
{
    uint64_t wide;
    uint32_t value;
    char limits[400];

    if (!value_whole(row, node, path, &wide, problems)) {
        return false;
    }
    limits_text(row, limits, sizeof limits);
    if (wide > UINT32_MAX) {
        node_problem(node, problems, false, path, "%llu does not fit %s; %s",
                     (unsigned long long)wide, row->alias ? "the u32 module parameter" : "32 bits",
                     limits);
        return false;
    }
    if (row->clamps && (double)wide > row->most) {
        node_problem(node, problems, true, path, "%llu is clamped to %.0f, as the driver does",
                     (unsigned long long)wide, row->most);
        wide = (uint64_t)row->most;
    }
    if (!value_in_range(row, (double)wide, node, path, problems)) {
        return false;
    }
    value = (uint32_t)wide;
    if (row->power_of_two && (value == 0 || (value & (value - 1)) != 0)) {
        node_problem(node, problems, false, path, "%u: %s", value, limits);
        return false;
    }
    memcpy(field, &value, sizeof value);
    return true;
}

static bool read_u64(const struct param *row, struct node node, const char *path, void *field,
                     struct problems *problems)
{
    uint64_t value;

    if (!value_whole(row, node, path, &value, problems) ||
        ((row->least != 0 || row->most != 0) &&
         !value_in_range(row, (double)value, node, path, problems))) {
        return false;
    }
    memcpy(field, &value, sizeof value);
    return true;
}

/* The text of a unit error holds bytes of the file. */
static bool refuse_unit(struct node node, const char *path, const struct error *error,
                        struct problems *problems)
{
    char shown[300];

    json_show(error->text, strlen(error->text), 280, shown, sizeof shown);
    node_problem(node, problems, false, path, "%s", shown);
    return false;
}

static bool read_bytes(const struct param *row, struct node node, const char *path, void *field,
                       struct problems *problems)
{
    struct error error = {0};
    uint64_t value;
    int64_t whole;

    if (node_type(node) == JSON_NUMBER) {
        return read_u64(row, node, path, field, problems);
    }
    if (!node_text(node)) {
        return refuse_type(row, node, path, problems);
    }
    if (!unit_read(UNIT_BYTES, node_text(node), true, NULL, &whole, &error)) {
        return refuse_unit(node, path, &error, problems);
    }
    if (whole < 0) {
        char shown[256];

        node_problem(node, problems, false, path, "%s: must be >= 0",
                     node_show(node, shown, sizeof shown));
        return false;
    }
    if (!value_in_range(row, (double)whole, node, path, problems)) {
        return false;
    }
    value = (uint64_t)whole;
    memcpy(field, &value, sizeof value);
    return true;
}

static bool read_ratio(const struct param *row, struct node node, const char *path, void *field,
                       struct problems *problems)
{
    struct decimal number;
    double value;

    if (node_type(node) != JSON_NUMBER) {
        return refuse_type(row, node, path, problems);
    }
    if (!value_decimal(node, path, &number, problems)) {
        return false;
    }
    value = decimal_double(number) + 0.0; /* -0 becomes 0 */
    if (!value_in_range(row, value, node, path, problems)) {
        return false;
    }
    memcpy(field, &value, sizeof value);
    return true;
}

/* A quantity with a unit; a bare number is a mistake of a factor of 1000 waiting to happen. */
static bool read_quantity(const struct param *row, struct node node, const char *path,
                          double *value, int64_t *whole, struct problems *problems)
{
    enum unit_family family = row->kind == PARAM_PPS   ? UNIT_PPS
                              : row->kind == PARAM_BPS ? UNIT_BPS
                                                       : UNIT_TIME;
    struct error error = {0};
    char number[JSON_NUMBER_MOST + 1];
    const char *text = NULL;

    if (node_number(node, number)) {
        text = number;
    } else {
        text = node_text(node);
    }
    if (!text) {
        return refuse_type(row, node, path, problems);
    }
    if (!unit_read(family, text, false, value, whole, &error)) {
        return refuse_unit(node, path, &error, problems);
    }
    return value_in_range(row, *value, node, path, problems);
}

static bool read_time(const struct param *row, struct node node, const char *path, void *field,
                      struct problems *problems)
{
    double value = 0;
    int64_t whole = 0;

    if (!read_quantity(row, node, path, &value, &whole, problems)) {
        return false;
    }
    memcpy(field, &whole, sizeof whole);
    return true;
}

static bool read_rate(const struct param *row, struct node node, const char *path, void *field,
                      struct problems *problems)
{
    double value = 0;

    if (!read_quantity(row, node, path, &value, NULL, problems)) {
        return false;
    }
    value += 0.0;
    memcpy(field, &value, sizeof value);
    return true;
}

static bool read_choice(const struct param *row, struct node node, const char *path, void *field,
                        struct problems *problems)
{
    struct suggest suggest;
    char shown[256], list[300] = "", number[JSON_NUMBER_MOST + 1], hint[SUGGEST_TEXT_BYTES];
    size_t used = 0;
    const char *text = node_text(node);
    const char *name = text ? text : node_number(node, number) ? number : "";

    suggest_init(&suggest, name);
    for (int i = 0; row->choices[i].name; i++) {
        if (strcmp(row->choices[i].name, name) == 0) {
            if (!text) {
                node_problem(node, problems, false, path,
                             "expected a choice, got number; write \"%s\" in quotes", name);
                return false;
            }
            memcpy(field, &i, sizeof i);
            return true;
        }
        suggest_offer(&suggest, row->choices[i].name);
        if (used < sizeof list) {
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                     row->choices[i].name);
        }
    }
    if (!text && name[0] == '\0') {
        return refuse_type(row, node, path, problems);
    }
    node_problem(node, problems, false, path, "%s: one of %s%s",
                 node_show(node, shown, sizeof shown), list, suggest_text(&suggest, hint));
    return false;
}

static bool read_text(const struct param *row, struct node node, const char *path, void *field,
                      struct problems *problems)
{
    const char *text = node_text(node);

    if (node_type(node) != JSON_STRING) {
        return refuse_type(row, node, path, problems);
    }
    if (!text) {
        node_problem(node, problems, false, path, "U+0000 in a text");
        return false;
    }
    if (strlen(text) >= PARAM_TEXT_BYTES) {
        node_problem(node, problems, false, path, "longer than %d bytes", PARAM_TEXT_BYTES - 1);
        return false;
    }
    memset(field, 0, PARAM_TEXT_BYTES);
    memcpy(field, text, strlen(text));
    return true;
}

bool value_read(const struct param *row, struct node node, const char *path, void *part,
                struct value_certificate *certificate, struct problems *problems)
{
    void *field = (char *)part + row->offset;

    switch (row->kind) {
    case PARAM_BOOL:
        return read_bool(row, node, path, field, problems);
    case PARAM_COUNT:
        return read_count(row, node, path, field, problems);
    case PARAM_U64:
        return read_u64(row, node, path, field, problems);
    case PARAM_BYTES:
        return read_bytes(row, node, path, field, problems);
    case PARAM_RATIO:
        return read_ratio(row, node, path, field, problems);
    case PARAM_COST:
        if (node_type(node) == JSON_OBJECT) {
            return value_read_cost(row, node, path, part, certificate, problems);
        }
        return read_time(row, node, path, field, problems);
    case PARAM_TIME:
        return read_time(row, node, path, field, problems);
    case PARAM_PPS:
    case PARAM_BPS:
        return read_rate(row, node, path, field, problems);
    case PARAM_CHOICE:
        return read_choice(row, node, path, field, problems);
    case PARAM_TEXT:
        return read_text(row, node, path, field, problems);
    case PARAM_DIST:
        return value_read_dist(row, node, path, field, problems);
    case PARAM_ARRAY:
        return value_read_array(row, node, path, part, problems);
    }
    return false;
}

/* Whether a text is one JSON value by itself; otherwise it becomes a string. */
static bool stands_bare(const struct param *row, const char *text)
{
    struct problems ignored;
    struct json_scan scan;
    bool bare;

    if (row->kind == PARAM_TEXT || row->kind == PARAM_CHOICE) {
        return false;
    }
    if ((row->kind == PARAM_DIST || row->kind == PARAM_ARRAY) &&
        (text[0] == '{' || text[0] == '[')) {
        return true; /* what is wrong inside is told by the reader of JSON */
    }
    problems_init(&ignored);
    bare = json_scan(&scan, text, strlen(text), &ignored);
    json_scan_fini(&scan);
    problems_fini(&ignored);
    return bare;
}

void value_problems_at(struct problems *problems, size_t from, const char *path)
{
    for (size_t i = from; i < problems->count; i++) {
        struct error *error = &problems->list[i].error;

        json_show(path, strlen(path), 140, error->path, sizeof error->path);
        error->line = 0;
        error->column = 0;
    }
}

bool value_parse(const struct param *row, const char *text, const char *path, struct document *doc,
                 struct problems *problems)
{
    size_t before = problems->count;
    bool ok;

    if (stands_bare(row, text)) {
        ok = document_parse(doc, NULL, text, strlen(text), problems);
    } else {
        char *quoted = json_quoted(text);

        ok = document_parse(doc, NULL, quoted, strlen(quoted), problems);
        free(quoted);
    }
    value_problems_at(problems, before, path);
    return ok;
}

bool value_from_text(const struct param *row, const char *text, void *part)
{
    struct problems problems;
    struct document doc;
    bool ok;

    problems_init(&problems);
    ok = value_parse(row, text, row->path, &doc, &problems) &&
         value_read(row, document_root(&doc), row->path, part, NULL, &problems);
    document_fini(&doc);
    problems_fini(&problems);
    return ok;
}

const char *value_status_name(enum param_status status)
{
    static const char *const names[] = {
        [PARAM_GUESS] = "guess", [PARAM_MEASURED] = "measured", [PARAM_CALIBRATED] = "calibrated"};

    return names[status];
}
