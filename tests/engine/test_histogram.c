/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/histogram.h"

#include <string.h>

#include "sim/engine/stream.h"
#include "tests/bands.h"
#include "tests/suite.h"

static struct histogram h, other, whole;

START_TEST(histogram_bins_follow_each_other_and_cover_64_bits)
{
    ck_assert_uint_eq(histogram_bin_low(0), 0);
    ck_assert_uint_eq(histogram_bin_high(HISTOGRAM_BINS - 1), UINT64_MAX);
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        uint64_t low = histogram_bin_low(i), high = histogram_bin_high(i);

        require(low <= high);
        require(histogram_index(low) == i && histogram_index(high) == i);
        require(i == 0 || histogram_bin_high(i - 1) + 1 == low);
        /* The stated bound: half a bin is at most 1/2^(HISTOGRAM_BITS + 1) of any value in it. */
        require((double)(high - low) / 2 <= (double)low / (2 << HISTOGRAM_BITS));
    }
}
END_TEST

START_TEST(histogram_of_nothing_is_nan)
{
    histogram_clear(&h);
    ck_assert(isnan(histogram_mean(&h)));
    ck_assert(isnan(histogram_quantile(&h, 0.5)));
    histogram_merge(&h, &other);
    ck_assert_uint_eq(h.count, 0);
}
END_TEST

START_TEST(histogram_of_one_value_is_that_value_everywhere)
{
    uint64_t value = UINT64_C(123456789012345);

    histogram_clear(&h);
    histogram_add(&h, value, 1);
    for (int i = 0; i <= 10; i++) {
        ck_assert_double_eq(histogram_quantile(&h, i / 10.0), (double)value);
    }
    ck_assert_double_eq(histogram_mean(&h), (double)value);
    ck_assert_uint_eq(h.least, value);
    ck_assert_uint_eq(h.most, value);
}
END_TEST

