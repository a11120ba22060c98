/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/fit_root.h"

#include <math.h>

#include "tests/suite.h"

struct curve {
    double zero;
    int calls, fails_at; /* 0: never */
};

static bool cubic(void *context, double x, double *value)
{
    struct curve *curve = context;

    curve->calls++;
    *value = x * x * x - curve->zero * curve->zero * curve->zero;
    return curve->calls != curve->fails_at;
}

START_TEST(fit_root_finds_the_zero_inside)
{
    struct curve curve = {.zero = 57.3};
    struct fit_root root = fit_root(cubic, &curve, 30, 80, 0.01);

    ck_assert_int_eq(root.end, FIT_FOUND);
    ck_assert_double_eq_tol(root.x, 57.3, 0.01);
    ck_assert_uint_eq(root.evaluations, (unsigned)curve.calls);
    ck_assert_int_lt(curve.calls, 15);
    ck_assert_double_eq_tol(root.slope, (80. * 80 * 80 - 30. * 30 * 30) / 50, 1e-6);
}
END_TEST

START_TEST(fit_root_looks_for_nothing_outside_and_says_on_which_side)
{
    struct curve low = {.zero = 20}, high = {.zero = 90};
    struct fit_root below = fit_root(cubic, &low, 30, 80, 0.01);
    struct fit_root above = fit_root(cubic, &high, 30, 80, 0.01);

    ck_assert_int_eq(below.end, FIT_BELOW);
    ck_assert_double_eq(below.x, 30);
    ck_assert_int_eq(above.end, FIT_ABOVE);
    ck_assert_double_eq(above.x, 80);
    ck_assert_uint_eq(above.evaluations, 2);
}
END_TEST

START_TEST(fit_root_gives_up_with_the_function)
{
    for (int at = 1; at <= 4; at++) {
        struct curve curve = {.zero = 50, .fails_at = at};

        ck_assert_int_eq(fit_root(cubic, &curve, 30, 80, 0.01).end, FIT_FAILED);
        ck_assert_int_eq(curve.calls, at);
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {fit_root_finds_the_zero_inside,
                                  fit_root_looks_for_nothing_outside_and_says_on_which_side,
                                  fit_root_gives_up_with_the_function, NULL};

    return suite_run("fit_root", cases);
}
