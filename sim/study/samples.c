/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/summary.h"

/* A point on its way: its scenario, and where its runs are. */
struct visit {
    const struct published *published;
    size_t point;
    struct store *store;
    struct scenario *scenario;
    struct experiment experiment;
    double level;
};

void samples_fini(struct samples *samples)
{
    for (size_t i = 0; i < PUBLISHED_CELLS; i++) {
        free(samples->cell[i].x);
        free(samples->base[i].x);
    }
    memset(samples, 0, sizeof *samples);
}

struct interval samples_interval(const struct samples *samples, size_t cell)
{
    const struct sample *s = &samples->cell[cell];

    return interval_of(s->x, s->count, s->level);
}

static bool take_operand(struct sample *sample, const struct visit *visit,
                         const struct published_operand *o, struct error *error)
{
    size_t count = scenario_variant_count(visit->scenario), i = 0;
    struct summary summary = {0};
    bool ok;

    if (o->point != visit->point || sample->x) {
        return true;
    }
    while (i < count && strcmp(scenario_variant_name(visit->scenario, i), o->variant) != 0) {
        i++;
    }
    if (i == count) {
        return error_set(error, ERROR_INPUT, "", "%.200s has no variant '%s'",
                         visit->published->point[o->point].scenario, o->variant);
    }
    ok = summary_init(&summary, visit->store, experiment_at(&visit->experiment, 0, i), visit->level,
                      error);
    if (ok) {
        sample->count = summary.count;
        sample->level = visit->level;
        sample->x = calloc(summary.count + 1, sizeof *sample->x);
        if (!sample->x) {
            abort();
        }
        memcpy(sample->x, summary.x + (size_t)o->metric * summary.count,
               summary.count * sizeof *sample->x);
    }
    summary_fini(&summary);
    return ok;
}

/* What the cells want of a point that was run. */
static bool take_point(struct samples *samples, const struct visit *visit, struct error *error)
{
    const struct published *p = visit->published;

    for (size_t i = 0; i < p->cell_count; i++) {
        const struct published_cell *cell = &p->cell[i];

        if (cell->measure != MEASURE_METRIC) {
            continue;
        }
        if (!take_operand(&samples->cell[i], visit, &cell->operand, error) ||
            (cell->against != AGAINST_NOTHING &&
             !take_operand(&samples->base[i], visit, &cell->base, error))) {
            return false;
        }
    }
    return true;
}

/* The scenario with the point as the only value of each axis; NULL: *error says why. */
static struct scenario *open_point(const struct published_point *point, struct error *error)
{
    const char *vary[PUBLISHED_SETTINGS], *cases[] = {point->one_case};
    struct scenario_options options = {.vary = vary, .vary_count = point->set_count};
    struct problems problems;
    struct scenario *scenario;

    for (size_t i = 0; i < point->set_count; i++) {
        vary[i] = point->set[i];
    }
    if (point->one_case[0]) {
        options.cases = cases;
        options.case_count = 1;
    }
    problems_init(&problems);
    scenario = scenario_open(point->scenario, &options, &problems);
    for (size_t i = 0; !scenario && i < problems.count && error->kind == ERROR_NONE; i++) {
        if (!problems.list[i].warning) {
            *error = problems.list[i].error;
        }
    }
    problems_fini(&problems);
    if (scenario && scenario_point_count(scenario) != 1) {
        error_set(error, ERROR_INPUT, "",
                  "%.200s has %zu points, a cell is of one: name its case and the value of each "
                  "axis in \"at\"",
                  point->scenario, scenario_point_count(scenario));
        scenario_free(scenario);
        return NULL;
    }
    return scenario;
}

static bool run_point(struct samples *samples, struct visit *visit,
                      const struct experiment_options *options, struct error *error)
{
    struct problems problems;
    struct config config;
    bool ok;

    visit->scenario = open_point(&visit->published->point[visit->point], error);
    if (!visit->scenario) {
        return false;
    }
    problems_init(&problems);
    scenario_config(visit->scenario, 0, 0, &config);
    visit->level = config.study.confidence;
    ok = experiment_run(&visit->experiment, visit->scenario, visit->store, options, &problems,
                        error);
    samples->signal = visit->experiment.signal;
    if (ok && samples->signal) {
        ok = error_set(error, ERROR_SYSTEM, "", "interrupted");
    }
    ok = ok && take_point(samples, visit, error);
    experiment_fini(&visit->experiment);
    problems_fini(&problems);
    scenario_free(visit->scenario);
    return ok;
}

static double mean_of(const struct sample *sample)
{
    return interval_of(sample->x, sample->count, sample->level).mean;
}

/* The cell's values become those against its base. */
static void hold_against(struct sample *sample, const struct sample *base, enum against against)
{
    double mean = mean_of(base), ratio = mean == 0 ? NAN : mean_of(sample) / mean;

    sample->count = sample->count < base->count ? sample->count : base->count;
    for (uint32_t i = 0; i < sample->count; i++) {
        double x = sample->x[i], y = base->x[i];
        double r = ratio + (x - ratio * y) / mean;

        sample->x[i] = against == AGAINST_DIFFERENCE ? x - y
                       : against == AGAINST_RATIO    ? r
                                                     : 100 * (r - 1);
    }
}

/* A mean of cells, replication by replication. */
static void average(struct samples *samples, size_t cell, const struct published_cell *of)
{
    struct sample *mean = &samples->cell[cell];

    *mean = (struct sample){.count = UINT32_MAX, .level = samples->cell[of->of[0]].level};
    for (size_t k = 0; k < of->of_count; k++) {
        const struct sample *one = &samples->cell[of->of[k]];

        mean->count = one->count < mean->count ? one->count : mean->count;
    }
    mean->x = calloc(mean->count + (size_t)1, sizeof *mean->x);
    if (!mean->x) {
        abort();
    }
    for (uint32_t i = 0; i < mean->count; i++) {
        for (size_t k = 0; k < of->of_count; k++) {
            mean->x[i] += samples->cell[of->of[k]].x[i] / (double)of->of_count;
        }
    }
}

static void combine(struct samples *samples, const struct published *p)
{
    for (size_t i = 0; i < p->cell_count; i++) {
        if (p->cell[i].against != AGAINST_NOTHING) {
            hold_against(&samples->cell[i], &samples->base[i], p->cell[i].against);
        } else if (p->cell[i].measure == MEASURE_MEAN) {
            average(samples, i, &p->cell[i]);
        }
    }
}

bool samples_take(struct samples *samples, const struct published *published,
                  const struct experiment_options *options, struct error *error)
{
    struct store *store = NULL;
    bool ok = true;

    memset(samples, 0, sizeof *samples);
    if (published->point_count > 0) {
        store = store_open(NULL, true, error);
        ok = store != NULL;
    }
    for (size_t i = 0; ok && i < published->point_count; i++) {
        struct visit visit = {.published = published, .point = i, .store = store};

        ok = run_point(samples, &visit, options, error);
    }
    if (store) {
        store_close(store);
    }
    if (ok) {
        combine(samples, published);
    }
    return ok;
}
