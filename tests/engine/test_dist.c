/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/dist.h"

#include <string.h>

#include "tests/bands.h"
#include "tests/suite.h"

static struct dist dist_of(enum dist_kind kind, const struct dist_bin *bin, uint32_t count)
{
    struct dist dist = {.kind = kind, .count = count};

    memcpy(dist.bin, bin, count * sizeof *bin);
    return dist;
}

static const struct dist_bin uniform[] = {{1, 17, 1}};
static const struct dist_bin list[] = {{60, 60, 0.444}, {1514, 1514, 0.556}, {576, 576, 2}};
static const struct dist_bin bins[] = {{1, 4, 0.3}, {5, 18, 0.6}, {3, 3, 0.1}, {40, 41, 1}};

START_TEST(dist_constant_is_its_value_and_draws_nothing)
{
    struct dist dist;
    struct dist_sampler sampler;
    struct error error = {0};
    struct stream stream, before;

    dist_constant(&dist, 1500);
    ck_assert_int_eq(dist.kind, DIST_CONSTANT);
    ck_assert_uint_eq(dist_least(&dist), 1500);
    ck_assert_uint_eq(dist_most(&dist), 1500);
    ck_assert_double_eq(dist_mean(&dist), 1500);
    ck_assert(dist_sampler_init(&sampler, &dist, &error));
    stream_init(&stream, 1, 0, "size");
    before = stream;
    ck_assert_uint_eq(dist_draw(&sampler, &stream), 1500);
    ck_assert_mem_eq(&stream, &before, sizeof stream);
    dist_sampler_fini(&sampler);
}
END_TEST

START_TEST(dist_knows_its_least_most_and_mean)
{
    struct dist d = dist_of(DIST_UNIFORM, uniform, 1);

    ck_assert_uint_eq(dist_least(&d), 1);
    ck_assert_uint_eq(dist_most(&d), 17);
    ck_assert_double_eq(dist_mean(&d), 9);
    d = dist_of(DIST_LIST, list, 3);
    ck_assert_uint_eq(dist_least(&d), 60);
    ck_assert_uint_eq(dist_most(&d), 1514);
    ck_assert_double_eq_tol(dist_mean(&d), (60 * 0.444 + 1514 * 0.556 + 576 * 2) / 3, 1e-10);
    d = dist_of(DIST_HISTOGRAM, bins, 4);
    ck_assert_uint_eq(dist_least(&d), 1);
    ck_assert_uint_eq(dist_most(&d), 41);
    ck_assert_double_eq_tol(dist_mean(&d), (2.5 * 0.3 + 11.5 * 0.6 + 0.3 + 40.5) / 2, 1e-12);
}
END_TEST

/* Draws against shares found value by value; values below `room`. */
static void check_draws(const struct dist *dist, uint32_t room)
{
    double share[2000] = {0}, mean = 0, square = 0, sum = 0, weight = 0;
    uint64_t count[2000] = {0};
    struct dist_sampler sampler;
    struct error error = {0};
    struct stream stream;
    int n = 300000;

    for (uint32_t i = 0; i < dist->count; i++) {
        weight += dist->bin[i].weight;
    }
    for (uint32_t i = 0; i < dist->count; i++) {
        const struct dist_bin *b = &dist->bin[i];

        for (uint64_t v = b->low; v <= b->high; v++) {
            share[v] += b->weight / weight / (double)(b->high - b->low + 1);
        }
    }
    for (uint32_t v = 0; v < room; v++) {
        mean += v * share[v];
        square += (double)v * v * share[v];
    }
    ck_assert(dist_sampler_init(&sampler, dist, &error));
    stream_init(&stream, 2, 0, "size");
    for (int i = 0; i < n; i++) {
        uint64_t v = dist_draw(&sampler, &stream);

        require(v >= dist_least(dist) && v <= dist_most(dist));
        count[v]++;
        sum += (double)v;
    }
    check_shares(count, share, room);
    check_mean("mean of the draws", sum / n, mean, square - mean * mean, n);
    ck_assert_double_eq_tol(dist_mean(dist), mean, 1e-9);
    dist_sampler_fini(&sampler);
}

