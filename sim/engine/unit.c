/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/unit.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sim/engine/decimal.h"
#include "sim/engine/time.h"

struct unit {
    const char *name;
    int64_t factor; /* base units in one of it */
    bool prints;    /* used for output; the others are further spellings */
};

/* Each from small to large; of two spellings the one that prints stands first. */
static const struct unit time_units[] = {
    {"ps", 1, true},
    {"ns", SIM_NS, true},
    {"us", SIM_US, true},
    {"ms", SIM_MS, true},
    {"s", SIM_S, true},
    {"min", 60 * SIM_S, false},
    {"h", 3600 * SIM_S, false},
    {"d", 86400 * SIM_S, false},
    {0},
};

static const struct unit pps_units[] = {
    {"pps", 1, true},           {"kpps", 1000, true},    {"Mpps", 1000000, true},
    {"Gpps", 1000000000, true}, {"packets/s", 1, false}, {0},
};

static const struct unit bps_units[] = {
    {"bit/s", 1, true},
    {"kbit/s", 1000, true},
    {"Mbit/s", 1000000, true},
    {"Gbit/s", 1000000000, true},
    {"Tbit/s", INT64_C(1000000000000), true},
    {"bps", 1, false},
    {"kbps", 1000, false},
    {"Mbps", 1000000, false},
    {"Gbps", 1000000000, false},
    {"Tbps", INT64_C(1000000000000), false},
    {0},
};

static const struct unit byte_units[] = {
    {"B", 1, true},
    {"KiB", 1024, true},
    {"MiB", 1048576, true},
    {"GiB", 1073741824, true},
    {"kB", 1000, false},
    {"MB", 1000000, false},
    {"GB", 1000000000, false},
    {0},
};

struct family {
    const struct unit *units;
    const char *what;    /* "a time" */
    const char *example; /* of a whole quantity */
    const char *list;
};

static const struct family families[] = {
    [UNIT_TIME] = {time_units, "a time", "200ms", "ps, ns, us, ms, s, min, h, d"},
    [UNIT_PPS] = {pps_units, "a packet rate", "100kpps", "pps, kpps, Mpps, Gpps"},
    [UNIT_BPS] = {bps_units, "a bit rate", "10Gbit/s",
                  "bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, bps, kbps, Mbps, Gbps, Tbps"},
    [UNIT_BYTES] = {byte_units, "a size", "64KiB", "B, KiB, MiB, GiB, kB, MB, GB"},
};

static const struct unit *find(const struct unit *units, const char *name)
{
    for (; units->name; units++) {
        if (strcmp(units->name, name) == 0) {
            return units;
        }
    }
    return NULL;
}

/* The unit that differs in case only: m and M are a factor of 1e9 apart, so it is a hint, never a
 * guess. */
static const struct unit *find_any_case(const struct unit *units, const char *name)
{
    for (; units->name; units++) {
        if (strcasecmp(units->name, name) == 0) {
            return units;
        }
    }
    return NULL;
}

/* How units are spelled elsewhere, in small letters, and what they are called here. */
static const struct habit {
    const char *name, *unit;
} habits[] = {
    {"sec", "s"},        {"secs", "s"},       {"second", "s"},    {"seconds", "s"},
    {"msec", "ms"},      {"msecs", "ms"},     {"usec", "us"},     {"usecs", "us"},
    {"\xc2\xb5s", "us"}, {"\xce\xbcs", "us"}, {"nsec", "ns"},     {"nsecs", "ns"},
    {"mins", "min"},     {"minute", "min"},   {"minutes", "min"}, {"hour", "h"},
    {"hours", "h"},      {"day", "d"},        {"days", "d"},      {"packets", "pps"},
    {"packet/s", "pps"}, {"pkts/s", "pps"},   {"pkt/s", "pps"},   {"p/s", "pps"},
    {"bits/s", "bit/s"}, {"b/s", "bit/s"},    {"byte", "B"},      {"bytes", "B"},
    {"k", "KiB"},        {"m", "MiB"},        {"g", "GiB"},
};

static const struct unit *find_habit(const struct unit *units, const char *name)
{
    for (size_t i = 0; i < sizeof habits / sizeof habits[0]; i++) {
        if (strcasecmp(habits[i].name, name) == 0 && find(units, habits[i].unit)) {
            return find(units, habits[i].unit);
        }
    }
    return NULL;
}

static bool refuse_unit(enum unit_family family, const char *text, size_t number, const char *name,
                        struct error *error)
{
    const struct family *f = &families[family];
    const struct unit *near = find_any_case(f->units, name);
    static const char bits[] = "kMGT";

    near = near ? near : find_habit(f->units, name);
    if (near) {
        return error_set(error, ERROR_INPUT, "", "unknown unit %.20s; did you mean %s?", name,
                         near->name);
    }
    if (isdigit((unsigned char)name[strcspn(name, "0123456789")])) {
        return error_set(error, ERROR_INPUT, "",
                         "\"%.40s\": one number and one unit, for instance \"%s\"", text,
                         f->example);
    }
    if ((family == UNIT_PPS || family == UNIT_BPS) && name[0] && strchr(bits, name[0]) &&
        (strcmp(name + 1, "b") == 0 || strcmp(name + 1, "bit") == 0)) {
        return error_set(error, ERROR_INPUT, "",
                         "\"%.40s\": %.20s alone is not a rate; write %.*s%cbit/s (or %.*s%cbps)%s",
                         text, name, (int)number, text, name[0], (int)number, text, name[0],
                         family == UNIT_PPS ? " where a bit rate is asked for; here packets/s, "
                                              "for instance \"100kpps\""
                                            : "");
    }
    for (size_t other = 0; other < sizeof families / sizeof families[0]; other++) {
        if (find(families[other].units, name)) {
            return error_set(error, ERROR_INPUT, "",
                             "\"%.40s\" is %s; needs %s, for instance \"%s\"", text,
                             families[other].what, f->what, f->example);
        }
    }
    return error_set(error, ERROR_INPUT, "", "unknown unit \"%.20s\"; one of %s", name, f->list);
}

