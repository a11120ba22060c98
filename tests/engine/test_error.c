/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/error.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

START_TEST(error_first_failure_wins)
{
    struct error e = {0};

    ck_assert(
        !error_set(&e, ERROR_INPUT, "guest.tx_ring.size", "%d is not a power of %s", 100, "2"));
    ck_assert(!error_set(&e, ERROR_SYSTEM, "other", "later"));
    errno = ENOSPC;
    ck_assert(!error_set_errno(&e, ERROR_SYSTEM, "store.db"));
    ck_assert_int_eq(e.kind, ERROR_INPUT);
    ck_assert_str_eq(e.path, "guest.tx_ring.size");
    ck_assert_str_eq(e.text, "100 is not a power of 2");
    ck_assert_str_eq(e.source, "");
}
END_TEST

START_TEST(error_without_a_path_has_an_empty_one)
{
    struct error e = {0};

    error_set(&e, ERROR_USAGE, NULL, "no scenario given");
    ck_assert_str_eq(e.path, "");
    ck_assert_str_eq(e.text, "no scenario given");
}
END_TEST

START_TEST(error_of_the_system_names_the_file_and_the_reason)
{
    struct error e = {0};
    char text[256];

    errno = ENOENT;
    ck_assert(!error_set_errno(&e, ERROR_INPUT, "scenarios/absent.json"));
    ck_assert_int_eq(e.kind, ERROR_INPUT);
    ck_assert_str_eq(e.source, "scenarios/absent.json");
    ck_assert_str_eq(e.text, strerror(ENOENT));
    error_format(&e, "error", text, sizeof text);
    ck_assert_str_eq(text, "scenarios/absent.json: error: No such file or directory");
}
END_TEST

START_TEST(error_text_that_is_too_long_is_cut)
{
    struct error e = {0};
    char longer[2000], text[4000];

    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    error_set(&e, ERROR_INPUT, longer, "%s", longer);
    ck_assert_uint_eq(strlen(e.path), sizeof e.path - 1);
    ck_assert_uint_eq(strlen(e.text), sizeof e.text - 1);
    error_format(&e, "error", text, 20);
    ck_assert_uint_eq(strlen(text), 19);
    memset(&e, 0, sizeof e);
    errno = EACCES;
    error_set_errno(&e, ERROR_SYSTEM, longer);
    ck_assert_uint_eq(strlen(e.source), sizeof e.source - 1);
}
END_TEST

START_TEST(error_is_printed_place_first_and_without_empty_parts)
{
    static const struct {
        struct error error;
        const char *severity, *text;
    } row[] = {
        {{.source = "a.json", .line = 14, .column = 9, .path = "rx.max", .text = "unknown key"},
         "error",
         "a.json:14:9: error: rx.max: unknown key"},
        {{.source = "a.json", .line = 2, .column = 1, .text = "trailing text"},
         "error",
         "a.json:2:1: error: trailing text"},
        {{.source = "a.json", .text = "empty file"}, "error", "a.json: error: empty file"},
        {{.path = "thr", .text = "has no effect"}, "warning", "vqsim: warning: thr: has no effect"},
        {{.text = "out of memory"}, "error", "vqsim: error: out of memory"},
    };

    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        char text[512];

        error_format(&row[i].error, row[i].severity, text, sizeof text);
        ck_assert_str_eq(text, row[i].text);
    }
}
END_TEST

START_TEST(error_kinds_are_the_exit_codes)
{
    ck_assert_int_eq(ERROR_NONE, 0);
    ck_assert_int_eq(ERROR_DIFFERS, 1);
    ck_assert_int_eq(ERROR_USAGE, 2);
    ck_assert_int_eq(ERROR_INPUT, 3);
    ck_assert_int_eq(ERROR_SYSTEM, 4);
}
END_TEST

START_TEST(problems_keep_all_in_order_and_count_the_errors)
{
    struct problems p;
    struct error e = {.kind = ERROR_INPUT, .path = "copied", .text = "whole"};

    problems_init(&p);
    ck_assert_uint_eq(p.count, 0);
    for (int i = 0; i < 100; i++) {
        if (i % 3 == 0) {
            problems_warning(&p, "w", "number %d", i);
        } else {
            problems_error(&p, i % 3 == 1 ? "e" : NULL, "number %d", i);
        }
    }
    problems_add(&p, false, &e);
    problems_add(&p, true, &e);
    ck_assert_uint_eq(p.count, 102);
    ck_assert_uint_eq(p.errors, 67);
    for (int i = 0; i < 100; i++) {
        static const char *const path[] = {"w", "e", ""};
        char text[32];

        snprintf(text, sizeof text, "number %d", i);
        ck_assert_str_eq(p.list[i].error.text, text);
        ck_assert_str_eq(p.list[i].error.path, path[i % 3]);
        ck_assert(p.list[i].warning == (i % 3 == 0));
        ck_assert_int_eq(p.list[i].error.kind, ERROR_INPUT);
    }
    ck_assert_str_eq(p.list[100].error.path, "copied");
    ck_assert(!p.list[100].warning && p.list[101].warning);
    problems_fini(&p);
    ck_assert_uint_eq(p.count, 0);
    problems_fini(&p);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        error_first_failure_wins,
        error_without_a_path_has_an_empty_one,
        error_of_the_system_names_the_file_and_the_reason,
        error_text_that_is_too_long_is_cut,
        error_is_printed_place_first_and_without_empty_parts,
        error_kinds_are_the_exit_codes,
        problems_keep_all_in_order_and_count_the_errors,
        NULL,
    };

    return suite_run("error", cases);
}
