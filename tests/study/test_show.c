/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/study/scenario_text.h"

static char *shown(const struct scenario *s, size_t point, size_t variant, bool origin)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    scenario_show(s, point, variant, origin, out);
    fclose(out);
    return text;
}

START_TEST(show_prints_what_it_reads_back)
{
    struct scenario *s = open_text(
        HEAD ", \"name\": \"a \\\"b\\\" \\u2603\", \"stop\": {\"relative_precision\": 0.05},"
             "\"workload.size\": {\"list\": [[60, 0.444], [1514, 0.556]]},"
             "\"sweep\": {\"guest.virtio_desc_cache_thr\": \"0..3\"},"
             "\"variants\": {\"a\": {}, \"b\": {\"seed\": 9007199254740993}}}",
        &plain);
    struct config *before = config_of(s, 2, 1), *after;
    char *text = shown(s, 2, 1, true), *one, *two;
    struct scenario *again = open_text(text, &plain);

    after = config_of(again, 0, 0);
    one = config_canonical(before);
    two = config_canonical(after);
    ck_assert_str_eq(one, two);
    ck_assert_str_eq(before->study.name, after->study.name);
    ck_assert_double_eq(after->study.relative_precision, 0.05);
    free(one);
    free(two);
    free(text);
    free(before);
    free(after);
    scenario_free(again);
    scenario_free(s);
}
END_TEST

START_TEST(show_says_where_each_value_came_from)
{
    static const char *const set[] = {"warmup=1ms"};
    const struct scenario_options options = {.set = set, .set_count = 1};
    struct scenario *s =
        open_text("{\"include\": \"ok_cost.json\",\n \"seed\": 3, \"kernel\": \"6.11\",\n"
                  " \"sweep\": {\"guest.virtio_desc_cache_thr\": [2, 4]}}",
                  &options);
    char *text = shown(s, 1, 0, true), *bare = shown(s, 1, 0, false);
    const char *expected[] = {"here.json:2:10\",\n  \"seed\": 3",
                              "\"_bql\": \"kernel 6.11\",\n    \"bql\": true",
                              "\"_warmup\": \"command line\",\n  \"warmup\": \"1ms\"",
                              "\"_duration\": \"default\",",
                              "base.json:1:58\",",
                              "ok_cost.json:1:73; measured; plausible 15ns..25ns; perf, here\",\n  "
                              "    \"kmalloc\": \"19.3ns\"",
                              "here.json:3:47\",\n    \"virtio_desc_cache_thr\": 4",
                              NULL};

    for (int i = 0; expected[i]; i++) {
        ck_assert_msg(strstr(text, expected[i]) != NULL, "%s", expected[i]);
    }
    ck_assert_ptr_eq(strstr(bare, "\"_"), NULL);
    ck_assert_ptr_eq(strstr(bare, "relative_precision"), NULL); /* not set: there is no value */
    free(text);
    free(bare);
    scenario_free(s);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {show_prints_what_it_reads_back, show_says_where_each_value_came_from,
                            NULL};

    return suite_run("show", cases);
}
