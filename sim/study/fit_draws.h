/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Points that fill the unit cube evenly, for searching ranges of many parameters: Sobol's sequence
 * up to 40 dimensions, Halton's in reverse order up to 1229 (both GSL's), moved as a whole by one
 * random vector (Cranley and Patterson 1976), so that another seed gives other points. Point i is
 * the same however many are drawn.
 */
#ifndef SIM_STUDY_FIT_DRAWS_H
#define SIM_STUDY_FIT_DRAWS_H

#include <stddef.h>
#include <stdint.h>

#define FIT_DRAWS_DIMENSIONS 1229

struct fit_draws;

/* 1..FIT_DRAWS_DIMENSIONS dimensions; NULL: more, or out of memory. */
struct fit_draws *fit_draws_new(uint32_t dimensions, uint64_t seed);
void fit_draws_free(struct fit_draws *draws);

/* The next point, each coordinate in [0, 1). */
void fit_draws_next(struct fit_draws *draws, double *point);

#endif
