/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/report_answer.h"

/* A value on a packet of 1,000 ns: 10 ns are 1 %. */
#define VALUE(n, saved, half)                                                                      \
    {                                                                                              \
        .name = #n, .number = n, .ns = saved, .ns_half = half, .percent = (saved) / 10.0,          \
        .percent_half = (half) / 10.0                                                              \
    }

static void judge(struct answer_case *c, struct answer_value *values, size_t count)
{
    *c = (struct answer_case){.label = "x", .values = values, .count = count, .replications = 5};
    answer_judge(c);
}

static void check_tied(const struct answer_case *c, const char *text)
{
    char tied[200];

    answer_tied_text(c, true, tied, sizeof tied);
    ck_assert_str_eq(tied, text);
}

START_TEST(interval_that_holds_zero_is_a_tie)
{
    struct answer_value values[] = {VALUE(1, 2, 2.5), VALUE(2, -3, 3.5)};
    struct answer_case c;

    judge(&c, values, 2);
    ck_assert(!c.gains && !c.costs);
    check_tied(&c, "");
}
END_TEST

START_TEST(less_than_a_tenth_of_a_percent_is_a_tie)
{
    struct answer_value values[] = {VALUE(1, 0.9, 0.1), VALUE(2, -0.9, 0.1)};
    struct answer_case c;

    judge(&c, values, 2);
    ck_assert(!c.gains && !c.costs);
}
END_TEST

START_TEST(smallest_value_whose_interval_overlaps_with_the_best_is_named)
{
    struct answer_value values[] = {VALUE(1, 0, 0), VALUE(2, 25, 1), VALUE(3, 49, 1),
                                    VALUE(4, 50, 1), VALUE(5, 48, 0.5)};
    struct answer_case c;

    judge(&c, values, 5);
    ck_assert(c.gains && !c.costs);
    ck_assert_uint_eq(c.best, 3);
    ck_assert_uint_eq(c.smallest, 2);
    check_tied(&c, "3..4"); /* 5 is left out: 48.5 < 49, and 0.2 % apart */
}
END_TEST

START_TEST(values_within_a_tenth_of_a_percent_of_the_best_are_tied_with_it)
{
    struct answer_value values[] = {VALUE(2, 49.2, 0), VALUE(3, 50, 0), VALUE(4, 20, 0),
                                    VALUE(5, 49.5, 0)};
    struct answer_case c;

    judge(&c, values, 4);
    ck_assert_uint_eq(c.smallest, 0);
    check_tied(&c, "2..3, 5");
}
END_TEST

START_TEST(value_tied_with_no_cache_does_not_share_the_best_place)
{
    struct answer_value values[] = {VALUE(1, 5, 20), VALUE(2, 20, 2)};
    struct answer_case c;

    judge(&c, values, 2);
    ck_assert_uint_eq(c.smallest, 1);
    check_tied(&c, "2");
}
END_TEST

START_TEST(value_that_costs_is_told)
{
    struct answer_value values[] = {VALUE(1, -20, 2), VALUE(2, 20, 2)};
    struct answer_case c;

    judge(&c, values, 2);
    ck_assert(c.gains && c.costs);
    ck_assert_uint_eq(c.worst, 0);
}
END_TEST

START_TEST(nothing_to_judge_is_no_gain)
{
    struct answer_case c;

    judge(&c, NULL, 0);
    ck_assert(!c.gains && !c.costs);
}
END_TEST

static char *written(struct answer_case *cases, size_t count)
{
    struct answer answer = {.cases = cases, .count = count, .thresholds = true};
    char *text = NULL;
    size_t bytes = 0;
    FILE *page = open_memstream(&text, &bytes);

    answer_html(&answer, page);
    fclose(page);
    return text;
}

START_TEST(sentence_calls_a_tie_a_tie)
{
    struct answer_value values[] = {VALUE(2, 0, 0.1)};
    struct answer_case c;

    judge(&c, values, 1);
    char *text = written(&c, 1);
    ck_assert_ptr_nonnull(strstr(text, "saves nothing in any case: a tie on x"));
    ck_assert_ptr_nonnull(strstr(text, "<b>x</b>: a tie at every value"));
    free(text);
}
END_TEST

START_TEST(one_replication_is_told_to_have_no_interval)
{
    struct answer_value values[] = {VALUE(2, 10, 0)};
    struct answer_case c;

    judge(&c, values, 1);
    c.replications = 1;
    char *text = written(&c, 1);
    ck_assert_ptr_nonnull(strstr(text, "one replication, no interval"));
    ck_assert_ptr_null(strstr(text, "&plusmn;"));
    free(text);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report_answer");
    TCase *tests = tcase_create("report_answer");

    tcase_add_test(tests, interval_that_holds_zero_is_a_tie);
    tcase_add_test(tests, less_than_a_tenth_of_a_percent_is_a_tie);
    tcase_add_test(tests, smallest_value_whose_interval_overlaps_with_the_best_is_named);
    tcase_add_test(tests, values_within_a_tenth_of_a_percent_of_the_best_are_tied_with_it);
    tcase_add_test(tests, value_tied_with_no_cache_does_not_share_the_best_place);
    tcase_add_test(tests, value_that_costs_is_told);
    tcase_add_test(tests, nothing_to_judge_is_no_gain);
    tcase_add_test(tests, sentence_calls_a_tie_a_tie);
    tcase_add_test(tests, one_replication_is_told_to_have_no_interval);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? 0 : 1;
}
