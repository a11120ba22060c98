/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/fit_arrivals.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define UNKNOWNS     3    /* at most */
#define STEPS_START  80   /* of a start */
#define STEPS_POLISH 1500 /* of the best */
#define FORBIDDEN    1e300
#define FAR          18.0 /* a logit or log beyond it is at its limit for all purposes */

/* Gaps of one bin: from..to as real numbers, `count` of them. */
struct bin {
    double from, width, count;
};

struct point {
    double window, log_dispersion, weight; /* 1 / variance of the logarithm */
};

/* What laws are held against; times in mean gaps. */
struct target {
    struct bin bin[HISTOGRAM_BINS];
    uint32_t bins;
    struct point point[ARRIVALS_SCALES];
    uint32_t points;
    double gaps; /* their number */
    double unit; /* ps in a mean gap */
    double state_most, rate_most;
    bool silent; /* the rate of the second state is 0: an IPP */
};

const char *arrival_kind_name(enum arrival_kind kind)
{
    static const char *const names[] = {
        [ARRIVAL_CONSTANT] = "constant",
        [ARRIVAL_POISSON] = "Poisson",
        [ARRIVAL_IPP] = "interrupted Poisson",
        [ARRIVAL_MMPP] = "MMPP of two states",
    };

    return names[kind];
}

uint32_t fit_arrivals_list(const struct arrivals *arrivals)
{
    return (uint32_t)fmin(fmax(round(arrivals_mean_list(arrivals)), 1), FIT_LIST_MOST);
}

bool fit_arrivals_uses(const struct arrivals *arrivals,
                       const struct arrivals_dispersion *dispersion)
{
    return dispersion->windows >= FIT_WINDOWS_LEAST && dispersion->index > 0 &&
           (double)dispersion->window >= FIT_COUNTS_LEAST * arrivals_mean_gap(arrivals);
}

double fit_arrivals_state_most(const struct arrivals *arrivals)
{
    const double recurs = (double)(arrivals->last - arrivals->first) / FIT_STATES_LEAST;

    return recurs < (double)FIT_STATE_MOST ? recurs : (double)FIT_STATE_MOST;
}

static void take_bins(struct target *target, const struct histogram *gaps)
{
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        if (gaps->bin[i] > 0) {
            const double low = (double)histogram_bin_low(i), high = (double)histogram_bin_high(i);
            const double from = low > 0 ? low - 0.5 : 0;

            target->bin[target->bins++] = (struct bin){
                from / target->unit, (high + 0.5 - from) / target->unit, (double)gaps->bin[i]};
        }
    }
}

static void take_points(struct target *target, const struct arrivals *arrivals)
{
    for (uint32_t i = 0; i < ARRIVALS_SCALES; i += 2) {
        const struct arrivals_dispersion d = arrivals_dispersion(arrivals, i);

        if (fit_arrivals_uses(arrivals, &d)) {
            const double windows = d.windows > 200 ? 200 : (double)d.windows;

            target->point[target->points++] =
                (struct point){(double)d.window / target->unit,
                               log(d.index / fit_arrivals_list(arrivals)), windows / 2};
        }
    }
}

static struct target *target_new(const struct arrivals *arrivals)
{
    struct target *target = calloc(1, sizeof *target);

    if (!target) {
        abort();
    }
    target->unit = arrivals_mean_gap(arrivals);
    target->gaps = (double)arrivals->gaps.count;
    target->state_most = fit_arrivals_state_most(arrivals) / target->unit;
    target->rate_most = target->unit / (double)SIM_NS / arrivals_mean_list(arrivals);
    take_bins(target, &arrivals->gaps);
    take_points(target, arrivals);
    return target;
}

static double gaps_term(const struct target *target, const struct arrival_law *law)
{
    const struct arrival_gaps gaps = arrival_law_gaps(law);
    double sum = 0;

    for (uint32_t i = 0; i < target->bins; i++) {
        const struct bin *bin = &target->bin[i];
        const double inside =
            -gaps.share * exp(-gaps.fast * bin->from) * expm1(-gaps.fast * bin->width) -
            (1 - gaps.share) * exp(-gaps.slow * bin->from) * expm1(-gaps.slow * bin->width);

        sum -= 2 * bin->count * log(inside > 1e-300 ? inside : 1e-300);
    }
    return sum;
}

