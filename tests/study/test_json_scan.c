/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/json_scan.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <string.h>

#include "sim/study/json_text.h"
#include "tests/json_shape.h"
#include "tests/suite.h"

struct scanned {
    struct json_scan scan;
    struct problems problems;
    bool ok;
};

static struct scanned scan_text(const char *text, size_t length)
{
    struct scanned s;

    problems_init(&s.problems);
    s.ok = json_scan(&s.scan, text, length, &s.problems);
    return s;
}

static void done(struct scanned *s)
{
    json_scan_fini(&s->scan);
    problems_fini(&s->problems);
}

static void check_refused(const char *text, uint32_t line, uint32_t column, const char *message)
{
    struct scanned s = scan_text(text, strlen(text));

    ck_assert_msg(!s.ok && s.problems.count >= 1, "%s", text);
    ck_assert_msg(strstr(s.problems.list[0].error.text, message) != NULL, "%s: %s", text,
                  s.problems.list[0].error.text);
    ck_assert_msg(
        s.problems.list[0].error.line == line && s.problems.list[0].error.column == column,
        "%s: %u:%u", text, s.problems.list[0].error.line, s.problems.list[0].error.column);
    done(&s);
}

START_TEST(json_scan_gives_each_value_its_place_and_text)
{
    static const char text[] = "{ \"a\": [1, -2.5e3],\r\n  \"b\": {\"c\": \"\xc3\xa9\" } }\n";
    struct scanned s = scan_text(text, sizeof text - 1);
    const struct json_row *row = s.scan.rows;

    ck_assert(s.ok);
    ck_assert_uint_eq(s.scan.count, 6);
    ck_assert(row[0].type == JSON_OBJECT && row[0].span == 6 && row[0].key_place.line == 0);
    ck_assert(row[1].type == JSON_ARRAY && row[1].span == 3 && row[1].key_place.column == 3);
    ck_assert(row[3].type == JSON_NUMBER && row[3].parent == 1 && row[3].length == 6);
    ck_assert_mem_eq(text + row[3].at, "-2.5e3", 6);
    ck_assert(row[4].place.line == 2 && row[4].place.column == 8);
    ck_assert(row[5].key_place.line == 2 && row[5].key_place.column == 9 && row[5].parent == 4);
    ck_assert_uint_eq(row[5].place.column, 14); /* columns are bytes */
    done(&s);
}
END_TEST

START_TEST(json_scan_refuses_what_is_not_json)
{
    check_refused("", 1, 1, "empty file");
    check_refused(" \n", 2, 1, "no JSON value");
    check_refused("{", 1, 2, "object opened at 1:1 is not closed");
    check_refused("[1\n", 2, 1, "array opened at 1:1 is not closed");
    check_refused("[1,]", 1, 4, "trailing comma");
    check_refused("{\"a\":1,}", 1, 8, "trailing comma");
    check_refused("{,}", 1, 2, "unexpected ','");
    check_refused("[1 2]", 1, 4, "',' or ']' is expected");
    check_refused("{\"a\" 1}", 1, 6, "expected ':' after key");
    check_refused("{a:1}", 1, 2, "keys take double quotes");
    check_refused("{1:1}", 1, 2, "a key is expected");
    check_refused("01", 1, 1, "leading zero");
    check_refused("-01", 1, 1, "leading zero");
    check_refused("1.", 1, 2, "digit expected after '.'");
    check_refused("1e+", 1, 3, "digit expected");
    check_refused("-Infinity", 1, 1, "Infinity is not JSON");
    check_refused("nul", 1, 1, "unexpected 'nul'");
    check_refused("\"\\ud800\\u0041\"", 1, 2, "unpaired surrogate");
    check_refused("\"\\udc00\"", 1, 2, "unpaired surrogate");
    check_refused("\"\xed\xa0\x80\"", 1, 2, "invalid UTF-8 byte 0xED");
    check_refused("\"\xf4\x90\x80\x80\"", 1, 2, "invalid UTF-8 byte 0xF4");
    check_refused("\"\xe2\x82\"", 1, 2, "invalid UTF-8 byte 0xE2");
    check_refused("\"a\tb\"", 1, 3, "control character U+0009");
    check_refused("1 // one", 1, 3, "comments are not JSON");
    check_refused("1 x", 1, 3, "extra text");
    check_refused("{\"a\":1,\n\"\\u0061\":2}", 2, 1, "duplicate key \"a\"; the first is at 1:2");
}
END_TEST

START_TEST(json_scan_reports_every_duplicate)
{
    static const char text[] = "{\"a\":1,\"b\":{\"c\":1,\"c\":2},\"a\":3,\"a\":4}";
    struct scanned s = scan_text(text, sizeof text - 1);

    ck_assert(!s.ok);
    ck_assert_uint_eq(s.problems.count, 3);
    done(&s);
}
END_TEST

START_TEST(json_scan_of_many_keys_is_quick)
{
    enum { KEYS = 100000 };
    char *text = malloc(KEYS * 16 + 16);
    size_t used = 1;
    struct scanned s;

    text[0] = '{';
    for (int i = 0; i < KEYS; i++) {
        used += (size_t)sprintf(text + used, "%s\"k%d\":0", i ? "," : "", i * 7919 % KEYS);
    }
    text[used++] = '}';
    s = scan_text(text, used);
    ck_assert(s.ok);
    ck_assert_uint_eq(s.scan.count, KEYS + 1);
    done(&s);
    free(text);
}
END_TEST

