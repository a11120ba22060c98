/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/rate_column.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/tally.h"
#include "sim/study/csv_line.h"
#include "sim/study/text_file.h"

#define ROWS_MOST 100000

static bool refuse(struct error *error, const char *file, uint32_t line, const char *text)
{
    if (error->kind == ERROR_NONE) {
        snprintf(error->source, sizeof error->source, "%s", file);
        error->line = line;
    }
    return error_set(error, ERROR_INPUT, "", "%s", text);
}

static void describe(struct rate_column *column, const double *x, uint32_t count)
{
    struct tally tally;
    double together = 0, all = 0;

    tally_clear(&tally);
    for (uint32_t i = 0; i < count; i++) {
        tally_add(&tally, x[i]);
    }
    column->count = count;
    column->mean_pps = tally_mean(&tally);
    column->stdev_pps = sqrt(tally_variance(&tally));
    for (uint32_t i = 0; i < count; i++) {
        double d = x[i] - column->mean_pps;

        all += d * d;
        together += i + 1 < count ? d * (x[i + 1] - column->mean_pps) : 0;
    }
    column->lag1 = all > 0 ? together / all : 0;
    column->independent =
        column->lag1 > 0 ? count * (1 - column->lag1) / (1 + column->lag1) : count;
    column->independent = column->independent < 1 ? 1 : column->independent;
}

/* The lines after the header. */
static uint32_t read_rows(const char *text, const char *name, double *x, const char **wrong,
                          uint32_t *number)
{
    int index = -2; /* no header yet */
    uint32_t count = 0;

    *number = 0;
    for (const char *line = text; *line && !*wrong; line = csv_line_next(line)) {
        const char *at;
        size_t length;

        ++*number;
        if (csv_line_is_blank(line)) {
            continue;
        }
        if (index == -2) {
            index = csv_line_column(line, name);
            *wrong = index < 0 ? "no such column" : NULL;
        } else if (count == ROWS_MOST || !csv_line_cell(line, (size_t)index, &at, &length) ||
                   !csv_line_number(at, length, &x[count]) || !(x[count++] > 0)) {
            *wrong = "a number of packets per second is needed";
        }
    }
    return count;
}

bool rate_column_read(struct rate_column *column, const char *file, const char *name,
                      struct error *error)
{
    char *text = text_file_read(file, error);
    double *x = malloc(ROWS_MOST * sizeof *x);
    const char *wrong = NULL;
    uint32_t number = 0, count = 0;

    memset(column, 0, sizeof *column);
    if (!text || !x) {
        free(text);
        free(x);
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    count = read_rows(text, name, x, &wrong, &number);
    if (!wrong && count < 2) {
        wrong = "two runs at least are needed";
    }
    if (!wrong) {
        describe(column, x, count);
    }
    free(text);
    free(x);
    return wrong ? refuse(error, file, number, wrong) : true;
}

double rate_column_error(const struct rate_column *column, double runs)
{
    return column->stdev_pps / column->mean_pps / sqrt(runs);
}
