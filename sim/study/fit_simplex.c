/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/fit_simplex.h"

#include <gsl/gsl_multimin.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define RESTARTS   2    /* with a fresh simplex where the last one ended */
#define SIZE_LEAST 1e-3 /* of a simplex that is worth going on with */
#define VALUE_MOST 1e30 /* GSL wants finite values */

struct search {
    fit_value *function;
    void *context;
    size_t dimensions;
    uint32_t left; /* evaluations */
    bool enough;
    double *folded; /* [dimensions] */
    double *best;   /* [dimensions] */
    double best_value;
};

static double fold(double x)
{
    double y = fmod(fabs(x), 2);

    return y > 1 ? 2 - y : y;
}

static double ask(struct search *s)
{
    double value;

    if (s->left == 0 || s->enough) {
        return VALUE_MOST;
    }
    s->left--;
    value = s->function(s->context, s->folded, &s->enough);
    value = value < VALUE_MOST ? value : VALUE_MOST;
    if (value < s->best_value || s->enough) {
        s->best_value = value;
        memcpy(s->best, s->folded, s->dimensions * sizeof *s->best);
    }
    return value;
}

static double evaluate(const gsl_vector *x, void *context)
{
    struct search *s = context;

    for (size_t i = 0; i < s->dimensions; i++) {
        s->folded[i] = fold(gsl_vector_get(x, i));
    }
    return ask(s);
}

static void descend(struct search *s, gsl_multimin_fminimizer *simplex, gsl_vector *x,
                    gsl_vector *step)
{
    gsl_multimin_function function = {.f = evaluate, .n = s->dimensions, .params = s};

    for (size_t i = 0; i < s->dimensions; i++) {
        gsl_vector_set(x, i, s->best[i]);
    }
    if (gsl_multimin_fminimizer_set(simplex, &function, x, step) != 0) {
        return;
    }
    while (s->left > 0 && !s->enough && gsl_multimin_fminimizer_iterate(simplex) == 0 &&
           gsl_multimin_fminimizer_size(simplex) > SIZE_LEAST) {
    }
}

/* GSL has nothing to complain of here, so its error handler, which all threads share, stays. */
static void run(struct search *s, double step)
{
    gsl_multimin_fminimizer *simplex =
        gsl_multimin_fminimizer_alloc(gsl_multimin_fminimizer_nmsimplex2, s->dimensions);
    gsl_vector *x = gsl_vector_alloc(s->dimensions), *steps = gsl_vector_alloc(s->dimensions);

    for (int i = 0; simplex && x && steps && i < RESTARTS; i++) {
        gsl_vector_set_all(steps, step);
        descend(s, simplex, x, steps);
    }
    gsl_multimin_fminimizer_free(simplex);
    gsl_vector_free(x);
    gsl_vector_free(steps);
}

double fit_simplex(fit_value *function, void *context, double *point, size_t dimensions,
                   double step, uint32_t most)
{
    struct search s = {.function = function,
                       .context = context,
                       .dimensions = dimensions,
                       .left = most,
                       .best_value = INFINITY};

    s.folded = calloc(dimensions + 1, sizeof *s.folded);
    s.best = calloc(dimensions + 1, sizeof *s.best);
    if (!s.folded || !s.best) {
        abort();
    }
    memcpy(s.folded, point, dimensions * sizeof *point);
    memcpy(s.best, point, dimensions * sizeof *point);
    if (dimensions > 0) {
        run(&s, step);
    } else {
        ask(&s);
    }
    memcpy(point, s.best, dimensions * sizeof *point);
    free(s.folded);
    free(s.best);
    return s.best_value;
}
