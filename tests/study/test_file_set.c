/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/file_set.h"

#include <unistd.h>

#include "tests/study/scenario_text.h"

START_TEST(file_set_config_does_not_depend_on_line_ends)
{
    struct problems problems;
    struct scenario *a, *b;
    struct config *x, *y;
    char *one, *two;

    problems_init(&problems);
    a = scenario_open(TESTS_DIR "/rejects/json/ok_base.json", NULL, &problems);
    b = scenario_open(TESTS_DIR "/rejects/json/ok_crlf.json", NULL, &problems);
    ck_assert(a && b && problems.count == 0);
    x = config_of(a, 0, 0);
    y = config_of(b, 0, 0);
    one = config_canonical(x);
    two = config_canonical(y);
    ck_assert_str_eq(one, two);
    free(one);
    free(two);
    free(x);
    free(y);
    scenario_free(a);
    scenario_free(b);
    problems_fini(&problems);
}
END_TEST

START_TEST(file_set_includes_are_relative_to_the_file_and_merge_deeply)
{
    struct problems problems;
    struct scenario *s;
    struct config *c;

    ck_assert_int_eq(chdir("/"), 0);
    problems_init(&problems);
    s = scenario_open(TESTS_DIR "/rejects/json/ok_include_override.json", NULL, &problems);
    ck_assert(s && problems.count == 0);
    c = config_of(s, 0, 0);
    ck_assert_uint_eq(c->datapath.desc_cache.thr, 19);
    ck_assert_uint_eq(c->datapath.tx_ring.size, 256);
    ck_assert_str_eq(c->study.name, "child");
    ck_assert_uint_eq(c->study.seed, 42);
    free(c);
    scenario_free(s);
    problems_fini(&problems);
}
END_TEST

static void write_file(const char *dir, const char *name, const char *text)
{
    char path[300];
    FILE *out;

    snprintf(path, sizeof path, "%s/%s", dir, name);
    out = fopen(path, "w");
    ck_assert(out != NULL);
    fputs(text, out);
    fclose(out);
}

START_TEST(file_set_sees_a_cycle_through_links)
{
    char dir[] = "/tmp/vqsim-scenario-XXXXXX", path[300], link[300];
    struct problems problems;

    ck_assert(mkdtemp(dir) != NULL);
    write_file(dir, "a.json", "{\"version\": 1, \"include\": \"link.json\"}");
    write_file(dir, "b.json", "{\"include\": [\"c.json\", \"a.json\"]}");
    write_file(dir, "c.json", "{\"seed\": 1}");
    snprintf(link, sizeof link, "%s/link.json", dir);
    ck_assert_int_eq(symlink("b.json", link), 0);
    problems_init(&problems);
    snprintf(path, sizeof path, "%s/a.json", dir);
    ck_assert_ptr_eq(scenario_open(path, NULL, &problems), NULL);
    ck_assert_msg(strstr(problems.list[0].error.text, "include cycle: ") != NULL, "%s",
                  problems.list[0].error.text);
    ck_assert_msg(strstr(problems.list[0].error.source, "/link.json") != NULL, "%s",
                  problems.list[0].error.source);
    problems_fini(&problems);
    for (const char *const *name = (const char *const[]){"a", "b", "c", "link", NULL}; *name;
         name++) {
        snprintf(path, sizeof path, "%s/%s.json", dir, *name);
        unlink(path);
    }
    rmdir(dir);
}
END_TEST

START_TEST(file_set_stops_at_64_files)
{
    char dir[] = "/tmp/vqsim-scenario-XXXXXX", path[300];
    struct problems problems;

    /* Each file includes the next one twice: 2^100 files if nobody counted. */
    ck_assert(mkdtemp(dir) != NULL);
    for (int i = 0; i < 100; i++) {
        char name[32], text[100];

        snprintf(name, sizeof name, "%d.json", i);
        snprintf(text, sizeof text, "{\"include\": [\"%d.json\", \"%d.json\"]}", i + 1, i + 1);
        write_file(dir, name, i < 99 ? text : "{\"version\": 1}");
    }
    problems_init(&problems);
    snprintf(path, sizeof path, "%s/0.json", dir);
    ck_assert_ptr_eq(scenario_open(path, NULL, &problems), NULL);
    ck_assert_msg(strstr(problems.list[0].error.text, "more than 64 files") != NULL, "%s",
                  problems.list[0].error.text);
    problems_fini(&problems);
    for (int i = 0; i < 100; i++) {
        snprintf(path, sizeof path, "%s/%d.json", dir, i);
        unlink(path);
    }
    rmdir(dir);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {file_set_config_does_not_depend_on_line_ends,
                            file_set_includes_are_relative_to_the_file_and_merge_deeply,
                            file_set_sees_a_cycle_through_links, file_set_stops_at_64_files, NULL};

    return suite_run("file_set", cases);
}
