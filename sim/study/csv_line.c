/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/csv_line.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool csv_line_cell(const char *line, size_t index, const char **at, size_t *length)
{
    for (; index > 0; index--) {
        line += strcspn(line, ",\n");
        if (*line++ != ',') {
            return false;
        }
    }
    *at = line;
    *length = strcspn(line, ",\r\n");
    return true;
}

int csv_line_column(const char *header, const char *name)
{
    const char *at;
    size_t length;

    for (int i = 0; csv_line_cell(header, (size_t)i, &at, &length); i++) {
        if (length == strlen(name) && memcmp(at, name, length) == 0) {
            return i;
        }
    }
    return -1;
}

bool csv_line_number(const char *at, size_t length, double *value)
{
    char text[40], *end;

    if (length == 0 || length >= sizeof text) {
        return false;
    }
    memcpy(text, at, length);
    text[length] = '\0';
    *value = strtod(text, &end);
    return *end == '\0' && isfinite(*value);
}

bool csv_line_is_blank(const char *line)
{
    return *line == '#' || *line == '\n' || *line == '\r';
}

const char *csv_line_next(const char *line)
{
    line += strcspn(line, "\n");
    return *line ? line + 1 : line;
}
