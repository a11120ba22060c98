/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/progress.h"

#include <math.h>
#include <string.h>

#include "tests/suite.h"

START_TEST(progress_says_durations_as_people_do)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0.04, "0.0 s"},  {9.4, "9.4 s"},       {42.4, "42 s"},       {120, "2 min"},
        {5400, "90 min"}, {7200, "2 h 00 min"}, {259200, "3.0 days"}, {NAN, "?"},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[32];

        progress_duration(cases[i].seconds, text, sizeof text);
        ck_assert_str_eq(text, cases[i].text);
    }
}
END_TEST

/* Ten short runs are done, one long one is left: by runs it would be nearly over. */
START_TEST(progress_weighs_the_time_left_by_simulated_time)
{
    struct progress progress;
    double spent;

    progress_init(&progress, stderr, PROGRESS_NONE);
    ck_assert(isnan(progress_left_s(&progress)));
    progress_expect(&progress, 10, 10);
    progress_expect(&progress, 1, 90);
    for (int i = 0; i < 10; i++) {
        progress_done(&progress, 1);
    }
    progress.begun_s -= 1; /* as if a second had passed */
    spent = progress_clock_s() - progress.begun_s;
    ck_assert_double_ge(progress_left_s(&progress), 9 * 1.0);
    ck_assert_double_le(progress_left_s(&progress), 9 * (spent + 1));
}
END_TEST

START_TEST(progress_draws_nothing_where_there_is_no_terminal)
{
    FILE *out = tmpfile();
    struct progress progress;

    ck_assert_ptr_nonnull(out);
    progress_init(&progress, out, PROGRESS_AUTO);
    progress_expect(&progress, 1, 1);
    progress_done(&progress, 1);
    progress.drawn_s -= 10;
    progress_draw(&progress);
    progress_end(&progress);
    ck_assert_int_eq(ftell(out), 0);
    fclose(out);
}
END_TEST

START_TEST(progress_for_programs_is_a_json_line)
{
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    struct progress progress;

    ck_assert_ptr_nonnull(out);
    progress_init(&progress, out, PROGRESS_JSON);
    progress_expect(&progress, 2, 2);
    progress_done(&progress, 1);
    progress_end(&progress);
    fclose(out);
    ck_assert_ptr_nonnull(strstr(text, "{\"done\": 1, \"total\": 2, \"elapsed_s\": "));
    ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
    free(text);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {progress_says_durations_as_people_do,
                            progress_weighs_the_time_left_by_simulated_time,
                            progress_draws_nothing_where_there_is_no_terminal,
                            progress_for_programs_is_a_json_line, NULL};

    return suite_run("progress", cases);
}
