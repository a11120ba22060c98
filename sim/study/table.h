/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A text table for the terminal: rows of cells whose columns line up, whatever their length. Cells
 * may hold UTF-8 (a code point is one column wide) and never control characters: those come out as
 * '?', so that a name read from a file cannot drive the terminal.
 */
#ifndef SIM_STUDY_TABLE_H
#define SIM_STUDY_TABLE_H

#include <stddef.h>
#include <stdio.h>

#define TABLE_COLUMNS 80

struct table {
    size_t columns;
    char alignment[TABLE_COLUMNS + 1]; /* 'l' or 'r' for each column */
    char **cell;                       /* row after row */
    size_t count, room;                /* of cells */
};

/* alignment: "lrr" for three columns, the first one left. */
void table_init(struct table *table, const char *alignment);
void table_fini(struct table *table);

/* The next cell, row after row; a row that is not full is filled by table_end_row(). */
void table_add(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
void table_end_row(struct table *table);

/* The first row is printed as the others are; two blanks between columns, none at the end. */
void table_print(const struct table *table, FILE *out);

/* Four significant digits without an exponent where that stays readable; "n/a" when not finite. */
void table_number(double value, char *buffer, size_t bytes);

#endif
