/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_csv_field.h"

#include <string.h>

#define PS_EXPONENT 12
#define DIGITS_MOST 18 /* of each part of a number */

static bool blank(char c)
{
    return c == ' ' || c == '\t';
}

static const char *quoted_end(const char *at, const char *end)
{
    while (at < end) {
        const char *quote = memchr(at, '"', (size_t)(end - at));

        if (!quote) {
            return NULL;
        }
        if (quote + 1 == end || quote[1] != '"') {
            return quote;
        }
        at = quote + 2;
    }
    return NULL;
}

bool csv_field_next(const char **at, const char *end, char delimiter, struct csv_field *field)
{
    const char *begin = *at, *stop;

    while (begin < end && blank(*begin) && *begin != delimiter) {
        begin++;
    }
    field->quoted = begin < end && *begin == '"';
    if (field->quoted) {
        const char *close = quoted_end(begin + 1, end);

        field->text = begin + 1;
        field->bytes = close ? (size_t)(close - begin - 1) : (size_t)(end - begin - 1);
        if (!close) {
            return false;
        }
        stop = close + 1;
        while (stop < end && blank(*stop) && *stop != delimiter) {
            stop++;
        }
        *at = stop < end ? stop + 1 : NULL;
        return stop == end || *stop == delimiter;
    }
    stop = begin;
    while (stop < end && *stop != delimiter) {
        stop++;
    }
    *at = stop < end ? stop + 1 : NULL;
    while (stop > begin && blank(stop[-1])) {
        stop--;
    }
    field->text = begin;
    field->bytes = (size_t)(stop - begin);
    return true;
}

/* [+-]digits of an exponent; false: none. */
static bool read_exponent(const char **at, const char *end, int *exponent)
{
    const char *p = *at;
    bool minus = false;
    int value = 0;

    if (p < end && (*p == '+' || *p == '-')) {
        minus = *p++ == '-';
    }
    if (p == end || *p < '0' || *p > '9') {
        return false;
    }
    for (; p < end && *p >= '0' && *p <= '9'; p++) {
        value = value < 1000 ? 10 * value + (*p - '0') : value;
    }
    *exponent += minus ? -value : value;
    *at = p;
    return true;
}

/* Digits x 10^exponent, rounded down; false: beyond 10^24. */
static bool scale(csv_ps digits, int exponent, csv_ps *value)
{
    static const int64_t power[] = {1,           10,           100,          1000,      10000,
                                    100000,      1000000,      10000000,     100000000, 1000000000,
                                    10000000000, 100000000000, 1000000000000};
    const csv_ps most = (csv_ps)power[12] * power[12];

    if (exponent >= 0 && exponent <= 12) {
        digits *= power[exponent];
    } else {
        for (; exponent > 0 && digits != 0 && digits <= most; exponent--) {
            digits *= 10;
        }
        for (; exponent < 0 && digits != 0; exponent++) {
            digits /= 10;
        }
    }
    *value = digits;
    return digits <= most;
}

/* Digits from *at on; those after the 18th are dropped when `fine`, else there is none of them.
 * Returns how many count, -1: too many. */
static int read_digits(const char **at, const char *end, bool fine, uint64_t *value)
{
    const char *p = *at;
    int count = 0;

    *value = 0;
    for (; p < end; p++) {
        unsigned digit = (unsigned)(unsigned char)*p - '0';

        if (digit > 9) {
            break;
        }
        if (count < DIGITS_MOST) {
            *value = 10 * *value + digit;
            count++;
        } else if (!fine) {
            return -1;
        }
    }
    *at = p;
    return count;
}

bool csv_time(const struct csv_field *field, int exponent, csv_ps *ps, const char **rest)
{
    const char *p = field->text, *end = p + field->bytes;
    const bool minus = p < end && *p == '-';
    uint64_t whole, fraction = 0;
    int wholes, fractions = 0;
    csv_ps above, below = 0;

    *rest = p;
    p += minus ? 1 : 0;
    wholes = read_digits(&p, end, false, &whole);
    if (p < end && *p == '.') {
        p++;
        fractions = read_digits(&p, end, true, &fraction);
    }
    if (wholes < 0 || wholes + fractions == 0) {
        return false;
    }
    if (p < end && (*p == 'e' || *p == 'E')) {
        const char *behind = p + 1;

        if (read_exponent(&behind, end, &exponent)) {
            p = behind;
        }
    }
    *rest = p;
    if (!scale((csv_ps)whole, exponent + PS_EXPONENT, &above) ||
        !scale((csv_ps)fraction, exponent + PS_EXPONENT - fractions, &below)) {
        return false;
    }
    *ps = minus ? -(above + below) : above + below;
    return p == end;
}

bool csv_whole(const struct csv_field *field, uint32_t *value)
{
    uint64_t number = 0;

    if (field->bytes == 0 || field->bytes > 10) {
        return false;
    }
    for (size_t i = 0; i < field->bytes; i++) {
        unsigned digit = (unsigned)(unsigned char)field->text[i] - '0';

        if (digit > 9) {
            return false;
        }
        number = 10 * number + digit;
    }
    *value = (uint32_t)number;
    return number < UINT32_MAX;
}
