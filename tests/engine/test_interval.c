/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/interval.h"

#include <gsl/gsl_statistics_double.h>

#include "sim/engine/law.h"
#include "tests/bands.h"
#include "tests/suite.h"

#define VALUES 40

static void fill(double *x, double *base, const char *name)
{
    struct stream stream;

    stream_init(&stream, 1, 0, name);
    for (int i = 0; i < VALUES; i++) {
        double luck = law_normal(&stream);

        base[i] = 50 + 4 * luck + law_normal(&stream);
        x[i] = 40 + 3 * luck + law_normal(&stream);
    }
}

START_TEST(interval_t_is_the_table_of_student)
{
    ck_assert_double_eq_tol(interval_t(0.95, 2), 12.7062047364, 1e-9);
    ck_assert_double_eq_tol(interval_t(0.95, 5), 2.7764451052, 1e-9);
    ck_assert_double_eq_tol(interval_t(0.95, 10), 2.2621571628, 1e-9);
    ck_assert_double_eq_tol(interval_t(0.99, 31), 2.7499956536, 1e-9);
    ck_assert_double_eq_tol(interval_t(0.90, 121), 1.6576508994, 1e-9);
}
END_TEST

START_TEST(interval_t_without_two_values_or_a_level_is_nan)
{
    ck_assert(isnan(interval_t(0.95, 0)) && isnan(interval_t(0.95, 1)));
    ck_assert(isnan(interval_t(0, 10)) && isnan(interval_t(1, 10)));
    ck_assert(isnan(interval_t(-1, 10)) && isnan(interval_t(NAN, 10)));
}
END_TEST

START_TEST(interval_of_agrees_with_the_formula)
{
    double x[VALUES], base[VALUES];

    fill(x, base, "formula");
    for (uint32_t n = 2; n <= VALUES; n++) {
        struct interval i = interval_of(x, n, 0.95);
        double error = gsl_stats_sd(x, 1, n) / sqrt(n);

        ck_assert_uint_eq(i.n, n);
        ck_assert_double_eq(i.level, 0.95);
        ck_assert_double_eq_tol(i.mean, gsl_stats_mean(x, 1, n), 1e-12);
        ck_assert_double_eq_tol(i.half_width, gsl_cdf_tdist_Pinv(0.975, n - 1.0) * error, 1e-12);
    }
}
END_TEST

START_TEST(interval_of_nothing_and_of_one_value_has_no_width)
{
    double x[] = {3, NAN, NAN};
    struct interval none = interval_of(x, 0, 0.95), one = interval_of(x, 3, 0.95);

    ck_assert(none.n == 0 && isnan(none.mean) && isnan(none.half_width));
    ck_assert(one.n == 1 && one.mean == 3 && isnan(one.half_width));
    none = interval_of(x + 1, 2, 0.95);
    ck_assert(none.n == 0 && isnan(none.mean) && isnan(none.half_width));
}
END_TEST

START_TEST(interval_leaves_out_what_is_not_finite)
{
    double x[] = {1, NAN, 2, INFINITY, 4, -INFINITY}, finite[] = {1, 2, 4};
    struct interval a = interval_of(x, 6, 0.9), b = interval_of(finite, 3, 0.9);

    ck_assert_uint_eq(a.n, 3);
    ck_assert_double_eq(a.mean, b.mean);
    ck_assert_double_eq(a.half_width, b.half_width);
}
END_TEST

START_TEST(interval_difference_pairs_replication_with_replication)
{
    double x[VALUES], base[VALUES], difference[VALUES];
    struct interval paired, expected;

    fill(x, base, "paired");
    for (int i = 0; i < VALUES; i++) {
        difference[i] = x[i] - base[i];
    }
    paired = interval_difference(x, base, VALUES, 0.95);
    expected = interval_of(difference, VALUES, 0.95);
    ck_assert_double_eq(paired.mean, expected.mean);
    ck_assert_double_eq(paired.half_width, expected.half_width);
    /* The luck they share is gone. */
    ck_assert_double_lt(paired.half_width, interval_of(x, VALUES, 0.95).half_width);
}
END_TEST

