/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/rate_column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"

#define FILE_NAME "rate_column.tmp"

static bool read_text(struct rate_column *column, const char *text, const char *name,
                      struct error *error)
{
    FILE *file = fopen(FILE_NAME, "w");
    bool ok;

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    memset(error, 0, sizeof *error);
    ok = rate_column_read(column, FILE_NAME, name, error);
    unlink(FILE_NAME);
    return ok;
}

/* 10 12 11 9: mean 10.5, squares 5, products of neighbours -0.75 + 0.75 - 0.75. */
START_TEST(rate_column_describes_runs_in_their_order)
{
    struct rate_column column;
    struct error error;

    ck_assert(
        read_text(&column, "# runs\nrun,a,b\n1,10,7\n2,12,7\n\n3,11,8\r\n4,9,8\n", "a", &error));
    ck_assert_uint_eq(column.count, 4);
    ck_assert_double_eq_tol(column.mean_pps, 10.5, 1e-12);
    ck_assert_double_eq_tol(column.stdev_pps, sqrt(5.0 / 3), 1e-12);
    ck_assert_double_eq_tol(column.lag1, -0.75 / 5, 1e-12);
    ck_assert_double_eq(column.independent,
                        4); /* alternating runs are worth no more than themselves */
    ck_assert(read_text(&column, "b\n7\n7\n8\n8\n", "b", &error));
    ck_assert_double_eq_tol(column.lag1, 0.25, 1e-12);
    ck_assert_double_eq_tol(column.independent, 4 * 0.75 / 1.25, 1e-12);
    ck_assert_double_eq_tol(rate_column_error(&column, 4), column.stdev_pps / 7.5 / 2, 1e-12);
}
END_TEST

START_TEST(rate_column_refuses_what_is_no_rate_and_says_where)
{
    static const struct {
        const char *text, *says;
        uint32_t line;
    } cases[] = {
        {"run,b\n1,2\n", "no such column", 1},
        {"run,a\n1,2\n2,x\n", "a number of packets", 3},
        {"run,a\n1,2\n2\n", "a number of packets", 3},
        {"run,a\n1,-2\n", "a number of packets", 2},
        {"run,a\n1,2\n", "two runs", 2},
        {"# nothing\n", "two runs", 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct rate_column column;
        struct error error;

        ck_assert(!read_text(&column, cases[i].text, "a", &error));
        ck_assert_msg(strstr(error.text, cases[i].says) != NULL, "%s", error.text);
        ck_assert_uint_eq(error.line, cases[i].line);
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {rate_column_describes_runs_in_their_order,
                                  rate_column_refuses_what_is_no_rate_and_says_where, NULL};

    return suite_run("rate_column", cases);
}
