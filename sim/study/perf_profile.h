/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A flat profile as `perf report --stdio` prints it, and how it is held against the model's.
 *
 *     # comment
 *         27.46%  [kernel]  [k] virtqueue_add
 *
 * A line begins with the share in percent (with --children with two: the second is the symbol's
 * own) and ends with "[k] SYMBOL" or "[.] SYMBOL"; what stands between is passed over. A symbol
 * that is listed twice adds up.
 *
 * A profile lists no symbol below some share, and names some that the model does not keep apart.
 * The file published/symbols.json says which perf names make up one of the model's symbols;
 * everything else, on both sides, is the rest, so both sides sum to 100.
 */
#ifndef SIM_STUDY_PERF_PROFILE_H
#define SIM_STUDY_PERF_PROFILE_H

#include <stdbool.h>
#include <stddef.h>

#include "models/symbol.h"
#include "sim/engine/error.h"

#define PERF_SYMBOL_BYTES 80

struct perf_entry {
    char symbol[PERF_SYMBOL_BYTES];
    double percent;
};

struct perf_profile {
    struct perf_entry *list; /* in the order of the file */
    size_t count, room;
    double listed; /* sum in percent */
    double least;  /* least share that is listed */

    /* by perf_profile_match() */
    bool has[SYMBOL_COUNT];       /* the profile names something of this symbol */
    double percent[SYMBOL_COUNT]; /* 0 where it does not */
    double rest;                  /* 100 - what belongs to a symbol */
};

/* False: the file cannot be read, a line is no line of a profile, shares sum to more than 100. */
bool perf_profile_read(struct perf_profile *profile, const char *file, struct error *error);
void perf_profile_fini(struct perf_profile *profile);

/* Share of a perf symbol in percent; 0: not listed. */
double perf_profile_percent(const struct perf_profile *profile, const char *symbol);

/* Sorts the entries by the model's symbols; false: published/symbols.json is missing or wrong. */
bool perf_profile_match(struct perf_profile *profile, struct error *error);

#endif
