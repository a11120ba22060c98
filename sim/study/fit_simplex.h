/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The least value of a function of several unknowns inside the unit cube, by the simplex of Nelder
 * and Mead (GSL's nmsimplex2). The simplex itself knows no bounds: a coordinate that leaves the
 * cube is folded back into it, as a ray by mirrors, so the function is asked inside only and stays
 * continuous. It finds a low place near the start, not the lowest of all.
 */
#ifndef SIM_STUDY_FIT_SIMPLEX_H
#define SIM_STUDY_FIT_SIMPLEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value at a point; sets *enough when nothing better is needed: the search ends there. */
typedef double fit_value(void *context, const double *point, bool *enough);

/* Begins at `point` with a simplex of edge `step`, ends after `most` evaluations, when the simplex
 * has shrunk to nothing twice, or with *enough. point: the best one asked for, or the one that was
 * enough. Returns its value. */
double fit_simplex(fit_value *function, void *context, double *point, size_t dimensions,
                   double step, uint32_t most);

#endif