static double counts_term(const struct target *target, const struct arrival_law *law)
{
    double sum = 0;

    for (uint32_t i = 0; i < target->points; i++) {
        const struct point *point = &target->point[i];
        const double off = log(arrival_law_dispersion(law, point->window)) - point->log_dispersion;

        sum += off * off * point->weight;
    }
    return sum;
}

/*
 * The unknowns: logarithm of the time in which the state is forgotten, 1/(leave_high + leave_low);
 * logit of the share of time in the high state; logit of the low rate over the mean rate. The mean
 * rate is 1.
 */
static struct arrival_law law_at(const struct target *target, const gsl_vector *x)
{
    const double leave = exp(-gsl_vector_get(x, 0));
    const double high = 1 / (1 + exp(-gsl_vector_get(x, 1)));
    const double low = target->silent ? 0 : 1 / (1 + exp(-gsl_vector_get(x, 2)));

    return (struct arrival_law){.high = (1 - (1 - high) * low) / high,
                                .low = low,
                                .leave_high = leave * (1 - high),
                                .leave_low = leave * high};
}

static double objective(const gsl_vector *x, void *context)
{
    const struct target *target = context;
    const struct arrival_law law = law_at(target, x);

    for (size_t i = 0; i < x->size; i++) {
        if (fabs(gsl_vector_get(x, i)) > FAR) {
            return FORBIDDEN;
        }
    }
    if (law.leave_high * target->state_most < 1 || law.leave_low * target->state_most < 1 ||
        law.high > target->rate_most) {
        return FORBIDDEN;
    }
    return gaps_term(target, &law) + counts_term(target, &law);
}

/* From *x on, which becomes the best place; returns its value. */
static double descend(struct target *target, gsl_vector *x, double step, int steps)
{
    gsl_multimin_fminimizer *solver =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, x->size);
    gsl_vector *sides = gsl_vector_alloc(x->size);
    gsl_multimin_function function = {objective, x->size, target};
    double best = FORBIDDEN;

    if (!solver || !sides) {
        abort();
    }
    gsl_vector_set_all(sides, step);
    if (gsl_multimin_fminimizer_set(solver, &function, x, sides) == GSL_SUCCESS) {
        for (int i = 0; i < steps && gsl_multimin_fminimizer_iterate(solver) == GSL_SUCCESS; i++) {
            if (gsl_multimin_fminimizer_size(solver) < 1e-7) {
                break;
            }
        }
        gsl_vector_memcpy(x, gsl_multimin_fminimizer_x(solver));
        best = gsl_multimin_fminimizer_minimum(solver);
    }
    gsl_vector_free(sides);
    gsl_multimin_fminimizer_free(solver);
    return best;
}

/* A short descent from here; keeps the best of all. */
static void try_start(struct target *target, gsl_vector *best, double *least, double forgotten,
                      double share, double low)
{
    gsl_vector *x = gsl_vector_alloc(best->size);
    double value;

    if (!x) {
        abort();
    }
    gsl_vector_set(x, 0, log(forgotten));
    gsl_vector_set(x, 1, log(share / (1 - share)));
    if (x->size > 2) {
        gsl_vector_set(x, 2, log(low / (1 - low)));
    }
    value = descend(target, x, 0.7, STEPS_START);
    if (value < *least) {
        *least = value;
        gsl_vector_memcpy(best, x);
    }
    gsl_vector_free(x);
}

/* States that last from a few of the shorter gaps to what is allowed. */
static bool fit_states(struct target *target, bool silent, struct arrival_law *law)
{
    static const double shares[] = {0.05, 0.5};
    const double shortest = 3 * target->bin[target->bins / 10].from + 0.01;
    const double longest = fmax(target->state_most / 3, 2 * shortest);
    gsl_vector *best = gsl_vector_calloc(silent ? 2 : 3);
    double least = FORBIDDEN;

    if (!best) {
        abort();
    }
    target->silent = silent;
    for (int i = 0; i < 6; i++) {
        const double forgotten = shortest * pow(longest / shortest, i / 5.0);

        for (size_t k = 0; k < sizeof shares / sizeof *shares; k++) {
            try_start(target, best, &least, forgotten, shares[k], 0.2);
        }
    }
    if (least < FORBIDDEN) {
        /* A simplex may collapse before the minimum: once more from there. */
        descend(target, best, 0.3, STEPS_POLISH);
        least = descend(target, best, 0.1, STEPS_POLISH);
        *law = law_at(target, best);
    }
    gsl_vector_free(best);
    return least < FORBIDDEN;
}

