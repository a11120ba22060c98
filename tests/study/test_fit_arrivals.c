/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Laws fitted to arrivals of known sources. The sources are those of the workload, whose closed
 * forms test_workload holds. A parameter is estimated over replications; the truth must lie in the
 * interval of Student's t that their spread gives (a right fit fails once in 10,000 seeds).
 */
#include <math.h>
#include <string.h>

#include "models/workload.h"
#include "sim/engine/interval.h"
#include "sim/study/fit_arrivals.h"
#include "tests/suite.h"

#define REPLICATIONS 10
#define LISTS        60000
#define LEVEL        0.9999

static struct workload_config source(enum workload_type type)
{
    struct workload_config config = {.type = (int)type,
                                     .rate_pps = 400000,
                                     .on_mean = 100 * SIM_US,
                                     .off_mean = 300 * SIM_US,
                                     .burst = 1,
                                     .queue = 1000};

    dist_constant(&config.size, 200);
    dist_constant(&config.frags, 0);
    return config;
}

static void watch(struct arrivals *arrivals, const struct workload_config *config,
                  uint32_t replication, uint32_t lists)
{
    struct workload workload;
    struct sim sim = {0};
    struct error error = {0};

    ck_assert(workload_init(&workload, config, 1, replication, &error));
    arrivals_init(arrivals);
    sim.now = workload.actor.next;
    for (uint32_t i = 0; i < lists; i++) {
        sim_time next;

        workload.queue_count = 0; /* nobody takes */
        next = workload.actor.step(&workload.actor, &sim);
        for (uint32_t k = 0; k < workload.queue_count; k++) {
            arrivals_add(arrivals, sim.now, workload.queue[k].more);
        }
        sim.now = next;
    }
    workload_fini(&workload);
}

static const struct arrival_fit *fit(struct arrival_fit fits[ARRIVAL_KINDS],
                                     const struct arrivals *arrivals)
{
    struct error error = {0};
    const struct arrival_fit *chosen = fit_arrivals(fits, arrivals, &error);

    ck_assert_msg(chosen != NULL, "%s", error.text);
    return chosen;
}

static void check_truth(const char *what, const double logs[REPLICATIONS], double truth)
{
    const struct interval interval = interval_of(logs, REPLICATIONS, LEVEL);

    ck_assert_msg(fabs(interval.mean - log(truth)) <= interval.half_width,
                  "%s: %.5g +- %.2g %%, truth %.5g", what, exp(interval.mean),
                  100 * interval.half_width, truth);
    /* And the band says something. */
    ck_assert_msg(interval.half_width < 0.2, "%s: band of %.0f %%", what,
                  100 * interval.half_width);
}

/* Estimates of a source with two states against the truth; all replications choose `kind`. */
static void check_states(const struct workload_config *config, enum arrival_kind kind)
{
    static struct arrivals arrivals;
    struct arrival_fit fits[ARRIVAL_KINDS];
    double high[REPLICATIONS], low[REPLICATIONS], on[REPLICATIONS], off[REPLICATIONS];

    for (uint32_t i = 0; i < REPLICATIONS; i++) {
        watch(&arrivals, config, i, LISTS);
        ck_assert_int_eq(fit(fits, &arrivals)->kind, kind);
        high[i] = log(fits[kind].law.high * 1e12);
        low[i] = log(fits[kind].law.low * 1e12);
        on[i] = -log(fits[kind].law.leave_high);
        off[i] = -log(fits[kind].law.leave_low);
    }
    check_truth("rate", high, config->rate_pps);
    if (config->low_rate_pps > 0) {
        check_truth("low rate", low, config->low_rate_pps);
    }
    check_truth("on", on, (double)config->on_mean);
    check_truth("off", off, (double)config->off_mean);
}

START_TEST(poisson_is_recognised_with_its_rate)
{
    static struct arrivals arrivals;
    struct workload_config config = source(WORKLOAD_POISSON);
    struct arrival_fit fits[ARRIVAL_KINDS];
    double rate[REPLICATIONS];

    for (uint32_t i = 0; i < REPLICATIONS; i++) {
        watch(&arrivals, &config, i, LISTS);
        ck_assert_int_eq(fit(fits, &arrivals)->kind, ARRIVAL_POISSON);
        rate[i] = log(fits[ARRIVAL_POISSON].law.high * 1e12);
        /* Kolmogorov's limit at a significance of 1e-5. */
        ck_assert_double_le(fit_arrivals_distance(&arrivals, &fits[ARRIVAL_POISSON]),
                            sqrt(-log(1e-5 / 2) / 2 / LISTS));
    }
    check_truth("rate", rate, config.rate_pps);
}
END_TEST

