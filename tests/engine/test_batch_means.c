/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/batch_means.h"

#include <gsl/gsl_statistics_double.h>

#include "sim/engine/law.h"
#include "tests/bands.h"
#include "tests/suite.h"

static struct batch_means b;

START_TEST(batch_means_of_nothing_suggest_nothing)
{
    struct interval interval;

    batch_means_clear(&b);
    ck_assert_uint_eq(batch_means_mser5(&b), 0);
    interval = batch_means_interval(&b, 0, 0.95);
    ck_assert(isnan(interval.mean) && isnan(interval.half_width) && interval.n == 0);
    batch_means_add(&b, 3);
    interval = batch_means_interval(&b, 0, 0.95);
    ck_assert(interval.mean == 3 && isnan(interval.half_width) && interval.n == 1);
    interval = batch_means_interval(&b, 5, 0.95);
    ck_assert(isnan(interval.mean) && interval.n == 0);
}
END_TEST

/* Batches of whole numbers are exact, so the means are compared with ==. */
START_TEST(batch_means_that_are_full_merge_neighbours)
{
    uint64_t sizes[] = {4095, 4096, 4097, 8191, 8192, 100000, 1000003};

    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        uint64_t size = 1, n = sizes[k];

        batch_means_clear(&b);
        for (uint64_t i = 0; i < n; i++) {
            batch_means_add(&b, (double)(i % 1000));
            require(b.count < BATCH_MEANS_ROOM);
        }
        while (n / size >= BATCH_MEANS_ROOM) {
            size *= 2;
        }
        ck_assert_uint_eq(b.batch_size, size);
        ck_assert_uint_eq(b.count, n / size);
        ck_assert_uint_eq(b.filled, n % size);
        for (uint64_t j = 0; j < b.count; j++) {
            double sum = 0;

            for (uint64_t i = j * size; i < (j + 1) * size; i++) {
                sum += (double)(i % 1000);
            }
            require(b.mean[j] == sum / (double)size);
        }
    }
}
END_TEST

/* By the definition, for every cut on its own. */
static uint32_t mser5_directly(void)
{
    uint32_t n = b.count / 5, best = 0;
    double z[BATCH_MEANS_ROOM / 5 + 1], least = INFINITY;

    for (uint32_t j = 0; j < n; j++) {
        z[j] = gsl_stats_mean(&b.mean[5 * j], 1, 5);
    }
    for (uint32_t d = 0; 2 * d <= n && d + 2 <= n; d++) {
        double m = n - d;
        double statistic = gsl_stats_tss(z + d, 1, n - d) / (m * m);

        if (statistic < least) {
            least = statistic;
            best = d;
        }
    }
    return 5 * best;
}

START_TEST(batch_means_mser5_agrees_with_its_definition)
{
    struct stream stream;

    stream_init(&stream, 1, 0, "mser");
    for (int trial = 0; trial < 200; trial++) {
        uint64_t n = stream_below(&stream, trial < 100 ? 60 : 9000);
        double decay = 0.9 + 0.0999 * stream_uniform(&stream), bias = 20;

        batch_means_clear(&b);
        for (uint64_t i = 0; i < n; i++) {
            bias *= decay;
            batch_means_add(&b, 10 + bias + law_normal(&stream));
        }
        ck_assert_uint_eq(batch_means_mser5(&b), mser5_directly());
        ck_assert_uint_le(2 * batch_means_mser5(&b), b.count);
    }
}
END_TEST

START_TEST(batch_means_mser5_finds_the_end_of_a_warm_up)
{
    for (uint32_t replication = 0; replication < 20; replication++) {
        struct stream stream;
        uint32_t cut;

        stream_init(&stream, 2, replication, "step");
        batch_means_clear(&b);
        for (int i = 0; i < 4000; i++) {
            batch_means_add(&b, (i < 700 ? 25 : 10) + law_normal(&stream));
        }
        cut = batch_means_mser5(&b);
        /* A step of 15 standard deviations is cut out whole; a little more may go by chance. */
        ck_assert_uint_ge(cut, 700);
        ck_assert_uint_le(cut, 2000);
    }
}
END_TEST

START_TEST(batch_means_mser5_of_a_constant_drops_nothing)
{
    batch_means_clear(&b);
    for (int i = 0; i < 1000; i++) {
        batch_means_add(&b, 7);
    }
    ck_assert_uint_eq(batch_means_mser5(&b), 0);
}
END_TEST

START_TEST(batch_means_interval_is_that_of_the_super_batches)
{
    double super[20];
    struct interval interval, expected;
    struct stream stream;

    stream_init(&stream, 3, 0, "super");
    batch_means_clear(&b);
    for (int i = 0; i < 1007; i++) {
        batch_means_add(&b, law_exponential(&stream));
    }
    interval = batch_means_interval(&b, 100, 0.9);
    ck_assert_uint_eq(interval.n, 20);
    for (int k = 0; k < 20; k++) { /* 907 left: batches of 45, the first 7 dropped */
        super[k] = gsl_stats_mean(&b.mean[107 + 45 * k], 1, 45);
    }
    expected = interval_of(super, 20, 0.9);
    ck_assert_double_eq_tol(interval.mean, expected.mean, 1e-14);
    ck_assert_double_eq_tol(interval.half_width, expected.half_width, 1e-14);
}
END_TEST

/* Autocorrelated, AR(1) with coefficient 0.9: a naive interval would be four times too narrow. */
START_TEST(batch_means_interval_covers_the_mean_of_a_correlated_series)
{
    uint32_t covered = 0, naive = 0, trials = 300;

    for (uint32_t trial = 0; trial < trials; trial++) {
        struct stream stream;
        double x = 0, sum = 0, squares = 0;
        struct interval interval;

        stream_init(&stream, 4, trial, "ar1");
        batch_means_clear(&b);
        for (int i = 0; i < 20000; i++) {
            x = 0.9 * x + law_normal(&stream);
            sum += x;
            squares += x * x;
            batch_means_add(&b, x);
        }
        interval = batch_means_interval(&b, 0, 0.95);
        covered += fabs(interval.mean) <= interval.half_width;
        naive += fabs(sum / 20000) <= 1.96 * sqrt(squares / 20000 / 20000);
    }
    check_mean("coverage", (double)covered / trials, 0.95, 0.95 * 0.05, trials);
    ck_assert_uint_lt(naive, covered);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        batch_means_of_nothing_suggest_nothing,
        batch_means_that_are_full_merge_neighbours,
        batch_means_mser5_agrees_with_its_definition,
        batch_means_mser5_finds_the_end_of_a_warm_up,
        batch_means_mser5_of_a_constant_drops_nothing,
        batch_means_interval_is_that_of_the_super_batches,
        batch_means_interval_covers_the_mean_of_a_correlated_series,
        NULL,
    };

    return suite_run("batch_means", cases);
}
