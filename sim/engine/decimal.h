/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A decimal number as it was written: digits x 10^exponent, both integers, so that 0.1 is one tenth
 * and the third step of 0.1 from 0 is 0.3. Up to 36 significant digits; what has more is refused
 * rather than rounded.
 */
#ifndef SIM_ENGINE_DECIMAL_H
#define SIM_ENGINE_DECIMAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 decimal_int;

/* 10^36: the bound of the digits, and of every result below. */
#define DECIMAL_DIGITS_MOST 36

struct decimal {
    decimal_int digits;
    int exponent; /* of ten */
};

enum decimal_status {
    DECIMAL_OK,
    DECIMAL_NONE,  /* no number at the start of the text */
    DECIMAL_RANGE, /* more than 36 digits, or beyond 1e300 or 1e-300 */
};

/* Reads [+-]digits[.digits][e[+-]digits] at the start of the text; *used gets the bytes read.
 * Leading zeros are allowed, blanks, "nan", "inf" and hexadecimal digits are not numbers. */
enum decimal_status decimal_read(const char *text, size_t *used, struct decimal *d);

/* The same value with its digits counted in units of 10^exponent; false: not exact or too large. */
bool decimal_at(struct decimal d, int exponent, decimal_int *digits);

/* d x factor; false: too large. */
bool decimal_times(struct decimal d, int64_t factor, struct decimal *product);

/* The whole number nearest to d, halves away from zero; false: beyond int64. *exact tells whether
 * it is d itself. */
bool decimal_round(struct decimal d, int64_t *whole, bool *exact);

/* d as an unsigned whole number; false: a fraction, negative, or beyond 2^64-1. */
bool decimal_u64(struct decimal d, uint64_t *whole);

double decimal_double(struct decimal d); /* the nearest double, the same on every machine */
bool decimal_whole(struct decimal d);    /* has no fraction */
int decimal_sign(struct decimal d);      /* -1, 0, 1 */

/* Plain digits without an exponent ("0.25", "1500"). Returns the length as snprintf does. */
int decimal_print(struct decimal d, char *buffer, size_t bytes);

/* The shortest decimal that reads back to this double; value finite. */
struct decimal decimal_from_double(double value);

#endif
