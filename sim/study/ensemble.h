/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * An ensemble: every choice of unknowns that meets the figures, in place of the one that meets them
 * best. A published table of a few cells fixes few of the costs of a model, and fits of equal worth
 * may answer another question oppositely; so what is asked is asked of all of them.
 *
 *   1. Quasi-random points (fit_draws.h) in the ranges of the unknowns are worlds; each is looked
 * at in one short run per spot, and scored.
 *   2. The best of them are starts. From each a simplex (fit_simplex.h) over the free parameters,
 * the regimes held, goes down the score until the world meets every accepted interval, judged on
 * whole runs, and not further: the worlds stay near where they were drawn.
 *   3. Starts that do not get there are counted, not kept.
 *
 * A plan may ask for a fit instead (best): every start goes as far down as it gets, the best one
 * further still, and that one world is kept whether it is accepted or not.
 *
 * The accepted worlds are a sample of what is possible, not of what is probable: shares of worlds
 * count choices that fit, no probability stands behind them.
 */
#ifndef SIM_STUDY_ENSEMBLE_H
#define SIM_STUDY_ENSEMBLE_H

#include "sim/engine/error.h"
#include "sim/study/ensemble_plan.h"
#include "sim/study/progress.h"
#include "sim/study/scenario.h"

#define ENSEMBLE_RUNS_MOST ENSEMBLE_FACTORS /* runs a spot: factors of the dither or replications  \
                                             */
#define ENSEMBLE_DRAWS_PER_START 20
#define ENSEMBLE_ASKS_MOST       320  /* evaluations from a start */
#define ENSEMBLE_ASKS_OF_FIT     1500 /* further ones of a fit from its best start */

struct ensemble {
    const struct ensemble_plan *plan;
    size_t combinations;        /* of the regimes */
    struct scenario **scenario; /* [combinations][settings], kept for what their configurations
                                   point to */
    size_t scenarios;
    struct config *config; /* [combinations][spots], free parameters as in the bed */
    uint32_t runs;         /* of a spot, when judged */
};

/* What a world does: each metric of each run of each spot. */
struct ensemble_outcome {
    uint32_t runs;
    bool all; /* false: only spots that accept */
    double x[ENSEMBLE_SPOTS][ENSEMBLE_RUNS_MOST][METRIC_COUNT];
};

/* Opens the bed under every combination of regimes; false: problems say why. */
bool ensemble_open(struct ensemble *e, const struct ensemble_plan *plan, struct problems *problems);
void ensemble_close(struct ensemble *e);

/* How closely a world is looked at. */
enum ensemble_look {
    ENSEMBLE_GLANCE, /* one short run a spot, of the spots that accept */
    ENSEMBLE_JUDGE,  /* whole runs, of the spots that accept */
    ENSEMBLE_ALL,    /* whole runs of all spots */
};

/* False: a run failed; *error says why. Replications are the same for all worlds and spots. */
bool ensemble_look(const struct ensemble *e, const struct world *world, enum ensemble_look look,
                   struct ensemble_outcome *outcome, struct error *error);

/* The target's value in one run, and its mean over all. NaN: a metric is not defined. */
double ensemble_value_in(const struct ensemble_target *target,
                         const struct ensemble_outcome *outcome, uint32_t run);
double ensemble_value(const struct ensemble_target *target, const struct ensemble_outcome *outcome);

/* Sum of squared errors over sigma, of the targets that accept; large where a metric is missing. */
double ensemble_score(const struct ensemble *e, const struct ensemble_outcome *outcome);
bool ensemble_accepts(const struct ensemble *e, const struct ensemble_outcome *outcome);

/* What a search did, regime value by regime value. */
struct ensemble_tried {
    uint32_t draws, starts, accepted;
    double best_draw; /* least score of a draw; infinite: none */
};

struct ensemble_search {
    struct world *world; /* [count], accepted, in the order of their draws */
    size_t count;
    uint32_t draws, starts;
    double best_draw, best_start; /* least scores; of starts that were not accepted too */
    struct ensemble_tried tried[ENSEMBLE_REGIMES][ENSEMBLE_CHOICES];
};

/* progress NULL: nothing is told. False: *error says why; free the result in any case. */
bool ensemble_search(struct ensemble_search *search, const struct ensemble *e, uint32_t starts,
                     uint32_t threads, struct progress *progress, struct error *error);
void ensemble_search_fini(struct ensemble_search *search);

#endif