/* Splits "number unit"; *unit is NULL for a bare number. */
static bool split(enum unit_family family, const char *text, bool bare_ok, struct decimal *number,
                  const struct unit **unit, struct error *error)
{
    const struct family *f = &families[family];
    char name[32];
    size_t used, length;
    const char *at;

    switch (decimal_read(text, &used, number)) {
    case DECIMAL_OK:
        break;
    case DECIMAL_NONE:
        return error_set(error, ERROR_INPUT, "",
                         "\"%.40s\": not a number with unit, for instance \"%s\"", text,
                         f->example);
    case DECIMAL_RANGE:
        return error_set(error, ERROR_INPUT, "", "\"%.40s\": number out of range", text);
    }
    if (text[0] == '+' ||
        (text[text[0] == '-'] == '0' && (text[used] == 'x' || text[used] == 'X'))) {
        return error_set(error, ERROR_INPUT, "",
                         "\"%.40s\": not a number with unit, for instance \"%s\"", text,
                         f->example);
    }
    at = text + used;
    at += *at == ' ';
    length = strlen(at);
    if (length == 0) {
        if (!bare_ok) {
            return error_set(error, ERROR_INPUT, "", "%.40s: needs a unit, for instance \"%s\"",
                             text, f->example);
        }
        *unit = f->units;
        return true;
    }
    snprintf(name, sizeof name, "%.*s", (int)(length < 31 ? length : 31), at);
    *unit = length < sizeof name ? find(f->units, name) : NULL;
    return *unit ? true : refuse_unit(family, text, used, name, error);
}

bool unit_read_decimal(enum unit_family family, const char *text, bool bare_ok,
                       struct decimal *base, struct error *error)
{
    const struct unit *unit = NULL;
    struct decimal number;

    if (!split(family, text, bare_ok, &number, &unit, error)) {
        return false;
    }
    if (!decimal_times(number, unit->factor, base)) {
        return error_set(error, ERROR_INPUT, "", "\"%.40s\": number out of range", text);
    }
    return true;
}

bool unit_read(enum unit_family family, const char *text, bool bare_ok, double *value,
               int64_t *whole, struct error *error)
{
    struct decimal base;
    bool exact;

    if (!unit_read_decimal(family, text, bare_ok, &base, error)) {
        return false;
    }
    if (value) {
        *value = decimal_double(base);
    }
    if (!whole || family == UNIT_PPS || family == UNIT_BPS) {
        return true;
    }
    if (!decimal_round(base, whole, &exact)) {
        return error_set(error, ERROR_INPUT, "", "\"%.40s\": %s", text,
                         family == UNIT_TIME ? "longer than 100 days" : "number out of range");
    }
    if (!exact && family == UNIT_BYTES) {
        return error_set(error, ERROR_INPUT, "", "\"%.40s\": not a whole number of bytes", text);
    }
    return true;
}

/* base / unit as a decimal; false: not a finite one. Decimal units always divide. */
static bool divide(struct decimal base, const struct unit *unit, struct decimal *quotient)
{
    int64_t factor = unit->factor;
    int zeros = 0;
    decimal_int digits;

    while (factor % 10 == 0) {
        factor /= 10;
        zeros++;
    }
    if (factor != 1) {
        if (!decimal_at(base, 0, &digits) || digits % unit->factor != 0) {
            return false;
        }
        *quotient = (struct decimal){digits / unit->factor, 0};
        return true;
    }
    *quotient = (struct decimal){base.digits, base.exponent - zeros};
    return true;
}

static int print(enum unit_family family, struct decimal base, char *buffer, size_t bytes)
{
    const struct unit *units = families[family].units, *best = NULL;
    struct decimal quotient, best_quotient = base;
    char number[400];

    for (const struct unit *u = units; u->name; u++) {
        double size;

        if (!u->prints || !divide(base, u, &quotient)) {
            continue;
        }
        size = fabs(decimal_double(quotient));
        if (!best || size >= 1) {
            best = u;
            best_quotient = quotient;
        }
    }
    if (base.digits == 0 && family == UNIT_TIME) {
        best = find(units, "ns");
    }
    decimal_print(best_quotient, number, sizeof number);
    return snprintf(buffer, bytes, "%s%s", number, best ? best->name : "");
}

int unit_print(enum unit_family family, double value, char *buffer, size_t bytes)
{
    return print(family, decimal_from_double(value), buffer, bytes);
}

int unit_print_whole(enum unit_family family, int64_t value, char *buffer, size_t bytes)
{
    return print(family, (struct decimal){value, 0}, buffer, bytes);
}

int unit_show(enum unit_family family, double value, char *buffer, size_t bytes)
{
    const struct unit *best = families[family].units;

    if (!isfinite(value)) {
        return snprintf(buffer, bytes, "n/a");
    }
    for (const struct unit *u = families[family].units; u->name; u++) {
        if (u->prints && fabs(value) >= (double)u->factor) {
            best = u;
        }
    }
    return snprintf(buffer, bytes, "%.4g %s", value / (double)best->factor, best->name);
}

const char *unit_example(enum unit_family family)
{
    return families[family].example;
}

const char *unit_list(enum unit_family family)
{
    return families[family].list;
}
