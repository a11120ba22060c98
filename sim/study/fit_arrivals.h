/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The arrival law of a capture: which of the sources that a scenario knows comes nearest.
 *
 * Poisson, interrupted Poisson and MMPP (arrival_law.h) are fitted to the same sum of two terms,
 * all with the mean rate of the capture:
 *
 *   gaps     -2 log likelihood of the histogram of gaps. For independent gaps (Poisson, IPP) the
 *            minimum is the maximum likelihood
 *   counts   squared distance of the logarithms of the index of dispersion, law against capture,
 *            in standard errors, over windows of factor 4 (Heffes and Lucantoni match this curve at
 *            points). Packets are counted; the law has lists of their mean length. A standard error
 *            is sqrt(2/n) of n windows, and 10 % at least, as windows in a row are not independent.
 *            Of an MMPP it settles what the gaps leave open: how they follow each other
 *
 * The least sum + parameters x log(gaps) is chosen (Schwarz, Estimating the dimension of a model,
 * Annals of Statistics 6 (1978) 461-464). Gaps whose standard deviation is less than half of their
 * mean are nearer to a clock than to any of these, and get the source `constant`.
 *
 * The minimum is looked for by the simplex of Nelder and Mead (GSL) in logarithms of times and
 * logits of shares, from starts over all time scales that the capture shows.
 */
#ifndef SIM_STUDY_FIT_ARRIVALS_H
#define SIM_STUDY_FIT_ARRIVALS_H

#include "sim/engine/error.h"
#include "sim/study/arrival_law.h"
#include "sim/study/arrivals.h"

#define FIT_LISTS_LEAST   10    /* fewer say nothing about a law */
#define FIT_LIST_MOST     4096  /* packets of a list that a scenario may have */
#define FIT_WINDOWS_LEAST 20    /* of one length, or its dispersion is not used */
#define FIT_COUNTS_LEAST  0.05  /* mean gaps in a window, or it shows single arrivals only */
#define FIT_STATE_MOST    SIM_S /* mean length of a state that a scenario may have */
#define FIT_STATES_LEAST  8     /* of such a length in the capture, or it hardly recurs */

enum arrival_kind { ARRIVAL_CONSTANT, ARRIVAL_POISSON, ARRIVAL_IPP, ARRIVAL_MMPP, ARRIVAL_KINDS };

struct arrival_fit {
    enum arrival_kind kind;
    bool tried;
    double mean_gap;        /* ps */
    struct arrival_law law; /* of lists, per ps; not of CONSTANT */
    double gaps, counts;    /* the two terms; not of CONSTANT */
    double score;           /* with the price of the parameters; the least is chosen */
    bool at_limit;          /* a state would last longer than fit_arrivals_state_most() */
};

/* fits[kind] of all laws; returns the chosen one, or NULL: *error says why there is none. */
const struct arrival_fit *fit_arrivals(struct arrival_fit fits[ARRIVAL_KINDS],
                                       const struct arrivals *arrivals, struct error *error);

const char *arrival_kind_name(enum arrival_kind kind);

/* The longest mean length of a state that is fitted, ps. */
double fit_arrivals_state_most(const struct arrivals *arrivals);

/* Packets of a list of the workload: the mean, rounded, as far as a scenario takes it. */
uint32_t fit_arrivals_list(const struct arrivals *arrivals);

/* Whether the dispersion at this window is used, and shown. */
bool fit_arrivals_uses(const struct arrivals *arrivals,
                       const struct arrivals_dispersion *dispersion);

/* Largest distance of the distribution of gaps from that of the law (Kolmogorov), 0..1; known to
 * the width of a bin. */
double fit_arrivals_distance(const struct arrivals *arrivals, const struct arrival_fit *fit);

/* Index of dispersion of the lists in windows of this length. */
double fit_arrivals_dispersion(const struct arrival_fit *fit, sim_time window);

#endif
