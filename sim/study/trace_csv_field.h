/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A line of CSV, field by field, and the numbers in them. Numbers are read digit by digit: no
 * locale, no "nan", no hexadecimal, and nothing may be left over.
 */
#ifndef SIM_STUDY_TRACE_CSV_FIELD_H
#define SIM_STUDY_TRACE_CSV_FIELD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct csv_field {
    const char *text; /* blanks around and quotes removed */
    size_t bytes;
    bool quoted;
};

/* Takes the field at *at, and its delimiter: *at is NULL behind the last one. False: a quote is not
 * closed, or text stands behind it. A doubled quote within quotes stays two. */
bool csv_field_next(const char **at, const char *end, char delimiter, struct csv_field *field);

__extension__ typedef __int128 csv_ps;

/* The whole field as a time in units of 10^exponent seconds, in picoseconds, rounded down; false:
 * it is none, or beyond 10^24. *rest is where it stops being a number. */
bool csv_time(const struct csv_field *field, int exponent, csv_ps *ps, const char **rest);

/* The whole field as a number without sign and fraction, below 2^32-1. */
bool csv_whole(const struct csv_field *field, uint32_t *value);

#endif
