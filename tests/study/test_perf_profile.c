/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/perf_profile.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"

#define FILE_NAME "perf_profile.tmp"

static bool read_text(struct perf_profile *profile, const char *text, struct error *error)
{
    FILE *file = fopen(FILE_NAME, "w");
    bool ok;

    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
    memset(error, 0, sizeof *error);
    ok = perf_profile_read(profile, FILE_NAME, error);
    unlink(FILE_NAME);
    return ok;
}

START_TEST(perf_profile_reads_what_perf_report_prints)
{
    struct perf_profile profile;
    struct error error;

    ck_assert(read_text(&profile,
                        "# Samples: 1K\n#\n\n"
                        "    27.46%  [kernel]  [k] virtqueue_add\n"
                        "     9.00%  ksoftirqd/1  [kernel.kallsyms]  [k] detach_buf_split  \r\n"
                        "    12.00%     2.50%  vhost  [virtio_ring]  [k] virtqueue_add\n"
                        "     0.25%  app  app  [.] main",
                        &error));
    ck_assert_uint_eq(profile.count, 3);
    ck_assert_double_eq_tol(perf_profile_percent(&profile, "virtqueue_add"), 29.96, 1e-9);
    ck_assert_double_eq_tol(perf_profile_percent(&profile, "main"), 0.25, 1e-9);
    ck_assert_double_eq(perf_profile_percent(&profile, "kfree"), 0);
    ck_assert_double_eq_tol(profile.least, 0.25, 1e-9);
    ck_assert(perf_profile_match(&profile, &error));
    ck_assert(profile.has[SYMBOL_DETACH] && profile.has[SYMBOL_ADD] && !profile.has[SYMBOL_KFREE]);
    ck_assert_double_eq_tol(profile.percent[SYMBOL_DETACH], 9, 1e-9);
    ck_assert_double_eq_tol(profile.rest, 100 - 29.96 - 9, 1e-9);
    perf_profile_fini(&profile);
}
END_TEST

START_TEST(perf_profile_refuses_what_is_none_and_says_where)
{
    static const struct {
        const char *text, *says;
        uint32_t line;
    } cases[] = {
        {"# nothing\n", "no symbol is listed", 0},
        {"  1.0%  [k] a\nvirtqueue_add 27 %\n", "no line of a profile", 2},
        {"  1.0%  [k] a\n\n  2.0%  virtqueue_add\n", "no symbol", 3},
        {"  101.0%  [k] a\n", "a share above 100 %", 1},
        {"  60%  [k] a\n  60%  [k] b\n", "more than 100 %", 0},
        {"  1%  [k]  \n", "a symbol of 1 to 79 bytes", 1},
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct perf_profile profile;
        struct error error;

        ck_assert(!read_text(&profile, cases[i].text, &error));
        ck_assert_msg(strstr(error.text, cases[i].says) != NULL, "%s", error.text);
        ck_assert_uint_eq(error.line, cases[i].line);
        ck_assert_str_eq(error.source, FILE_NAME);
        perf_profile_fini(&profile);
    }
}
END_TEST

/* Every name of the two shipped profiles is either a symbol of the model or meant to be in the
 * rest. */
START_TEST(perf_profile_shipped_ones_leave_little_to_the_rest)
{
    static const struct {
        const char *file;
        double rest;
    } cases[] = {
        {SOURCE_DIR "/scenarios/published/desc-cache-profile.txt", 5.62},
        {SOURCE_DIR "/scenarios/published/desc-cache-kmem-profile.txt", 6.56},
    };

    for (size_t i = 0; i < 2; i++) {
        struct perf_profile profile;
        struct error error = {0};

        ck_assert_msg(perf_profile_read(&profile, cases[i].file, &error), "%s", error.text);
        ck_assert_msg(perf_profile_match(&profile, &error), "%s", error.text);
        ck_assert_double_eq_tol(profile.rest, cases[i].rest, 1e-9);
        perf_profile_fini(&profile);
    }
}
END_TEST

int main(void)
{
    const TTest *const cases[] = {perf_profile_reads_what_perf_report_prints,
                                  perf_profile_refuses_what_is_none_and_says_where,
                                  perf_profile_shipped_ones_leave_little_to_the_rest, NULL};

    setenv("VQSIM_DATA", SOURCE_DIR, 1);
    return suite_run("perf_profile", cases);
}
