/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>

#include "sim/study/report_answer.h"
#include "tests/suite.h"

/* A value on a packet of 1,000 ns: 10 ns are 1 %. */
#define VALUE(n, saved, half)                                                                      \
    {                                                                                              \
        .name = #n, .number = n, .ns = saved, .ns_half = half, .percent = (saved) / 10.0,          \
        .percent_half = (half) / 10.0, .peak_bytes = 100.0 * (n), .bound_bytes = 2048.0 * (n)      \
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
    struct answer_value values[] = {VALUE(1, 0.8, 0.1), VALUE(2, -0.8, 0.1)};
    struct answer_case c;

    judge(&c, values, 2);
    ck_assert(!c.gains && !c.costs && !c.undecided);
}
END_TEST

START_TEST(interval_that_holds_zero_and_much_more_is_undecided)
{
    struct answer_value values[] = {VALUE(1, 2.5, 3)};
    struct answer_case c;

    judge(&c, values, 1);
    ck_assert(!c.gains && !c.costs && c.undecided);
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
    struct answer answer = {
        .cases = cases, .count = count, .kind = ANSWER_THRESHOLDS, .level = "95 %"};
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

START_TEST(smallest_value_that_suffices_is_named_for_all_cases_with_its_memory)
{
    struct answer_value a[] = {VALUE(2, 20, 1), VALUE(3, 20, 1), VALUE(4, 20, 1)};
    struct answer_value b[] = {VALUE(2, 5, 1), VALUE(3, 50, 1), VALUE(4, 50, 1)};
    struct answer_value c[] = {VALUE(2, 20, 1), VALUE(3, 50, 1), VALUE(4, 50, 1)};
    struct answer_value d[] = {VALUE(2, 0, 0), VALUE(3, 0, 0), VALUE(4, -20, 1)};
    struct answer_case cases[4];

    judge(&cases[0], a, 3);
    judge(&cases[1], b, 3);
    judge(&cases[2], c, 3);
    judge(&cases[3], d, 3);
    for (size_t i = 0; i < 4; i++) {
        snprintf(cases[i].label, sizeof cases[i].label, "%c", (char)('A' + (char)i));
    }
    char *text = written(cases, 4);
    ck_assert_ptr_nonnull(strstr(text, "2 is enough for A, 3 for B and C."));
    ck_assert_ptr_nonnull(strstr(text,
                                 "With 3 the tables of one queue held up to 300 bytes in these "
                                 "runs; the cache can grow to 6.0 KiB"));
    ck_assert_ptr_nonnull(strstr(text, "it costs time on D (threshold 4, 2&nbsp;%)"));
    free(text);
}
END_TEST

START_TEST(more_cases_than_a_sentence_can_name_are_counted)
{
    struct answer_value values[] = {VALUE(2, 20, 1), VALUE(3, 30, 1)};
    struct answer_case cases[10];

    for (size_t i = 0; i < 10; i++) {
        judge(&cases[i], values, 2);
    }
    char *text = written(cases, 10);
    ck_assert_ptr_nonnull(strstr(text, "per packet on 10 of 10 paths (3..3&nbsp;%)"));
    ck_assert_ptr_nonnull(strstr(text, "3 is enough for 10 paths."));
    free(text);
}
END_TEST

static struct answer_value *copies(const struct answer_value *values, size_t count)
{
    struct answer_value *list = calloc(count, sizeof *list);

    memcpy(list, values, count * sizeof *list);
    return list;
}

START_TEST(what_has_the_same_figures_is_named_once)
{
    struct answer_value values[] = {VALUE(4, 20, 1), VALUE(5, 20, 1), VALUE(6, 30, 1)};
    struct answer answer = {.cases = calloc(3, sizeof *answer.cases), .count = 3};

    values[1].peak_bytes = values[0].peak_bytes;
    for (size_t i = 0; i < 3; i++) {
        answer.cases[i] = (struct answer_case){
            .values = copies(values, 3), .count = 3, .base_ns = i < 2 ? 1000 : 900};
        snprintf(answer.cases[i].label, sizeof answer.cases[i].label, "v%zu", i + 1);
        answer_merge_values(&answer.cases[i]);
    }
    answer_merge_cases(&answer);
    ck_assert_uint_eq(answer.count, 2);
    ck_assert_str_eq(answer.cases[0].label, "v1 = v2");
    ck_assert_str_eq(answer.cases[1].label, "v3");
    ck_assert_uint_eq(answer.cases[0].count, 2);
    ck_assert_str_eq(answer.cases[0].values[0].name, "4 = 5");
    ck_assert_str_eq(answer.cases[0].values[1].name, "6");
    answer_free(&answer);
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {
        interval_that_holds_zero_is_a_tie,
        less_than_a_tenth_of_a_percent_is_a_tie,
        interval_that_holds_zero_and_much_more_is_undecided,
        smallest_value_whose_interval_overlaps_with_the_best_is_named,
        values_within_a_tenth_of_a_percent_of_the_best_are_tied_with_it,
        value_tied_with_no_cache_does_not_share_the_best_place,
        value_that_costs_is_told,
        nothing_to_judge_is_no_gain,
        sentence_calls_a_tie_a_tie,
        one_replication_is_told_to_have_no_interval,
        smallest_value_that_suffices_is_named_for_all_cases_with_its_memory,
        more_cases_than_a_sentence_can_name_are_counted,
        what_has_the_same_figures_is_named_once,
        NULL,
    };

    return suite_run("report_answer", cases);
}
