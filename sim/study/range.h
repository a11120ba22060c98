/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A range of an axis, exactly: "a..b", "a..b step s", "a..b*f". Its values are decimals, value k
 * being from + k x step, so that 0..1 step 0.1 has eleven values and ends in 1. Counting costs
 * nothing, however many values there are; what is empty or never ends is refused.
 */
#ifndef SIM_STUDY_RANGE_H
#define SIM_STUDY_RANGE_H

#include "sim/engine/decimal.h"
#include "sim/engine/param.h"

#define RANGE_TEXT_BYTES 80 /* of one value */

struct range {
    bool geometric;
    struct decimal from, to;     /* base units */
    struct decimal step, factor; /* of the two one is in use */
    enum param_kind kind;        /* decides unit and rounding of the values */
    uint64_t count;              /* capped at UINT64_MAX; of a geometric range before rounding */
};

/* `row` may be NULL (a path that is not known): bare numbers then. step and factor: NULL where not
 * given; without both the step is 1, for whole numbers only. */
bool range_read(struct range *range, const struct param *row, const char *from, const char *to,
                const char *step, const char *factor, struct error *error);

/* The same from one text. */
bool range_parse(struct range *range, const struct param *row, const char *text,
                 struct error *error);

/* Whether a text has the form of a range. */
bool range_is(const char *text);

/* Whether a text such as "0-4" may be meant for a range, and how that one is written. */
bool range_meant(const char *text, char *range, size_t bytes);

/* Walks the values from the first on, as texts that value_parse() takes; false after the last. A
 * rounded value that equals the one before is left out. */
struct range_walk {
    const struct range *range;
    uint64_t index;
    struct decimal next;
    char last[RANGE_TEXT_BYTES];
};
void range_walk_init(struct range_walk *walk, const struct range *range);
bool range_walk_next(struct range_walk *walk, char text[RANGE_TEXT_BYTES]);

#endif