START_TEST(json_show_makes_any_bytes_fit_for_a_terminal)
{
    char shown[128];

    ck_assert_str_eq(json_show("a\x1b[1m\xff\xc2\x9b\n", 9, 60, shown, sizeof shown),
                     "a\\u001b[1m\\xff\\u009b\\u000a");
    ck_assert_str_eq(json_show("abcdef", 6, 3, shown, sizeof shown), "abc\xe2\x80\xa6");
    ck_assert_str_eq(json_show("\xc3\xa9\xc3\xa9", 4, 60, shown, sizeof shown), "\xc3\xa9\xc3\xa9");
    ck_assert_uint_lt(strlen(json_show("\x01\x01\x01\x01\x01\x01\x01\x01", 8, 60, shown, 20)), 20);
}
END_TEST

/* Random documents, valid by construction. */
struct writer {
    char text[20000];
    size_t used;
    uint64_t state;
};

static uint32_t draw(struct writer *w, uint32_t below)
{
    w->state = w->state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(w->state >> 33) % below;
}

static void put(struct writer *w, const char *text)
{
    size_t length = strlen(text);

    if (w->used + length < sizeof w->text - 200) {
        memcpy(w->text + w->used, text, length);
        w->used += length;
    }
}

static void put_blank(struct writer *w)
{
    static const char *const blanks[] = {"", "", " ", "\n", "\r\n", "\t "};

    put(w, blanks[draw(w, 6)]);
}

static void put_string(struct writer *w, const char *unique)
{
    static const char *const pieces[] = {"a",
                                         "_",
                                         "\\n",
                                         "\\u0041",
                                         "\xc3\xa9",
                                         "\\u0000",
                                         "\\ud83d\\ude00",
                                         "\\\"",
                                         "\xf0\x9f\x98\x80",
                                         " "};

    put(w, "\"");
    put(w, unique);
    for (uint32_t i = draw(w, 4); i > 0; i--) {
        put(w, pieces[draw(w, 10)]);
    }
    put(w, "\"");
}

static void put_value(struct writer *w, int depth)
{
    static const char *const scalars[] = {"0",      "-1",   "1.5e3", "18446744073709551616",
                                          "1E-400", "true", "false", "null",
                                          "1e999",  "-0.0"};
    uint32_t kind = depth > 8 || w->used > 15000 ? draw(w, 2) : draw(w, 5), count = draw(w, 5);
    char unique[16];

    if (kind == 0) {
        put(w, scalars[draw(w, 10)]);
        return;
    }
    if (kind == 1) {
        put_string(w, "");
        return;
    }
    put(w, kind == 2 ? "[" : "{");
    for (uint32_t i = 0; i < count; i++) {
        put(w, i ? "," : "");
        put_blank(w);
        if (kind != 2) {
            snprintf(unique, sizeof unique, "%u", i);
            put_string(w, unique);
            put_blank(w);
            put(w, ":");
            put_blank(w);
        }
        put_value(w, depth + 1);
        put_blank(w);
    }
    put(w, kind == 2 ? "]" : "}");
}

START_TEST(json_scan_agrees_with_cjson_on_random_documents)
{
    struct writer *w = malloc(sizeof *w);

    for (uint64_t seed = 1; seed <= 3000; seed++) {
        w->used = 0;
        w->state = seed;
        put_blank(w);
        put_value(w, 0);
        put_blank(w);
        w->text[w->used] = '\0';
        ck_assert_msg(json_shape_agrees(w->text, w->used) == JSON_SHAPE_SAME, "seed %llu: %s",
                      (unsigned long long)seed, w->text);
    }
    free(w);
}
END_TEST

/* What the scan accepts after any damage cJSON must accept with the same shape; the other way round
 * cJSON is the laxer of the two. */
START_TEST(json_scan_agrees_with_cjson_on_damaged_documents)
{
    struct writer *w = malloc(sizeof *w);
    int accepted = 0;

    for (uint64_t seed = 1; seed <= 20000; seed++) {
        enum json_shape shape;

        w->used = 0;
        w->state = seed;
        put_value(w, 5);
        for (uint32_t i = draw(w, 3) + 1; i > 0 && w->used > 0; i--) {
            size_t at = draw(w, (uint32_t)w->used);

            if (draw(w, 2)) {
                w->text[at] = "{}[]\",:\\u0e-.+ntf \x01\xff"[draw(w, 21)];
            } else {
                memmove(w->text + at, w->text + at + 1, w->used - at - 1);
                w->used--;
            }
        }
        w->text[w->used] = '\0';
        shape = json_shape_agrees(w->text, w->used);
        ck_assert_msg(shape != JSON_SHAPE_DIFFERS, "seed %llu: %s", (unsigned long long)seed,
                      w->text);
        accepted += shape == JSON_SHAPE_SAME;
    }
    ck_assert_int_gt(accepted, 100); /* the damage must not always be fatal */
    free(w);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {json_scan_gives_each_value_its_place_and_text,
                            json_scan_refuses_what_is_not_json,
                            json_scan_reports_every_duplicate,
                            json_scan_of_many_keys_is_quick,
                            json_show_makes_any_bytes_fit_for_a_terminal,
                            json_scan_agrees_with_cjson_on_random_documents,
                            json_scan_agrees_with_cjson_on_damaged_documents,
                            NULL};

    return suite_run("json_scan", cases);
}
