/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/unit.h"

#include <string.h>

#include "sim/engine/time.h"
#include "tests/suite.h"

static void check_whole(enum unit_family family, const char *text, int64_t expected)
{
    struct error error = {0};
    int64_t whole = -1;

    ck_assert_msg(unit_read(family, text, family == UNIT_BYTES, NULL, &whole, &error), "%s: %s",
                  text, error.text);
    ck_assert_msg(whole == expected, "%s: %lld", text, (long long)whole);
}

static void check_rate(enum unit_family family, const char *text, double expected)
{
    struct error error = {0};
    double value = -1;

    ck_assert_msg(unit_read(family, text, false, &value, NULL, &error), "%s: %s", text, error.text);
    ck_assert_double_eq(value, expected);
}

static void check_refused(enum unit_family family, const char *text, const char *message)
{
    struct error error = {0};
    double value;
    int64_t whole;

    ck_assert_msg(!unit_read(family, text, family == UNIT_BYTES, &value, &whole, &error), "%s",
                  text);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s: %s", text, error.text);
}

START_TEST(unit_times_are_exact_picoseconds)
{
    check_whole(UNIT_TIME, "1ps", 1);
    check_whole(UNIT_TIME, "19.3ns", 19300);
    check_whole(UNIT_TIME, "1.5 us", 1500 * SIM_NS);
    check_whole(UNIT_TIME, "200ms", 200 * SIM_MS);
    check_whole(UNIT_TIME, "0.1s", 100 * SIM_MS);
    check_whole(UNIT_TIME, "2min", 120 * SIM_S);
    check_whole(UNIT_TIME, "1h", 3600 * SIM_S);
    check_whole(UNIT_TIME, "100d", SIM_TIME_LIMIT);
    check_whole(UNIT_TIME, "1e-3ns", 1);
    check_whole(UNIT_TIME, "0.4ps", 0);
    check_whole(UNIT_TIME, "-0us", 0);
    check_refused(UNIT_TIME, "200d", "longer than 100 days");
}
END_TEST

START_TEST(unit_bytes_come_out_whole)
{
    check_whole(UNIT_BYTES, "1500", 1500);
    check_whole(UNIT_BYTES, "64KiB", 65536);
    check_whole(UNIT_BYTES, "1.5 KiB", 1536);
    check_whole(UNIT_BYTES, "1kB", 1000);
    check_whole(UNIT_BYTES, "2MiB", 2097152);
    check_refused(UNIT_BYTES, "0.3KiB", "not a whole number of bytes");
    check_refused(UNIT_BYTES, "64kib", "did you mean KiB?");
}
END_TEST

START_TEST(unit_rates_have_two_spellings)
{
    check_rate(UNIT_PPS, "100kpps", 1e5);
    check_rate(UNIT_PPS, "14.88Mpps", 14880000);
    check_rate(UNIT_BPS, "10Gbit/s", 1e10);
    check_rate(UNIT_BPS, "10Gbps", 1e10);
    check_rate(UNIT_BPS, "0.1 Tbit/s", 1e11);
}
END_TEST

START_TEST(unit_messages_name_the_mistake)
{
    check_refused(UNIT_TIME, "200", "needs a unit, for instance \"200ms\"");
    check_refused(UNIT_TIME, "nan", "not a number with unit");
    check_refused(UNIT_TIME, "infs", "not a number with unit");
    check_refused(UNIT_TIME, "0x10ms", "not a number with unit");
    check_refused(UNIT_TIME, "+1ms", "not a number with unit");
    check_refused(UNIT_TIME, " 1ms", "not a number with unit");
    check_refused(UNIT_TIME, "", "not a number with unit");
    check_refused(UNIT_TIME, "1s200ms", "one number and one unit");
    check_refused(UNIT_TIME, "1MS", "did you mean ms?");
    check_refused(UNIT_TIME, "1  ms", "unknown unit");
    check_refused(UNIT_TIME, "1kpps", "is a packet rate; needs a time");
    check_refused(UNIT_TIME, "5fortnights", "unknown unit \"fortnights\"; one of ps, ns");
    check_refused(UNIT_PPS, "100KPPS", "unknown unit KPPS; did you mean kpps?");
    check_refused(UNIT_PPS, "10Gb", "Gb alone is not a rate; write 10Gbit/s (or 10Gbps)");
    check_refused(UNIT_BPS, "10Gb", "Gb alone is not a rate; write 10Gbit/s (or 10Gbps)");
    check_refused(UNIT_BPS, "1e400bit/s", "number out of range");
}
END_TEST

static void check_print(enum unit_family family, double value, const char *text)
{
    char buffer[100];
    struct error error = {0};
    double back;

    unit_print(family, value, buffer, sizeof buffer);
    ck_assert_str_eq(buffer, text);
    ck_assert(unit_read(family, buffer, false, &back, NULL, &error));
    ck_assert_double_eq(back, value);
}

START_TEST(unit_prints_what_reads_back)
{
    check_print(UNIT_PPS, 1e5, "100kpps");
    check_print(UNIT_PPS, 14880952.38095238, "14.88095238095238Mpps");
    check_print(UNIT_PPS, 0.1, "0.1pps");
    check_print(UNIT_BPS, 2.5e9, "2.5Gbit/s");
    check_print(UNIT_TIME, 19300, "19.3ns");
    check_print(UNIT_TIME, 0, "0ns");
    check_print(UNIT_TIME, 2e11, "200ms");
    check_print(UNIT_TIME, 86400e12, "86400s");
    check_print(UNIT_BYTES, 65536, "64KiB");
    check_print(UNIT_BYTES, 1500, "1500B");
}
END_TEST

START_TEST(unit_prints_any_time_so_that_it_reads_back)
{
    uint64_t state = 1;

    for (int i = 0; i < 20000; i++) {
        char buffer[64];
        struct error error = {0};
        int64_t value, back = -1;

        state = state * 6364136223846793005u + 1442695040888963407u;
        value = (int64_t)(state >> 1) >> (state % 60);
        unit_print_whole(UNIT_TIME, value, buffer, sizeof buffer);
        ck_assert(unit_read(UNIT_TIME, buffer, false, NULL, &back, &error));
        ck_assert_msg(back == value, "%s", buffer);
    }
}
END_TEST

START_TEST(unit_shows_four_digits)
{
    char buffer[64];

    unit_show(UNIT_PPS, 2345678, buffer, sizeof buffer);
    ck_assert_str_eq(buffer, "2.346 Mpps");
    unit_show(UNIT_TIME, 0, buffer, sizeof buffer);
    ck_assert_str_eq(buffer, "0 ps");
    unit_show(UNIT_BPS, 0.0 / 0.0, buffer, sizeof buffer);
    ck_assert_str_eq(buffer, "n/a");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        unit_times_are_exact_picoseconds, unit_bytes_come_out_whole,
        unit_rates_have_two_spellings,    unit_messages_name_the_mistake,
        unit_prints_what_reads_back,      unit_prints_any_time_so_that_it_reads_back,
        unit_shows_four_digits,           NULL};

    return suite_run("unit", cases);
}
