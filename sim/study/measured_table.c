/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/measured_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/csv_line.h"
#include "sim/study/text_file.h"

static bool is_row(const char *line, const char *row)
{
    const char *at;
    size_t length;

    return csv_line_cell(line, 0, &at, &length) && length == strlen(row) &&
           memcmp(at, row, length) == 0;
}

/* The line of the row, and the column's index; NULL: there is no such row. */
static const char *find(const char *text, const char *row, const char *column, int *index,
                        uint32_t *number)
{
    *index = -2; /* no header yet */
    *number = 0;
    for (const char *line = text; *line; line = csv_line_next(line)) {
        ++*number;
        if (csv_line_is_blank(line)) {
            continue;
        }
        if (*index == -2) {
            *index = csv_line_column(line, column);
        } else if (is_row(line, row)) {
            return line;
        }
    }
    *number = 0;
    return NULL;
}

bool measured_table_read(const char *file, const char *row, const char *column, double *value,
                         struct error *error)
{
    char *text = text_file_read(file, error);
    const char *line, *at = NULL;
    size_t length = 0;
    uint32_t number;
    int index;
    bool ok;

    if (!text) {
        return false;
    }
    line = find(text, row, column, &index, &number);
    ok = line && index >= 0 && csv_line_cell(line, (size_t)index, &at, &length) &&
         csv_line_number(at, length, value);
    if (!ok && error->kind == ERROR_NONE) {
        snprintf(error->source, sizeof error->source, "%s", file);
        error->line = number;
        error->column = at ? (uint32_t)(at - line) + 1 : 1;
        if (!line) {
            error_set(error, ERROR_INPUT, "", "no row '%s'", row);
        } else if (index < 0) {
            error_set(error, ERROR_INPUT, "", "no column '%s'", column);
        } else {
            error_set(error, ERROR_INPUT, "", "a number is needed in column '%s'", column);
        }
    }
    free(text);
    return ok;
}
