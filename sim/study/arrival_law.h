/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A Poisson source whose rate is that of one of two states, of exponential lengths (a two-state
 * Markov modulated Poisson process), in closed form. The sources the fit knows are all of this
 * family:
 *
 *   Poisson   both rates alike
 *   IPP       silent in the second state (interrupted Poisson process). Its gaps are independent
 *             and exactly hyperexponential: Kuczura, The interrupted Poisson process as an overflow
 *             process, Bell System Technical Journal 52 (1973) 437-448
 *   MMPP      any two rates. Its gaps have a hyperexponential law, too, but follow each other; what
 *             tells it from an IPP is the index of dispersion of its counts: Heffes, Lucantoni, A
 *             Markov modulated characterization of packetized voice and data traffic, IEEE JSAC 4
 *             (1986) 856-868
 *
 * Rates and times are in one unit that the caller chooses (1/ps and ps).
 */
#ifndef SIM_STUDY_ARRIVAL_LAW_H
#define SIM_STUDY_ARRIVAL_LAW_H

struct arrival_law {
    double high, low; /* rates of arrivals in the two states, high >= low >= 0, high > 0 */
    double leave_high, leave_low; /* rates of leaving the state; both 0: always in the first */
};

/* Probability that a gap is longer than t: share e^(-fast t) + (1 - share) e^(-slow t). */
struct arrival_gaps {
    double share, fast, slow;
};

double arrival_law_mean_rate(const struct arrival_law *law);
struct arrival_gaps arrival_law_gaps(const struct arrival_law *law);
double arrival_gaps_tail(const struct arrival_gaps *gaps, double t);

/* Variance over mean of the arrivals in a window of length t > 0. */
double arrival_law_dispersion(const struct arrival_law *law, double t);

#endif