START_TEST(dist_draws_each_value_with_its_weight)
{
    struct dist d = dist_of(DIST_UNIFORM, uniform, 1);

    check_draws(&d, 20);
    d = dist_of(DIST_LIST, list, 3);
    check_draws(&d, 2000);
    d = dist_of(DIST_HISTOGRAM, bins, 4);
    check_draws(&d, 50);
}
END_TEST

START_TEST(dist_takes_all_64_bits)
{
    struct dist_bin whole = {0, UINT64_MAX, 1}, upper = {UINT64_MAX - 1, UINT64_MAX, 1};
    struct dist d = dist_of(DIST_UNIFORM, &whole, 1);
    struct dist_sampler sampler;
    struct error error = {0};
    struct stream stream;
    uint64_t count[8] = {0}, ends[2] = {0};

    stream_init(&stream, 3, 0, "size");
    ck_assert(dist_sampler_init(&sampler, &d, &error));
    for (int i = 0; i < 80000; i++) {
        count[dist_draw(&sampler, &stream) >> 61]++;
    }
    check_shares(count, NULL, 8);
    dist_sampler_fini(&sampler);
    d = dist_of(DIST_UNIFORM, &upper, 1);
    ck_assert_double_eq(dist_mean(&d), 0x1p64);
    ck_assert(dist_sampler_init(&sampler, &d, &error));
    for (int i = 0; i < 10000; i++) {
        ends[dist_draw(&sampler, &stream) - (UINT64_MAX - 1)]++;
    }
    check_shares(ends, NULL, 2);
    dist_sampler_fini(&sampler);
}
END_TEST

START_TEST(dist_takes_as_many_bins_as_there_is_room_for)
{
    struct dist d = {.kind = DIST_LIST, .count = DIST_BINS};

    for (uint32_t i = 0; i < DIST_BINS; i++) {
        d.bin[i] = (struct dist_bin){10 * i, 10 * i, 1 + i % 3};
    }
    check_draws(&d, 10 * DIST_BINS);
}
END_TEST

static void check_refused(const struct dist *dist, const char *text)
{
    struct dist_sampler sampler;
    struct error error = {0};

    ck_assert(!dist_sampler_init(&sampler, dist, &error));
    ck_assert_int_eq(error.kind, ERROR_INPUT);
    ck_assert_str_eq(error.text, text);
    dist_sampler_fini(&sampler);
}

START_TEST(dist_refuses_bins_that_are_none)
{
    struct dist d = dist_of(DIST_HISTOGRAM, bins, 4);

    d.count = 0;
    check_refused(&d, "0 bins, must be 1..64");
    d.count = 65;
    check_refused(&d, "65 bins, must be 1..64");
    d = dist_of(DIST_HISTOGRAM, bins, 4);
    d.bin[1].low = 19;
    check_refused(&d, "bin 1 begins at 19 and ends before, at 18");
    d = dist_of(DIST_HISTOGRAM, bins, 4);
    d.bin[2].weight = 0;
    check_refused(&d, "bin 2 has the weight 0, must be above 0");
    d.bin[2].weight = NAN;
    check_refused(&d, "bin 2 has the weight nan, must be above 0");
    d.bin[2].weight = INFINITY;
    check_refused(&d, "bin 2 has the weight inf, must be above 0");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        dist_constant_is_its_value_and_draws_nothing,
        dist_knows_its_least_most_and_mean,
        dist_draws_each_value_with_its_weight,
        dist_takes_all_64_bits,
        dist_takes_as_many_bins_as_there_is_room_for,
        dist_refuses_bins_that_are_none,
        NULL,
    };

    return suite_run("dist", cases);
}
