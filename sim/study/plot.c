/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/plot.h"

#include <dirent.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "sim/study/gnuplot.h"
#include "sim/study/text_file.h"

static void broken(struct plot *plot, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void broken(struct plot *plot, const char *format, ...)
{
    va_list args;

    plot->state = PLOT_BROKEN;
    va_start(args, format);
    vsnprintf(plot->reason, sizeof plot->reason, format, args);
    va_end(args);
}

char *plots_text(const struct plots *plots, const char *name, const char *ending)
{
    const char *const folders[] = {plots->folder, plots->fallback};

    for (size_t i = 0; i < 2; i++) {
        struct error ignored = {0};
        char path[PATH_MAX];

        if (folders[i][0] == '\0') {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s%s", folders[i], name, ending);
        char *text = text_file_read(path, &ignored);
        if (text) {
            return text;
        }
    }
    return NULL;
}

/* One header line "-- key: value". A second caption line goes on with the first. */
static void take_header(struct plot *plot, const char *key, size_t key_bytes, const char *value)
{
    struct {
        const char *key;
        char *text;
        size_t bytes;
    } texts[] = {
        {"title", plot->title, sizeof plot->title},
        {"question", plot->question, sizeof plot->question},
        {"with", plot->with, sizeof plot->with},
    };

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (key_bytes == strlen(texts[i].key) && strncmp(key, texts[i].key, key_bytes) == 0) {
            snprintf(texts[i].text, texts[i].bytes, "%s", value);
            return;
        }
    }
    if (key_bytes == 7 && strncmp(key, "caption", 7) == 0) {
        char *longer = NULL;

        if (asprintf(&longer, "%s%s%s", plot->caption ? plot->caption : "",
                     plot->caption ? " " : "", value) > 0) {
            free(plot->caption);
            plot->caption = longer;
        }
    } else if (key_bytes == 5 && strncmp(key, "needs", 5) == 0) {
        long rows = strtol(value, NULL, 10);

        if (rows < 1) {
            broken(plot, "%s.sql: needs: \"%s\" is no number of rows", plot->name, value);
        } else {
            plot->needs = (size_t)rows;
        }
    } else if (key_bytes == 5 && strncmp(key, "order", 5) == 0) {
        plot->order = strtod(value, NULL);
    }
}

/* The comment lines a query begins with; a line without "word:" is a plain comment. */
static void read_header(struct plot *plot, const char *text)
{
    while (*text == '-' || *text == '\n' || *text == '\r') {
        size_t length = strcspn(text, "\r\n");

        if (strncmp(text, "--", 2) == 0) {
            char line[2000];
            const char *key = text + 2 + strspn(text + 2, " \t");

            snprintf(line, sizeof line, "%.*s", (int)(length - (size_t)(key - text)), key);
            size_t word = strspn(line, "abcdefghijklmnopqrstuvwxyz");
            if (word > 0 && line[word] == ':') {
                take_header(plot, line, word, line + word + 1 + strspn(line + word + 1, " \t"));
            }
        } else if (length > 0) {
            return;
        }
        text += length;
        text += *text != '\0' ? 1 : 0;
    }
}

static void read_plot(const struct plots *plots, struct plot *plot)
{
    struct error error = {0};
    char path[PATH_MAX];

    plot->needs = PLOT_NEEDS_DEFAULT;
    plot->order = 1000;
    snprintf(path, sizeof path, "%s/%s.sql", plots->folder, plot->name);
    plot->sql = text_file_read(path, &error);
    if (!plot->sql) {
        broken(plot, "%s.sql: %s", plot->name, error.text);
    } else {
        read_header(plot, plot->sql);
    }
    if (plot->title[0] == '\0') {
        snprintf(plot->title, sizeof plot->title, "%.*s", (int)sizeof plot->title - 1, plot->name);
    }
    snprintf(path, sizeof path, "%s/%s.gp", plots->folder, plot->name);
    if (plot->state == PLOT_FOUND && access(path, R_OK) != 0) {
        broken(plot, "%s.sql has no %s.gp beside it", plot->name, plot->name);
    }
    if (plot->state == PLOT_FOUND && plot->with[0] != '\0') {
        char *with = plots_text(plots, plot->with, ".with");
        char *sql = NULL;

        if (!with) {
            broken(plot, "%s.sql: with: there is no %s.with", plot->name, plot->with);
        } else if (asprintf(&sql, "%s\n%s", with, plot->sql) > 0) {
            free(plot->sql);
            plot->sql = sql;
        }
        free(with);
    }
}

static bool ends_with(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);

    return length > end && strcmp(name + length - end, ending) == 0;
}

static bool append(struct plots *plots, const char *name, size_t length)
{
    struct plot *list = realloc(plots->list, (plots->count + 1) * sizeof *list);

    if (!list) {
        return false;
    }
    plots->list = list;
    struct plot *plot = &list[plots->count++];
    memset(plot, 0, sizeof *plot);
    snprintf(plot->name, sizeof plot->name, "%.*s", (int)length, name);
    return true;
}

/* A .gp alone is told about: it is a plot whose query was forgotten, unless it is the style. */
static bool take_file(struct plots *plots, const char *file)
{
    char path[PATH_MAX];

    if (file[0] == '.' || strlen(file) + 1 >= PLOT_NAME_BYTES) {
        return true;
    }
    if (ends_with(file, ".sql")) {
        return append(plots, file, strlen(file) - 4);
    }
    if (!ends_with(file, ".gp") || strcmp(file, "style.gp") == 0) {
        return true;
    }
    snprintf(path, sizeof path, "%s/%.*s.sql", plots->folder, (int)strlen(file) - 3, file);
    if (access(path, F_OK) == 0) {
        return true;
    }
    if (!append(plots, file, strlen(file) - 3)) {
        return false;
    }
    struct plot *plot = &plots->list[plots->count - 1];
    broken(plot, "%s has no %s.sql beside it", file, plot->name);
    return true;
}

