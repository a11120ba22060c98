/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/plot.h"

/* What the rows of a query become: the text of a data file, a block for each (panel, series). */
struct table {
    struct plot *plot;
    FILE *out;
    int names; /* leading columns that name the block: 0, 1 or 2 */
    bool memory;
    bool whole; /* a row has all its values */
};

static bool is_number(const char *text)
{
    char *end = NULL;

    if (!isdigit((unsigned char)text[0]) && text[0] != '-' && text[0] != '+' && text[0] != '.') {
        return false;
    }
    strtod(text, &end);
    return end != text && *end == '\0';
}

/* In a data file a text stands in double quotes, which know no way to hold one themselves; a
 * backslash inside would begin an escape. */
static void put_value(FILE *out, const char *text)
{
    if (!text) {
        fputs("NaN", out);
    } else if (is_number(text)) {
        fputs(text, out);
    } else {
        fputc('"', out);
        for (const char *c = text; *c != '\0'; c++) {
            fputs(*c == '\\' ? "\\" : "", out);
            fputc(*c == '"' ? '\'' : (unsigned char)*c < ' ' ? ' ' : *c, out);
        }
        fputc('"', out);
    }
}

/* A column's name is found by using 'name' whether it is quoted or not. */
static void put_name(FILE *out, const char *name)
{
    if (strpbrk(name, " \t\"#\\")) {
        put_value(out, name);
    } else {
        fputs(name, out);
    }
}

static int leading_names(int columns, const char *const *names)
{
    if (strcmp(names[0], "panel") == 0) {
        return columns > 1 && strcmp(names[1], "series") == 0 ? 2 : 1;
    }
    return strcmp(names[0], "series") == 0 ? 1 : 0;
}

static bool same(const struct plot *plot, const char *panel, const char *series)
{
    return plot->blocks > 0 && strcmp(plot->panel[plot->blocks - 1], panel) == 0 &&
           strcmp(plot->series[plot->blocks - 1], series) == 0;
}

static bool add_block(struct plot *plot, const char *panel, const char *series)
{
    size_t bytes = (plot->blocks + 1) * sizeof(char *);
    char **panels = realloc(plot->panel, bytes);

    if (!panels) {
        return false;
    }
    plot->panel = panels;
    char **names = realloc(plot->series, bytes);
    if (!names) {
        return false;
    }
    plot->series = names;
    panels[plot->blocks] = strdup(panel);
    names[plot->blocks] = strdup(series);
    plot->blocks++;
    return panels[plot->blocks - 1] && names[plot->blocks - 1];
}

static bool is_note(const char *name)
{
    return strcmp(name, "note") == 0;
}

/* A note goes on with the caption, once however many rows hold it. */
static bool add_note(struct plot *plot, const char *note)
{
    char *longer = NULL;

    if (!note || note[0] == '\0' || (plot->caption && strstr(plot->caption, note))) {
        return true;
    }
    if (asprintf(&longer, "%s%s%s", plot->caption ? plot->caption : "", plot->caption ? " " : "",
                 note) < 0) {
        return false;
    }
    free(plot->caption);
    plot->caption = longer;
    return true;
}

/* The columns of a row that are data: not those that name the block, not the notes. */
static void put_columns(struct table *table, int columns, const char *const *names,
                        const char *const *values)
{
    const char *between = "";
    bool whole = true;

    for (int i = table->names; i < columns; i++) {
        if (is_note(names[i])) {
            continue;
        }
        fputs(between, table->out);
        between = " ";
        if (values) {
            put_value(table->out, values[i]);
            whole = whole && values[i];
        } else {
            put_name(table->out, names[i]);
        }
    }
    fputc('\n', table->out);
    table->whole = table->whole || (values && whole);
}

static bool take_row(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct table *table = context;
    struct plot *plot = table->plot;

    if (plot->rows == 0) {
        table->names = leading_names(columns, names);
    }
    bool has_panel = table->names > 0 && strcmp(names[0], "panel") == 0;
    bool has_series = table->names > (has_panel ? 1 : 0);
    const char *panel = has_panel && values[0] ? values[0] : "";
    const char *series = has_series && values[table->names - 1] ? values[table->names - 1] : "";
    if (!same(plot, panel, series)) {
        if (!add_block(plot, panel, series)) {
            return table->memory = false;
        }
        fputs(plot->blocks > 1 ? "\n\n" : "", table->out);
        fputs("# ", table->out);
        put_value(table->out, panel);
        fputc(' ', table->out);
        put_value(table->out, series);
        fputc('\n', table->out);
        put_columns(table, columns, names, NULL);
    }
    put_columns(table, columns, names, values);
    for (int i = table->names; i < columns; i++) {
        if (is_note(names[i]) && !add_note(plot, values[i])) {
            return table->memory = false;
        }
    }
    plot->rows++;
    return true;
}

void plot_query(struct plot *plot, struct store *store)
{
    struct error error = {0};
    struct table table = {.plot = plot, .memory = true};
    size_t bytes = 0;

    if (plot->state != PLOT_FOUND) {
        return;
    }
    table.out = open_memstream(&plot->data, &bytes);
    bool ok = table.out && store_query(store, plot->sql, take_row, &table, &error);
    if (table.out && fclose(table.out) != 0) {
        table.memory = false;
    }
    if (!table.out || !table.memory) {
        plot->state = PLOT_BROKEN;
        snprintf(plot->reason, sizeof plot->reason, "%s: out of memory", plot->name);
    } else if (!ok) {
        plot->state = PLOT_BROKEN;
        snprintf(plot->reason, sizeof plot->reason, "%s.sql: %s", plot->name, error.text);
    } else if (plot->rows < plot->needs) {
        plot->state = PLOT_EMPTY;
        snprintf(plot->reason, sizeof plot->reason, "the query returned %zu row%s, it needs %zu",
                 plot->rows, plot->rows == 1 ? "" : "s", plot->needs);
    } else if (!table.whole) {
        plot->state = PLOT_EMPTY;
        snprintf(plot->reason, sizeof plot->reason, "in each of its %zu rows a value is missing",
                 plot->rows);
    } else {
        plot->state = PLOT_ASKED;
    }
}