START_TEST(interval_difference_leaves_out_incomplete_pairs)
{
    double x[] = {1, NAN, 5, 7}, base[] = {0.5, 1, NAN, 1};
    struct interval i = interval_difference(x, base, 4, 0.95);

    ck_assert_uint_eq(i.n, 2);
    ck_assert_double_eq(i.mean, 3.25);
    i = interval_ratio(x, base, 4, 0.95);
    ck_assert_uint_eq(i.n, 2);
    ck_assert_double_eq_tol(i.mean, 8 / 1.5, 1e-14);
    ck_assert_double_eq_tol(i.half_width, interval_t(0.95, 2) * (5.0 / 3) / 0.75, 1e-12);
}
END_TEST

/* Var r = (Sxx - 2 r Sxb + r^2 Sbb) / (n mean(b)^2), from the covariances. */
START_TEST(interval_ratio_agrees_with_the_delta_method_by_covariances)
{
    double x[VALUES], base[VALUES];

    fill(x, base, "ratio");
    for (uint32_t n = 2; n <= VALUES; n++) {
        struct interval i = interval_ratio(x, base, n, 0.95);
        double below = gsl_stats_mean(base, 1, n), r = gsl_stats_mean(x, 1, n) / below;
        double variance =
            (gsl_stats_variance(x, 1, n) - 2 * r * gsl_stats_covariance(x, 1, base, 1, n) +
             r * r * gsl_stats_variance(base, 1, n)) /
            (n * below * below);

        ck_assert_uint_eq(i.n, n);
        ck_assert_double_eq_tol(i.mean, r, 1e-13);
        ck_assert_double_eq_tol(i.half_width, gsl_cdf_tdist_Pinv(0.975, n - 1.0) * sqrt(variance),
                                1e-10);
    }
}
END_TEST

START_TEST(interval_ratio_of_proportional_samples_has_no_width)
{
    double x[] = {2, 4, 6}, base[] = {1, 2, 3}, negative[] = {-1, -2, -3};
    struct interval i = interval_ratio(x, base, 3, 0.95);

    ck_assert_double_eq(i.mean, 2);
    ck_assert_double_eq(i.half_width, 0);
    i = interval_ratio(x, negative, 3, 0.95);
    ck_assert_double_eq(i.mean, -2);
    ck_assert_double_eq(i.half_width, 0);
    x[2] = 7;
    i = interval_ratio(x, negative, 3, 0.95);
    ck_assert_double_gt(i.half_width, 0);
    ck_assert_double_eq(i.half_width, interval_ratio(x, base, 3, 0.95).half_width);
}
END_TEST

START_TEST(interval_ratio_is_nan_where_the_base_is_zero)
{
    double x[] = {1, 2}, zeros[] = {0, 0}, cancel[] = {-1, 1};
    struct interval i = interval_ratio(x, zeros, 2, 0.95);

    ck_assert(isnan(i.mean) && isnan(i.half_width) && i.n == 2);
    i = interval_ratio(x, cancel, 2, 0.95);
    ck_assert(isnan(i.mean) && isnan(i.half_width));
    i = interval_ratio(x, zeros, 0, 0.95);
    ck_assert(isnan(i.mean) && i.n == 0);
    zeros[0] = 4;
    i = interval_ratio(x, zeros, 1, 0.95);
    ck_assert(i.mean == 0.25 && isnan(i.half_width));
}
END_TEST

