/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines of the small CSV files in which measurements are published: cells between commas, no
 * quotes, # begins a comment line, the first other line names the columns. Captures have a reader
 * of their own (trace_csv.h).
 */
#ifndef SIM_STUDY_CSV_LINE_H
#define SIM_STUDY_CSV_LINE_H

#include <stdbool.h>
#include <stddef.h>

/* Start and length of cell `index` of a line; false: the line has fewer. */
bool csv_line_cell(const char *line, size_t index, const char **at, size_t *length);

/* Index of the column of that name in the header line, -1: none. */
int csv_line_column(const char *header, const char *name);

/* The whole cell as a finite number; false: it is something else. */
bool csv_line_number(const char *at, size_t length, double *value);

/* Nothing but a comment or an empty line. */
bool csv_line_is_blank(const char *line);

/* The line after this one; at the end of the text its final NUL. */
const char *csv_line_next(const char *line);

#endif
