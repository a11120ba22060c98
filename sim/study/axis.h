/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An axis of a sweep: a parameter and the values it takes, from a range or a list, whose members
 * may be ranges, too. First it is read
 * and counted, which costs nothing however long the range is; only when the whole sweep is small
 * enough are the values made, checked against the parameter's row, and those that come twice left
 * out.
 */
#ifndef SIM_STUDY_AXIS_H
#define SIM_STUDY_AXIS_H

#include "sim/study/layer.h"
#include "sim/study/range.h"

#define AXIS_VALUES_MOST 1000000

struct axis {
    char *path;       /* of the parameter; as written where it is none; "case" */
    ptrdiff_t index;  /* of the row; -1: none (the axis of cases, or a refused path) */
    struct node node; /* list or range as written */
    bool zipped;      /* walked in lockstep with the other zipped axes */
    bool sound;       /* has values that can be made */
    bool is_range;
    struct range range;
    uint64_t count; /* values as written, then values made */

    struct setting *values; /* [count] of a parameter's axis, once made */
    char **texts;           /* [count], canonical */
};

/* Reads the member `node` whose key is a path (a unique last part will do). An axis that is refused
 * still counts its values. */
bool axis_read(struct axis *axis, const struct param_schema *schema, struct node node,
               const char *key, bool zipped, struct problems *problems);

/* Makes the values. */
bool axis_make(struct axis *axis, const struct param_schema *schema, struct problems *problems);

void axis_fini(struct axis *axis);

/* Turns the text after PATH= of --vary into JSON: a range, a JSON list, or values and ranges with
 * commas. */
bool axis_parse(const struct param *row, const char *text, const char *path, struct document *doc,
                struct problems *problems);

#endif