START_TEST(interval_covers_the_truth_as_often_as_it_says)
{
    uint32_t trials = 4000, mean = 0, difference = 0, ratio = 0;
    struct stream stream;

    stream_init(&stream, 2, 0, "coverage");
    for (uint32_t t = 0; t < trials; t++) {
        double x[10], base[10];
        struct interval i;

        for (int k = 0; k < 10; k++) {
            double luck = law_normal(&stream);

            base[k] = 100 + luck + 0.2 * law_normal(&stream);
            x[k] = 80 + luck + 0.2 * law_normal(&stream);
        }
        i = interval_of(x, 10, 0.9);
        mean += fabs(i.mean - 80) <= i.half_width;
        i = interval_difference(x, base, 10, 0.9);
        difference += fabs(i.mean + 20) <= i.half_width;
        i = interval_ratio(x, base, 10, 0.9);
        ratio += fabs(i.mean - 0.8) <= i.half_width;
    }
    check_mean("mean", (double)mean / trials, 0.9, 0.09, trials);
    check_mean("difference", (double)difference / trials, 0.9, 0.09, trials);
    check_mean("ratio", (double)ratio / trials, 0.9, 0.09, trials);
}
END_TEST

START_TEST(interval_stop_is_the_first_count_in_order_that_is_precise_enough)
{
    static double x[200];
    static const double precision[] = {0.2, 0.05, 0.02, 0.01, 1e-6};
    struct stream stream;

    stream_init(&stream, 3, 0, "stop");
    for (int i = 0; i < 200; i++) {
        x[i] = i % 17 == 5 ? NAN : 20 + 2 * law_normal(&stream);
    }
    for (size_t k = 0; k < sizeof precision / sizeof precision[0]; k++) {
        for (uint32_t least = 1; least <= 10; least += 3) {
            uint32_t expected = 0;

            for (uint32_t n = least; n <= 200 && expected == 0; n++) {
                struct interval i = interval_of(x, n, 0.95);

                expected = i.half_width <= precision[k] * fabs(i.mean) ? n : 0;
            }
            ck_assert_uint_eq(interval_stop(x, 200, least, 0.95, precision[k]), expected);
        }
    }
    ck_assert_uint_eq(interval_stop(x, 200, 2, 0.95, 1e-6), 0);
}
END_TEST

START_TEST(interval_stop_needs_two_values_and_takes_equal_ones)
{
    double same[] = {4, 4, 4}, below[] = {-4, -4.001, -3.999}, zeros[] = {0, 0, 0},
           nothing[] = {NAN, NAN, NAN};

    ck_assert_uint_eq(interval_stop(same, 3, 0, 0.95, 0.01), 2);
    ck_assert_uint_eq(interval_stop(same, 3, 3, 0.95, 0.01), 3);
    ck_assert_uint_eq(interval_stop(same, 3, 4, 0.95, 0.01), 0);
    ck_assert_uint_eq(interval_stop(same, 1, 1, 0.95, 0.01), 0);
    ck_assert_uint_eq(interval_stop(below, 3, 3, 0.95, 0.01), 3);
    ck_assert_uint_eq(interval_stop(zeros, 3, 2, 0.95, 0.01), 2);
    ck_assert_uint_eq(interval_stop(nothing, 3, 2, 0.95, 0.01), 0);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        interval_t_is_the_table_of_student,
        interval_t_without_two_values_or_a_level_is_nan,
        interval_of_agrees_with_the_formula,
        interval_of_nothing_and_of_one_value_has_no_width,
        interval_leaves_out_what_is_not_finite,
        interval_difference_pairs_replication_with_replication,
        interval_difference_leaves_out_incomplete_pairs,
        interval_ratio_agrees_with_the_delta_method_by_covariances,
        interval_ratio_of_proportional_samples_has_no_width,
        interval_ratio_is_nan_where_the_base_is_zero,
        interval_covers_the_truth_as_often_as_it_says,
        interval_stop_is_the_first_count_in_order_that_is_precise_enough,
        interval_stop_needs_two_values_and_takes_equal_ones,
        NULL,
    };

    return suite_run("interval", cases);
}
