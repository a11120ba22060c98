/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_csv_columns.h"
#include "sim/study/trace_csv_field.h"

#include "tests/study/pcap_fixture.h"

static void check_time(const char *text, int exponent, int64_t expected)
{
    const struct csv_field field = {.text = text, .bytes = strlen(text)};
    const char *rest;
    csv_ps ps = -1;

    ck_assert_msg(csv_time(&field, exponent, &ps, &rest), "%s", text);
    ck_assert_msg(ps == expected, "%s: %lld", text, (long long)ps);
}

static void check_no_time(const char *text, size_t rest_at)
{
    const struct csv_field field = {.text = text, .bytes = strlen(text)};
    const char *rest;
    csv_ps ps;

    ck_assert_msg(!csv_time(&field, 0, &ps, &rest), "%s", text);
    ck_assert_msg(rest == text + rest_at, "%s: %s", text, rest);
}

START_TEST(time_is_read_to_the_picosecond)
{
    check_time("0", 0, 0);
    check_time("1", 0, SIM_S);
    check_time("0.000000000001", 0, 1);
    check_time("0.0000000000019", 0, 1); /* finer ones are rounded down */
    check_time("1.5", -6, 1500000);
    check_time(".5", 0, SIM_S / 2);
    check_time("5.", 0, 5 * SIM_S);
    check_time("-0.25", 0, -SIM_S / 4);
    check_time("1e-5", 0, 10 * SIM_US);
    check_time("1.2E-05", 0, 12 * SIM_US);
    check_time("12e+0", -9, 12 * SIM_NS);
    check_time("1e-400", 0, 0);
    check_time("0e999", 0, 0);
    check_time("000000000001.25", 0, SIM_S + SIM_S / 4);
}
END_TEST

START_TEST(epoch_keeps_all_its_digits)
{
    const char *early = "1700000000.000000000001", *late = "1700000000.000012345678";
    const struct csv_field a = {.text = early, .bytes = strlen(early)};
    const struct csv_field b = {.text = late, .bytes = strlen(late)};
    const char *rest;
    csv_ps from, to;

    ck_assert(csv_time(&a, 0, &from, &rest) && csv_time(&b, 0, &to, &rest));
    ck_assert_int_eq((int64_t)(to - from), 12345677);
}
END_TEST

START_TEST(what_is_no_number_is_no_time)
{
    check_no_time("", 0);
    check_no_time(".", 0);
    check_no_time("-", 0);
    check_no_time("nan", 0);
    check_no_time("inf", 0);
    check_no_time("0x10", 1);
    check_no_time("1,5", 1);
    check_no_time("0.0s", 3);
    check_no_time("1e", 1);
    check_no_time("1e+", 1);
    check_no_time("1.2.3", 3);
    check_no_time("+1", 0);
    check_no_time("1e400", 5);
    check_no_time("1234567890123456789", 0);
}
END_TEST

START_TEST(name_and_unit_tell_the_column)
{
    static const struct {
        const char *name;
        enum csv_column column;
        int exponent;
    } names[] = {
        {"time", CSV_TIME, 0},
        {"Time", CSV_TIME, 0},
        {"t_s", CSV_TIME, 0},
        {"time_us", CSV_TIME, -6},
        {"time (ms)", CSV_TIME, -3},
        {"Time [ns]", CSV_TIME, -9},
        {"timestamp_ps", CSV_TIME, -12},
        {"frame.time_epoch", CSV_TIME, 0},
        {"frame.len", CSV_LEN, 0},
        {"Length", CSV_LEN, 0},
        {"len [bytes]", CSV_LEN, 0},
        {"len_us", CSV_OTHER, 0},
        {"time_bytes", CSV_OTHER, 0},
        {"frame.cap_len", CSV_OTHER, 0},
        {"data_len", CSV_DATA_LEN, 0},
        {"total_sg", CSV_SG, 0},
        {"nr_frags", CSV_FRAGS, 0},
        {"queue_mapping", CSV_QUEUE, 0},
        {"", CSV_OTHER, 0},
        {"_us", CSV_OTHER, 0},
        {"(us)", CSV_OTHER, 0},
        {"s", CSV_OTHER, 0},
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int exponent;
        enum csv_column column = csv_column_named(names[i].name, strlen(names[i].name), &exponent);

        ck_assert_msg(column == names[i].column, "%s: %d", names[i].name, column);
        ck_assert_msg(column != CSV_TIME || exponent == names[i].exponent, "%s", names[i].name);
    }
}
END_TEST

