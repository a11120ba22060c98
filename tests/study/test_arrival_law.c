/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The closed forms of a source of two states against numerical integration of what defines them:
 * the chain between two arrivals, and the covariance of the rate.
 */
#include <math.h>

#include "sim/study/arrival_law.h"
#include "tests/suite.h"

static const struct arrival_law laws[] = {
    {.high = 5, .low = 0.5, .leave_high = 1, .leave_low = 0.3},
    {.high = 2, .low = 0, .leave_high = 0.7, .leave_low = 2},
    {.high = 40, .low = 1, .leave_high = 0.01, .leave_low = 0.02},
    {.high = 3, .low = 3, .leave_high = 1, .leave_low = 1},
};

#define LAWS ((int)(sizeof laws / sizeof *laws))

/* Probability of no arrival until t, from the states right after one: Runge-Kutta. */
static double tail(const struct arrival_law *law, double t)
{
    const double both = law->leave_high + law->leave_low;
    const double mean = arrival_law_mean_rate(law);
    double p[2] = {law->leave_low / both * law->high / mean,
                   law->leave_high / both * law->low / mean};
    const int steps = 20000;
    const double h = t / steps;

    for (int i = 0; i < steps; i++) {
        double k[4][2];

        for (int stage = 0; stage < 4; stage++) {
            const double ahead = stage == 0 ? 0 : stage == 3 ? h : h / 2;
            const double a = p[0] + (stage > 0 ? ahead * k[stage - 1][0] : 0);
            const double b = p[1] + (stage > 0 ? ahead * k[stage - 1][1] : 0);

            k[stage][0] = -(law->high + law->leave_high) * a + law->leave_low * b;
            k[stage][1] = -(law->low + law->leave_low) * b + law->leave_high * a;
        }
        for (int s = 0; s < 2; s++) {
            p[s] += h / 6 * (k[0][s] + 2 * k[1][s] + 2 * k[2][s] + k[3][s]);
        }
    }
    return p[0] + p[1];
}

START_TEST(gaps_are_those_of_the_chain_between_arrivals)
{
    const struct arrival_gaps gaps = arrival_law_gaps(&laws[_i]);

    ck_assert_double_eq_tol(arrival_gaps_tail(&gaps, 0), 1, 1e-15);
    for (double t = 0.01; t < 5; t *= 3) {
        ck_assert_double_eq_tol(arrival_gaps_tail(&gaps, t), tail(&laws[_i], t), 1e-9);
    }
    /* The mean gap is one over the mean rate. */
    ck_assert_double_eq_tol(gaps.share / gaps.fast + (1 - gaps.share) / gaps.slow,
                            1 / arrival_law_mean_rate(&laws[_i]), 1e-12);
}
END_TEST

/* Kuczura's equations lead from the gaps of an interrupted source back to it. */
START_TEST(gaps_of_an_interrupted_source_tell_the_source)
{
    const struct arrival_law *law = &laws[1];
    const struct arrival_gaps gaps = arrival_law_gaps(law);
    const double rate = gaps.share * gaps.fast + (1 - gaps.share) * gaps.slow;
    const double leave_low = gaps.fast * gaps.slow / rate;

    ck_assert_double_eq_tol(rate, law->high, 1e-12);
    ck_assert_double_eq_tol(leave_low, law->leave_low, 1e-12);
    ck_assert_double_eq_tol(gaps.fast + gaps.slow - rate - leave_low, law->leave_high, 1e-12);
}
END_TEST

/* variance = mean + 2 x integral over u of (t - u) x covariance of the rate at a distance u. */
START_TEST(dispersion_is_the_integral_of_the_covariance)
{
    const struct arrival_law *law = &laws[_i];
    const double s = law->leave_high + law->leave_low, apart = law->high - law->low;
    const double covariance = law->leave_high * law->leave_low / s / s * apart * apart;

    for (double t = 1e-6; t < 1000; t *= 10) {
        const int steps = 200000;
        double integral = 0;

        for (int i = 0; i < steps; i++) {
            const double u = (i + 0.5) * t / steps;

            integral += (t - u) * covariance * exp(-s * u) * t / steps;
        }
        ck_assert_double_eq_tol(arrival_law_dispersion(law, t),
                                1 + 2 * integral / (arrival_law_mean_rate(law) * t),
                                1e-5 * (1 + covariance));
    }
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = gaps_are_those_of_the_chain_between_arrivals, .end = LAWS},
        {.test = gaps_of_an_interrupted_source_tell_the_source},
        {.test = dispersion_is_the_integral_of_the_covariance, .end = LAWS},
        {0}};

    return suite_run_cases("arrival_law", NULL, NULL, cases);
}
