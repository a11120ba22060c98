/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Draws, starts, and the way down from each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/ensemble.h"
#include "sim/study/experiment_each.h"
#include "sim/study/fit_draws.h"
#include "sim/study/fit_simplex.h"

#define SIMPLEX_STEP 0.15 /* of a range */

/* A quasi-random point, what became of it, and its place: an index touches nothing else. */
struct draw {
    struct world world;
    double *point; /* [unknowns] */
    double score;
    bool accepted;
    struct error error;
};

struct hunt {
    const struct ensemble *e;
    struct draw *draw;
    size_t count;
    size_t *order; /* draws by score */
};

static struct ensemble_outcome *outcome_new(void)
{
    struct ensemble_outcome *outcome = calloc(1, sizeof *outcome);

    if (!outcome) {
        abort();
    }
    return outcome;
}

static void glance(void *context, size_t index)
{
    struct hunt *hunt = context;
    struct draw *draw = &hunt->draw[index];
    struct ensemble_outcome *outcome = outcome_new();

    ensemble_world(hunt->e->plan, draw->point, &draw->world);
    draw->world.draw = (uint32_t)index;
    if (ensemble_look(hunt->e, &draw->world, ENSEMBLE_GLANCE, outcome, &draw->error)) {
        draw->score = ensemble_score(hunt->e, outcome);
    }
    free(outcome);
}

/* One start on its way down. */
struct way {
    const struct ensemble *e;
    struct draw *draw;
    struct ensemble_outcome *outcome;
};

/* Free parameters only: the regimes stay as they were drawn. */
static double ask(void *context, const double *point, bool *enough)
{
    struct way *way = context;
    struct draw *draw = way->draw;
    double score;

    memcpy(draw->point, point, way->e->plan->free_count * sizeof *point);
    ensemble_world(way->e->plan, draw->point, &draw->world);
    draw->world.asked++;
    if (!ensemble_look(way->e, &draw->world, ENSEMBLE_GLANCE, way->outcome, &draw->error)) {
        *enough = true;
        return 0;
    }
    score = ensemble_score(way->e, way->outcome);
    if (way->e->plan->best || !ensemble_accepts(way->e, way->outcome)) {
        return score;
    }
    if (!ensemble_look(way->e, &draw->world, ENSEMBLE_JUDGE, way->outcome, &draw->error)) {
        *enough = true;
        return 0;
    }
    if (ensemble_accepts(way->e, way->outcome)) {
        draw->accepted = *enough = true;
        draw->world.score = ensemble_score(way->e, way->outcome);
    }
    return score;
}

/* Of a fit: the lowest point is what is judged. */
static void judge_best(struct way *way, const double *point)
{
    struct draw *draw = way->draw;

    memcpy(draw->point, point, way->e->plan->free_count * sizeof *point);
    ensemble_world(way->e->plan, draw->point, &draw->world);
    if (ensemble_look(way->e, &draw->world, ENSEMBLE_JUDGE, way->outcome, &draw->error)) {
        draw->accepted = ensemble_accepts(way->e, way->outcome);
        draw->score = draw->world.score = ensemble_score(way->e, way->outcome);
    }
}

static void go_down(const struct hunt *hunt, struct draw *draw, uint32_t asks)
{
    size_t free_count = hunt->e->plan->free_count;
    struct way way = {.e = hunt->e, .draw = draw, .outcome = outcome_new()};
    double *point = malloc((free_count + 1) * sizeof *point);

    if (!point) {
        abort();
    }
    memcpy(point, draw->point, free_count * sizeof *point);
    draw->score = fit_simplex(ask, &way, point, free_count, SIMPLEX_STEP, asks);
    if (hunt->e->plan->best) {
        judge_best(&way, point);
    }
    free(point);
    free(way.outcome);
}

static void descend(void *context, size_t index)
{
    struct hunt *hunt = context;

    go_down(hunt, &hunt->draw[hunt->order[index]], ENSEMBLE_ASKS_MOST);
}

static int by_score(const void *a, const void *b, void *context)
{
    const struct draw *draws = context;
    size_t i = *(const size_t *)a, k = *(const size_t *)b;

    if (draws[i].score != draws[k].score) {
        return draws[i].score < draws[k].score ? -1 : 1;
    }
    return (i > k) - (i < k);
}

/* ---- book-keeping ---- */

static bool hunt_init(struct hunt *hunt, const struct ensemble *e, size_t count)
{
    size_t unknowns = ensemble_unknowns(e->plan);
    struct fit_draws *draws =
        unknowns > 0 ? fit_draws_new((uint32_t)unknowns, e->plan->seed) : NULL;

    memset(hunt, 0, sizeof *hunt);
    hunt->e = e;
    hunt->count = count;
    hunt->draw = calloc(count + 1, sizeof *hunt->draw);
    hunt->order = calloc(count + 1, sizeof *hunt->order);
    for (size_t i = 0; draws && hunt->draw && hunt->order && i < count; i++) {
        hunt->order[i] = i;
        hunt->draw[i].point = calloc(unknowns, sizeof *hunt->draw[i].point);
        if (!hunt->draw[i].point) {
            abort();
        }
        fit_draws_next(draws, hunt->draw[i].point);
    }
    fit_draws_free(draws);
    return draws && hunt->draw && hunt->order;
}