START_TEST(columns_are_found_by_name_wherever_they_stand)
{
    struct capture capture;

    capture_text(&capture,
                 "# remark\n"
                 "\"No.\";\"queue\";dir;nr_frags;Info;\"len (bytes)\";\"time (us)\";xmit_more\n"
                 "1;2;TX;16;\"a;b \"\"c\"\"\";65226;1000.5;1\n"
                 "\n"
                 "2;;in;;x; 60 ;1001;0\n",
                 NULL);
    ck_assert_msg(capture.end == 0 && capture.count == 2, "%s", capture_text_of(&capture, 0));
    ck_assert_uint_eq(capture.list[0].queue, 2);
    ck_assert_uint_eq(capture.list[0].sg, 17);
    ck_assert_uint_eq(capture.list[0].size, 65226);
    ck_assert_int_eq(capture.list[0].direction, TRACE_SENT);
    ck_assert_uint_eq(capture.list[0].kick_test, 0);
    ck_assert_uint_eq(capture.list[0].number, 3);
    ck_assert_uint_eq(capture.list[1].queue, TRACE_UNKNOWN);
    ck_assert_uint_eq(capture.list[1].sg, TRACE_UNKNOWN);
    ck_assert_uint_eq(capture.list[1].data_len, TRACE_UNKNOWN);
    ck_assert_int_eq(capture.list[1].direction, TRACE_RECEIVED);
    ck_assert_uint_eq(capture.list[1].kick_test, 1);
    ck_assert_int_eq(capture.list[1].at, SIM_US / 2);
    ck_assert(capture.facts.records_sg);
    capture_fini(&capture);
}
END_TEST

START_TEST(options_name_separator_and_column)
{
    const struct trace_options options = {.delimiter = ':', .len_column = "Size_Of_Packet"};
    struct capture capture;

    capture_text(&capture, "time:len,x:size_of_packet\n0:1:60\n", &options);
    ck_assert_msg(capture.end == 0 && capture.count == 1, "%s", capture_text_of(&capture, 0));
    ck_assert_uint_eq(capture.list[0].size, 60);
    capture_fini(&capture);
    capture_text(&capture, "time\tlen\n0\t60\n", NULL);
    ck_assert_uint_eq(capture.count, 1);
    capture_fini(&capture);
}
END_TEST

static void check_refused(const char *text, uint32_t line, uint32_t column, const char *message)
{
    struct capture capture;

    capture_text(&capture, text, NULL);
    ck_assert_msg(capture.end == -1 && capture.problems.errors == 1, "%s", text);
    ck_assert_msg(strstr(capture_text_of(&capture, 0), message) != NULL, "%s: %s", text,
                  capture_text_of(&capture, 0));
    ck_assert_uint_eq(capture.problems.list[0].error.line, line);
    ck_assert_uint_eq(capture.problems.list[0].error.column, column);
    capture_fini(&capture);
}

START_TEST(line_that_cannot_be_read_is_refused_with_its_place)
{
    check_refused("time,len\n0,13\n", 2, 3, "len 13: must be 14..65550");
    check_refused("time,len\n0,65551\n", 2, 3, "must be 14..65550");
    check_refused("time,len\n0,\n", 2, 3, "len \"\" is not a whole number");
    check_refused("time,len\n,60\n", 2, 1, "time \"\" is not a number");
    check_refused("time,len\n0,60,1\n", 2, 1, "more than 2 fields, 2 expected");
    check_refused("time,len,dir\n0,60,up\n", 2, 6, "dir up: tx or rx is needed");
    check_refused("time,len,sg\n0,60,1.5\n", 2, 6, "sg 1.5 is not a whole number");
    check_refused("time,len\n0,60\n8640001,60\n", 3, 1, "more than 100 days after the first");
    check_refused("time,len\n0,60\n-432001,60\n", 3, 1, "more than 5 days before the first");
    check_refused("time,len\n0,\"60\n", 2, 3, "quotes do not pair");
    check_refused("time,len\n0,\"60\"x\n", 2, 3, "quotes do not pair");
    check_refused("a,b\n", 1, 1, "no column time (found: a, b)");
    check_refused("# only a remark\n", 0, 0, "no line of column names");
}
END_TEST

START_TEST(column_count_has_a_limit)
{
    char text[1200] = "time,len";

    for (int i = 0; i < 300; i++) {
        strcat(text, ",x");
    }
    strcat(text, "\n");
    check_refused(text, 1, 1, "more than 256 columns");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        time_is_read_to_the_picosecond,
        epoch_keeps_all_its_digits,
        what_is_no_number_is_no_time,
        name_and_unit_tell_the_column,
        columns_are_found_by_name_wherever_they_stand,
        options_name_separator_and_column,
        line_that_cannot_be_read_is_refused_with_its_place,
        column_count_has_a_limit,
        NULL,
    };

    return suite_run("trace_csv", cases);
}
