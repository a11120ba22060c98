/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/level.h"

#include "sim/engine/stream.h"
#include "tests/bands.h"
#include "tests/suite.h"

START_TEST(level_mean_of_an_empty_window_is_nan)
{
    struct level level = {0};

    ck_assert(isnan(level_mean(&level, 0)));
    level_restart(&level, 50);
    ck_assert(isnan(level_mean(&level, 50)));
    ck_assert_double_eq(level_mean(&level, 51), 0);
}
END_TEST

START_TEST(level_area_is_the_sum_of_value_times_time)
{
    struct level level = {0};

    level_change(&level, 10, 3);
    level_change(&level, 15, -1);
    level_change(&level, 15, 4);
    level_change(&level, 20, -6);
    ck_assert(level_area(&level, 20) == 3 * 5 + 6 * 5);
    ck_assert(level_area(&level, 100) == 45);
    ck_assert_int_eq(level.most, 6);
    ck_assert_double_eq(level_mean(&level, 90), 0.5);
}
END_TEST

START_TEST(level_may_be_negative)
{
    struct level level = {0};

    level_change(&level, 0, -4);
    ck_assert(level_area(&level, 25) == -100);
    ck_assert_int_eq(level.most, 0);
}
END_TEST

START_TEST(level_restart_keeps_the_value_and_forgets_the_past)
{
    struct level level = {0};

    level_change(&level, 10, 9);
    level_change(&level, 20, -7);
    level_restart(&level, 30);
    ck_assert(level_area(&level, 30) == 0);
    ck_assert_int_eq(level.most, 2);
    level_change(&level, 40, 1);
    ck_assert(level_area(&level, 50) == 20 + 30);
    ck_assert_double_eq(level_mean(&level, 50), 2.5);
}
END_TEST

START_TEST(level_area_beyond_64_bits_is_exact)
{
    int64_t value = INT64_C(3000000000000000001);
    sim_time end = SIM_TIME_LIMIT;
    struct level level = {0};

    level_change(&level, 0, value);
    level_change(&level, end - 1, -value);
    level_change(&level, end, 1);
    ck_assert(level_area(&level, end + 7) == (sim_wide)value * (end - 1) + 7);
}
END_TEST

/* The identity that every run asserts, on random stays: those still inside count up to now. */
START_TEST(level_area_equals_the_sum_of_the_stays)
{
    struct stream stream;

    stream_init(&stream, 1, 0, "stays");
    for (int trial = 0; trial < 50; trial++) {
        sim_time entered[64], now = 0, start = 0;
        uint32_t inside = 0;
        struct level level = {0};
        sim_wide stays = 0;

        for (int i = 0; i < 2000; i++) {
            now += (sim_time)(stream_bits(&stream) >> stream_below(&stream, 40) >> 12);
            if (i == 500) {
                level_restart(&level, now);
                start = now;
                stays = 0;
            }
            if (inside < 64 && (inside == 0 || stream_below(&stream, 2))) {
                entered[inside++] = now;
                level_change(&level, now, 1);
            } else {
                uint32_t who = (uint32_t)stream_below(&stream, inside);

                stays += now - (entered[who] > start ? entered[who] : start);
                entered[who] = entered[--inside];
                level_change(&level, now, -1);
            }
            require(level.value == (int64_t)inside && level.most >= level.value);
        }
        for (uint32_t i = 0; i < inside; i++) {
            stays += now - (entered[i] > start ? entered[i] : start);
        }
        ck_assert(level_area(&level, now) == stays);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        level_mean_of_an_empty_window_is_nan,
        level_area_is_the_sum_of_value_times_time,
        level_may_be_negative,
        level_restart_keeps_the_value_and_forgets_the_past,
        level_area_beyond_64_bits_is_exact,
        level_area_equals_the_sum_of_the_stays,
        NULL,
    };

    return suite_run("level", cases);
}
