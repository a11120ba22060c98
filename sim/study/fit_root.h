/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a function of one unknown is zero, inside a range, by Brent's method (GSL). Outside the
 * range nothing is looked for: a fit that would leave it says on which side.
 */
#ifndef SIM_STUDY_FIT_ROOT_H
#define SIM_STUDY_FIT_ROOT_H

#include <stdbool.h>
#include <stdint.h>

enum fit_end {
    FIT_FOUND,
    FIT_BELOW,  /* zero would lie below the range: x is its low end */
    FIT_ABOVE,  /* above: x is its high end */
    FIT_FAILED, /* the function gave up */
};

struct fit_root {
    enum fit_end end;
    double x;
    double slope; /* of the function between the ends of the range */
    uint32_t evaluations;
};

/* The function sets *value and returns true, or false to give up. */
typedef bool fit_function(void *context, double x, double *value);

/* Stops when x is known to `precision`. */
struct fit_root fit_root(fit_function *function, void *context, double low, double high,
                         double precision);

#endif
