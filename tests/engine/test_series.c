/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/series.h"

#include <string.h>

#include "sim/engine/stream.h"
#include "tests/bands.h"
#include "tests/suite.h"

static struct series s;

START_TEST(series_without_values_has_no_points)
{
    series_init(&s, "in_flight", 100, 10);
    ck_assert_str_eq(s.name, "in_flight");
    ck_assert_uint_eq(s.count, 0);
    ck_assert_int_eq(s.start, 100);
    ck_assert_int_eq(s.span, 10);
}
END_TEST

START_TEST(series_keeps_sum_count_least_and_most_of_each_span)
{
    series_init(&s, "x", 100, 10);
    series_add(&s, 100, 4);
    series_add(&s, 109, -2);
    series_add(&s, 130, 7);
    ck_assert_uint_eq(s.count, 4);
    ck_assert_double_eq(s.point[0].sum, 2);
    ck_assert_uint_eq(s.point[0].count, 2);
    ck_assert_double_eq(s.point[0].least, -2);
    ck_assert_double_eq(s.point[0].most, 4);
    ck_assert_uint_eq(s.point[1].count, 0);
    ck_assert_uint_eq(s.point[2].count, 0);
    ck_assert_double_eq(s.point[3].sum, 7);
    ck_assert_double_eq(s.point[3].least, 7);
}
END_TEST

START_TEST(series_that_is_full_merges_neighbours_and_doubles_its_span)
{
    series_init(&s, "x", 0, 1);
    for (int t = 0; t < SERIES_ROOM; t++) {
        series_add(&s, t, t);
    }
    ck_assert_uint_eq(s.count, SERIES_ROOM);
    ck_assert_int_eq(s.span, 1);
    series_add(&s, SERIES_ROOM, 5000);
    ck_assert_int_eq(s.span, 2);
    ck_assert_uint_eq(s.count, SERIES_ROOM / 2 + 1);
    for (uint32_t i = 0; i < SERIES_ROOM / 2; i++) {
        require(s.point[i].count == 2 && s.point[i].sum == 4.0 * i + 1);
        require(s.point[i].least == 2.0 * i && s.point[i].most == 2.0 * i + 1);
    }
    ck_assert_double_eq(s.point[SERIES_ROOM / 2].sum, 5000);
}
END_TEST

START_TEST(series_survives_a_gap_of_days)
{
    series_init(&s, "x", 5, 1);
    series_add(&s, 5, 1);
    series_add(&s, 6, 2);
    series_add(&s, SIM_TIME_LIMIT, 3);
    ck_assert_uint_le(s.count, SERIES_ROOM);
    ck_assert_uint_eq(s.point[0].count, 2);
    ck_assert_double_eq(s.point[0].sum, 3);
    ck_assert_double_eq(s.point[s.count - 1].sum, 3);
    ck_assert_int_le(s.span * (s.count - 1), SIM_TIME_LIMIT - 5);
    ck_assert_int_gt(s.span, (SIM_TIME_LIMIT - 5) / SERIES_ROOM / 2);
}
END_TEST

START_TEST(series_takes_a_span_of_nothing_for_one_picosecond)
{
    series_init(&s, "x", 0, 0);
    series_add(&s, 3, 1);
    ck_assert_int_eq(s.span, 1);
    ck_assert_uint_eq(s.count, 4);
}
END_TEST

#define VALUES 20000

/* Each point against the values that fall into its span, however often the series was merged. */
START_TEST(series_points_are_what_their_spans_hold)
{
    static sim_time when[VALUES];
    static double value[VALUES];
    struct stream stream;

    stream_init(&stream, 1, 0, "series");
    for (uint32_t trial = 0; trial < 30; trial++) {
        sim_time now = 1000;
        uint32_t i = 0;

        series_init(&s, "x", now, 1 + trial);
        for (uint32_t k = 0; k < VALUES; k++) {
            now += (sim_time)(stream_below(&stream, 4) ? stream_below(&stream, 1 + trial)
                                                       : stream_below(&stream, 50 * trial + 1));
            when[k] = now;
            value[k] = (double)stream_below(&stream, 1000);
            series_add(&s, now, value[k]);
            require(s.count <= SERIES_ROOM);
        }
        for (uint32_t p = 0; p < s.count; p++) {
            struct series_point expected = {.least = INFINITY, .most = -INFINITY};

            for (; i < VALUES && (when[i] - s.start) / s.span == p; i++) {
                expected.sum += value[i];
                expected.count++;
                expected.least = fmin(expected.least, value[i]);
                expected.most = fmax(expected.most, value[i]);
            }
            require(s.point[p].sum == expected.sum && s.point[p].count == expected.count);
            require(expected.count == 0 ||
                    (s.point[p].least == expected.least && s.point[p].most == expected.most));
        }
        ck_assert_uint_eq(i, VALUES);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        series_without_values_has_no_points,
        series_keeps_sum_count_least_and_most_of_each_span,
        series_that_is_full_merges_neighbours_and_doubles_its_span,
        series_survives_a_gap_of_days,
        series_takes_a_span_of_nothing_for_one_picosecond,
        series_points_are_what_their_spans_hold,
        NULL,
    };

    return suite_run("series", cases);
}
