/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/range.h"

#include <stdio.h>
#include <string.h>

#include "sim/engine/unit.h"

/* Below this factor a geometric range has more values than anybody reads. */
#define FACTOR_LEAST "1.01"

static bool has_unit(enum param_kind kind)
{
    return kind == PARAM_TIME || kind == PARAM_COST || kind == PARAM_PPS || kind == PARAM_BPS ||
           kind == PARAM_BYTES;
}

static enum unit_family family_of(enum param_kind kind)
{
    return kind == PARAM_PPS     ? UNIT_PPS
           : kind == PARAM_BPS   ? UNIT_BPS
           : kind == PARAM_BYTES ? UNIT_BYTES
                                 : UNIT_TIME;
}

static bool is_whole(enum param_kind kind)
{
    return kind == PARAM_COUNT || kind == PARAM_U64 || kind == PARAM_BYTES || kind == PARAM_DIST;
}

static bool read_plain(const char *text, struct decimal *value, struct error *error)
{
    size_t used;
    enum decimal_status status = decimal_read(text, &used, value);

    if (status == DECIMAL_NONE || text[used] != '\0') {
        return error_set(error, ERROR_INPUT, "", "\"%.40s\" is not a number", text);
    }
    if (status == DECIMAL_RANGE) {
        return error_set(error, ERROR_INPUT, "", "\"%.40s\": number out of range", text);
    }
    return true;
}

static bool read_end(enum param_kind kind, const char *text, struct decimal *value,
                     struct error *error)
{
    if (has_unit(kind)) {
        return unit_read_decimal(family_of(kind), text, kind == PARAM_BYTES, value, error);
    }
    return read_plain(text, value, error);
}

/* a - b over a common exponent; false: too far apart to be exact. */
static bool difference(struct decimal a, struct decimal b, struct decimal *d)
{
    int exponent = a.exponent < b.exponent ? a.exponent : b.exponent;
    decimal_int x, y;

    if (a.digits == 0) {
        exponent = b.exponent;
    } else if (b.digits == 0) {
        exponent = a.exponent;
    }
    if (!decimal_at(a, exponent, &x) || !decimal_at(b, exponent, &y)) {
        return false;
    }
    *d = (struct decimal){x - y, exponent};
    return true;
}

static bool refuse_scale(struct error *error)
{
    return error_set(error, ERROR_INPUT, "", "from, to and step are too far apart");
}

static bool count_steps(struct range *range, const char *from, const char *to, struct error *error)
{
    struct decimal span;
    decimal_int steps, width;
    int exponent;

    if (range->step.digits == 0) {
        return error_set(error, ERROR_INPUT, "", "step must not be 0");
    }
    if (!difference(range->to, range->from, &span)) {
        return refuse_scale(error);
    }
    exponent = span.exponent < range->step.exponent ? span.exponent : range->step.exponent;
    if (!decimal_at(span, exponent, &width) || !decimal_at(range->step, exponent, &steps)) {
        return refuse_scale(error);
    }
    if (width != 0 && (width < 0) != (steps < 0)) {
        return error_set(error, ERROR_INPUT, "",
                         "range is empty: from %.40s the step never reaches %.40s", from, to);
    }
    width = width / steps;
    range->count = width >= (decimal_int)UINT64_MAX ? UINT64_MAX : (uint64_t)width + 1;
    return true;
}

/* d x factor; a product beyond 18 digits is rounded there, which no axis can tell. */
static struct decimal grow(struct decimal d, struct decimal factor)
{
    const decimal_int limit = (decimal_int)1000000000000000000;
    struct decimal f = factor;

    while (d.digits >= limit) {
        d.digits = (d.digits + 5) / 10;
        d.exponent++;
    }
    while (f.digits >= limit) {
        f.digits = (f.digits + 5) / 10;
        f.exponent++;
    }
    d.digits *= f.digits;
    d.exponent += f.exponent;
    while (d.digits != 0 && d.digits % 10 == 0) {
        d.digits /= 10;
        d.exponent++;
    }
    return d;
}

static bool count_factors(struct range *range, const char *from, const char *to,
                          struct error *error)
{
    struct decimal least, at;
    size_t used;
    double end = decimal_double(range->to);

    decimal_read(FACTOR_LEAST, &used, &least);
    if (decimal_double(range->factor) < decimal_double(least)) {
        return error_set(error, ERROR_INPUT, "", "factor must be at least %s, or it never ends",
                         FACTOR_LEAST);
    }
    if (decimal_sign(range->from) <= 0) {
        return error_set(error, ERROR_INPUT, "", "from must be > 0 with a factor, got %.40s", from);
    }
    if (decimal_double(range->from) > end) {
        return error_set(error, ERROR_INPUT, "", "range is empty: %.40s is above %.40s", from, to);
    }
    for (at = range->from; decimal_double(at) <= end; at = grow(at, range->factor)) {
        range->count++;
    }
    return true;
}