/* The terms of a law in mean gaps, its price, and the law in ps. */
static void settle(struct arrival_fit *fit, const struct target *target, struct arrival_law law,
                   int parameters)
{
    const double shortest_leave = law.leave_high < law.leave_low ? law.leave_high : law.leave_low;

    fit->tried = true;
    fit->gaps = gaps_term(target, &law) + 2 * target->gaps * log(target->unit);
    fit->counts = counts_term(target, &law);
    fit->score = fit->gaps + fit->counts + parameters * log(target->gaps);
    fit->at_limit = parameters > 1 && shortest_leave * target->state_most < 1.02;
    fit->law = (struct arrival_law){law.high / target->unit, law.low / target->unit,
                                    law.leave_high / target->unit, law.leave_low / target->unit};
}

static void fit_all(struct arrival_fit fits[ARRIVAL_KINDS], const struct arrivals *arrivals)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    struct target *target = target_new(arrivals);
    struct arrival_law law = {.high = 1, .low = 1};

    settle(&fits[ARRIVAL_POISSON], target, law, 1);
    if (fit_states(target, true, &law)) {
        settle(&fits[ARRIVAL_IPP], target, law, 3);
    }
    if (fit_states(target, false, &law)) {
        settle(&fits[ARRIVAL_MMPP], target, law, 4);
    }
    free(target);
    gsl_set_error_handler(handler);
}

const struct arrival_fit *fit_arrivals(struct arrival_fit fits[ARRIVAL_KINDS],
                                       const struct arrivals *arrivals, struct error *error)
{
    const struct arrival_fit *chosen = &fits[ARRIVAL_POISSON];

    memset(fits, 0, ARRIVAL_KINDS * sizeof *fits);
    if (arrivals->lists < FIT_LISTS_LEAST) {
        error_set(
            error, ERROR_INPUT, "",
            "a law of arrivals takes %d lists of packets at least, here are %llu (packets: %llu)",
            FIT_LISTS_LEAST, (unsigned long long)arrivals->lists,
            (unsigned long long)arrivals->packets);
        return NULL;
    }
    for (int i = 0; i < ARRIVAL_KINDS; i++) {
        fits[i].kind = (enum arrival_kind)i;
        fits[i].mean_gap = arrivals_mean_gap(arrivals);
    }
    fits[ARRIVAL_CONSTANT].tried = true;
    if (arrivals_gap_variation(arrivals) < 0.5) {
        return &fits[ARRIVAL_CONSTANT];
    }
    fit_all(fits, arrivals);
    for (int i = ARRIVAL_IPP; i < ARRIVAL_KINDS; i++) {
        if (fits[i].tried && fits[i].score < chosen->score) {
            chosen = &fits[i];
        }
    }
    return chosen;
}

static double tail(const struct arrival_fit *fit, const struct arrival_gaps *gaps, double t)
{
    return fit->kind == ARRIVAL_CONSTANT ? t < fit->mean_gap : arrival_gaps_tail(gaps, t);
}

double fit_arrivals_distance(const struct arrivals *arrivals, const struct arrival_fit *fit)
{
    const struct histogram *h = &arrivals->gaps;
    struct arrival_gaps gaps = {0};
    double distance = 0;
    uint64_t below = 0;

    if (fit->kind != ARRIVAL_CONSTANT) {
        gaps = arrival_law_gaps(&fit->law);
    }
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        if (h->bin[i] > 0) {
            const double low = (double)histogram_bin_low(i), high = (double)histogram_bin_high(i);
            const double before = 1 - (double)below / (double)h->count;
            const double after = 1 - (double)(below + h->bin[i]) / (double)h->count;

            distance = fmax(distance, fabs(tail(fit, &gaps, fmax(low - 0.5, 0)) - before));
            distance = fmax(distance, fabs(tail(fit, &gaps, high + 0.5) - after));
            below += h->bin[i];
        }
    }
    return distance;
}

double fit_arrivals_dispersion(const struct arrival_fit *fit, sim_time window)
{
    /* Of a clock: a window holds one more or one less, as it happens to begin. */
    const double ticks = (double)window / fit->mean_gap, part = ticks - floor(ticks);

    return fit->kind == ARRIVAL_CONSTANT ? part * (1 - part) / ticks
                                         : arrival_law_dispersion(&fit->law, (double)window);
}
