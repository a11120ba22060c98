/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/summary.h"

#include <math.h>

#include "tests/suite.h"

START_TEST(summary_shows_as_many_digits_as_the_interval_warrants)
{
    static const struct {
        double mean, half_width;
        const char *text;
    } cases[] = {
        {321.8704, 0.0561, "321.870 ± 0.056"},
        {11403, 65.2, "11403 ± 65"},
        {3106850, 534, "3.10685 ± 0.00053 M"},
        {34766576160, 209174086, "34.77 ± 0.21 G"},
        {100, 0, "100 ± 0"},
        {0, 0, "0 ± 0"},
        {1.6093e-5, 3e-9, "1.61e-05 ± 3e-09"},
        {12.3456, NAN, "12.35"},
        {NAN, NAN, "n/a"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct interval interval = {.mean = cases[i].mean, .half_width = cases[i].half_width};
        char text[80];

        summary_text(&interval, text, sizeof text);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

/* The variants share their luck: the noise of the runs cancels in the paired ratio and difference.
 */
START_TEST(summary_pairs_replications)
{
    double base[METRIC_COUNT * 3] = {100, 110, 90}, x[METRIC_COUNT * 3] = {200, 220, 180};
    struct summary first = {.count = 3, .level = 0.95, .x = base};
    struct summary second = {.count = 3, .level = 0.95, .x = x};
    struct interval ratio = summary_ratio(&second, &first, METRIC_TX_PPS);
    struct interval difference = summary_difference(&second, &first, METRIC_TX_PPS);

    ck_assert_int_eq(METRIC_TX_PPS, 0);
    ck_assert_double_eq_tol(ratio.mean, 2, 1e-12);
    ck_assert_double_eq_tol(ratio.half_width, 0, 1e-12);
    ck_assert_double_eq_tol(difference.mean, 100, 1e-12);
    ck_assert_double_gt(summary_interval(&first, METRIC_TX_PPS).half_width, 20);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {summary_shows_as_many_digits_as_the_interval_warrants,
                            summary_pairs_replications, NULL};

    return suite_run("summary", cases);
}
