/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/fit_draws.h"

#include <math.h>
#include <string.h>

#include "tests/suite.h"

#define DIMENSIONS 60 /* beyond Sobol's */

static void draw(uint32_t dimensions, uint64_t seed, size_t count, double *points)
{
    struct fit_draws *draws = fit_draws_new(dimensions, seed);

    ck_assert_ptr_nonnull(draws);
    for (size_t i = 0; i < count; i++) {
        fit_draws_next(draws, points + i * dimensions);
    }
    fit_draws_free(draws);
}

START_TEST(draws_are_the_same_for_a_seed_and_others_for_another)
{
    double a[50 * 7], b[50 * 7], longer[80 * 7];

    draw(7, 1, 50, a);
    draw(7, 1, 80, longer);
    draw(7, 2, 50, b);
    ck_assert_mem_eq(a, longer, sizeof a);
    ck_assert_mem_ne(a, b, sizeof a);
}
END_TEST

/* Of n even points the share below x is x to within some (log n)^d / n; a random sample strays by
 * sqrt(x (1 - x) / n), and to be more even than that is what they are for. */
START_TEST(draws_fill_every_coordinate_evenly)
{
    static const uint32_t dimensions[] = {1, 23, DIMENSIONS};
    enum { COUNT = 1024 };
    static double points[COUNT * DIMENSIONS];

    for (size_t k = 0; k < 3; k++) {
        draw(dimensions[k], 5, COUNT, points);
        for (uint32_t d = 0; d < dimensions[k]; d++) {
            int below = 0;

            for (size_t i = 0; i < COUNT; i++) {
                double x = points[i * dimensions[k] + d];

                require(x >= 0 && x < 1);
                below += x < 0.3;
            }
            /* Halton's late coordinates, of large primes, need more points. */
            require(dimensions[k] == DIMENSIONS && d >= 10
                        ? below > 0 && below < COUNT
                        : fabs(below - 0.3 * COUNT) <= 2 * sqrt(0.3 * 0.7 * COUNT));
        }
    }
}
END_TEST

START_TEST(draws_refuse_no_dimensions_and_too_many)
{
    ck_assert_ptr_null(fit_draws_new(0, 1));
    ck_assert_ptr_null(fit_draws_new(FIT_DRAWS_DIMENSIONS + 1, 1));
    fit_draws_free(fit_draws_new(FIT_DRAWS_DIMENSIONS, 1));
    fit_draws_free(NULL);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {draws_are_the_same_for_a_seed_and_others_for_another,
                            draws_fill_every_coordinate_evenly,
                            draws_refuse_no_dimensions_and_too_many, NULL};

    return suite_run("fit_draws", cases);
}