static void hunt_fini(struct hunt *hunt)
{
    for (size_t i = 0; hunt->draw && i < hunt->count; i++) {
        free(hunt->draw[i].point);
    }
    free(hunt->draw);
    free(hunt->order);
}

/* The first failure in the order of draws, so that it is the same for any number of threads. */
static bool all_ran(const struct hunt *hunt, struct error *error)
{
    for (size_t i = 0; i < hunt->count; i++) {
        if (hunt->draw[i].error.kind != ERROR_NONE) {
            *error = hunt->draw[i].error;
            return false;
        }
    }
    return true;
}

static struct ensemble_tried *tried_of(struct ensemble_search *search,
                                       const struct ensemble_plan *plan, size_t regime,
                                       const struct world *world)
{
    size_t value =
        ensemble_regime_index(&plan->regime[regime], world->text[plan->free_count + regime]);

    return &search->tried[regime][value];
}

static void count_draws(struct ensemble_search *search, const struct hunt *hunt)
{
    const struct ensemble_plan *plan = hunt->e->plan;

    search->draws = (uint32_t)hunt->count;
    search->best_draw = search->best_start = INFINITY;
    for (size_t r = 0; r < ENSEMBLE_REGIMES; r++) {
        for (size_t v = 0; v < ENSEMBLE_CHOICES; v++) {
            search->tried[r][v].best_draw = INFINITY;
        }
    }
    for (size_t i = 0; i < hunt->count; i++) {
        const struct draw *draw = &hunt->draw[i];

        search->best_draw = fmin(search->best_draw, draw->score);
        for (size_t r = 0; r < plan->regime_count; r++) {
            struct ensemble_tried *tried = tried_of(search, plan, r, &draw->world);

            tried->draws++;
            tried->best_draw = fmin(tried->best_draw, draw->score);
        }
    }
}

static int by_draw(const void *a, const void *b)
{
    const struct world *i = a, *k = b;

    return (i->draw > k->draw) - (i->draw < k->draw);
}

/* An accepted world before any other, then the least score. */
static struct draw *best_of(const struct hunt *hunt, size_t starts)
{
    struct draw *best = NULL;

    for (size_t i = 0; i < starts; i++) {
        struct draw *draw = &hunt->draw[hunt->order[i]];

        if (!best || (draw->accepted && !best->accepted) ||
            (draw->accepted == best->accepted && draw->score < best->score)) {
            best = draw;
        }
    }
    return best;
}

static void keep(struct ensemble_search *search, const struct hunt *hunt, size_t starts)
{
    const struct ensemble_plan *plan = hunt->e->plan;

    search->starts = (uint32_t)starts;
    for (size_t i = 0; i < starts; i++) {
        const struct draw *draw = &hunt->draw[hunt->order[i]];

        search->best_start = fmin(search->best_start, draw->score);
        for (size_t r = 0; r < plan->regime_count; r++) {
            struct ensemble_tried *tried = tried_of(search, plan, r, &draw->world);

            tried->starts++;
            tried->accepted += draw->accepted ? 1 : 0;
        }
        if (draw->accepted && !plan->best) {
            search->world[search->count++] = draw->world;
        }
    }
    if (plan->best) {
        search->world[search->count++] = best_of(hunt, starts)->world;
    }
    qsort(search->world, search->count, sizeof *search->world, by_draw);
}

bool ensemble_search(struct ensemble_search *search, const struct ensemble *e, uint32_t starts,
                     uint32_t threads, struct progress *progress, struct error *error)
{
    struct hunt hunt;
    bool ok;

    memset(search, 0, sizeof *search);
    search->world = calloc((size_t)starts + 1, sizeof *search->world);
    ok = hunt_init(&hunt, e, (size_t)starts * ENSEMBLE_DRAWS_PER_START) && search->world;
    if (!ok) {
        error_set(error, ERROR_SYSTEM, "", "no unknowns to draw, or out of memory");
    } else {
        experiment_each(threads, hunt.count, glance, &hunt, progress);
        ok = all_ran(&hunt, error);
    }
    if (ok) {
        count_draws(search, &hunt);
        qsort_r(hunt.order, hunt.count, sizeof *hunt.order, by_score, hunt.draw);
        experiment_each(threads, starts, descend, &hunt, progress);
        if (e->plan->best) { /* a fit goes on where it is lowest */
            go_down(&hunt, best_of(&hunt, starts), ENSEMBLE_ASKS_OF_FIT);
        }
        ok = all_ran(&hunt, error);
    }
    if (ok) {
        keep(search, &hunt, starts);
    }
    hunt_fini(&hunt);
    return ok;
}

void ensemble_search_fini(struct ensemble_search *search)
{
    free(search->world);
    memset(search, 0, sizeof *search);
}
