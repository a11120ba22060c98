/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/json_out.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <string.h>

#include "sim/engine/stream.h"
#include "tests/suite.h"

struct text {
    char *data;
    size_t bytes;
    FILE *out;
    struct json_out json;
};

static void text_begin(struct text *t, int indent)
{
    t->out = open_memstream(&t->data, &t->bytes);
    ck_assert_ptr_nonnull(t->out);
    json_init(&t->json, t->out, indent);
}

static const char *text_end(struct text *t)
{
    fclose(t->out);
    return t->data;
}

START_TEST(json_of_a_nested_document_is_as_written)
{
    struct text t;

    text_begin(&t, 0);
    json_object(&t.json, NULL);
    json_text(&t.json, "name", "a");
    json_array(&t.json, "list");
    json_number(&t.json, NULL, 1.5);
    json_object(&t.json, NULL);
    json_end(&t.json);
    json_array(&t.json, NULL);
    json_end(&t.json);
    json_end(&t.json);
    json_bool(&t.json, "yes", true);
    json_null(&t.json, "nothing");
    json_end(&t.json);
    ck_assert_str_eq(text_end(&t), "{\"name\": \"a\", \"list\": [1.5, {}, []], \"yes\": true, "
                                   "\"nothing\": null}\n");
    free(t.data);
}
END_TEST

START_TEST(json_indents_the_outer_levels_only)
{
    struct text t;

    text_begin(&t, 1);
    json_object(&t.json, NULL);
    json_array(&t.json, "a");
    json_integer(&t.json, NULL, -1);
    json_integer(&t.json, NULL, 2);
    json_end(&t.json);
    json_end(&t.json);
    ck_assert_str_eq(text_end(&t), "{\n  \"a\": [-1, 2]\n}\n");
    free(t.data);
}
END_TEST

START_TEST(json_writes_null_for_what_is_not_finite)
{
    struct text t;

    text_begin(&t, 0);
    json_array(&t.json, NULL);
    json_number(&t.json, NULL, NAN);
    json_number(&t.json, NULL, INFINITY);
    json_number(&t.json, NULL, -INFINITY);
    json_text(&t.json, NULL, NULL);
    json_end(&t.json);
    ck_assert_str_eq(text_end(&t), "[null, null, null, null]\n");
    free(t.data);
}
END_TEST

START_TEST(json_keeps_every_digit_of_an_integer)
{
    struct text t;

    text_begin(&t, 0);
    json_array(&t.json, NULL);
    json_unsigned(&t.json, NULL, UINT64_MAX);
    json_integer(&t.json, NULL, INT64_MIN);
    json_number(&t.json, NULL, 1e15);
    json_number(&t.json, NULL, -0.0);
    json_value(&t.json, NULL, "9007199254740993");
    json_end(&t.json);
    ck_assert_str_eq(text_end(&t), "[18446744073709551615, -9223372036854775808, 1000000000000000, "
                                   "0, 9007199254740993]\n");
    free(t.data);
}
END_TEST

START_TEST(json_value_is_bare_only_when_it_is_json)
{
    struct text t;

    text_begin(&t, 0);
    json_array(&t.json, NULL);
    for (const char *const *v = (const char *const[]){"0.1", "-2e+3", "true", "07", "1.", "+1",
                                                      "nan", "0x10", "1e", "200ms", "", "-", NULL};
         *v; v++) {
        json_value(&t.json, NULL, *v);
    }
    json_end(&t.json);
    ck_assert_str_eq(text_end(&t), "[0.1, -2e+3, true, \"07\", \"1.\", \"+1\", \"nan\", \"0x10\", "
                                   "\"1e\", \"200ms\", \"\", \"-\"]\n");
    free(t.data);
}
END_TEST

START_TEST(json_escapes_text_and_repairs_utf8)
{
    struct text t;

    text_begin(&t, 0);
    json_array(&t.json, NULL);
    json_text(&t.json, NULL, "q\" b\\ n\n t\t c\x01 d\x7f");
    json_text(&t.json, NULL, "na\xc3\xafve \xe2\x98\x83 \xf0\x9f\x98\x80");
    json_text(&t.json, NULL, "bad \xff, overlong \xc0\xaf, surrogate \xed\xa0\x80, cut \xe2\x98");
    json_end(&t.json);
    ck_assert_str_eq(text_end(&t),
                     "[\"q\\\" b\\\\ n\\n t\\t c\\u0001 d\\u007f\", "
                     "\"na\xc3\xafve \xe2\x98\x83 \xf0\x9f\x98\x80\", "
                     "\"bad \xef\xbf\xbd, overlong \xef\xbf\xbd\xef\xbf\xbd, surrogate "
                     "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd, cut \xef\xbf\xbd\xef\xbf\xbd\"]\n");
    free(t.data);
}
END_TEST

/* Any 64 bits that are a finite double read back as the same double, through strtod and cJSON. */
START_TEST(json_numbers_read_back_exactly)
{
    struct stream stream;

    stream_init(&stream, 1, 0, "doubles");
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = stream_bits(&stream);
        char text[JSON_NUMBER_BYTES];
        double value, back;

        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) {
            continue;
        }
        json_number_text(value, text);
        back = strtod(text, NULL);
        require(memcmp(&value, &back, sizeof value) == 0);
        if (i % 100 == 0) {
            cJSON *item = cJSON_ParseWithLengthOpts(text, strlen(text) + 1, NULL, true);

            require(item && cJSON_IsNumber(item));
            cJSON_Delete(item);
        }
    }
}
END_TEST

START_TEST(json_numbers_are_short)
{
    char text[JSON_NUMBER_BYTES];

    json_number_text(0.1, text);
    ck_assert_str_eq(text, "0.1");
    json_number_text(100, text);
    ck_assert_str_eq(text, "100");
    json_number_text(1.0 / 3, text);
    ck_assert_str_eq(text, "0.3333333333333333");
    json_number_text(5e-324, text);
    ck_assert_str_eq(text, "5e-324");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {json_of_a_nested_document_is_as_written,
                            json_indents_the_outer_levels_only,
                            json_writes_null_for_what_is_not_finite,
                            json_keeps_every_digit_of_an_integer,
                            json_value_is_bare_only_when_it_is_json,
                            json_escapes_text_and_repairs_utf8,
                            json_numbers_read_back_exactly,
                            json_numbers_are_short,
                            NULL};

    return suite_run("json_out", cases);
}
