/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/decimal.h"

#include <stdio.h>
#include <string.h>

#include "tests/suite.h"

static struct decimal read_all(const char *text)
{
    struct decimal d;
    size_t used;

    ck_assert_msg(decimal_read(text, &used, &d) == DECIMAL_OK, "%s", text);
    ck_assert_uint_eq(used, strlen(text));
    return d;
}

static void check_print(const char *text, const char *printed)
{
    char buffer[400];

    ck_assert_int_eq(decimal_print(read_all(text), buffer, sizeof buffer), (int)strlen(printed));
    ck_assert_str_eq(buffer, printed);
}

START_TEST(decimal_prints_what_it_read)
{
    check_print("0", "0");
    check_print("-0", "0");
    check_print("0.0e9", "0");
    check_print("007", "7");
    check_print("100", "100");
    check_print("1.50", "1.5");
    check_print("0.1", "0.1");
    check_print("-0.05", "-0.05");
    check_print("1e3", "1000");
    check_print("15E-1", "1.5");
    check_print("1e-6", "0.000001");
    check_print("9007199254740993", "9007199254740993");
    check_print("340282366920938463463374607431768211", "340282366920938463463374607431768211");
    check_print("10000000000000000000000000000000000000000000",
                "10000000000000000000000000000000000000000000");
}
END_TEST

START_TEST(decimal_refuses_what_is_no_number)
{
    static const char *const none[] = {"", "-", ".5", "nan", "inf", "x", "e5", "+", " 1", NULL};
    struct decimal d;
    size_t used;

    for (int i = 0; none[i]; i++) {
        ck_assert_msg(decimal_read(none[i], &used, &d) == DECIMAL_NONE, "%s", none[i]);
    }
    ck_assert_int_eq(decimal_read("1e400", &used, &d), DECIMAL_RANGE);
    ck_assert_int_eq(decimal_read("1e-400", &used, &d), DECIMAL_RANGE);
    ck_assert_int_eq(decimal_read("1e99999999999999999999", &used, &d), DECIMAL_RANGE);
    ck_assert_int_eq(decimal_read("1234567890123456789012345678901234567", &used, &d),
                     DECIMAL_RANGE);
    ck_assert_uint_eq(used, 37);
    /* What follows a number is left to the caller. */
    ck_assert_int_eq(decimal_read("1.ms", &used, &d), DECIMAL_OK);
    ck_assert_uint_eq(used, 1);
    ck_assert_int_eq(decimal_read("1e", &used, &d), DECIMAL_OK);
    ck_assert_uint_eq(used, 1);
    ck_assert_int_eq(decimal_read("0x10", &used, &d), DECIMAL_OK);
    ck_assert_uint_eq(used, 1);
}
END_TEST

START_TEST(decimal_rounds_halves_away_from_zero)
{
    int64_t whole;
    bool exact;

    ck_assert(decimal_round(read_all("2.5"), &whole, &exact) && whole == 3 && !exact);
    ck_assert(decimal_round(read_all("-2.5"), &whole, &exact) && whole == -3 && !exact);
    ck_assert(decimal_round(read_all("2.4999"), &whole, &exact) && whole == 2 && !exact);
    ck_assert(decimal_round(read_all("1e-200"), &whole, &exact) && whole == 0 && !exact);
    ck_assert(decimal_round(read_all("9223372036854775807"), &whole, &exact) && exact);
    ck_assert_int_eq(whole, INT64_MAX);
    ck_assert(!decimal_round(read_all("9223372036854775808"), &whole, &exact));
    ck_assert(!decimal_round(read_all("1e60"), &whole, &exact));
}
END_TEST

START_TEST(decimal_keeps_64_bits)
{
    uint64_t whole;

    ck_assert(decimal_u64(read_all("18446744073709551615"), &whole) && whole == UINT64_MAX);
    ck_assert(!decimal_u64(read_all("18446744073709551616"), &whole));
    ck_assert(!decimal_u64(read_all("-1"), &whole));
    ck_assert(!decimal_u64(read_all("0.5"), &whole));
    ck_assert(decimal_u64(read_all("1.5e3"), &whole) && whole == 1500);
}
END_TEST

START_TEST(decimal_of_a_double_reads_back)
{
    static const double values[] = {0, 0.1, 1.0 / 3, 1e22, 1e-7, 123456789.125, 5e-300, 1.7e300};

    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct decimal d = decimal_from_double(values[i]);

        ck_assert_msg(decimal_double(d) == values[i], "%.17g", values[i]);
    }
    ck_assert_int_eq((int)decimal_from_double(0.1).digits, 1);
    ck_assert_int_eq(decimal_from_double(0.1).exponent, -1);
}
END_TEST

START_TEST(decimal_products_refuse_to_overflow)
{
    struct decimal d = read_all("123456789012345678901234567890123456"), product;

    ck_assert(!decimal_times(d, INT64_C(1000000000001), &product));
    ck_assert(decimal_times(read_all("0.001"), 1000, &product));
    ck_assert_int_eq((int)product.digits, 1);
    ck_assert_int_eq(product.exponent, 0);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {decimal_prints_what_it_read,
                            decimal_refuses_what_is_no_number,
                            decimal_rounds_halves_away_from_zero,
                            decimal_keeps_64_bits,
                            decimal_of_a_double_reads_back,
                            decimal_products_refuse_to_overflow,
                            NULL};

    return suite_run("decimal", cases);
}