static int by_order(const void *a, const void *b)
{
    const struct plot *x = a, *y = b;

    if (x->order != y->order) {
        return x->order < y->order ? -1 : 1;
    }
    return strcmp(x->name, y->name);
}

bool plots_open(struct plots *plots, const char *folder, const char *fallback, struct error *error)
{
    memset(plots, 0, sizeof *plots);
    snprintf(plots->folder, sizeof plots->folder, "%s", folder);
    snprintf(plots->fallback, sizeof plots->fallback, "%s", fallback ? fallback : "");
    DIR *dir = opendir(folder);
    if (!dir) {
        return error_set_errno(error, ERROR_INPUT, folder);
    }
    bool ok = true;
    for (struct dirent *entry; ok && (entry = readdir(dir));) {
        ok = take_file(plots, entry->d_name);
    }
    closedir(dir);
    if (!ok) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    for (size_t i = 0; i < plots->count; i++) {
        if (plots->list[i].state == PLOT_FOUND) {
            read_plot(plots, &plots->list[i]);
        } else {
            snprintf(plots->list[i].title, sizeof plots->list[i].title, "%.*s",
                     (int)sizeof plots->list[i].title - 1, plots->list[i].name);
            plots->list[i].order = 1000;
        }
    }
    if (plots->count > 0) {
        qsort(plots->list, plots->count, sizeof plots->list[0], by_order);
    }
    return true;
}

void plots_close(struct plots *plots)
{
    for (size_t i = 0; i < plots->count; i++) {
        struct plot *plot = &plots->list[i];

        for (size_t k = 0; k < plot->blocks; k++) {
            free(plot->panel[k]);
            free(plot->series[k]);
        }
        free(plot->panel);
        free(plot->series);
        free(plot->data);
        free(plot->caption);
        free(plot->sql);
    }
    free(plots->list);
    memset(plots, 0, sizeof *plots);
}

/* Writes folder/name+ending. */
static bool write_beside(const char *folder, const char *name, const char *ending, const char *text,
                         struct error *error)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s%s", folder, name, ending);
    return text_file_write(path, text, error);
}

/* 'text' as a gnuplot literal: the quote is the only character that means anything inside. */
static void put_literal(FILE *out, const char *text)
{
    fputc('\'', out);
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == '\'') {
            fputc('\'', out);
        }
        fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    fputc('\'', out);
}

static void put_names(FILE *out, const char *array, char *const *names, size_t count)
{
    fprintf(out, "array %s[%zu] = [", array, count);
    for (size_t i = 0; i < count; i++) {
        fputs(i > 0 ? ", " : "", out);
        put_literal(out, names[i]);
    }
    fputs("]\n", out);
}

/* What a script sees, then the plot's own commands. */
static char *script_text(const struct plot *plot, const char *commands)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out) {
        return NULL;
    }
    fputs(PLOT_SCRIPT_HEAD " To draw it again: run gnuplot with this file in this folder.\n", out);
    fputs("data = './' . ", out); /* a name that begins with "$" would be a data block */
    put_literal(out, plot->name);
    fputs(" . '.dat'\nif (!exists('out')) out = ", out);
    put_literal(out, plot->name);
    fprintf(out, " . '.svg'\nrows = %zu\nblocks = %zu\n", plot->rows, plot->blocks);
    put_names(out, "panel", plot->panel, plot->blocks);
    put_names(out, "series", plot->series, plot->blocks);
    fputs("# ---\n", out);
    fputs(commands, out);
    return fclose(out) == 0 ? text : (free(text), NULL);
}

bool plot_write(const struct plots *plots, struct plot *plot, const char *out, struct error *error)
{
    struct error unreadable = {0};
    char path[PATH_MAX];

    if (!write_beside(out, plot->name, ".dat", plot->data, error)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s.gp", plots->folder, plot->name);
    char *commands = text_file_read(path, &unreadable);
    if (!commands) {
        broken(plot, "%s.gp: %s", plot->name, unreadable.text);
        return true;
    }
    char *text = script_text(plot, commands);
    bool ok = text ? write_beside(out, plot->name, ".gp", text, error)
                   : error_set(error, ERROR_SYSTEM, "", "out of memory");
    free(commands);
    free(text);
    return ok;
}

bool plot_draw(const struct plots *plots, struct plot *plot, const char *out, struct error *error)
{
    struct error failure = {0};
    char script[NAME_MAX + 8], picture[NAME_MAX + 8];

    if (plot->state != PLOT_ASKED) {
        return true;
    }
    snprintf(script, sizeof script, "%s.gp", plot->name);
    snprintf(picture, sizeof picture, "%s.svg", plot->name);
    if (gnuplot_draw(out, script, picture, plot->reason, sizeof plot->reason, &failure)) {
        plot->state = PLOT_DRAWN;
        return true;
    }
    if (failure.kind == ERROR_SYSTEM) {
        *error = failure;
        return false;
    }
    broken(plot, "%s/%s.gp: %s (lines are those of %s/%s.gp)", plots->folder, plot->name,
           failure.text, out, plot->name);
    return true;
}
