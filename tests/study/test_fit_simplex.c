/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/fit_simplex.h"

#include <math.h>

#include "tests/suite.h"

struct bowl {
    double low[8]; /* where the bottom is; may lie outside the cube */
    size_t dimensions;
    uint32_t asked;
    double enough_below;
    bool outside; /* was asked outside the cube */
};

static double bowl_value(void *context, const double *point, bool *enough)
{
    struct bowl *bowl = context;
    double sum = 0;

    bowl->asked++;
    for (size_t i = 0; i < bowl->dimensions; i++) {
        double off = point[i] - bowl->low[i];

        bowl->outside = bowl->outside || point[i] < 0 || point[i] > 1;
        sum += (double)(i + 1) * off * off;
    }
    *enough = sum < bowl->enough_below;
    return sum;
}

START_TEST(simplex_finds_the_bottom_inside)
{
    struct bowl bowl = {.low = {0.2, 0.7, 0.4}, .dimensions = 3};
    double x[3] = {0.9, 0.1, 0.9};

    ck_assert_double_lt(fit_simplex(bowl_value, &bowl, x, 3, 0.15, 400), 1e-4);
    for (int i = 0; i < 3; i++) {
        ck_assert_double_eq_tol(x[i], bowl.low[i], 0.01);
    }
    ck_assert(!bowl.outside);
}
END_TEST

START_TEST(simplex_stays_in_the_cube_when_the_bottom_is_outside)
{
    struct bowl bowl = {.low = {1.5, 0.5}, .dimensions = 2};
    double x[2] = {0.1, 0.1};

    fit_simplex(bowl_value, &bowl, x, 2, 0.15, 400);
    ck_assert_double_eq_tol(x[0], 1, 0.01);
    ck_assert_double_eq_tol(x[1], 0.5, 0.02);
    ck_assert(!bowl.outside);
}
END_TEST

START_TEST(simplex_ends_where_it_is_enough_and_with_the_last_evaluation)
{
    struct bowl bowl = {.low = {0.2, 0.7}, .dimensions = 2, .enough_below = 0.05};
    double x[2] = {0.9, 0.1}, value = fit_simplex(bowl_value, &bowl, x, 2, 0.15, 400);
    bool enough;

    ck_assert_double_lt(value, 0.05);
    ck_assert_double_gt(value, 1e-4);
    ck_assert_uint_lt(bowl.asked, 50);
    ck_assert_double_eq(bowl_value(&bowl, x, &enough), value);

    bowl = (struct bowl){.low = {0.2, 0.7}, .dimensions = 2};
    fit_simplex(bowl_value, &bowl, x, 2, 0.15, 9);
    ck_assert_uint_eq(bowl.asked, 9);
}
END_TEST

static double nowhere(void *context, const double *point, bool *enough)
{
    (void)context;
    (void)point;
    (void)enough;
    return NAN;
}

START_TEST(simplex_of_what_has_no_value_or_no_unknowns_ends)
{
    struct bowl bowl = {.dimensions = 0};
    double x[2] = {0.3, 0.3};

    fit_simplex(nowhere, NULL, x, 2, 0.15, 50);
    ck_assert_double_eq(x[0], 0.3);
    ck_assert_double_eq(fit_simplex(bowl_value, &bowl, x, 0, 0.15, 50), 0);
    ck_assert_uint_eq(bowl.asked, 1);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {simplex_finds_the_bottom_inside,
                            simplex_stays_in_the_cube_when_the_bottom_is_outside,
                            simplex_ends_where_it_is_enough_and_with_the_last_evaluation,
                            simplex_of_what_has_no_value_or_no_unknowns_ends, NULL};

    return suite_run("fit_simplex", cases);
}
