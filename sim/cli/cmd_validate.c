/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim validate: published figures against simulated ones, cell by cell. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/table_args.h"
#include "sim/study/summary.h"
#include "sim/study/table.h"
#include "sim/study/validate.h"

#define TABLES_MOST 32

/* A figure with the decimals its unit deserves. */
static void figure(double value, enum measure measure, char *text, size_t bytes)
{
    int decimals = measure == MEASURE_RATE ? 0 : measure == MEASURE_TIME ? 1 : 2;

    if (!isfinite(value)) {
        snprintf(text, bytes, "n/a");
        return;
    }
    snprintf(text, bytes, "%.*f", decimals, value);
}

static void head(struct table *table)
{
    static const char *const titles[] = {"",     "cell",     "published", "simulated", "+-",
                                         "unit", "accepted", "error",     "role"};

    table_init(table, "llrrrllrl");
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        table_add(table, "%s", titles[i]);
    }
    table_end_row(table);
}

static void add_row(struct table *table, const struct validate_row *row)
{
    const struct published_cell *cell = row->cell;
    char low[40], high[40], text[40];

    table_add(table, "%s", row->limited ? row->ok ? "ok" : "FAIL" : "-");
    table_add(table, "%s", cell->cell);
    figure(cell->published, cell->measure, text, sizeof text);
    table_add(table, "%s", text);
    figure(row->simulated, cell->measure, text, sizeof text);
    table_add(table, "%s", text);
    figure(row->half_width, cell->measure, text, sizeof text);
    table_add(table, "%s", text);
    table_add(table, "%s", measure_unit(cell->measure));
    figure(cell->low, cell->measure, low, sizeof low);
    figure(cell->high, cell->measure, high, sizeof high);
    table_add(table, row->limited ? "%s..%s" : "report only", low, high);
    table_add(table, isfinite(row->error_percent) ? "%+.1f%%" : "n/a", row->error_percent);
    table_add(table, "%s%s", role_name(cell->role), cell->informed ? ", informed" : "");
    table_end_row(table);
}

static void print_notes(const struct validation *v)
{
    printf("\n");
    for (size_t i = 0; i < v->count; i++) {
        bool again = i > 0 && strcmp(v->row[i].note, v->row[i - 1].note) == 0;

        if (v->row[i].note[0] && !again) {
            printf("%s: %s\n", v->row[i].cell->cell, v->row[i].note);
        }
    }
}

static void print_table(const struct validation *v)
{
    struct table table;

    printf("%s: published against simulated, one cost table for all variants\n\n",
           v->published->table);
    head(&table);
    for (size_t i = 0; i < v->count; i++) {
        add_row(&table, &v->row[i]);
    }
    table_print(&table, stdout);
    table_fini(&table);
    print_notes(v);
    printf("\n%s\n",
           v->ok ? "all rows with a limit are within it" : "rows are outside their limits");
}

static void add_json(const struct validation *v, struct json_out *json)
{
    for (size_t i = 0; i < v->count; i++) {
        json_object(json, NULL);
        validate_row_json(&v->row[i], v->published->table, json);
        json_end(json);
    }
}

/* One table, to stdout; its exit code. */
static int validate_one(const struct table_args *args, const char *name, struct json_out *json,
                        bool *ok)
{
    struct validation *v = calloc(1, sizeof *v);
    struct problems problems;
    struct error error = {0};
    int signal = 0, code = 0;

    if (!v) {
        abort();
    }
    problems_init(&problems);
    if (!validate_table(v, name, &args->experiment, &signal, &problems, &error)) {
        code = command_problems(&problems);
        if (error.kind != ERROR_NONE) {
            code = command_fail(&error);
        }
        code = signal ? 128 + signal : code;
    } else if (args->json) {
        add_json(v, json);
    } else {
        print_table(v);
    }
    *ok = *ok && code == 0 && v->ok;
    problems_fini(&problems);
    validate_fini(v);
    free(v);
    return code;
}

static int validate_all(const struct table_args *args, const char *const *names, size_t count)
{
    struct json_out json;
    bool ok = true;
    int code = 0;

    json_init(&json, stdout, 3);
    if (args->json) {
        json_object(&json, NULL);
        json_array(&json, "rows");
    }
    for (size_t i = 0; i < count; i++) {
        int one = validate_one(args, names[i], &json, &ok);

        code = code == 0 ? one : code;
    }
    if (args->json) { /* always one document, whatever happened */
        json_end(&json);
        json_bool(&json, "ok", ok);
        json_end(&json);
    }
    return command_finish(code != 0 ? code : ok ? 0 : ERROR_DIFFERS);
}

int cmd_validate(int argc, char **argv)
{
    char found[TABLES_MOST][PUBLISHED_NAME];
    const char *names[TABLES_MOST];
    struct table_args args;
    struct error error = {0};
    size_t count = 1;
    int code = table_args_read(&args, argc, argv, 0);

    if (code != 0) {
        return code;
    }
    if (!args.table) {
        if (!published_list(found, TABLES_MOST, &count, &error)) {
            return command_fail(&error);
        }
        for (size_t i = 0; i < count; i++) {
            names[i] = found[i];
        }
        return validate_all(&args, names, count);
    }
    return validate_all(&args, &args.table, 1);
}
