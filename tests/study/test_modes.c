/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>

#include "sim/engine/law.h"
#include "sim/study/modes.h"
#include "tests/suite.h"

START_TEST(seven_values_are_not_judged)
{
    double x[] = {1, 1, 1, 2, 2, 2, 2};

    ck_assert(!modes_of(x, 7).known);
}
END_TEST

START_TEST(two_groups_are_told_with_means_and_shares)
{
    double x[] = {385.1, 387.9, 385.0, 388.0, 385.2, 388.1, 384.9, 385.05, NAN};
    struct modes modes = modes_of(x, 9);

    ck_assert(modes.known && modes.two);
    ck_assert_double_eq_tol(modes.mean[0], 385.05, 1e-9);
    ck_assert_double_eq_tol(modes.mean[1], 388.0, 1e-9);
    ck_assert_double_eq_tol(modes.share[0], 5.0 / 8, 1e-12);
    ck_assert_double_eq_tol(modes.share[1], 3.0 / 8, 1e-12);
}
END_TEST

START_TEST(one_outlier_is_no_group)
{
    double x[] = {1, 1.001, 0.999, 1, 1.002, 0.998, 1, 2};

    ck_assert(modes_of(x, 8).known && !modes_of(x, 8).two);
}
END_TEST

START_TEST(equal_values_are_one_group)
{
    double x[] = {3, 3, 3, 3, 3, 3, 3, 3};

    ck_assert(modes_of(x, 8).known && !modes_of(x, 8).two);
}
END_TEST

START_TEST(groups_closer_than_a_tenth_of_a_percent_do_not_matter)
{
    double x[] = {1000, 1000, 1000, 1000, 1000.9, 1000.9, 1000.9, 1000.9};

    ck_assert(!modes_of(x, 8).two);
    for (int i = 4; i < 8; i++) {
        x[i] = 1001.1;
    }
    ck_assert(modes_of(x, 8).two);
}
END_TEST

START_TEST(normal_samples_are_rarely_two_groups)
{
    struct stream stream;
    unsigned two = 0;

    stream_init(&stream, 1, 0, "modes");
    for (int sample = 0; sample < 10000; sample++) {
        double x[8];

        for (int i = 0; i < 8; i++) {
            x[i] = 100 + law_normal(&stream);
        }
        two += modes_of(x, 8).two;
    }
    ck_assert_msg(two < 20, "%u of 10000", two);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {seven_values_are_not_judged,
                            two_groups_are_told_with_means_and_shares,
                            one_outlier_is_no_group,
                            equal_values_are_one_group,
                            groups_closer_than_a_tenth_of_a_percent_do_not_matter,
                            normal_samples_are_rarely_two_groups,
                            NULL};

    return suite_run("modes", cases);
}
