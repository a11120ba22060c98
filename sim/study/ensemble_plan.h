/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What an ensemble is: which parameters are not known, and which figures say what a world must do.
 *
 * A world is one choice of all unknowns: a value inside its plausible range for each free
 * parameter, and one of the listed values for each regime (what no figure settles, such as the CPU
 * of a softirq). A world holds for every variant and every size: nothing belongs to a cell.
 *
 * A spot is where a world is looked at: a variant of the bed under settings ("workload.size=256").
 * A target is a figure: a metric at a spot, or a mean over several, with the interval that a world
 * must meet. Some targets accept worlds, the others are only predicted.
 *
 * dither: figures that jump with the exact value of some parameter (the moderation of interrupts
 * against the pace of packets) are taken as means over factors of it, a run for each.
 */
#ifndef SIM_STUDY_ENSEMBLE_PLAN_H
#define SIM_STUDY_ENSEMBLE_PLAN_H

#include <limits.h>

#include "models/metric.h"
#include "sim/engine/param.h"

#define ENSEMBLE_NAME     80
#define ENSEMBLE_FREE     48 /* free parameters at most */
#define ENSEMBLE_REGIMES  8
#define ENSEMBLE_CHOICES  8 /* values of a regime */
#define ENSEMBLE_SPOTS    32
#define ENSEMBLE_SETTINGS 4 /* of a spot */
#define ENSEMBLE_TARGETS  64
#define ENSEMBLE_TERMS    16
#define ENSEMBLE_FACTORS  8
#define ENSEMBLE_SPLITS   8
#define ENSEMBLE_TEXT     32 /* bytes of a value */
#define ENSEMBLE_UNKNOWNS (ENSEMBLE_FREE + ENSEMBLE_REGIMES)
#define ENSEMBLE_NO_SPOT  ENSEMBLE_SPOTS

struct ensemble_free {
    struct param_place place;
    double low, high; /* base units of the row */
    bool logarithmic; /* drawn evenly by factor */
};

struct ensemble_regime {
    struct param_place place;
    char value[ENSEMBLE_CHOICES][ENSEMBLE_TEXT];
    size_t count;
};

struct ensemble_spot {
    char variant[ENSEMBLE_NAME];
    char setting[ENSEMBLE_SETTINGS][ENSEMBLE_NAME]; /* PATH=VALUE */
    size_t settings;
    bool accepts; /* a target that accepts worlds needs it */
};

/* What a target makes of its metric. */
enum ensemble_measure {
    ENSEMBLE_VALUE, /* as it is */
    ENSEMBLE_ERROR, /* less the published one */
    ENSEMBLE_ERROR_PERCENT,
    ENSEMBLE_GAIN, /* less that at the base's spot */
    ENSEMBLE_GAIN_PERCENT,
};

struct ensemble_term {
    size_t spot, base; /* base: ENSEMBLE_NO_SPOT where none is needed */
    double published;
};

struct ensemble_target {
    char name[120];
    int metric;
    enum ensemble_measure measure;
    struct ensemble_term term[ENSEMBLE_TERMS]; /* the target is the mean over them */
    size_t terms;
    double published; /* NaN: none */
    double sigma;     /* what one unit of score is worth; NaN: not scored */
    double low, high; /* NaN: no limits */
    double tie;       /* a gain: smaller ones are noise; NaN: not told */
    bool accepts;     /* a world must meet the limits */
    int role;         /* enum role of published.h */
    bool informed;
    char note[320];
};

/* By what worlds are told apart in a summary: a parameter or a metric at the first spot, by edges
 * in base units; a regime has no edges, its values are the groups. */
struct ensemble_split {
    char name[ENSEMBLE_NAME];
    ptrdiff_t unknown; /* index into the unknowns; -1: a metric */
    int metric;
    size_t spot;
    double edge[4];
    size_t edges;
};

struct ensemble_plan {
    char name[ENSEMBLE_NAME];
    char bed[PATH_MAX];    /* scenario */
    char worlds[PATH_MAX]; /* the file of accepted worlds; "": none yet */
    char first[ENSEMBLE_NAME], second[ENSEMBLE_NAME]; /* variants that the summary compares */
    uint64_t seed;
    bool best; /* only the best world is kept, accepted or not: a fit, no ensemble */

    struct ensemble_free free[ENSEMBLE_FREE];
    size_t free_count;
    struct ensemble_regime regime[ENSEMBLE_REGIMES];
    size_t regime_count;

    struct param_place dither; /* row NULL: none */
    double factor[ENSEMBLE_FACTORS];
    size_t factors;
    double search_duration, search_warmup; /* ps, of runs that only search; 0: the bed's */

    struct ensemble_spot spot[ENSEMBLE_SPOTS];
    size_t spots;
    struct ensemble_target target[ENSEMBLE_TARGETS];
    size_t targets;
    struct ensemble_split split[ENSEMBLE_SPLITS];
    size_t splits;
};

/* A choice of all unknowns: texts as after --set, the free parameters first, then the regimes. */
struct world {
    uint32_t draw;  /* which quasi-random point it began as */
    double score;   /* sum of squared errors over sigma */
    uint32_t asked; /* evaluations until it was accepted */
    char text[ENSEMBLE_UNKNOWNS][ENSEMBLE_TEXT];
};

static inline size_t ensemble_unknowns(const struct ensemble_plan *plan)
{
    return plan->free_count + plan->regime_count;
}

/* The row of an unknown. */
struct param_place ensemble_unknown(const struct ensemble_plan *plan, size_t index);

/* Of a free parameter: the text of the value that lies at `share` (0..1) of its range, rounded to
 * four digits as a file would hold it, and the value of a text, NaN: none. */
void ensemble_free_text(const struct ensemble_free *free, double share, char text[ENSEMBLE_TEXT]);
double ensemble_free_value(struct param_place place, const char *text);

/* Puts the value of a free parameter into a whole configuration; false: the text is none. */
bool ensemble_put(struct param_place place, const char *text, void *config);

/* Of a regime: which of its values; regime->count: none. */
size_t ensemble_regime_index(const struct ensemble_regime *regime, const char *text);

/* Puts a number in base units of the row into its text. */
void ensemble_print(const struct param *row, double value, char text[ENSEMBLE_TEXT]);

/* The world of a point of the unit cube: a coordinate for each unknown. */
void ensemble_world(const struct ensemble_plan *plan, const double *point, struct world *world);

static inline bool ensemble_is_gain(const struct ensemble_target *target)
{
    return target->measure == ENSEMBLE_GAIN || target->measure == ENSEMBLE_GAIN_PERCENT;
}

/* The single cell of the same metric at the same place of another variant; NULL: none. */
const struct ensemble_target *ensemble_twin(const struct ensemble_plan *plan,
                                            const struct ensemble_target *of, const char *over);

/* What "the second variant does as the first" says of a target: the published figure of the first
 * for one of the second, 0 for a gain. NaN: nothing. */
double ensemble_null(const struct ensemble_plan *plan, const struct ensemble_target *target);

/* A spot, made when it is new; ENSEMBLE_NO_SPOT: no room. */
size_t ensemble_spot_of(struct ensemble_plan *plan, const struct ensemble_spot *spot);

#endif
