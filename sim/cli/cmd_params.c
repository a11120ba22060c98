/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim params: what can be set, from the parameter rows: a table for the terminal, JSON, a JSON
 * Schema or the reference page.
 */
#include <fnmatch.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/study/config.h"
#include "sim/study/json_out.h"
#include "sim/study/param_tree.h"
#include "sim/study/schema.h"
#include "sim/study/suggest.h"
#include "sim/study/value.h"

enum params_form { FORM_TABLE, FORM_JSON, FORM_SCHEMA, FORM_MARKDOWN };

/* A part of a path or alias, or a pattern with *. */
static bool matches(const struct param *row, const char *pattern)
{
    if (!pattern) {
        return true;
    }
    if (strpbrk(pattern, "*?[")) {
        return fnmatch(pattern, row->path, 0) == 0;
    }
    return strstr(row->path, pattern) || (row->alias && strstr(row->alias, pattern));
}

static void print_row(const struct param *row)
{
    char limits[300], text[700];

    param_limits(row, limits, sizeof limits);
    printf("%s\n    %s\n    %s", row->path, row->help, param_kind_name(row->kind));
    for (const struct param_choice *c = row->choices; c && c->name; c++) {
        printf("%s%s", c == row->choices ? ": " : ", ", c->name);
    }
    printf("%s%s", limits[0] ? ", " : "", limits);
    if (row->unit) {
        printf(" (%s)", row->unit);
    }
    printf("; default %s", reference_default(row, text, sizeof text));
    if (row->alias) {
        printf("; kernel name %s", row->alias);
    }
    if (row->when_path) {
        printf("; only with %s %s", row->when_path, row->when_value);
    }
    printf("\n");
    if (reference_certificate(row, text, sizeof text)[0]) {
        printf("    %s\n", text);
    }
}

static void print_certificate(struct json_out *json, const struct param *row)
{
    json_object(json, "certificate");
    json_text(json, "low", row->certificate.low);
    json_text(json, "high", row->certificate.high);
    json_text(json, "status", value_status_name(row->certificate.status));
    json_text(json, "source", row->certificate.source);
    json_end(json);
}

static void print_row_json(struct json_out *json, const struct param *row)
{
    char limits[300];

    param_limits(row, limits, sizeof limits);
    json_object(json, NULL);
    json_text(json, "path", row->path);
    json_text(json, "kind", param_kind_name(row->kind));
    json_text(json, "default", row->fallback);
    json_bool(json, "required", row->required);
    json_text(json, "limits", limits);
    json_text(json, "unit", row->unit);
    json_text(json, "alias", row->alias);
    json_text(json, "help", row->help);
    if (row->choices) {
        json_array(json, "choices");
        for (const struct param_choice *c = row->choices; c->name; c++) {
            json_text(json, NULL, c->name);
        }
        json_end(json);
    }
    if (row->kind == PARAM_COST) {
        print_certificate(json, row);
    }
    json_end(json);
}

/* A pattern that matches nothing is a mistake; the nearest last part may be what was meant. */
static int refuse_pattern(const char *pattern)
{
    struct error error = {0};
    struct suggest suggest;
    char hint[SUGGEST_TEXT_BYTES];

    suggest_init(&suggest, pattern);
    for (size_t i = 0, n = param_count(&config_schema); i < n; i++) {
        const char *path = param_at(&config_schema, i).row->path, *dot = strrchr(path, '.');

        suggest_offer(&suggest, path);
        suggest_offer(&suggest, dot ? dot + 1 : path);
    }
    error_set(&error, ERROR_INPUT, "", "no parameter matches \"%.60s\"%s", pattern,
              suggest_text(&suggest, hint));
    return command_fail(&error);
}

static int list(enum params_form form, const char *pattern)
{
    size_t *order = param_tree_order(&config_schema), found = 0;
    struct json_out json;

    for (size_t i = 0, n = param_count(&config_schema); i < n; i++) {
        found += matches(param_at(&config_schema, i).row, pattern);
    }
    if (found == 0) {
        free(order);
        return refuse_pattern(pattern);
    }
    if (form == FORM_JSON) {
        json_init(&json, stdout, 2);
        json_object(&json, NULL);
        json_array(&json, "params");
    }
    for (size_t i = 0, n = param_count(&config_schema); i < n; i++) {
        const struct param *row = param_at(&config_schema, order[i]).row;

        if (!matches(row, pattern)) {
            continue;
        }
        if (form == FORM_JSON) {
            print_row_json(&json, row);
        } else {
            print_row(row);
        }
    }
    if (form == FORM_JSON) {
        json_end(&json);
        json_end(&json);
    }
    free(order);
    return command_finish(ERROR_NONE);
}

int cmd_params(int argc, char **argv)
{
    static const struct option names[] = {
        {"json", no_argument, NULL, FORM_JSON},
        {"schema", no_argument, NULL, FORM_SCHEMA},
        {"markdown", no_argument, NULL, FORM_MARKDOWN},
        {0},
    };
    enum params_form form = FORM_TABLE;
    int c;

    optind = 1;
    while ((c = getopt_long(argc, argv, "", names, NULL)) != -1) {
        if (c == '?') {
            return command_usage("params", "unknown option");
        }
        form = (enum params_form)c;
    }
    if (argc - optind > 1) {
        return command_usage("params", "one pattern at most");
    }
    if (form == FORM_SCHEMA) {
        schema_write(&config_schema, stdout);
        return command_finish(ERROR_NONE);
    }
    if (form == FORM_MARKDOWN) {
        reference_write(&config_schema, stdout);
        return command_finish(ERROR_NONE);
    }
    return list(form, argv[optind]);
}
