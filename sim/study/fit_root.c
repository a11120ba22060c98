/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/fit_root.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_math.h>
#include <gsl/gsl_roots.h>
#include <math.h>

#define STEPS_MOST 30

/* What GSL calls: a failure of the function becomes NaN, which ends the solver. The values at the
 * ends of the range are known already. */
struct call {
    fit_function *function;
    void *context;
    double low, high, at_low, at_high;
    uint32_t evaluations;
    bool failed;
};

static double evaluate(double x, void *context)
{
    struct call *call = context;
    double value = NAN;

    if (x == call->low && isfinite(call->at_low)) {
        return call->at_low;
    }
    if (x == call->high && isfinite(call->at_high)) {
        return call->at_high;
    }
    call->evaluations++;
    if (call->failed || !call->function(call->context, x, &value) || !isfinite(value)) {
        call->failed = true;
        return NAN;
    }
    return value;
}

static double solve(struct call *call, double precision)
{
    gsl_error_handler_t *handler = gsl_set_error_handler_off();
    gsl_root_fsolver *solver = gsl_root_fsolver_alloc(gsl_root_fsolver_brent);
    gsl_function function = {.function = evaluate, .params = call};
    double x = NAN;
    int status =
        solver ? gsl_root_fsolver_set(solver, &function, call->low, call->high) : GSL_ENOMEM;

    for (int i = 0; status == GSL_SUCCESS && i < STEPS_MOST; i++) {
        status = gsl_root_fsolver_iterate(solver);
        if (status == GSL_SUCCESS) {
            double from = gsl_root_fsolver_x_lower(solver), to = gsl_root_fsolver_x_upper(solver);
            double last = x;

            x = gsl_root_fsolver_root(solver);
            /* The bracket closes from one side only: two steps to the same place end it, too. */
            if (to - from < precision || fabs(x - last) < precision / 4) {
                break;
            }
        }
    }
    call->failed = call->failed || status != GSL_SUCCESS || !isfinite(x);
    gsl_root_fsolver_free(solver);
    gsl_set_error_handler(handler);
    return x;
}

struct fit_root fit_root(fit_function *function, void *context, double low, double high,
                         double precision)
{
    struct call call = {function, context, low, high, NAN, NAN, 0, false};
    struct fit_root root = {.end = FIT_FOUND};

    call.at_low = evaluate(low, &call);
    call.at_high = evaluate(high, &call);
    root.slope = (call.at_high - call.at_low) / (high - low);
    if (!call.failed && (call.at_low > 0) == (call.at_high > 0)) {
        bool above = fabs(call.at_high) < fabs(call.at_low);

        root.end = above ? FIT_ABOVE : FIT_BELOW;
        root.x = above ? high : low;
    } else if (!call.failed) {
        root.x = solve(&call, precision);
    }
    root.end = call.failed ? FIT_FAILED : root.end;
    root.evaluations = call.evaluations;
    return root;
}
