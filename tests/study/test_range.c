/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/range.h"

#include <string.h>

#include "tests/suite.h"

static const struct param count = {.kind = PARAM_COUNT}, ratio = {.kind = PARAM_RATIO},
                          time_row = {.kind = PARAM_TIME}, rate = {.kind = PARAM_PPS},
                          bytes = {.kind = PARAM_BYTES};

static void check_values(const struct param *row, const char *text, const char *expected)
{
    struct error error = {0};
    struct range range;
    struct range_walk walk;
    char value[RANGE_TEXT_BYTES], all[1000] = "";

    ck_assert_msg(range_parse(&range, row, text, &error), "%s: %s", text, error.text);
    range_walk_init(&walk, &range);
    while (range_walk_next(&walk, value)) {
        strcat(all, all[0] ? " " : "");
        strcat(all, value);
    }
    ck_assert_msg(strcmp(all, expected) == 0, "%s: %s", text, all);
}

static void check_refused(const struct param *row, const char *text, const char *message)
{
    struct error error = {0};
    struct range range;

    ck_assert_msg(!range_parse(&range, row, text, &error), "%s", text);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s: %s", text, error.text);
}

START_TEST(range_steps_are_exact_decimals)
{
    check_values(&count, "0..4", "0 1 2 3 4");
    check_values(&count, "0..10 step 4", "0 4 8");
    check_values(&count, "7..7", "7");
    check_values(&count, "4 .. 0 step -2", "4 2 0");
    check_values(&ratio, "0..1 step 0.1", "0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1");
    check_values(&ratio, "0.05..0.2 step 0.05", "0.05 0.1 0.15 0.2");
    check_values(&ratio, "-1..1 step 0.5", "-1 -0.5 0 0.5 1");
    check_values(&time_row, "1us..2us step 500ns", "1000000ps 1500000ps 2000000ps");
    check_values(&rate, "1kpps..1.2kpps step 100pps", "1000pps 1100pps 1200pps");
    check_values(&bytes, "1KiB..3KiB step 1KiB", "1024 2048 3072");
}
END_TEST

START_TEST(range_that_is_meant_is_told)
{
    char range[64];

    ck_assert(range_meant("0-4", range, sizeof range));
    ck_assert_str_eq(range, "0..4");
    ck_assert(range_meant("0.5-1.5", range, sizeof range));
    ck_assert_str_eq(range, "0.5..1.5");
    ck_assert(!range_meant("-4", range, sizeof range));
    ck_assert(!range_meant("4-", range, sizeof range));
    ck_assert(!range_meant("4", range, sizeof range));
    ck_assert(!range_meant("1e-3", range, sizeof range));
    ck_assert(!range_meant("", range, sizeof range));
    check_refused(&count, "0..4,8", "several ranges or values are a list, [\"0..4\", 8]");
}
END_TEST

START_TEST(range_factors_grow_and_round)
{
    check_values(&count, "64..1024*2", "64 128 256 512 1024");
    check_values(&count, "1..10*1.5", "1 2 3 5 8");
    check_values(&rate, "1kpps..1Mpps*10", "1000pps 10000pps 100000pps 1000000pps");
    check_values(&ratio, "0.001..1*10", "0.001 0.01 0.1 1");
}
END_TEST

START_TEST(range_counts_without_making_values)
{
    struct error error = {0};
    struct range range;

    ck_assert(range_parse(&range, NULL, "0..4294967295", &error));
    ck_assert_uint_eq(range.count, UINT64_C(4294967296));
    ck_assert(range_parse(&range, &count, "0..18446744073709551615", &error));
    ck_assert_uint_eq(range.count, UINT64_MAX);
    ck_assert(range_parse(&range, &ratio, "0..1e9 step 1e-20", &error));
    ck_assert_uint_eq(range.count, UINT64_MAX);
    ck_assert(range_parse(&range, &ratio, "1e-300..1e300*1.01", &error));
    ck_assert_uint_gt(range.count, 100000);
}
END_TEST

START_TEST(range_refuses_what_is_empty_or_endless)
{
    check_refused(&count, "19..0", "never reaches 0");
    check_refused(&count, "0..19 step -1", "never reaches 19");
    check_refused(&count, "0..19 step 0", "step must not be 0");
    check_refused(&count, "0..19*1", "factor must be at least 1.01");
    check_refused(&count, "0..19*2", "from must be > 0");
    check_refused(&count, "20..19*2", "range is empty");
    check_refused(&count, "0..x", "is not a number");
    check_refused(&count, "..5", "is not a number");
    check_refused(&count, "5", "a range is");
    check_refused(&count, "1..2 step", "is not a number");
    check_refused(&ratio, "0..1", "needs a step or a factor");
    check_refused(&time_row, "1ms..5ms", "needs a step or a factor");
    check_refused(&time_row, "1..5ms step 1ms", "needs a unit");
    check_refused(&ratio, "0..1e300 step 1e-300", "too far apart");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        range_steps_are_exact_decimals,         range_that_is_meant_is_told,
        range_factors_grow_and_round,           range_counts_without_making_values,
        range_refuses_what_is_empty_or_endless, NULL};

    return suite_run("range", cases);
}
