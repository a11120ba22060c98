/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/json_out.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"

void json_init(struct json_out *json, FILE *out, int indent)
{
    memset(json, 0, sizeof *json);
    json->out = out;
    json->indent = indent;
}

void json_number_text(double value, char buffer[JSON_NUMBER_BYTES])
{
    if (!isfinite(value)) {
        snprintf(buffer, JSON_NUMBER_BYTES, "null");
        return;
    }
    if (value == 0) { /* -0 reads back as another double, but nobody means it */
        snprintf(buffer, JSON_NUMBER_BYTES, "0");
        return;
    }
    if (fabs(value) < 0x1p53 && value == trunc(value)) {
        snprintf(buffer, JSON_NUMBER_BYTES, "%.0f", value);
        return;
    }
    /* 15 digits always survive, but of subnormal numbers; %g drops the zeros at their end */
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        snprintf(buffer, JSON_NUMBER_BYTES, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value) { // NOLINT: exact equality is the point
            return;
        }
    }
}

/* Length of the UTF-8 sequence at s, or 0 when it is not one (surrogates and overlong forms are
 * not). */
static size_t utf8_length(const unsigned char *s)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t length = s[0] < 0x80       ? 1
                    : s[0] >> 5 == 6  ? 2
                    : s[0] >> 4 == 14 ? 3
                    : s[0] >> 3 == 30 ? 4
                                      : 0;
    uint32_t code;

    if (length <= 1) {
        return length;
    }
    code = s[0] & (0x7fu >> length);
    for (size_t i = 1; i < length; i++) {
        if (s[i] >> 6 != 2) {
            return 0;
        }
        code = code << 6 | (s[i] & 0x3fu);
    }
    if (code < least[length] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) {
        return 0;
    }
    return length;
}

static void write_string(FILE *out, const char *text)
{
    const unsigned char *s = (const unsigned char *)text;

    fputc('"', out);
    while (*s) {
        size_t length = utf8_length(s);

        if (length == 0) {
            fputs("\xef\xbf\xbd", out);
            length = 1;
        } else if (*s == '"' || *s == '\\') {
            fputc('\\', out);
            fputc(*s, out);
        } else if (*s == '\n') {
            fputs("\\n", out);
        } else if (*s == '\t') {
            fputs("\\t", out);
        } else if (*s < 0x20 || *s == 0x7f) {
            fprintf(out, "\\u%04x", *s);
        } else {
            fwrite(s, 1, length, out);
        }
        s += length;
    }
    fputc('"', out);
}

static void new_line(struct json_out *json)
{
    if (json->depth <= json->indent) {
        fprintf(json->out, "\n%*s", 2 * json->depth, "");
    }
}

/* What stands before a value: the comma, the line break, the key. */
static void begin(struct json_out *json, const char *key)
{
    if (json->depth > 0) {
        bool *filled = &json->level[json->depth - 1].filled;

        sim_assert((key != NULL) == !json->level[json->depth - 1].array, 0,
                   "a member of an object has a key, one of an array has none");
        if (*filled) {
            fputs(json->depth <= json->indent ? "," : ", ", json->out);
        }
        *filled = true;
        new_line(json);
    }
    if (key) {
        write_string(json->out, key);
        fputs(": ", json->out);
    }
}

static void open_level(struct json_out *json, const char *key, bool array)
{
    begin(json, key);
    sim_assert(json->depth < JSON_OUT_DEPTH, 0, "document is nested too deep");
    fputc(array ? '[' : '{', json->out);
    json->level[json->depth].array = array;
    json->level[json->depth].filled = false;
    json->depth++;
}

void json_object(struct json_out *json, const char *key)
{
    open_level(json, key, false);
}

void json_array(struct json_out *json, const char *key)
{
    open_level(json, key, true);
}

void json_end(struct json_out *json)
{
    bool filled;

    sim_assert(json->depth > 0, 0, "nothing is open");
    filled = json->level[json->depth - 1].filled;
    if (filled && json->depth <= json->indent) {
        json->depth--;
        new_line(json);
    } else {
        json->depth--;
    }
    fputc(json->level[json->depth].array ? ']' : '}', json->out);
    if (json->depth == 0) {
        fputc('\n', json->out);
    }
}

void json_text(struct json_out *json, const char *key, const char *text)
{
    begin(json, key);
    if (text) {
        write_string(json->out, text);
    } else {
        fputs("null", json->out);
    }
}

void json_number(struct json_out *json, const char *key, double value)
{
    char buffer[JSON_NUMBER_BYTES];

    json_number_text(value, buffer);
    begin(json, key);
    fputs(buffer, json->out);
}

void json_integer(struct json_out *json, const char *key, int64_t value)
{
    begin(json, key);
    fprintf(json->out, "%" PRId64, value);
}

void json_unsigned(struct json_out *json, const char *key, uint64_t value)
{
    begin(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void json_bool(struct json_out *json, const char *key, bool value)
{
    begin(json, key);
    fputs(value ? "true" : "false", json->out);
}

void json_null(struct json_out *json, const char *key)
{
    begin(json, key);
    fputs("null", json->out);
}

/* A number by the grammar of JSON, and nothing after it. */
static bool is_number(const char *s)
{
    s += *s == '-';
    if (*s == '0') {
        s++;
    } else {
        size_t digits = strspn(s, "0123456789");

        if (digits == 0) {
            return false;
        }
        s += digits;
    }
    if (*s == '.') {
        size_t digits = strspn(s + 1, "0123456789");

        if (digits == 0) {
            return false;
        }
        s += 1 + digits;
    }
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        if (strspn(s, "0123456789") == 0) {
            return false;
        }
        s += strspn(s, "0123456789");
    }
    return *s == '\0';
}

void json_value(struct json_out *json, const char *key, const char *text)
{
    if (!is_number(text) && strcmp(text, "true") != 0 && strcmp(text, "false") != 0) {
        json_text(json, key, text);
        return;
    }
    begin(json, key);
    fputs(text, json->out);
}
