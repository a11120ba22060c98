/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/experiment.h"

#include <signal.h>

#include "sim/study/summary.h"
#include "tests/study/store_fixture.h"

static struct experiment run(const struct scenario *scenario, struct store *store, uint32_t threads)
{
    struct experiment_options options = {.threads = threads, .progress = PROGRESS_NONE};
    struct experiment experiment;
    struct problems problems;
    struct error error = {0};

    problems_init(&problems);
    ck_assert_msg(experiment_run(&experiment, scenario, store, &options, &problems, &error), "%s",
                  error.text);
    problems_fini(&problems);
    return experiment;
}

static char *results(const struct scenario *scenario, uint32_t threads)
{
    struct store *store = open_store(NULL);
    struct experiment experiment = run(scenario, store, threads);
    char *text = exported(store, STORE_JSON);

    experiment_fini(&experiment);
    store_close(store);
    return text;
}

START_TEST(experiment_gives_the_same_bytes_for_any_number_of_threads)
{
    static const char *const more[] = {
        TINY_AXIS,
        TINY_AXIS ", \"stop\": {\"relative_precision\": 0.0002, \"most_replications\": 11}",
    };

    for (size_t i = 0; i < 2; i++) {
        struct scenario *scenario = tiny_scenario(more[i]);
        char *one = results(scenario, 1);

        for (uint32_t threads = 2; threads <= 9; threads += 7) {
            char *many = results(scenario, threads);

            ck_assert_str_eq(one, many);
            free(many);
        }
        free(one);
        scenario_free(scenario);
    }
}
END_TEST

START_TEST(experiment_computes_only_what_is_missing)
{
    struct scenario *scenario = tiny_scenario(TINY_AXIS), *fresh = tiny_scenario(TINY_AXIS);
    struct store *store = open_store(NULL);
    struct experiment experiment = run(scenario, store, 2);
    struct error error = {0};

    ck_assert_uint_eq(experiment.computed, 3 * 2 * 3);
    ck_assert_uint_eq(experiment.reused, 0);
    experiment_fini(&experiment);
    experiment = run(fresh, store, 2);
    ck_assert_uint_eq(experiment.computed, 0);
    ck_assert_uint_eq(experiment.reused, 18);
    ck_assert_int_eq(error.kind, ERROR_NONE);
    experiment_fini(&experiment);
    store_close(store);
    scenario_free(scenario);
    scenario_free(fresh);
}
END_TEST

START_TEST(experiment_fills_the_gaps_of_a_store)
{
    struct scenario *few = tiny_scenario(""), *all = tiny_scenario(TINY_AXIS);
    struct store *store = open_store(NULL);
    struct experiment experiment = run(few, store, 1); /* ring of 256, both variants */

    experiment_fini(&experiment);
    experiment = run(all, store, 2);
    ck_assert_uint_eq(experiment.computed, 12);
    ck_assert_uint_eq(experiment.reused, 6);
    experiment_fini(&experiment);
    store_close(store);
    scenario_free(few);
    scenario_free(all);
}
END_TEST

/* The number of replications is the smallest that meets the precision on 0..n-1, nothing beyond it
 * is stored, and a cap that is met too early is marked. */
START_TEST(experiment_stops_at_the_precision_and_marks_what_misses_it)
{
    struct scenario *scenario =
        tiny_scenario(", \"stop\": {\"relative_precision\": 0.004, \"most_replications\": 40}");
    struct scenario *hopeless =
        tiny_scenario(", \"stop\": {\"relative_precision\": 1e-9, \"most_replications\": 6}");
    struct experiment_options options = {.threads = 3, .progress = PROGRESS_NONE};
    struct store *store = open_store(NULL);
    struct experiment experiment = run(scenario, store, 3);
    struct problems problems;
    struct error error = {0};
    char answer[200], count[24];

    for (size_t v = 0; v < 2; v++) {
        const struct experiment_cell *cell = experiment_at(&experiment, 0, v);
        struct summary summary;

        ck_assert(cell->precise);
        ck_assert(summary_init(&summary, store, cell, 0.95, &error));
        ck_assert_uint_eq(interval_stop(summary.x + (size_t)METRIC_TX_PPS * summary.count,
                                        summary.count, 3, 0.95, 0.004),
                          cell->replications);
        summary_fini(&summary);
    }
    snprintf(count, sizeof count, "%u",
             experiment.cell[0].replications + experiment.cell[1].replications);
    ck_assert_str_eq(ask(store, "SELECT count(*) FROM run", answer), count);
    experiment_fini(&experiment);
    store_close(store);

    store = open_store(NULL);
    problems_init(&problems);
    ck_assert(experiment_run(&experiment, hopeless, store, &options, &problems, &error));
    ck_assert_uint_eq(experiment.cell[0].replications, 6);
    ck_assert(!experiment.cell[0].precise);
    ck_assert_uint_ge(problems.count, 1);
    ck_assert_uint_eq(problems.errors, 0);
    ck_assert_ptr_nonnull(strstr(problems.list[0].error.text, "variant none: tx_pps"));
    ck_assert_str_ne(ask(store, "SELECT count(*) FROM warning", answer), "0");
    problems_fini(&problems);
    experiment_fini(&experiment);
    store_close(store);
    scenario_free(scenario);
    scenario_free(hopeless);
}
END_TEST

START_TEST(experiment_keeps_finished_runs_on_a_signal)
{
    struct scenario *scenario =
        tiny_scenario(", \"stop\": {\"relative_precision\": 1e-12, \"most_replications\": 100000}");
    struct experiment_options options = {.threads = 2, .progress = PROGRESS_NONE};
    struct store *store = open_store(NULL);
    struct experiment experiment;
    struct problems problems;
    struct error error = {0};
    char answer[200];
    sigset_t before, after;
    pid_t self = getpid();

    if (fork() == 0) {
        usleep(300000);
        kill(self, SIGTERM);
        _exit(0);
    }
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    problems_init(&problems);
    ck_assert(experiment_run(&experiment, scenario, store, &options, &problems, &error));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    ck_assert_int_eq(experiment.signal, SIGTERM);
    ck_assert_int_eq(sigismember(&after, SIGTERM), sigismember(&before, SIGTERM));
    ask(store, "SELECT count(*) FROM run", answer);
    ck_assert_uint_eq(experiment.computed, strtoull(answer, NULL, 10));
    ck_assert_uint_ge(experiment.computed, 1);
    problems_fini(&problems);
    experiment_fini(&experiment);
    store_close(store);
    scenario_free(scenario);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {experiment_gives_the_same_bytes_for_any_number_of_threads,
                            experiment_computes_only_what_is_missing,
                            experiment_fills_the_gaps_of_a_store,
                            experiment_stops_at_the_precision_and_marks_what_misses_it,
                            experiment_keeps_finished_runs_on_a_signal,
                            NULL};

    return suite_run("experiment", cases);
}