bool range_read(struct range *range, const struct param *row, const char *from, const char *to,
                const char *step, const char *factor, struct error *error)
{
    enum param_kind kind = row ? row->kind : PARAM_RATIO;

    memset(range, 0, sizeof *range);
    range->kind = kind;
    if (kind == PARAM_BOOL || kind == PARAM_CHOICE || kind == PARAM_TEXT || kind == PARAM_ARRAY) {
        return error_set(error, ERROR_INPUT, "", "%s takes a list, not a range",
                         param_kind_name(kind));
    }
    if (!read_end(kind, from, &range->from, error) || !read_end(kind, to, &range->to, error)) {
        return false;
    }
    if (step && factor) {
        return error_set(error, ERROR_INPUT, "", "step and factor exclude each other");
    }
    if (factor) {
        range->geometric = true;
        return read_plain(factor, &range->factor, error) && count_factors(range, from, to, error);
    }
    if (step) {
        return read_end(kind, step, &range->step, error) && count_steps(range, from, to, error);
    }
    if (row && !is_whole(kind)) {
        return error_set(error, ERROR_INPUT, "",
                         "range needs a step or a factor, for instance "
                         "\"%.20s..%.20s step %.20s\"",
                         from, to, from);
    }
    range->step = (struct decimal){1, 0};
    return count_steps(range, from, to, error);
}

bool range_is(const char *text)
{
    return strstr(text, "..") != NULL;
}

bool range_meant(const char *text, char *range, size_t bytes)
{
    size_t from = strspn(text, "0123456789."), to;

    if (from == 0 || text[from] != '-') {
        return false;
    }
    to = strspn(text + from + 1, "0123456789.");
    if (to == 0) {
        return false;
    }
    snprintf(range, bytes, "%.*s..%s", (int)from, text, text + from + 1);
    return true;
}

/* Copies without the blanks around. */
static void copy_trimmed(char *to, size_t bytes, const char *from, size_t length)
{
    while (length > 0 && *from == ' ') {
        from++;
        length--;
    }
    while (length > 0 && from[length - 1] == ' ') {
        length--;
    }
    snprintf(to, bytes, "%.*s", (int)(length < bytes ? length : bytes - 1), from);
}

bool range_parse(struct range *range, const struct param *row, const char *text,
                 struct error *error)
{
    const char *dots = strstr(text, ".."), *rest, *step, *star;
    char from[64], to[64], by[64];

    if (!dots || strlen(text) > 180) {
        return error_set(error, ERROR_INPUT, "",
                         "\"%.40s\": a range is \"a..b\", \"a..b step s\" or \"a..b*f\"", text);
    }
    if (strchr(text, ',')) {
        return error_set(error, ERROR_INPUT, "",
                         "\"%.40s\": several ranges or values are a list, [\"0..4\", 8]", text);
    }
    rest = dots + 2;
    step = strstr(rest, " step ");
    star = strchr(rest, '*');
    copy_trimmed(from, sizeof from, text, (size_t)(dots - text));
    if (step) {
        copy_trimmed(to, sizeof to, rest, (size_t)(step - rest));
        copy_trimmed(by, sizeof by, step + 6, strlen(step + 6));
        return range_read(range, row, from, to, by, NULL, error);
    }
    if (star) {
        copy_trimmed(to, sizeof to, rest, (size_t)(star - rest));
        copy_trimmed(by, sizeof by, star + 1, strlen(star + 1));
        return range_read(range, row, from, to, NULL, by, error);
    }
    copy_trimmed(to, sizeof to, rest, strlen(rest));
    return range_read(range, row, from, to, NULL, NULL, error);
}

void range_walk_init(struct range_walk *walk, const struct range *range)
{
    *walk = (struct range_walk){.range = range, .next = range->from};
}

static struct decimal step_from(const struct range *range, uint64_t index)
{
    int exponent = range->step.exponent;
    decimal_int from, step;

    if (range->from.digits != 0 && range->from.exponent < exponent) {
        exponent = range->from.exponent;
    }
    /* Both fit: count_steps() brought them to a common exponent already. */
    if (!decimal_at(range->from, exponent, &from) || !decimal_at(range->step, exponent, &step)) {
        return range->from;
    }
    return (struct decimal){from + step * (decimal_int)index, exponent};
}

static const char *base_unit(enum param_kind kind)
{
    switch (kind) {
    case PARAM_TIME:
    case PARAM_COST:
        return "ps";
    case PARAM_PPS:
        return "pps";
    case PARAM_BPS:
        return "bit/s";
    default:
        return "";
    }
}

bool range_walk_next(struct range_walk *walk, char text[RANGE_TEXT_BYTES])
{
    const struct range *range = walk->range;

    while (walk->index < range->count) {
        struct decimal value = range->geometric ? walk->next : step_from(range, walk->index);
        char number[60];
        int64_t whole;
        bool exact;

        walk->index++;
        if (range->geometric) {
            walk->next = grow(walk->next, range->factor);
            if (is_whole(range->kind) && decimal_round(value, &whole, &exact)) {
                value = (struct decimal){whole, 0};
            }
        }
        if (decimal_print(value, number, sizeof number) >= (int)sizeof number) {
            snprintf(number, sizeof number, "%.17g", decimal_double(value));
        }
        snprintf(text, RANGE_TEXT_BYTES, "%s%s", number, base_unit(range->kind));
        if (walk->index > 1 && range->geometric && strcmp(text, walk->last) == 0) {
            continue;
        }
        snprintf(walk->last, sizeof walk->last, "%s", text);
        return true;
    }
    return false;
}
