/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test bed: a scenario whose variants are run again and again with other costs, and read back as
 * what published tables hold: rates, gains, shares and times by symbol. Replications share their
 * random numbers across costs and variants. A bed keeps its runs in a store in memory, so that what
 * was run with the same costs is not run twice.
 */
#ifndef SIM_STUDY_BED_H
#define SIM_STUDY_BED_H

#include "models/symbol.h"
#include "sim/engine/interval.h"
#include "sim/study/experiment.h"

/* The replications of one variant. */
struct bed_variant {
    char name[80];
    uint32_t count;
    double *pps;       /* of each replication */
    double *ns;        /* symbol after symbol, `count` values each, per packet */
    double *slow_free; /* percent of frees */
};

struct bed {
    const char *file;
    struct experiment_options options;
    struct store *store;
    double level; /* of intervals */
    struct bed_variant *variant;
    size_t variant_count;
    uint64_t runs; /* computed so far */
    int signal;    /* that interrupted; 0: none */
};

/* file stays the caller's. False: no store. */
bool bed_open(struct bed *bed, const char *file, const struct experiment_options *options,
              struct error *error);
void bed_close(struct bed *bed);

/* Runs all variants of the first point with "PATH=VALUE" settings. False: refused, failed, or
 * interrupted. */
bool bed_run(struct bed *bed, const char *const *set, size_t count, struct error *error);

/* The variant of that name; NULL: the bed has none. Valid until the next bed_run(). */
const struct bed_variant *bed_find(const struct bed *bed, const char *name);

struct interval bed_rate(const struct bed *bed, const struct bed_variant *v);
struct interval bed_gain_percent(const struct bed *bed, const struct bed_variant *v,
                                 const struct bed_variant *first);
struct interval bed_slow_free_percent(const struct bed *bed, const struct bed_variant *v);

/* Of the symbols that are set: ns per packet, and percent of the time per packet. */
struct interval bed_ns(const struct bed *bed, const struct bed_variant *v,
                       const bool symbol[SYMBOL_COUNT]);
struct interval bed_share_percent(const struct bed *bed, const struct bed_variant *v,
                                  const bool symbol[SYMBOL_COUNT]);

#endif
