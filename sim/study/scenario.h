/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A scenario: JSON files in, configurations out. It holds a base configuration with the place every
 * value came from, and what spans the study:
 *
 *   cases      {"xsk": {overrides}, ...}: named sets of overrides, crossed like an axis whose path
 * is "case" (workloads that stand side by side and are not compared) sweep      {PATH: axis, ...}:
 * axes, crossed; axis = [v, ...], "a..b", "a..b step s", "a..b*f",
 *              {"from": a, "to": b, "step": s}
 *   sweep_zip  {PATH: [v, ...], ...}: axes walked in lockstep, together one dimension
 *   variants   {"none": {overrides}, ...}: named sets of overrides, run at every point and compared
 *              pair by pair with the first; none given: one variant called "base"
 *   expect     ["hung == 0", "case=xsk: tx_pps >= 1e6", ...]: assertions on metric means
 *
 * Precedence, low to high: default of the row, preset of a choice (kernel), included file, file,
 * --set, case, axis, variant. Everything of every point is validated when the scenario is opened.
 */
#ifndef SIM_STUDY_SCENARIO_H
#define SIM_STUDY_SCENARIO_H

#include <stdio.h>

#include "sim/engine/error.h"
#include "sim/study/config.h"

#define SCENARIO_POINTS_MOST 1000000 /* default of --max-points, replications included */

struct scenario_options {
    const char *const *set; /* "PATH=VALUE" */
    size_t set_count;
    const char *const *vary; /* "PATH=RANGE": adds or replaces an axis */
    size_t vary_count;
    uint64_t most_points; /* 0: SCENARIO_POINTS_MOST */
    bool strict;          /* warnings are errors */
    const char *const *cases; /* only these; none: all */
    size_t case_count;
    bool without_axes;    /* sweep and sweep_zip are read and then left out; cases stay */
};

struct scenario;

/* NULL when there is an error; problems then and otherwise hold everything found, each with its
 * place. */
struct scenario *scenario_open(const char *file, const struct scenario_options *options,
                               struct problems *problems);

/* The same for a text in memory; `name` stands for its file. */
struct scenario *scenario_open_text(const char *name, const char *text, size_t length,
                                    const struct scenario_options *options,
                                    struct problems *problems);
void scenario_free(struct scenario *scenario);

const char *scenario_name(const struct scenario *scenario);
const char *scenario_file(const struct scenario *scenario);
const char *scenario_text(const struct scenario *scenario); /* of the file itself, as read */

/* What probes are of (scenario_probe.h); NULL: no probes. */
const struct scenario *scenario_parent(const struct scenario *scenario);

/* Axes in the order of the file, "case" first where there are cases. */
size_t scenario_axis_count(const struct scenario *scenario);
const char *scenario_axis_path(const struct scenario *scenario, size_t axis);
size_t scenario_axis_values(const struct scenario *scenario, size_t axis); /* how many */

/* Parameters of the axes that were left out (without_axes): the path, and the value it has instead;
 * "" where that differs between cases or variants. */
size_t scenario_left_out_count(const struct scenario *scenario);
const char *scenario_left_out(const struct scenario *scenario, size_t index, char *value,
                              size_t bytes);

size_t scenario_point_count(const struct scenario *scenario); /* >= 1 */
/* Which one it is when all cases are there: the same whichever were asked for. */
size_t scenario_point_number(const struct scenario *scenario, size_t point);
/* Canonical text of the axis' value at a point; valid until the scenario is freed. */
const char *scenario_point_value(const struct scenario *scenario, size_t point, size_t axis);

size_t scenario_variant_count(const struct scenario *scenario); /* >= 1 */
const char *scenario_variant_name(const struct scenario *scenario, size_t variant);
/* The variant that a column of a point stands for: of probes the parent's, else itself. */
size_t scenario_variant_at(const struct scenario *scenario, size_t point, size_t variant);

/* One that replays a capture points to its packets, which are the scenario's. */
void scenario_config(const struct scenario *scenario, size_t point, size_t variant,
                     struct config *config);

/* That of the first point of the file, whichever cases were asked for: what the scenario is known
 * by. Of probes it is the parent's. */
void scenario_first_config(const struct scenario *scenario, struct config *config);

/* Writes the effective configuration of (point, variant) as JSON; with origin also where every
 * value came from. */
void scenario_show(const struct scenario *scenario, size_t point, size_t variant, bool origin,
                   FILE *out);

/* The captures that its configurations replay: a line for each, what it holds and what was assumed
 * of it; to be printed and stored. */
size_t scenario_trace_count(const struct scenario *scenario);
const char *scenario_trace_note(const struct scenario *scenario, size_t index);

/* Assertions of `expect`. */
enum expect_op { EXPECT_LT, EXPECT_LE, EXPECT_EQ, EXPECT_NE, EXPECT_GE, EXPECT_GT };
struct expectation {
    char text[256];        /* as written */
    char filter_path[160]; /* "case", an axis path or "variant"; empty: every point and variant */
    char filter_value[160];
    int metric;
    enum expect_op op;
    double value;
};
size_t scenario_expect_count(const struct scenario *scenario);
const struct expectation *scenario_expect(const struct scenario *scenario, size_t index);

#endif
