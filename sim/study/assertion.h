/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Assertions of a scenario: "[FILTER=VALUE: ]METRIC OP NUMBER". The filter is "case", "variant" or
 * the path of an axis; OP is one of < <= == != >= >.
 */
#ifndef SIM_STUDY_ASSERTION_H
#define SIM_STUDY_ASSERTION_H

#include "sim/study/document.h"
#include "sim/study/scenario.h"

/* Reads one assertion; the filter is taken as written. False: reported. */
bool assertion_read(struct expectation *e, struct node node, struct problems *problems);

#endif
