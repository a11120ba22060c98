/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/table.h"

#include <math.h>
#include <string.h>

#include "tests/suite.h"

static char *printed(const struct table *table)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(out);
    table_print(table, out);
    fclose(out);
    return text;
}

START_TEST(table_lines_up_left_and_right)
{
    struct table table;
    char *text;

    table_init(&table, "lrl");
    table_add(&table, "metric");
    table_add(&table, "value");
    table_add(&table, "unit");
    table_add(&table, "a");
    table_add(&table, "%d", 12);
    table_end_row(&table);
    text = printed(&table);
    ck_assert_str_eq(text, "metric  value  unit\n"
                           "a          12\n");
    free(text);
    table_fini(&table);
}
END_TEST

START_TEST(table_counts_code_points_not_bytes)
{
    struct table table;
    char *text;

    table_init(&table, "rl");
    table_add(&table, "1 ± 2");
    table_add(&table, "x");
    table_add(&table, "12345");
    table_add(&table, "y");
    text = printed(&table);
    ck_assert_str_eq(text, "1 ± 2  x\n12345  y\n");
    free(text);
    table_fini(&table);
}
END_TEST

START_TEST(table_lets_no_control_character_out)
{
    struct table table;
    char *text;

    table_init(&table, "l");
    table_add(&table, "%s", "a\x1b[31mb\nc");
    text = printed(&table);
    ck_assert_str_eq(text, "a?[31mb?c\n");
    free(text);
    table_fini(&table);
}
END_TEST

START_TEST(table_numbers_have_four_digits)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {1, "1"},
        {1234567, "1234567"},
        {999.7, "1000"},
        {12.345, "12.35"},
        {-0.5, "-0.5"},
        {0.00012344, "0.0001234"},
        {1e-9, "1.000e-09"},
        {2e15, "2.000e+15"},
        {NAN, "n/a"},
        {INFINITY, "n/a"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[40];

        table_number(cases[i].value, text, sizeof text);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {table_lines_up_left_and_right, table_counts_code_points_not_bytes,
                            table_lets_no_control_character_out, table_numbers_have_four_digits,
                            NULL};

    return suite_run("table", cases);
}
