/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters as text: values in canonical form, and limits in words.
 */
#include "sim/engine/param.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/decimal.h"
#include "sim/engine/unit.h"

/* Collects text that may not fit, and counts what it would take. */
struct out {
    char *buffer;
    size_t bytes, used;
};

static void put(struct out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct out *out, const char *format, ...)
{
    size_t room = out->used < out->bytes ? out->bytes - out->used : 0;
    va_list args;
    int length;

    va_start(args, format);
    length = vsnprintf(room ? out->buffer + out->used : NULL, room, format, args);
    va_end(args);
    out->used += length > 0 ? (size_t)length : 0;
}

static void put_double(struct out *out, double value)
{
    char text[400];

    decimal_print(decimal_from_double(value), text, sizeof text);
    put(out, "%s", text);
}

static void put_dist(struct out *out, const struct dist *dist)
{
    static const char *const names[] = {
        [DIST_UNIFORM] = "uniform", [DIST_LIST] = "list", [DIST_HISTOGRAM] = "histogram"};

    if (dist->kind == DIST_CONSTANT) {
        put(out, "%" PRIu64, dist->bin[0].low);
        return;
    }
    if (dist->kind == DIST_UNIFORM) {
        put(out, "{\"uniform\": [%" PRIu64 ", %" PRIu64 "]}", dist->bin[0].low, dist->bin[0].high);
        return;
    }
    put(out, "{\"%s\": [", names[dist->kind]);
    for (uint32_t i = 0; i < dist->count; i++) {
        put(out, "%s[%" PRIu64 ", ", i ? ", " : "", dist->bin[i].low);
        if (dist->kind == DIST_HISTOGRAM) {
            put(out, "%" PRIu64 ", ", dist->bin[i].high);
        }
        put_double(out, dist->bin[i].weight);
        put(out, "]");
    }
    put(out, "]}");
}

static void put_field(struct out *out, const struct param *row, const void *field);

static void put_array(struct out *out, const struct param *row, const void *field)
{
    const char *items = (const char *)field - row->offset + row->items_offset;
    uint32_t count;
    char text[PARAM_TEXT_BYTES];

    memcpy(&count, field, sizeof count);
    put(out, "[");
    for (uint32_t i = 0; i < count; i++) {
        put(out, "%s{", i ? ", " : "");
        for (size_t m = 0; m < row->item_count; m++) {
            const struct param *member = &row->item[m];
            const char *at = items + i * row->item_bytes + member->offset;
            bool bare = true;

            if (member->kind != PARAM_DIST) {
                param_print(member, at, text, sizeof text);
                bare = param_bare_in_json(member, text);
            }
            put(out, "%s\"%s\": %s", m ? ", " : "", member->path, bare ? "" : "\"");
            put_field(out, member, at);
            put(out, "%s", bare ? "" : "\"");
        }
        put(out, "}");
    }
    put(out, "]");
}

static void put_bytes(struct out *out, uint64_t value)
{
    char text[64];

    if (value == 0 || value % 1024 != 0 || value > INT64_MAX) {
        put(out, "%" PRIu64, value);
        return;
    }
    unit_print_whole(UNIT_BYTES, (int64_t)value, text, sizeof text);
    put(out, "%s", text);
}

static void put_number(struct out *out, const struct param *row, const void *field)
{
    char text[400];
    double value;
    sim_time time;

    if (row->kind == PARAM_TIME || row->kind == PARAM_COST) {
        memcpy(&time, field, sizeof time);
        unit_print_whole(UNIT_TIME, time, text, sizeof text);
        put(out, "%s", text);
        return;
    }
    memcpy(&value, field, sizeof value);
    if (row->kind == PARAM_RATIO) {
        put_double(out, value);
        return;
    }
    unit_print(row->kind == PARAM_PPS ? UNIT_PPS : UNIT_BPS, value, text, sizeof text);
    put(out, "%s", text);
}

static void put_field(struct out *out, const struct param *row, const void *field)
{
    uint32_t count;
    uint64_t u64;
    int choice;
    bool flag;
    struct dist dist;

    switch (row->kind) {
    case PARAM_BOOL:
        memcpy(&flag, field, sizeof flag);
        put(out, "%s", flag ? "true" : "false");
        break;
    case PARAM_COUNT:
        memcpy(&count, field, sizeof count);
        put(out, "%" PRIu32, count);
        break;
    case PARAM_U64:
        memcpy(&u64, field, sizeof u64);
        put(out, "%" PRIu64, u64);
        break;
    case PARAM_BYTES:
        memcpy(&u64, field, sizeof u64);
        put_bytes(out, u64);
        break;
    case PARAM_RATIO:
    case PARAM_PPS:
    case PARAM_BPS:
    case PARAM_TIME:
    case PARAM_COST:
        put_number(out, row, field);
        break;
    case PARAM_CHOICE:
        memcpy(&choice, field, sizeof choice);
        put(out, "%s", row->choices[choice].name);
        break;
    case PARAM_TEXT:
        put(out, "%s", (const char *)field);
        break;
    case PARAM_DIST:
        memcpy(&dist, field, sizeof dist);
        put_dist(out, &dist);
        break;
    case PARAM_ARRAY:
        put_array(out, row, field);
        break;
    }
}

int param_print(const struct param *row, const void *field, char *buffer, size_t bytes)
{
    struct out out = {.buffer = buffer, .bytes = bytes};

    if (bytes) {
        buffer[0] = '\0';
    }
    put_field(&out, row, field);
    return (int)out.used;
}

char *param_text(const struct param *row, const void *field)
{
    size_t bytes = (size_t)param_print(row, field, NULL, 0) + 1;
    char *text = malloc(bytes);

    if (!text) {
        abort();
    }
    param_print(row, field, text, bytes);
    return text;
}

int param_print_limit(const struct param *row, double limit, char *buffer, size_t bytes)
{
    switch (row->kind) {
    case PARAM_TIME:
    case PARAM_COST:
        return unit_print(UNIT_TIME, limit, buffer, bytes);
    case PARAM_PPS:
        return unit_print(UNIT_PPS, limit, buffer, bytes);
    case PARAM_BPS:
        return unit_print(UNIT_BPS, limit, buffer, bytes);
    default:
        return decimal_print(decimal_from_double(limit), buffer, bytes);
    }
}

int param_limits(const struct param *row, char *buffer, size_t bytes)
{
    struct out out = {.buffer = buffer, .bytes = bytes};
    char least[400], most[400];
    bool limited = row->least != 0 || row->most != 0, upper;

    if (bytes) {
        buffer[0] = '\0';
    }
    upper = (row->most != 0 || row->least < 0) && row->most < 1e18;
    if (limited || row->above_zero) {
        param_print_limit(row, row->least, least, sizeof least);
        param_print_limit(row, row->clamps ? UINT32_MAX : row->most, most, sizeof most);
        if (row->above_zero || !upper) {
            put(&out, "%s %s", row->above_zero ? ">" : ">=", row->above_zero ? "0" : least);
            if (upper) {
                put(&out, " and %s %s", row->below_most ? "<" : "<=", most);
            }
        } else if (row->below_most) {
            put(&out, ">= %s and < %s", least, most);
        } else {
            put(&out, "%s..%s", least, most);
        }
    }
    if (row->clamps) {
        put(&out, " (above %.0f is clamped)", row->most);
    }
    if (row->power_of_two) {
        put(&out, "%sa power of two", out.used ? ", " : "");
    }
    return (int)out.used;
}
