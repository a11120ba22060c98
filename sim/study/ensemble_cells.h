/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The cells of an ensemble (ensemble_read.h), each a target.
 */
#ifndef SIM_STUDY_ENSEMBLE_CELLS_H
#define SIM_STUDY_ENSEMBLE_CELLS_H

#include "sim/study/document.h"
#include "sim/study/ensemble_plan.h"

void ensemble_read_cell(struct ensemble_plan *plan, struct node node, struct problems *problems);

/* What "the second variant does as the first" says of a target: the published figure of the first
 * for one of the second, 0 for a gain. NaN: nothing. */
double ensemble_null(const struct ensemble_plan *plan, const struct ensemble_target *target);

/* ensemble_read.c: a text of limited length at a key, complained of where it is missing; a finite
 * number, false where there is none. */
bool ensemble_text(struct node object, const char *key, char *into, size_t bytes,
                   struct problems *problems);
bool ensemble_number(struct node node, double *value);

#endif