START_TEST(interrupted_poisson_is_recognised_with_its_periods)
{
    struct workload_config config = source(WORKLOAD_MMPP);

    check_states(&config, ARRIVAL_IPP);
}
END_TEST

START_TEST(mmpp_is_recognised_with_its_rates_and_periods)
{
    struct workload_config config = source(WORKLOAD_MMPP);

    config.low_rate_pps = 40000;
    config.off_mean = 1 * SIM_MS;
    check_states(&config, ARRIVAL_MMPP);
}
END_TEST

START_TEST(equal_gaps_are_a_clock)
{
    static struct arrivals arrivals;
    struct workload_config config = source(WORKLOAD_CONSTANT);
    struct arrival_fit fits[ARRIVAL_KINDS];
    const struct arrival_fit *chosen;

    watch(&arrivals, &config, 0, 1000);
    chosen = fit(fits, &arrivals);
    ck_assert_int_eq(chosen->kind, ARRIVAL_CONSTANT);
    ck_assert_double_eq(chosen->mean_gap, 2.5e6);
    ck_assert_double_eq(fit_arrivals_distance(&arrivals, chosen), 0);
    ck_assert_double_eq(arrivals_gap_variation(&arrivals), 0);
}
END_TEST

START_TEST(lists_are_one_arrival)
{
    static struct arrivals arrivals;
    struct workload_config config = source(WORKLOAD_POISSON);
    struct arrival_fit fits[ARRIVAL_KINDS];
    const struct arrival_fit *chosen;
    struct arrivals_dispersion d;

    config.burst = 8;
    watch(&arrivals, &config, 0, LISTS);
    chosen = fit(fits, &arrivals);
    ck_assert_uint_eq(arrivals.lists, LISTS);
    ck_assert_double_eq(arrivals_mean_list(&arrivals), 8);
    ck_assert_uint_eq(arrivals.longest_list, 8);
    ck_assert_int_eq(chosen->kind, ARRIVAL_POISSON);
    d = arrivals_dispersion(&arrivals, 5);
    ck_assert_double_eq_tol(d.index / 8, 1, 5 * sqrt(2.0 / (double)d.windows));
}
END_TEST

/* Counts that are handed on from window to window, against windows counted one by one. */
START_TEST(counts_of_all_windows_agree_with_a_count_of_their_own)
{
    static struct arrivals arrivals;
    struct stream stream;
    static sim_time at[20001];

    arrivals_init(&arrivals);
    stream_init(&stream, 3, 0, "test");
    for (int i = 0; i <= 20000; i++) {
        at[i] = i == 0 ? 77 : at[i - 1] + 1 + (sim_time)stream_below(&stream, 3 << ARRIVALS_SHIFT);
        arrivals_add(&arrivals, at[i], false);
    }
    for (uint32_t scale = 0; scale < 12; scale++) {
        const struct arrivals_dispersion d = arrivals_dispersion(&arrivals, scale);
        double sum = 0, squared = 0, mean;
        int next = 1;

        require(d.windows == (uint64_t)((at[20000] - 77) / d.window));
        for (uint64_t w = 0; w < d.windows; w++) {
            double count = 0;

            while (at[next] - 77 < (sim_time)(w + 1) * d.window) {
                count++;
                next++;
            }
            sum += count;
            squared += count * count;
        }
        mean = sum / (double)d.windows;
        ck_assert_double_eq_tol(d.mean, mean, 1e-9);
        ck_assert_double_eq_tol(d.index, (squared - sum * mean) / (double)(d.windows - 1) / mean,
                                1e-9);
    }
}
END_TEST

START_TEST(few_lists_have_no_law)
{
    static struct arrivals arrivals;
    struct arrival_fit fits[ARRIVAL_KINDS];
    struct error error = {0};

    arrivals_init(&arrivals);
    for (int i = 0; i < 100; i++) {
        arrivals_add(&arrivals, i / 12, false); /* nine instants */
    }
    ck_assert_ptr_null(fit_arrivals(fits, &arrivals, &error));
    ck_assert_str_eq(
        error.text,
        "a law of arrivals takes 10 lists of packets at least, here are 9 (packets: 100)");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {poisson_is_recognised_with_its_rate,
                            interrupted_poisson_is_recognised_with_its_periods,
                            mmpp_is_recognised_with_its_rates_and_periods,
                            equal_gaps_are_a_clock,
                            lists_are_one_arrival,
                            counts_of_all_windows_agree_with_a_count_of_their_own,
                            few_lists_have_no_law,
                            NULL};

    return suite_run("fit_arrivals", cases);
}