static int compare_word(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

#define VALUES 20000

/* Log-uniform values of up to `bits` bits; every permille against the sorted sample. */
static void check_quantiles(uint32_t bits, const char *name)
{
    static uint64_t value[VALUES];
    struct stream stream;

    histogram_clear(&h);
    stream_init(&stream, 1, bits, name);
    for (uint32_t i = 0; i < VALUES; i++) {
        value[i] = stream_bits(&stream) >> (64 - 1 - stream_below(&stream, bits));
        histogram_add(&h, value[i], 1);
    }
    qsort(value, VALUES, sizeof value[0], compare_word);
    for (uint32_t k = 0; k <= 1000; k++) {
        uint32_t rank = (VALUES * k + 999) / 1000;
        double exact = (double)value[rank > 0 ? rank - 1 : 0];
        double quantile = histogram_quantile(&h, k / 1000.0);

        ck_assert_msg(fabs(quantile - exact) <= exact / (2 << HISTOGRAM_BITS),
                      "quantile %u/1000: %.17g, exact %.17g", k, quantile, exact);
    }
    ck_assert_double_eq(histogram_quantile(&h, 0), (double)value[0]);
    ck_assert_double_eq(histogram_quantile(&h, 1), (double)value[VALUES - 1]);
}

START_TEST(histogram_quantiles_keep_the_stated_bound)
{
    check_quantiles(7, "exact"); /* below 128 the bound is not needed: every bin is one value */
    check_quantiles(20, "counts");
    check_quantiles(45, "times");
    check_quantiles(64, "anything");
}
END_TEST

START_TEST(histogram_of_small_values_has_exact_quantiles)
{
    histogram_clear(&h);
    for (uint64_t v = 1; v <= 127; v++) {
        histogram_add(&h, v, v);
    }
    /* Sorted, value v ends at rank v (v + 1) / 2. */
    for (uint32_t v = 1; v <= 127; v++) {
        double n = 127 * 128 / 2;

        require(histogram_quantile(&h, (v * (v + 1) / 2 - 0.25) / n) == v);
        require(histogram_quantile(&h, (v * (v - 1) / 2 + 0.75) / n) == v);
    }
}
END_TEST

/* All in one bin, whose middle lies outside of what was seen. */
START_TEST(histogram_quantiles_stay_between_least_and_most)
{
    uint64_t low = histogram_bin_low(1000);

    histogram_clear(&h);
    for (uint64_t v = low + 1; v <= low + 3; v++) {
        histogram_add(&h, v, 10);
    }
    ck_assert_double_eq(histogram_quantile(&h, 0), (double)low + 1);
    ck_assert_double_eq(histogram_quantile(&h, 1.0 / 30), (double)low + 1);
    ck_assert_double_eq(histogram_quantile(&h, 0.5), (double)low + 3);
    ck_assert_double_eq(histogram_quantile(&h, 1), (double)low + 3);
    low = histogram_bin_high(1001) - 3;
    histogram_clear(&h);
    for (uint64_t v = low; v <= low + 2; v++) {
        histogram_add(&h, v, 10);
    }
    ck_assert_double_eq(histogram_quantile(&h, 0.5), (double)low);
    ck_assert_double_eq(histogram_quantile(&h, 1), (double)low + 2);
}
END_TEST

START_TEST(histogram_mean_and_extremes_are_exact)
{
    histogram_clear(&h);
    histogram_add(&h, UINT64_MAX - 1, UINT64_C(1) << 60);
    histogram_add(&h, UINT64_MAX - 3, UINT64_C(1) << 60);
    ck_assert(h.sum == (sim_wide)(UINT64_MAX - 2) << 61);
    ck_assert_double_eq(histogram_mean(&h), 0x1p64);
    ck_assert_uint_eq(h.least, UINT64_MAX - 3);
    ck_assert_uint_eq(h.most, UINT64_MAX - 1);
    histogram_clear(&h);
    for (uint64_t v = 0; v < 1000; v++) {
        histogram_add(&h, v * 1000003, 1);
    }
    ck_assert_double_eq(histogram_mean(&h), 999.0 / 2 * 1000003);
    ck_assert_uint_eq(h.least, 0);
}
END_TEST

START_TEST(histogram_weight_is_as_many_single_values)
{
    histogram_clear(&h);
    histogram_clear(&other);
    for (uint64_t v = 1; v < 2000; v += 13) {
        histogram_add(&h, v * v, v % 7 + 1);
        for (uint64_t k = 0; k < v % 7 + 1; k++) {
            histogram_add(&other, v * v, 1);
        }
    }
    ck_assert_mem_eq(&h, &other, sizeof h);
}
END_TEST

START_TEST(histogram_merge_is_as_if_all_were_added_to_one)
{
    struct stream stream;

    stream_init(&stream, 2, 0, "merge");
    for (int trial = 0; trial < 20; trial++) {
        histogram_clear(&h);
        histogram_clear(&other);
        histogram_clear(&whole);
        for (int i = 0; i < 20 * trial; i++) {
            uint64_t v = stream_bits(&stream) >> stream_below(&stream, 64);

            histogram_add(stream_below(&stream, 3) ? &h : &other, v, 1);
            histogram_add(&whole, v, 1);
        }
        histogram_merge(&h, &other);
        ck_assert_mem_eq(&h, &whole, sizeof h);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        histogram_bins_follow_each_other_and_cover_64_bits,
        histogram_of_nothing_is_nan,
        histogram_of_one_value_is_that_value_everywhere,
        histogram_quantiles_keep_the_stated_bound,
        histogram_of_small_values_has_exact_quantiles,
        histogram_quantiles_stay_between_least_and_most,
        histogram_mean_and_extremes_are_exact,
        histogram_weight_is_as_many_single_values,
        histogram_merge_is_as_if_all_were_added_to_one,
        NULL,
    };

    return suite_run("histogram", cases);
}
