/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/json_scan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/json_text.h"

/* Duplicates that are reported by themselves. */
#define DUPLICATES_MOST 100

/* The reading position, and the values that are open around it. */
struct cursor {
    struct json_scan *scan;
    struct problems *problems;
    size_t at;
    size_t line_start; /* offset of the line's first byte */
    uint32_t line;
    bool failed;
    uint32_t open[JSON_DEPTH_MOST];
    size_t depth;
};

static struct json_place place_at(const struct cursor *c, size_t at)
{
    return (struct json_place){c->line, (uint32_t)(at - c->line_start + 1)};
}

static bool fail_at(struct cursor *c, struct json_place place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fail_at(struct cursor *c, struct json_place place, const char *format, ...)
{
    struct error error = {.kind = ERROR_INPUT, .line = place.line, .column = place.column};
    va_list args;

    va_start(args, format);
    vsnprintf(error.text, sizeof error.text, format, args);
    va_end(args);
    problems_add(c->problems, false, &error);
    c->failed = true;
    return false;
}

/* The byte at the position, or -1 at the end. */
static int peek(const struct cursor *c)
{
    return c->at < c->scan->length ? (unsigned char)c->scan->text[c->at] : -1;
}

static bool fail_end(struct cursor *c)
{
    const struct json_row *open;

    if (c->depth == 0) {
        return fail_at(c, place_at(c, c->at), "unexpected end of file");
    }
    open = &c->scan->rows[c->open[c->depth - 1]];
    return fail_at(c, place_at(c, c->at),
                   "unexpected end of file; %s opened at %u:%u is not closed",
                   json_type_name(open->type), open->place.line, open->place.column);
}

static bool fail_byte(struct cursor *c, const char *wanted)
{
    int byte = peek(c);
    char shown[16];

    if (byte < 0) {
        return fail_end(c);
    }
    if (byte == '/' || byte == '#') {
        return fail_at(c, place_at(c, c->at), "comments are not JSON; use \"_comment\" keys");
    }
    json_show(c->scan->text + c->at, 1, 4, shown, sizeof shown);
    return fail_at(c, place_at(c, c->at), "unexpected '%s'%s%s", shown, wanted[0] ? "; " : "",
                   wanted);
}

static void skip_blanks(struct cursor *c)
{
    for (;; c->at++) {
        int byte = peek(c);

        if (byte == '\n') {
            c->line++;
            c->line_start = c->at + 1;
        } else if (byte != ' ' && byte != '\t' && byte != '\r') {
            return;
        }
    }
}

/* Appends a row for the value that starts here; returns its index. */
static uint32_t add_row(struct cursor *c, enum json_type type, const struct json_row *key)
{
    struct json_scan *scan = c->scan;
    struct json_row *row;

    if (scan->count == scan->room) {
        size_t room = scan->room ? 2 * scan->room : 64;
        struct json_row *rows = realloc(scan->rows, room * sizeof *rows);

        if (!rows) {
            abort();
        }
        scan->rows = rows;
        scan->room = room;
    }
    row = &scan->rows[scan->count];
    *row = *key;
    row->type = type;
    row->parent = c->depth ? c->open[c->depth - 1] : 0;
    row->span = 1;
    row->place = place_at(c, c->at);
    row->at = (uint32_t)c->at;
    return (uint32_t)scan->count++;
}

/* Moves over a string, from its first quote to behind its last. */
static bool take_string(struct cursor *c, bool *has_nul)
{
    struct json_text_fault fault;
    size_t from = c->at, end;

    if (!json_text_check(c->scan->text, c->scan->length, from, &end, has_nul, &fault)) {
        if (fault.at >= c->scan->length) {
            return fail_at(c, place_at(c, fault.at),
                           "unexpected end of file; string opened at %u:%u is not closed", c->line,
                           place_at(c, from).column);
        }
        return fail_at(c, place_at(c, fault.at), "%s", fault.text);
    }
    c->at = end;
    return true;
}

static bool is_digit(int byte)
{
    return byte >= '0' && byte <= '9';
}

static bool take_digits(struct cursor *c, const char *after)
{
    if (!is_digit(peek(c))) {
        c->at--;
        return fail_at(c, place_at(c, c->at), "digit expected after '%s'", after);
    }
    while (is_digit(peek(c))) {
        c->at++;
    }
    return true;
}

static bool take_number(struct cursor *c)
{
    size_t from = c->at;

    if (peek(c) == '-') {
        c->at++;
        if (peek(c) == 'I') {
            return fail_at(c, place_at(c, from), "Infinity is not JSON");
        }
    }
    if (peek(c) == '0') {
        c->at++;
        if (is_digit(peek(c))) {
            return fail_at(c, place_at(c, from), "leading zero");
        }
    } else if (!take_digits(c, "-")) {
        return false;
    }
    if (peek(c) == '.') {
        c->at++;
        if (!take_digits(c, ".")) {
            return false;
        }
    }
    if (peek(c) == 'e' || peek(c) == 'E') {
        c->at++;
        c->at += peek(c) == '+' || peek(c) == '-';
        if (!take_digits(c, "e")) {
            return false;
        }
    }
    if (c->at - from > JSON_NUMBER_MOST) {
        return fail_at(c, place_at(c, from), "number with more than %d characters",
                       JSON_NUMBER_MOST);
    }
    return true;
}

/* true, false, null, and the words that people write instead of JSON. */
static bool take_word(struct cursor *c, enum json_type *type)
{
    static const struct {
        const char *word;
        enum json_type type;
    } words[] = {{"true", JSON_TRUE}, {"false", JSON_FALSE}, {"null", JSON_NULL}};
    const char *at = c->scan->text + c->at;
    size_t length = 0, left = c->scan->length - c->at;
    char shown[100];

    while (length < left && ((at[length] | 32) >= 'a' && (at[length] | 32) <= 'z')) {
        length++;
    }
    for (size_t i = 0; i < 3; i++) {
        if (length == strlen(words[i].word) && memcmp(at, words[i].word, length) == 0) {
            c->at += length;
            *type = words[i].type;
            return true;
        }
    }
    if ((length == 3 && memcmp(at, "NaN", 3) == 0) ||
        (length == 8 && memcmp(at, "Infinity", 8) == 0)) {
        return fail_at(c, place_at(c, c->at), "%.*s is not JSON", (int)length, at);
    }
    json_show(at, length, 20, shown, sizeof shown);
    return fail_at(c, place_at(c, c->at),
                   "unexpected '%s'; text takes double quotes, the words are "
                   "true, false and null",
                   shown);
}

/* Reads a scalar, or opens an object or array. */
static bool take_value(struct cursor *c, const struct json_row *key)
{
    int byte = peek(c);
    size_t from = c->at;
    uint32_t index;
    bool has_nul = false;

    if (byte == '{' || byte == '[') {
        if (c->depth == JSON_DEPTH_MOST) {
            return fail_at(c, place_at(c, c->at), "nesting deeper than the limit %d",
                           JSON_DEPTH_MOST);
        }
        index = add_row(c, byte == '{' ? JSON_OBJECT : JSON_ARRAY, key);
        c->open[c->depth++] = index;
        c->at++;
        return true;
    }
    if (byte == '"') {
        index = add_row(c, JSON_STRING, key);
        if (!take_string(c, &has_nul)) {
            return false;
        }
        c->scan->rows[index].has_nul = has_nul;
    } else if (byte == '-' || is_digit(byte)) {
        index = add_row(c, JSON_NUMBER, key);
        if (!take_number(c)) {
            return false;
        }
    } else if ((byte | 32) >= 'a' && (byte | 32) <= 'z') {
        enum json_type type = JSON_NULL;

        index = add_row(c, JSON_NULL, key);
        if (!take_word(c, &type)) {
            return false;
        }
        c->scan->rows[index].type = type;
    } else {
        return fail_byte(c, byte == '\'' ? "text takes double quotes" : "a value is expected");
    }
    c->scan->rows[index].length = (uint32_t)(c->at - from);
    return true;
}

/* The key of a member and its colon. */
static bool take_key(struct cursor *c, struct json_row *key)
{
    int byte = peek(c);

    memset(key, 0, sizeof *key);
    if (byte != '"') {
        if ((byte | 32) >= 'a' && (byte | 32) <= 'z') {
            return fail_at(c, place_at(c, c->at), "keys take double quotes");
        }
        return fail_byte(c, byte == '\'' ? "keys take double quotes" : "a key is expected");
    }
    key->key_place = place_at(c, c->at);
    key->key_at = (uint32_t)c->at + 1;
    if (!take_string(c, &key->key_has_nul)) {
        return false;
    }
    key->key_length = (uint32_t)c->at - 1 - key->key_at;
    skip_blanks(c);
    if (peek(c) != ':') {
        return peek(c) < 0 ? fail_end(c) : fail_at(c, place_at(c, c->at), "expected ':' after key");
    }
    c->at++;
    skip_blanks(c);
    return true;
}

struct keyed {
    const struct cursor *cursor;
    uint32_t row;
    char *key; /* unescaped */
    size_t length;
};

static int compare_keys(const void *a, const void *b)
{
    const struct keyed *x = a, *y = b;
    size_t least = x->length < y->length ? x->length : y->length;
    int order = memcmp(x->key, y->key, least);

    if (order == 0) {
        order = (x->length > y->length) - (x->length < y->length);
    }
    return order ? order : (x->row > y->row) - (x->row < y->row);
}

static void report_twice(struct cursor *c, const struct keyed *first, const struct keyed *second)
{
    const struct json_row *a = &c->scan->rows[first->row], *b = &c->scan->rows[second->row];
    char shown[256];

    if (c->problems->count >= DUPLICATES_MOST) {
        c->failed = true;
        return;
    }
    json_show(second->key, second->length, JSON_SHOWN_MOST, shown, sizeof shown);
    fail_at(c, b->key_place, "duplicate key \"%s\"; the first is at %u:%u", shown,
            a->key_place.line, a->key_place.column);
}

/* Finds keys that an object holds twice: sorted, so that many keys are no burden. */
static void check_keys(struct cursor *c, uint32_t object)
{
    const struct json_row *rows = c->scan->rows;
    uint32_t end = object + rows[object].span;
    size_t count = 0, bytes = 0, used = 0;
    struct keyed *keys;
    char *room;

    for (uint32_t row = object + 1; row < end; row += rows[row].span) {
        count++;
        bytes += rows[row].key_length;
    }
    if (count < 2) {
        return;
    }
    keys = malloc(count * sizeof *keys);
    room = malloc(bytes + 1);
    if (!keys || !room) {
        abort();
    }
    count = 0;
    for (uint32_t row = object + 1; row < end; row += rows[row].span) {
        size_t length =
            json_text_unescape(c->scan->text + rows[row].key_at, rows[row].key_length, room + used);

        keys[count++] = (struct keyed){c, row, room + used, length};
        used += length;
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    for (size_t i = 1; i < count; i++) {
        if (keys[i].length == keys[i - 1].length &&
            memcmp(keys[i].key, keys[i - 1].key, keys[i].length) == 0) {
            report_twice(c, &keys[i - 1], &keys[i]);
        }
    }
    free(room);
    free(keys);
}

/* Ends the innermost object or array at its closing bracket. */
static void close_value(struct cursor *c)
{
    uint32_t index = c->open[--c->depth];
    struct json_row *row = &c->scan->rows[index];

    c->at++;
    row->length = (uint32_t)(c->at - row->at);
    row->span = (uint32_t)(c->scan->count - index);
    if (row->type == JSON_OBJECT) {
        check_keys(c, index);
    }
}

/* One member or element, or the closing bracket; `fresh`: right after the opening one. */
static bool take_member(struct cursor *c, bool fresh)
{
    bool object = c->scan->rows[c->open[c->depth - 1]].type == JSON_OBJECT;
    int closing = object ? '}' : ']';
    struct json_row key = {0};

    skip_blanks(c);
    if (peek(c) == closing) {
        close_value(c);
        return true;
    }
    if (!fresh) {
        if (peek(c) != ',') {
            return fail_byte(c, object ? "',' or '}' is expected" : "',' or ']' is expected");
        }
        c->at++;
        skip_blanks(c);
        if (peek(c) == closing) {
            return fail_at(c, place_at(c, c->at), "trailing comma");
        }
    }
    return (!object || take_key(c, &key)) && take_value(c, &key);
}

static bool scan_document(struct cursor *c)
{
    const struct json_row no_key = {0};
    const char *text = c->scan->text;
    size_t length = c->scan->length;

    if (length == 0) {
        return fail_at(c, (struct json_place){1, 1}, "empty file");
    }
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        return fail_at(c, (struct json_place){1, 1},
                       "starts with a byte order mark; save it as UTF-8 without one");
    }
    skip_blanks(c);
    if (peek(c) < 0) {
        return fail_at(c, place_at(c, c->at), "no JSON value in file");
    }
    if (!take_value(c, &no_key)) {
        return false;
    }
    while (c->depth > 0) {
        size_t before = c->scan->count, depth = c->depth;
        bool fresh = before == c->open[depth - 1] + 1u;

        if (!take_member(c, fresh)) {
            return false;
        }
    }
    skip_blanks(c);
    if (peek(c) == '/' || peek(c) == '#') {
        return fail_byte(c, "");
    }
    return peek(c) < 0 || fail_at(c, place_at(c, c->at), "extra text after the JSON value");
}

bool json_scan(struct json_scan *scan, const char *text, size_t length, struct problems *problems)
{
    struct cursor c = {.scan = scan, .problems = problems, .line = 1};

    *scan = (struct json_scan){.text = text, .length = length};
    if (length > JSON_TEXT_MOST) {
        return fail_at(&c, (struct json_place){0, 0}, "larger than %u MiB",
                       JSON_TEXT_MOST / 1024 / 1024);
    }
    return scan_document(&c) && !c.failed;
}

void json_scan_fini(struct json_scan *scan)
{
    free(scan->rows);
    memset(scan, 0, sizeof *scan);
}

const char *json_type_name(enum json_type type)
{
    static const char *const names[] = {
        [JSON_OBJECT] = "object", [JSON_ARRAY] = "array", [JSON_STRING] = "string",
        [JSON_NUMBER] = "number", [JSON_TRUE] = "true",   [JSON_FALSE] = "false",
        [JSON_NULL] = "null",
    };

    return names[type];
}
