/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What every Check program of this tree ends with: run the listed cases, exit 0 when all passed.
 *
 *   int main(void)
 *   {
 *       const TTest *cases[] = {tally_of_nothing_is_nan, tally_merges_exactly, NULL};
 *
 *       return suite_run("tally", cases);
 *   }
 */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <signal.h>
#include <stdlib.h>

/* For inner loops, where a ck_assert a step would take most of the time. */
#define require(condition) ((condition) ? (void)0 : ck_abort_msg("%s", #condition))

/* signal: 0, or the one by which each case must end. */
static inline int suite_run_signal(const char *name, const TTest *const *cases, int signal)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    SRunner *runner;
    int failed;

    for (; *cases; cases++) {
        tcase_add_test_raise_signal(tcase, *cases, signal);
    }
    tcase_set_timeout(tcase, 120); /* for a busy machine; a case takes seconds at most */
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int suite_run(const char *name, const TTest *const *cases)
{
    return suite_run_signal(name, cases, 0);
}

/* Cases that must break an invariant and abort. */
static inline int suite_run_aborts(const char *name, const TTest *const *cases)
{
    return suite_run_signal(name, cases, SIGABRT);
}

#endif
