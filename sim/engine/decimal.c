/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/decimal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPONENT_MOST 300

static decimal_int power_of_ten(int exponent)
{
    decimal_int p = 1;

    while (exponent-- > 0) {
        p *= 10;
    }
    return p;
}

static decimal_int digits_limit(void)
{
    return power_of_ten(DECIMAL_DIGITS_MOST);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Takes zeros off the end of the digits, so that equal values look equal. */
static struct decimal normal(struct decimal d)
{
    if (d.digits == 0) {
        d.exponent = 0;
        return d;
    }
    while (d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

/* Reads the digits before and after the point; zeros that end up on the right are held back, so
 * that only significant digits count against the limit. */
static const char *read_digits(const char *at, struct decimal *d, bool *any, bool *too_many)
{
    bool point = false;
    int zeros = 0;

    for (;; at++) {
        if (*at == '.' && !point && is_digit(at[1]) && *any) {
            point = true;
            continue;
        }
        if (!is_digit(*at)) {
            break;
        }
        *any = true;
        d->exponent -= point ? 1 : 0;
        if (*at == '0') {
            zeros += d->digits != 0;
            d->exponent += d->digits != 0;
            continue;
        }
        for (; zeros > 0; zeros--) {
            if (d->digits > digits_limit() / 10) {
                *too_many = true;
                return at;
            }
            d->digits *= 10;
            d->exponent--;
        }
        if (d->digits > digits_limit() / 10 - 1) {
            *too_many = true;
            return at;
        }
        d->digits = d->digits * 10 + (*at - '0');
    }
    return at;
}

enum decimal_status decimal_read(const char *text, size_t *used, struct decimal *d)
{
    const char *at = text;
    bool negative = *at == '-', any = false, too_many = false;

    *d = (struct decimal){0};
    *used = 0;
    at += *at == '-' || *at == '+';
    at = read_digits(at, d, &any, &too_many);
    if (!any) {
        return DECIMAL_NONE;
    }
    while (too_many && (is_digit(*at) || *at == '.')) {
        at++;
    }
    if (*at == 'e' || *at == 'E') {
        const char *e = at + 1;
        bool down = *e == '-';
        int exponent = 0;

        e += *e == '-' || *e == '+';
        if (is_digit(*e)) {
            for (; is_digit(*e); e++) {
                exponent = exponent < 100000 ? exponent * 10 + (*e - '0') : exponent;
            }
            d->exponent += down ? -exponent : exponent;
            at = e;
        }
    }
    *used = (size_t)(at - text);
    d->digits = negative ? -d->digits : d->digits;
    *d = normal(*d);
    if (too_many || d->exponent > EXPONENT_MOST || d->exponent < -EXPONENT_MOST) {
        return DECIMAL_RANGE;
    }
    return DECIMAL_OK;
}

bool decimal_at(struct decimal d, int exponent, decimal_int *digits)
{
    decimal_int limit = digits_limit();

    d = normal(d);
    *digits = d.digits;
    if (d.digits == 0) {
        return true;
    }
    if (d.exponent < exponent) {
        return false;
    }
    for (; d.exponent > exponent; d.exponent--) {
        if (*digits >= limit / 10 || *digits <= -limit / 10) {
            return false;
        }
        *digits *= 10;
    }
    return true;
}

bool decimal_times(struct decimal d, int64_t factor, struct decimal *product)
{
    decimal_int digits;

    d = normal(d);
    if (__builtin_mul_overflow(d.digits, (decimal_int)factor, &digits) ||
        digits >= digits_limit() || digits <= -digits_limit()) {
        return false;
    }
    *product = normal((struct decimal){digits, d.exponent});
    return true;
}

bool decimal_round(struct decimal d, int64_t *whole, bool *exact)
{
    decimal_int digits, half;

    if (decimal_at(d, 0, &digits)) {
        *exact = true;
    } else {
        decimal_int divisor;

        d = normal(d);
        if (d.exponent >= 0) {
            return false;
        }
        *exact = false;
        if (-d.exponent > DECIMAL_DIGITS_MOST + 1) {
            *whole = 0;
            return true;
        }
        divisor = power_of_ten(-d.exponent);
        half = d.digits < 0 ? -divisor / 2 : divisor / 2;
        digits = (d.digits + half) / divisor;
    }
    if (digits > INT64_MAX || digits < INT64_MIN) {
        return false;
    }
    *whole = (int64_t)digits;
    return true;
}

bool decimal_u64(struct decimal d, uint64_t *whole)
{
    decimal_int digits;

    if (!decimal_at(d, 0, &digits) || digits < 0 || digits > (decimal_int)UINT64_MAX) {
        return false;
    }
    *whole = (uint64_t)digits;
    return true;
}

bool decimal_whole(struct decimal d)
{
    return normal(d).exponent >= 0;
}

int decimal_sign(struct decimal d)
{
    return d.digits > 0 ? 1 : d.digits < 0 ? -1 : 0;
}

/* Digits of |value| into the end of a buffer of 48; returns where they begin. */
static char *digits_text(decimal_int value, char buffer[48])
{
    char *at = buffer + 47;

    *at = '\0';
    do {
        int digit = (int)(value % 10);

        *--at = (char)('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    return at;
}

double decimal_double(struct decimal d)
{
    char digits[48], text[80];

    /* No decimal point, so that the answer does not depend on the locale. */
    snprintf(text, sizeof text, "%s%se%d", d.digits < 0 ? "-" : "", digits_text(d.digits, digits),
             d.exponent);
    return strtod(text, NULL);
}

int decimal_print(struct decimal d, char *buffer, size_t bytes)
{
    char room[48];
    const char *digits, *sign;
    int length, point;

    d = normal(d);
    sign = d.digits < 0 ? "-" : "";
    digits = digits_text(d.digits, room);
    length = (int)strlen(digits);
    point = length + d.exponent; /* digits before the point */
    if (d.exponent == 0) {
        return snprintf(buffer, bytes, "%s%s", sign, digits);
    }
    if (d.exponent > 0) {
        return snprintf(buffer, bytes, "%s%s%0*d", sign, digits, d.exponent, 0);
    }
    if (point > 0) {
        return snprintf(buffer, bytes, "%s%.*s.%s", sign, point, digits, digits + point);
    }
    if (point == 0) {
        return snprintf(buffer, bytes, "%s0.%s", sign, digits);
    }
    return snprintf(buffer, bytes, "%s0.%0*d%s", sign, -point, 0, digits);
}

struct decimal decimal_from_double(double value)
{
    char text[40];
    struct decimal d = {0};
    size_t used;

    for (int precision = 0; precision < 17; precision++) {
        snprintf(text, sizeof text, "%.*e", precision, value);
        for (char *c = text; *c; c++) {
            *c = *c == ',' ? '.' : *c;
        }
        if (decimal_read(text, &used, &d) == DECIMAL_OK && decimal_double(d) == value) {
            break;
        }
    }
    return d;
}
