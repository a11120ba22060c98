/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/validate_plot.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/data_dir.h"
#include "sim/study/gnuplot.h"
#include "sim/study/text_file.h"

#define PANELS_MOST 12

struct panels {
    const struct validation *of[PANELS_MOST];
    const char *unit[PANELS_MOST];
    double least[PANELS_MOST], most[PANELS_MOST];
    size_t count;
};

static bool is_drawn(const struct validate_row *row)
{
    return isfinite(row->simulated) && isfinite(row->cell->published);
}

static void find_panels(struct panels *panels, const struct validation *v)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct validate_row *row = &v->row[i];
        double low = fmin(row->simulated, row->cell->published);
        double high = fmax(row->simulated, row->cell->published);
        size_t k = 0;

        while (k < panels->count &&
               (panels->of[k] != v || strcmp(panels->unit[k], row->cell->unit) != 0)) {
            k++;
        }
        if (!is_drawn(row) || k == PANELS_MOST) {
            continue;
        }
        if (k == panels->count) {
            panels->of[k] = v;
            panels->unit[panels->count++] = row->cell->unit;
            panels->least[k] = low;
            panels->most[k] = high;
        }
        panels->least[k] = fmin(panels->least[k], low);
        panels->most[k] = fmax(panels->most[k], high);
    }
}

/* Text in double quotes of a data block, without what would end it. */
static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *c = text; *c; c++) {
        fputc(*c == '"' || (unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    fputc('"', out);
}

static void put_number(FILE *out, double value)
{
    if (isfinite(value)) {
        fprintf(out, "%.9g ", value);
    } else {
        fputs("NaN ", out);
    }
}

static void put_rows(FILE *out, const struct validation *v, const char *unit)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct validate_row *row = &v->row[i];
        const struct published_cell *cell = row->cell;

        if (!is_drawn(row) || strcmp(cell->unit, unit) != 0) {
            continue;
        }
        put_number(out, cell->published);
        put_number(out, row->simulated);
        put_number(out, isfinite(row->half_width) ? row->half_width : 0);
        put_number(out, cell->low);
        put_number(out, cell->high);
        fprintf(out, "%d %d ", (int)cell->role, row->ok || !row->limited);
        put_text(out, cell->cell);
        fputc('\n', out);
    }
}

static void put_data(FILE *out, const struct panels *panels)
{
    fputs("$rows << END_OF_ROWS\n", out);
    for (size_t k = 0; k < panels->count; k++) {
        fprintf(out, "%spublished simulated half_width low high role ok cell\n", k ? "\n\n" : "");
        put_rows(out, panels->of[k], panels->unit[k]);
    }
    fprintf(out,
            "END_OF_ROWS\npanels = %zu\narray panel[%zu]\narray unit[%zu]\narray least[%zu]\n"
            "array most[%zu]\n",
            panels->count, panels->count, panels->count, panels->count, panels->count);
    for (size_t k = 0; k < panels->count; k++) {
        fprintf(out, "panel[%zu] = '%s'\nunit[%zu] = '%s'\n", k + 1,
                panels->of[k]->published->table, k + 1, panels->unit[k]);
        fprintf(out, "least[%zu] = %.9g\nmost[%zu] = %.9g\n", k + 1, panels->least[k], k + 1,
                panels->most[k]);
    }
}

/* A file of the plots folder, whole. */
static bool put_file(FILE *out, const char *folder, const char *name, struct error *error)
{
    char path[PATH_MAX + 40];
    char *text;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    text = text_file_read(path, error);
    if (!text) {
        return false;
    }
    fputs(text, out);
    free(text);
    return true;
}

bool validate_plot_named(const char *file)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
    size_t length = strlen(base);

    return length > 4 && length < NAME_MAX - 8 && strlen(file) < PATH_MAX - 8 &&
           strcmp(base + length - 4, ".svg") == 0 && !strchr(base, '\'');
}

/* Splits into folder and name without ending. */
static void take_apart(const char *file, char *folder, char *name)
{
    const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;

    snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - file) + 1 : 1, slash ? file : ".");
    snprintf(name, NAME_MAX, "%.*s", (int)strlen(base) - 4, base);
}

static char *write_script(const struct validation *list, size_t count, const char *name,
                          struct error *error)
{
    struct panels panels = {.count = 0};
    char plots[PATH_MAX], *text = NULL;
    size_t bytes = 0, columns;
    FILE *out;
    bool ok;

    for (size_t i = 0; i < count; i++) {
        find_panels(&panels, &list[i]);
    }
    if (panels.count == 0) {
        error_set(error, ERROR_INPUT, "", "nothing to draw: no table has a simulated cell");
        return NULL;
    }
    columns = panels.count < 3 ? panels.count : 3;
    if (!data_dir_find("plots", NULL, plots, sizeof plots, error)) {
        return NULL;
    }
    out = open_memstream(&text, &bytes);
    if (!out) {
        abort();
    }
    fprintf(out,
            "# Made by vqsim validate. To draw it again: run gnuplot with this file.\n"
            "if (!exists('out')) out = '%s.svg'\nblocks = 0\ncolumns = %zu\nlines = %zu\n"
            "width = columns > 1 ? 20 + 400 * columns : 620\nheight = 45 + 430 * lines\n",
            name, columns, (panels.count + columns - 1) / columns);
    put_data(out, &panels);
    ok = put_file(out, plots, "style.gp", error) &&
         put_file(out, plots, "validate/agreement.gp", error);
    if (fclose(out) != 0) {
        abort();
    }
    if (!ok) {
        free(text);
        return NULL;
    }
    return text;
}

bool validate_plot(const struct validation *list, size_t count, const char *file,
                   struct error *error)
{
    char folder[PATH_MAX], name[NAME_MAX], script[NAME_MAX + 8], path[PATH_MAX + NAME_MAX + 16];
    char picture[NAME_MAX + 8], message[512];
    char *text;
    bool ok;

    take_apart(file, folder, name);
    text = write_script(list, count, name, error);
    if (!text) {
        return false;
    }
    snprintf(script, sizeof script, "%s.gp", name);
    snprintf(picture, sizeof picture, "%s.svg", name);
    snprintf(path, sizeof path, "%s/%s", folder, script);
    ok = text_file_write(path, text, error) &&
         gnuplot_draw(folder, script, picture, message, sizeof message, error);
    free(text);
    return ok;
}
