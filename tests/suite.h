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
 *
 * With loops, fixtures or signals:
 *
 *       const struct suite_case cases[] = {{.test = full_ring_refuses_add, .end = 2},
 *                                          {.test = second_use_aborts, .signal = SIGABRT},
 *                                          {0}};
 *
 *       return suite_run_cases("virtqueue", NULL, teardown, cases);
 */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

#define SUITE_MOST 64 /* cases of a list */

/* For inner loops, where a ck_assert a step would take most of the time. */
#define require(condition) ((condition) ? (void)0 : ck_abort_msg("%s", #condition))

/* A case that is more than a function to call once. */
struct suite_case {
    const TTest *test; /* NULL ends a list */
    int end, begin;    /* called with _i = begin .. end - 1; end 0: once */
    int signal;        /* by which each call must end; 0: none */
};

/* setup and teardown, NULL where there is none, surround each call in its process. */
static inline int suite_run_cases(const char *name, void (*setup)(void), void (*teardown)(void),
                                  const struct suite_case *cases)
{
    Suite *suite = suite_create(name);
    TCase *tcase = tcase_create(name);
    SRunner *runner;
    int failed;

    tcase_add_checked_fixture(tcase, setup, teardown);
    for (; cases->test; cases++) {
        tcase_add_loop_test_raise_signal(tcase, cases->test, cases->signal, cases->begin,
                                         cases->end > 0 ? cases->end : 1);
    }
    tcase_set_timeout(tcase, 120); /* for a busy machine; a case takes seconds at most */
    suite_add_tcase(suite, tcase);
    runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

static inline int suite_run_signal(const char *name, const TTest *const *tests, int signal)
{
    struct suite_case cases[SUITE_MOST + 1] = {{0}};

    for (size_t i = 0; tests[i]; i++) {
        if (i == SUITE_MOST) {
            fprintf(stderr, "%s: more than %d cases\n", name, SUITE_MOST);
            return EXIT_FAILURE;
        }
        cases[i] = (struct suite_case){.test = tests[i], .signal = signal};
    }
    return suite_run_cases(name, NULL, NULL, cases);
}

static inline int suite_run(const char *name, const TTest *const *tests)
{
    return suite_run_signal(name, tests, 0);
}

/* Cases that must break an invariant and abort. */
static inline int suite_run_aborts(const char *name, const TTest *const *tests)
{
    return suite_run_signal(name, tests, SIGABRT);
}

#endif
