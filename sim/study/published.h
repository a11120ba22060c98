/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A published table: what was measured, the scenarios that are meant to reproduce it, and the role
 * of each figure. It is data in scenarios/published: a JSON file that names a bed (a scenario whose
 * costs may be fitted), files of measured rates and perf profiles by the bed's variants, the costs
 * that a profile fixes, the one cost that is left free, and the cells with their limits.
 *
 *   {"table": "desc-cache", "bed": "../desc-cache/xsk.json",
 *    "rates":    {"file": "x.csv", "columns": {VARIANT: COLUMN}},
 *    "profiles": {VARIANT: FILE},
 *    "costs":    [{"parameter": PATH, "variant": V, "symbol": S} or {..., "perf": NAME}],
 *    "free":     {"parameter": PATH, "variant": V, "otherwise": {"variant": V, "gain_percent": x}},
 *    "fitted":   [{"parameter": PATH, "to": TEXT}],
 *    "measured": "y.csv",
 *    "cells":    [{"cell", "measure", "role", ...}],
 *    "ensembles": [...]}
 *
 * Files are relative to the table's own. The bed's first variant is what gains refer to, and its
 * rate is the time per packet that shares are shares of. A table whose cells are all metrics and
 * means of them has no bed; "fitted" then lists the parameters that were fitted by hand, so that
 * they are counted.
 *
 * measure  of the bed, by "variant"; rate: packets per second; gain: in percent over the first
 *          variant; share: of symbols, in percent; time: of symbols, ns per packet; profile: a
 *          share for each symbol that the variant's profile lists (but those in symbols), and the
 *          rest
 *
 *          metric: of any scenario: {"scenario": FILE, "at": {"case": C, AXIS: VALUE, ...},
 *          "variant": V, "metric": M, "against": {any of these that differ, "as": "ratio",
 *          "percent" (above) or "difference"}}; a scenario without variants has the variant "base"
 *
 *          mean: {"of": [CELL, ...]} of earlier metric cells in one unit
 *
 * published, null  a number, or {"row": first cell of a line, "column": NAME, "file": FILE
 *          (measured unless given), "over": COLUMN (percent above it), "minus": COLUMN,
 *          "times": x}; null is the naive prediction, for instance that nothing changes
 *
 * accepted of the simulated value: accepted_percent and accepted_within are around the published
 *          one, accepted is [low, high]; none: report only
 *
 * An ensemble (ensemble.h) takes the place of fitted costs where the figures leave most of them
 * open; its cells are the rows of the table, worked out over all its worlds:
 *
 *   {"name": TEXT, "bed": SCENARIO, "worlds": FILE, "compare": [FIRST, SECOND], "seed": 1,
 *    "search":  {"duration": TIME, "warmup": TIME},
 *    "free":    [{"parameter": PATH, "low": V, "high": V, "scale": "log"}, ...],
 *    "regimes": [{"parameter": PATH, "values": [V, ...]}, ...],
 *    "dither":  {"parameter": PATH, "factors": [x, ...]},
 *    "split":   [{"by": PATH or METRIC, "edges": [x, ...]}, ...],
 *    "cells":   [{"cell": TEXT, "variant": V, "at": {PATH: VALUE}, "metric": M, "published": x,
 *                 "sigma_percent": x, "accepted_percent": x, "role": R},
 *                {"cell": TEXT, "variant": V, "metric": M, "mean": "error_percent",
 *                 "accepted": [low, high], "role": R},
 *                {"cell": TEXT, "variant": V, "over": V, "metric": M, "mean": "gain", ...}]}
 *
 * low and high default to the certificate's range. Cells of role calibrated accept worlds; sigma
 * (sigma, sigma_percent) weighs them in the score. A cell with mean is one over all cells of its
 * variant and metric that stand before it: their errors, or their gains over the same place of
 * another variant; tie is how small a gain is noise.
 * "keep": "best" makes a fit of it: the best world alone, accepted or not.
 */
#ifndef SIM_STUDY_PUBLISHED_H
#define SIM_STUDY_PUBLISHED_H

#include <limits.h>

#include "sim/engine/param.h"
#include "sim/study/ensemble_plan.h"
#include "sim/study/perf_profile.h"
#include "sim/study/rate_column.h"

#define PUBLISHED_VARIANTS 8
#define PUBLISHED_CELLS    96
#define PUBLISHED_COSTS    48
#define PUBLISHED_NAME     80

