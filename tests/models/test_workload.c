/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrivals of the open-loop sources against their closed forms. */
#include <math.h>
#include <string.h>

#include "models/workload.h"
#include "tests/suite.h"

#define WINDOWS 4000

/* Packets of a source in windows of equal length, one after another. */
static void count_windows(const struct workload_config *config, sim_time window,
                          double count[WINDOWS])
{
    struct workload workload;
    struct sim sim = {0};
    struct error error = {0};
    sim_time next;

    ck_assert(workload_init(&workload, config, 1, 0, &error));
    next = workload.actor.next;
    for (int i = 0; i < WINDOWS; i++) {
        count[i] = 0;
        while (next < (i + 1) * window) {
            sim.now = next;
            workload.queue_count = 0; /* nobody takes */
            next = workload.actor.step(&workload.actor, &sim);
            count[i]++;
        }
    }
    workload_fini(&workload);
}

static void moments(const double count[WINDOWS], double *mean, double *variance)
{
    *mean = *variance = 0;
    for (int i = 0; i < WINDOWS; i++) {
        *mean += count[i] / WINDOWS;
    }
    for (int i = 0; i < WINDOWS; i++) {
        *variance += (count[i] - *mean) * (count[i] - *mean) / (WINDOWS - 1);
    }
}

static struct workload_config source(enum workload_type type)
{
    struct workload_config config = {.type = (int)type,
                                     .rate_pps = 200000,
                                     .low_rate_pps = 20000,
                                     .on_mean = 100 * SIM_US,
                                     .off_mean = 300 * SIM_US,
                                     .burst = 1,
                                     .queue = 1000};

    dist_constant(&config.size, 200);
    dist_constant(&config.frags, 0);
    return config;
}

/* Of a Poisson source the variance of the counts is their mean. */
START_TEST(poisson_counts_have_the_variance_of_their_mean)
{
    struct workload_config config = source(WORKLOAD_POISSON);
    double count[WINDOWS], mean, variance;

    count_windows(&config, 100 * SIM_US, count);
    moments(count, &mean, &variance);
    ck_assert_double_eq_tol(mean, 20, 5 * sqrt(20.0 / WINDOWS));
    ck_assert_double_eq_tol(variance / mean, 1, 5 * sqrt(2.0 / WINDOWS));
}
END_TEST

/* Heffes, Lucantoni 1986: of an MMPP of two states with rates a, b that are left at r and s the
 * mean rate is m = (a s + b r)/(r + s), and the index of dispersion of the counts in t is
 *   1 + 2 (a - b)^2 r s / ((r + s)^2 (a s + b r)) (1 - (1 - e^-(r+s)t) / ((r + s) t)).
 * The windows are correlated: the standard errors count those that are not, of 2/(r + s) each. */
START_TEST(mmpp_counts_have_the_mean_and_dispersion_of_their_states)
{
    struct workload_config config = source(WORKLOAD_MMPP);
    const double a = 200000, b = 20000, r = 1 / 100e-6, s = 1 / 300e-6, t = 1e-3;
    const double rate = (a * s + b * r) / (r + s);
    const double dispersion = 1 + 2 * (a - b) * (a - b) * r * s /
                                      ((r + s) * (r + s) * (a * s + b * r)) *
                                      (1 - (1 - exp(-(r + s) * t)) / ((r + s) * t));
    double count[WINDOWS], mean, variance;

    count_windows(&config, SIM_MS, count);
    moments(count, &mean, &variance);
    ck_assert_double_eq_tol(mean, rate * t, 5 * sqrt(1.2 * dispersion * rate * t / WINDOWS));
    ck_assert_double_eq_tol(variance / mean, dispersion, 5 * dispersion * sqrt(2.4 / WINDOWS));
}
END_TEST

START_TEST(mmpp_without_a_low_rate_is_silent_while_off)
{
    struct workload_config config = source(WORKLOAD_MMPP);
    double count[WINDOWS], mean, variance;
    int silent = 0;

    config.low_rate_pps = 0;
    config.off_mean = 3 * SIM_MS;
    config.on_mean = SIM_MS;
    count_windows(&config, SIM_MS, count);
    moments(count, &mean, &variance);
    ck_assert_double_gt(variance, 10 * mean);
    for (int i = 0; i < WINDOWS; i++) {
        silent += count[i] == 0;
    }
    /* off at the start of a window and until its end: 3/4 e^(-1/3) */
    ck_assert_double_eq_tol(silent, WINDOWS * 0.75 * exp(-1.0 / 3),
                            5 * sqrt(4 * WINDOWS * 0.54 * 0.46));
}
END_TEST

int main(void)
{
    const TTest *cases[] = {poisson_counts_have_the_variance_of_their_mean,
                            mmpp_counts_have_the_mean_and_dispersion_of_their_states,
                            mmpp_without_a_low_rate_is_silent_while_off, NULL};

    return suite_run("workload", cases);
}
