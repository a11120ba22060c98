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
#include "sim/study/validate_plot.h"

#define TABLES_MOST 32

/* A figure with the decimals its unit deserves. */
static void figure(double value, const char *unit, char *text, size_t bytes)
{
    bool whole = strcmp(unit, "pps") == 0 || strcmp(unit, "1/s") == 0;
    int decimals = whole ? 0 : strcmp(unit, "ns") == 0 ? 1 : strcmp(unit, "ratio") == 0 ? 3 : 2;

    if (!isfinite(value)) {
        snprintf(text, bytes, "n/a");
        return;
    }
    snprintf(text, bytes, "%.*f", decimals, value);
}

static void add_figure(struct table *table, double value, const char *unit)
{
    char text[40];

    figure(value, unit, text, sizeof text);
    table_add(table, "%s", text);
}

static bool has_null(const struct validation *v)
{
    for (size_t i = 0; i < v->count; i++) {
        if (isfinite(v->row[i].cell->null)) {
            return true;
        }
    }
    return false;
}

/* The last two titles are for tables with a null. */
static void head(struct table *table, bool null)
{
    static const char *const titles[] = {"",     "cell", "published", "simulated",
                                         "+-",   "unit", "accepted",  "error",
                                         "role", "null", "skill"};
    size_t count = sizeof titles / sizeof titles[0];

    table_init(table, null ? "llrrrllrlrr" : "llrrrllrl");
    for (size_t i = 0; i < (null ? count : count - 2); i++) {
        table_add(table, "%s", titles[i]);
    }
    table_end_row(table);
}

static void add_row(struct table *table, const struct validate_row *row, bool null)
{
    const struct published_cell *cell = row->cell;
    char low[40], high[40];

    table_add(table, "%s", row->limited ? row->ok ? "ok" : "FAIL" : "-");
    table_add(table, "%s", cell->cell);
    add_figure(table, cell->published, cell->unit);
    add_figure(table, row->simulated, cell->unit);
    add_figure(table, row->half_width, cell->unit);
    table_add(table, "%s", cell->unit);
    figure(cell->low, cell->unit, low, sizeof low);
    figure(cell->high, cell->unit, high, sizeof high);
    table_add(table, row->limited ? "%s..%s" : "report only", low, high);
    table_add(table, isfinite(row->error_percent) ? "%+.1f%%" : "n/a", row->error_percent);
    table_add(table, "%s%s", role_name(cell->role), cell->informed ? ", informed" : "");
    if (null) {
        add_figure(table, cell->null, cell->unit);
        table_add(table, isfinite(row->skill) ? "%+.2f" : "n/a", row->skill);
    }
    table_end_row(table);
}

static void print_error(const struct validate_error *e, const char *unit)
{
    if (e->cells > 0) {
        printf("held-out cells: mean error %.2f %s over %zu", e->mean, unit, e->cells);
        if (e->null_cells > 0) {
            printf("; with a null %zu: %.2f, the null %.2f", e->null_cells, e->beside,
                   e->null_mean);
        }
        printf("\n");
    }
}

static void print_foot(const struct validation *v)
{
    const struct validate_foot foot = validate_foot(v);

    printf("\n%zu free parameters; cells: %zu calibrated, %zu held-out (%zu informed), %zu "
           "directional\n",
           foot.free_parameters, foot.role[ROLE_CALIBRATED], foot.role[ROLE_HELD_OUT],
           foot.informed, foot.role[ROLE_DIRECTIONAL]);
    print_error(&foot.percent, "%");
    print_error(&foot.points, "points");
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
    bool null = has_null(v);
    struct table table;

    printf("%s: published against simulated%s\n\n", v->published->table,
           v->published->bed[0] ? ", one cost table for all variants" : "");
    head(&table, null);
    for (size_t i = 0; i < v->count; i++) {
        add_row(&table, &v->row[i], null);
    }
    table_print(&table, stdout);
    table_fini(&table);
    print_notes(v);
    print_foot(v);
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

/* One table; its exit code. Text is printed at once, a document when all are there. */
static int validate_one(const struct table_args *args, const char *name, struct validation *v)
{
    struct problems problems;
    struct error error = {0};
    int signal = 0, code = 0;

    problems_init(&problems);
    if (!validate_table(v, name, &args->experiment, &signal, &problems, &error)) {
        code = command_problems(&problems);
        if (error.kind != ERROR_NONE) {
            code = command_fail(&error);
        }
        code = signal ? 128 + signal : code;
    } else if (!args->json) {
        print_table(v);
    }
    problems_fini(&problems);
    return code;
}

/* Always a whole document, whatever happened: tables that failed are left out. */
static void print_json(const struct validation *list, const int *codes, size_t count, bool ok)
{
    struct json_out json;

    json_init(&json, stdout, 3);
    json_object(&json, NULL);
    json_array(&json, "rows");
    for (size_t i = 0; i < count; i++) {
        if (codes[i] == 0) {
            add_json(&list[i], &json);
        }
    }
    json_end(&json);
    json_bool(&json, "ok", ok);
    json_array(&json, "tables");
    for (size_t i = 0; i < count; i++) {
        if (codes[i] == 0) {
            json_object(&json, NULL);
            validate_foot_json(&list[i], &json);
            json_end(&json);
        }
    }
    json_end(&json);
    json_end(&json);
}

static int validate_all(const struct table_args *args, const char *const *names, size_t count)
{
    struct validation *list = calloc(count + 1, sizeof *list);
    int codes[TABLES_MOST] = {0}, code = 0;
    struct error error = {0};
    bool ok = true;

    if (!list) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && !args->json) {
            printf("\n");
        }
        codes[i] = validate_one(args, names[i], &list[i]);
        ok = ok && codes[i] == 0 && list[i].ok;
        code = code == 0 ? codes[i] : code;
    }
    if (args->json) {
        print_json(list, codes, count, ok);
    }
    if (args->plot && code == 0 && !validate_plot(list, count, args->plot, &error)) {
        code = command_fail(&error);
    }
    for (size_t i = 0; i < count; i++) {
        validate_fini(&list[i]);
    }
    free(list);
    return command_finish(code != 0 ? code : ok ? 0 : ERROR_DIFFERS);
}

int cmd_validate(int argc, char **argv)
{
    char found[TABLES_MOST][PUBLISHED_NAME];
    const char *names[TABLES_MOST];
    struct table_args args;
    struct error error = {0};
    size_t count = 1;
    int code = table_args_read(&args, argc, argv, TABLE_PLOT);

    if (code != 0) {
        return code;
    }
    if (args.plot && !validate_plot_named(args.plot)) {
        return command_usage("validate", "--plot %s: a picture is called NAME.svg", args.plot);
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
