/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Units: one table per family, used both to read and to print. A quantity is one decimal number
 * and one unit, with or without a blank between them ("200ms", "1.5 us", "100kpps", "10Gbit/s",
 * "64KiB"); decimals are exact (scaled integers, never binary fractions of ten). What strtod would
 * take besides (nan, inf, hexadecimal) is refused, and so are wrong case and bits for bytes.
 */
#ifndef SIM_ENGINE_UNIT_H
#define SIM_ENGINE_UNIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/decimal.h"
#include "sim/engine/error.h"

enum unit_family { UNIT_TIME, UNIT_PPS, UNIT_BPS, UNIT_BYTES };

/* Reads "number unit" into base units (ps, packets/s, bit/s, bytes). bare_ok: a number without unit
 * is in base units (bytes only). Times and bytes must come out whole (a fraction below a picosecond
 * is rounded, a fraction of a byte refused). The text of the error names what was wrong and a hint.
 */
bool unit_read(enum unit_family family, const char *text, bool bare_ok, double *value,
               int64_t *whole, struct error *error);

/* The same without rounding anything: the base of exact steps. */
bool unit_read_decimal(enum unit_family family, const char *text, bool bare_ok,
                       struct decimal *base, struct error *error);

/* An exact spelling in the largest unit that keeps the number at 1 or above; it reads back to the
 * same value. Returns the length as snprintf. */
int unit_print(enum unit_family family, double value, char *buffer, size_t bytes);
int unit_print_whole(enum unit_family family, int64_t value, char *buffer, size_t bytes);

/* Prints a measured value for people with four significant digits and a fitting unit. */
int unit_show(enum unit_family family, double value, char *buffer, size_t bytes);

/* For messages and help: one whole quantity ("200ms"), and the unit names of the family. */
const char *unit_example(enum unit_family family);
const char *unit_list(enum unit_family family);

#endif
