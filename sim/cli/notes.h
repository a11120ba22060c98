/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is said below a table, in words, when its figures could be misread: a path that was
 * overloaded, a difference that is not significant, axes that were left out. For people; JSON has
 * the figures.
 */
#ifndef SIM_CLI_NOTES_H
#define SIM_CLI_NOTES_H

#include <stdio.h>

#include "sim/cli/point_summary.h"

/* "axes are left out: PATH is VALUE; vqsim sweep crosses them", where there are some. */
void notes_left_out(const struct scenario *scenario, FILE *out);

/* A line for each capture that is replayed: what it holds, and what is assumed. */
void notes_captures(const struct scenario *scenario, FILE *out);

/* What was the limit in the variants of a point: drops, a backend that never rested, a full ring.
 */
void notes_overload(const struct point_summary *summary, FILE *out);

/* Gaps that are those of an emulated machine. */
void notes_replay(const struct point_summary *summary, FILE *out);

/* Which variants' time per packet may be that of the first, and what would tell. */
void notes_undecided(const struct point_summary *summary, FILE *out);

/* Whether more runs would tell a difference from 0; not where it is 0 in every replication. */
bool notes_is_undecided(const struct interval *difference);

/* The advice for that, at so many replications now. */
void notes_advice(uint32_t replications, const char *what, FILE *out);

#endif