#define PUBLISHED_POINTS   64 /* of scenarios, a run of all their variants each */
#define PUBLISHED_SETTINGS 6  /* of a point */
#define PUBLISHED_OF       16 /* cells in a mean */

enum measure {
    MEASURE_RATE,
    MEASURE_GAIN,
    MEASURE_SHARE,
    MEASURE_TIME,
    MEASURE_METRIC,
    MEASURE_MEAN,
    MEASURE_PROFILE,
    MEASURES,
    MEASURE_WORLDS = MEASURES /* of an ensemble */
};
enum against { AGAINST_NOTHING, AGAINST_RATIO, AGAINST_PERCENT, AGAINST_DIFFERENCE };
enum role { ROLE_CALIBRATED, ROLE_HELD_OUT, ROLE_DIRECTIONAL, ROLES };

/* What is known of a variant of the bed. */
struct published_variant {
    char name[PUBLISHED_NAME];
    bool has_rate, has_profile;
    struct rate_column rate;
    struct perf_profile profile;
};

/* A point of a scenario that cells refer to. */
struct published_point {
    char scenario[PATH_MAX];
    char one_case[PUBLISHED_NAME];                /* "": the scenario has no cases */
    char set[PUBLISHED_SETTINGS][PUBLISHED_NAME]; /* "AXIS=VALUE" */
    size_t set_count;
};

/* A metric of a variant there. */
struct published_operand {
    size_t point; /* index into point[] */
    char variant[PUBLISHED_NAME];
    int metric;
};

struct published_cell {
    char cell[120];
    char unit[32];
    enum measure measure; /* never MEASURE_PROFILE: those are spread out */
    size_t variant;       /* index into variant[] */
    bool symbol[SYMBOL_COUNT];
    bool rest; /* share: of all that the profile does not name, in place of symbol[] */
    struct published_operand operand, base; /* of a metric; base: what it is held against */
    enum against against;
    size_t of[PUBLISHED_OF]; /* of a mean: indices of cells before it */
    size_t of_count;
    size_t ensemble, target; /* of worlds: which of ensemble[], which of its targets */
    enum role role;
    bool informed;
    double published;
    double null;               /* the naive prediction; NaN: none given */
    double low, high;          /* NaN: report only */
    char hide[PUBLISHED_NAME]; /* simulated as calibrated without this variant; "": as shipped */
    char note[320];
};

/* A cost that a profile fixes. */
struct published_cost {
    const struct param *param;
    size_t variant;
    int symbol;     /* the model's, or SYMBOL_COUNT: the cost is `percent` as it stands */
    bool rest;      /* symbol is not named by the profile: it takes the rest */
    double percent; /* share of the packet */
};

struct published {
    char file[PATH_MAX];
    char table[PUBLISHED_NAME];
    char bed[PATH_MAX]; /* "": all cells are metrics, and means of them */
    struct published_variant variant[PUBLISHED_VARIANTS]; /* in the order they are first named */
    size_t variant_count;
    struct published_cost cost[PUBLISHED_COSTS];
    size_t cost_count;
    const struct param *free_param;
    size_t free_variant, otherwise_variant;
    double otherwise_gain_percent;
    size_t fitted_count; /* parameters that were fitted by hand */
    struct published_point point[PUBLISHED_POINTS];
    size_t point_count;
    struct published_cell cell[PUBLISHED_CELLS];
    size_t cell_count;
    struct ensemble_plan *ensemble; /* [ensembles], owned */
    size_t ensembles;
};

/* name: a table of scenarios/published, or a file. NULL: problems say why. */
struct published *published_open(const char *name, struct problems *problems);
void published_free(struct published *published); /* NULL is fine */

/* Names of the tables in scenarios/published, sorted, at most `room`; false: there is no such
 * folder. */
bool published_list(char (*names)[PUBLISHED_NAME], size_t room, size_t *count, struct error *error);

/* Costs that were fitted, in whichever way. */
size_t published_free_parameters(const struct published *published);

/* Time per packet of the first variant as measured. */
double published_ns(const struct published *published);

/* Measured gain of a variant over the first, in percent; NaN where no rate was published. */
double published_gain_percent(const struct published *published, size_t variant);

/* Its standard error in points: with every run independent of its neighbours, or each worth what
 * the autocorrelation leaves of it. */
double published_gain_error(const struct published *published, size_t variant, bool independent);

const char *role_name(enum role role);

#endif
