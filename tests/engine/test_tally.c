/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/tally.h"

#include <gsl/gsl_statistics_double.h>

#include "sim/engine/law.h"
#include "tests/bands.h"
#include "tests/suite.h"

#define VALUES 5000

static void fill(double *x, double offset, const char *name)
{
    struct stream stream;

    stream_init(&stream, 1, 0, name);
    for (int i = 0; i < VALUES; i++) {
        x[i] = offset + 3 * law_normal(&stream);
    }
}

static void check_same(const struct tally *a, const struct tally *b, double tolerance)
{
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_double_eq_tol(a->mean, b->mean, tolerance * (1 + fabs(b->mean)));
    ck_assert_double_eq_tol(a->m2, b->m2, tolerance * (1 + b->m2));
    ck_assert_double_eq(a->least, b->least);
    ck_assert_double_eq(a->most, b->most);
}

START_TEST(tally_of_nothing_is_nan)
{
    struct tally t;

    tally_clear(&t);
    ck_assert(isnan(tally_mean(&t)) && isnan(tally_variance(&t)));
    ck_assert(isnan(t.least) && isnan(t.most));
}
END_TEST

START_TEST(tally_of_one_value_has_no_variance)
{
    struct tally t;

    tally_clear(&t);
    tally_add(&t, -4.5);
    ck_assert_double_eq(tally_mean(&t), -4.5);
    ck_assert(isnan(tally_variance(&t)));
    ck_assert_double_eq(t.least, -4.5);
    ck_assert_double_eq(t.most, -4.5);
    tally_add(&t, -4.5);
    ck_assert_double_eq(tally_variance(&t), 0);
}
END_TEST

/* Far from zero the sum of squares would have lost every digit of the variance. */
START_TEST(tally_agrees_with_two_passes_also_far_from_zero)
{
    static double x[VALUES];
    static const double offset[] = {0, 1e3, 1e9, -1e12};

    for (int k = 0; k < 4; k++) {
        struct tally t;
        double scale = 1 + fabs(offset[k]);

        fill(x, offset[k], "two passes");
        tally_clear(&t);
        for (int i = 0; i < VALUES; i++) {
            tally_add(&t, x[i]);
        }
        ck_assert_double_eq_tol(tally_mean(&t), gsl_stats_mean(x, 1, VALUES), 1e-14 * scale);
        ck_assert_double_eq_tol(tally_variance(&t), gsl_stats_variance(x, 1, VALUES),
                                1e-9 + 1e-14 * scale);
        ck_assert_double_eq(t.least, gsl_stats_min(x, 1, VALUES));
        ck_assert_double_eq(t.most, gsl_stats_max(x, 1, VALUES));
    }
}
END_TEST

START_TEST(tally_merge_is_as_if_all_were_added_to_one)
{
    static double x[VALUES];
    static const int cut[] = {0, 1, 2, 17, VALUES / 2, VALUES - 1, VALUES};
    struct tally one;

    fill(x, 100, "merge");
    tally_clear(&one);
    for (int i = 0; i < VALUES; i++) {
        tally_add(&one, x[i]);
    }
    for (size_t k = 0; k < sizeof cut / sizeof cut[0]; k++) {
        struct tally front, back;

        tally_clear(&front);
        tally_clear(&back);
        for (int i = 0; i < VALUES; i++) {
            tally_add(i < cut[k] ? &front : &back, x[i]);
        }
        tally_merge(&front, &back);
        check_same(&front, &one, 1e-12);
    }
}
END_TEST

START_TEST(tally_merge_of_nothing_changes_nothing)
{
    struct tally t, nothing, before;

    tally_clear(&t);
    tally_clear(&nothing);
    tally_merge(&t, &nothing);
    ck_assert(t.count == 0 && isnan(tally_mean(&t)));
    tally_add(&t, 2);
    before = t;
    tally_merge(&t, &nothing);
    check_same(&t, &before, 1e-15);
    tally_merge(&nothing, &t);
    check_same(&nothing, &before, 1e-15);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        tally_of_nothing_is_nan,
        tally_of_one_value_has_no_variance,
        tally_agrees_with_two_passes_also_far_from_zero,
        tally_merge_is_as_if_all_were_added_to_one,
        tally_merge_of_nothing_changes_nothing,
        NULL,
    };

    return suite_run("tally", cases);
}
