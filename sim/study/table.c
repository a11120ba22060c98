/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/table.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"

void table_init(struct table *table, const char *alignment)
{
    memset(table, 0, sizeof *table);
    table->columns = strlen(alignment);
    sim_assert(table->columns > 0 && table->columns <= TABLE_COLUMNS, 0, "%zu columns",
               table->columns);
    memcpy(table->alignment, alignment, table->columns + 1);
}

void table_fini(struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        free(table->cell[i]);
    }
    free(table->cell);
    memset(table, 0, sizeof *table);
}

void table_add(struct table *table, const char *format, ...)
{
    va_list args;
    char *text;

    if (table->count == table->room) {
        table->room = table->room ? 2 * table->room : 64;
        table->cell = realloc(table->cell, table->room * sizeof *table->cell);
        if (!table->cell) {
            abort();
        }
    }
    va_start(args, format);
    if (vasprintf(&text, format, args) < 0) {
        abort();
    }
    va_end(args);
    for (char *s = text; *s; s++) {
        if ((unsigned char)*s < 0x20 || *s == 0x7f) {
            *s = '?';
        }
    }
    table->cell[table->count++] = text;
}

void table_end_row(struct table *table)
{
    while (table->count % table->columns != 0) {
        table_add(table, "%s", "");
    }
}

/* Code points: bytes that do not continue a UTF-8 sequence. */
static int width_of(const char *text)
{
    int width = 0;

    for (const char *s = text; *s; s++) {
        width += ((unsigned char)*s & 0xc0) != 0x80;
    }
    return width;
}

void table_print(const struct table *table, FILE *out)
{
    int width[TABLE_COLUMNS] = {0};

    for (size_t i = 0; i < table->count; i++) {
        int w = width_of(table->cell[i]);

        width[i % table->columns] = w > width[i % table->columns] ? w : width[i % table->columns];
    }
    for (size_t row = 0; row + table->columns <= table->count; row += table->columns) {
        int owed = 0; /* blanks that only a later cell of this row needs */

        for (size_t c = 0; c < table->columns; c++) {
            const char *text = table->cell[row + c];
            int pad = width[c] - width_of(text);
            int before = table->alignment[c] == 'r' ? pad : 0;

            owed += before;
            if (*text) {
                fprintf(out, "%*s%s", owed, "", text);
                owed = 0;
            }
            owed += pad - before + 2;
        }
        fputc('\n', out);
    }
}

void table_number(double value, char *buffer, size_t bytes)
{
    if (!isfinite(value)) {
        snprintf(buffer, bytes, "n/a");
        return;
    }
    double size = fabs(value);

    if (size == 0) {
        snprintf(buffer, bytes, "0");
    } else if (size >= 1e15 || size < 1e-6) {
        snprintf(buffer, bytes, "%.3e", value);
    } else if (size >= 999.5) {
        snprintf(buffer, bytes, "%.0f", value);
    } else {
        int decimals = 3 - (int)floor(log10(size));

        snprintf(buffer, bytes, "%.*f", decimals, value);
        if (strchr(buffer, '.')) {
            size_t end = strlen(buffer);

            while (buffer[end - 1] == '0') {
                buffer[--end] = '\0';
            }
            if (buffer[end - 1] == '.') {
                buffer[end - 1] = '\0';
            }
        }
    }
}
