/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The assertions of a scenario (`expect`) held against the means of its runs. An assertion applies
 * to every point and variant that its filter names; it fails when one of them does not meet it, or
 * has no value for the metric. A filter that matches nothing that was run is reported as such.
 */
#ifndef SIM_STUDY_EXPECT_H
#define SIM_STUDY_EXPECT_H

#include "sim/study/summary.h"

enum expect_state { EXPECT_PASS, EXPECT_FAIL, EXPECT_UNTESTED };

struct expect_result {
    enum expect_state state;
    size_t tested, failed; /* points and variants */
    double worst;          /* a value that failed, else one that passed; NaN: none */
    char where[200];       /* where that value is from: "case=xsk, variant none" */
};

/* Adds one point and variant to the result; begin with EXPECT_UNTESTED and zeros. */
void expect_add(struct expect_result *result, const struct expectation *expectation,
                const struct scenario *scenario, size_t point, size_t variant, double value);

#endif
