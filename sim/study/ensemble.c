/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A world looked at: runs of the bed with its values. Searching is ensemble_search.c. */
#include "sim/study/ensemble.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/value.h"

#define SCORE_MISSING 1e12

static size_t combination_of(const struct ensemble_plan *plan, const struct world *world)
{
    size_t at = 0;

    for (size_t i = 0; i < plan->regime_count; i++) {
        size_t value = ensemble_regime_index(&plan->regime[i], world->text[plan->free_count + i]);

        if (value == plan->regime[i].count) {
            return SIZE_MAX;
        }
        at = at * plan->regime[i].count + value;
    }
    return at;
}

/* ---- the bed under all regimes ---- */

/* "PATH=VALUE" of the regimes of a combination. */
static size_t regime_settings(const struct ensemble_plan *plan, size_t combination,
                              char (*text)[2 * ENSEMBLE_NAME])
{
    for (size_t i = plan->regime_count; i-- > 0;) {
        const struct ensemble_regime *regime = &plan->regime[i];

        snprintf(text[i], sizeof text[i], "%s=%s", regime->place.row->path,
                 regime->value[combination % regime->count]);
        combination /= regime->count;
    }
    return plan->regime_count;
}

static bool take_config(struct ensemble *e, const struct scenario *scenario, size_t combination,
                        size_t spot, struct problems *problems)
{
    const struct ensemble_plan *plan = e->plan;
    const char *name = plan->spot[spot].variant;

    for (size_t v = 0; v < scenario_variant_count(scenario); v++) {
        if (strcmp(scenario_variant_name(scenario, v), name) == 0) {
            scenario_config(scenario, 0, v, &e->config[combination * plan->spots + spot]);
            return true;
        }
    }
    problems_error(problems, "", "%s has no variant '%s'", plan->bed, name);
    return false;
}

static bool open_spot(struct ensemble *e, size_t combination, size_t spot,
                      struct problems *problems)
{
    const struct ensemble_plan *plan = e->plan;
    char regime[ENSEMBLE_REGIMES][2 * ENSEMBLE_NAME];
    const char *set[ENSEMBLE_REGIMES + ENSEMBLE_SETTINGS];
    struct scenario_options options = {.set = set, .without_axes = true};
    size_t regimes = regime_settings(plan, combination, regime);
    struct problems own;
    struct scenario *scenario;

    for (size_t i = 0; i < regimes; i++) {
        set[options.set_count++] = regime[i];
    }
    for (size_t i = 0; i < plan->spot[spot].settings; i++) {
        set[options.set_count++] = plan->spot[spot].setting[i];
    }
    /* Warnings are about settings that have no effect under some regime. */
    problems_init(&own);
    scenario = scenario_open(plan->bed, &options, &own);
    for (size_t i = 0; i < own.count; i++) {
        if (!own.list[i].warning) {
            problems_add(problems, false, &own.list[i].error);
        }
    }
    problems_fini(&own);
    e->scenario[e->scenarios++] = scenario;
    return scenario && take_config(e, scenario, combination, spot, problems);
}

/* Both ends of each range must be values of their parameter. */
static bool check_ranges(const struct ensemble_plan *plan, struct problems *problems)
{
    size_t errors = problems->errors;
    struct config *config = calloc(1, sizeof *config);

    if (!config) {
        abort();
    }
    for (size_t i = 0; i < 2 * plan->free_count; i++) {
        const struct ensemble_free *one = &plan->free[i / 2];
        char text[ENSEMBLE_TEXT];

        ensemble_free_text(one, i % 2 ? 1 : 0, text);
        if (!value_from_text(one->place.row, text, (char *)config + one->place.part)) {
            problems_error(problems, one->place.row->path, "%s is no value of it", text);
        }
    }
    free(config);
    return problems->errors == errors;
}

bool ensemble_open(struct ensemble *e, const struct ensemble_plan *plan, struct problems *problems)
{
    size_t count;
    bool ok;

    memset(e, 0, sizeof *e);
    e->plan = plan;
    e->combinations = 1;
    for (size_t i = 0; i < plan->regime_count; i++) {
        e->combinations *= plan->regime[i].count;
    }
    count = e->combinations * plan->spots;
    e->scenario = calloc(count + 1, sizeof(struct scenario *));
    e->config = calloc(count + 1, sizeof *e->config);
    if (!e->scenario || !e->config) {
        abort();
    }
    ok = check_ranges(plan, problems);
    for (size_t i = 0; ok && i < count; i++) {
        ok = open_spot(e, i / plan->spots, i % plan->spots, problems);
    }
    if (ok && plan->spots > 0) {
        uint32_t wanted =
            plan->factors > 0 ? (uint32_t)plan->factors : e->config[0].study.replications;

        e->runs = wanted < ENSEMBLE_RUNS_MOST ? wanted : ENSEMBLE_RUNS_MOST;
    }
    return ok;
}

void ensemble_close(struct ensemble *e)
{
    for (size_t i = 0; i < e->scenarios; i++) {
        scenario_free(e->scenario[i]);
    }
    free(e->scenario);
    free(e->config);
    memset(e, 0, sizeof *e);
}

/* ---- one run ---- */

/* The configuration of a world at a spot, in run `run`. */
static bool configure(const struct ensemble *e, const struct world *world, size_t spot,
                      uint32_t run, bool dithered, struct config *config)
{
    const struct ensemble_plan *plan = e->plan;
    size_t combination = combination_of(plan, world);

    if (combination == SIZE_MAX) {
        return false;
    }
    *config = e->config[combination * plan->spots + spot];
    for (size_t i = 0; i < plan->free_count; i++) {
        struct param_place place = plan->free[i].place;
        char text[ENSEMBLE_TEXT];

        memcpy(text, world->text[i], sizeof text);
        if (dithered && place.row == plan->dither.row) {
            ensemble_print(place.row,
                           ensemble_free_value(place, text) * plan->factor[run % plan->factors],
                           text);
        }
        if (!ensemble_put(place, text, config)) {
            return false;
        }
    }
    return true;
}

static bool run_spot(const struct ensemble *e, const struct config *config, uint32_t run,
                     bool glance, struct run_result *result, struct error *error)
{
    struct run_id id = config_run_id(config, run);

    if (glance && e->plan->search_duration > 0) {
        id.duration = (sim_time)e->plan->search_duration;
        id.warmup = (sim_time)e->plan->search_warmup;
    }
    return datapath_run(&config->datapath, &id, result, error);
}

static bool look_at(const struct ensemble *e, const struct world *world, enum ensemble_look look,
                    struct ensemble_outcome *outcome, struct run_result *result,
                    struct config *config, struct error *error)
{
    const struct ensemble_plan *plan = e->plan;
    bool glance = look == ENSEMBLE_GLANCE;

    for (size_t spot = 0; spot < plan->spots; spot++) {
        if (!outcome->all && !plan->spot[spot].accepts) {
            continue;
        }
        for (uint32_t run = 0; run < outcome->runs; run++) {
            if (!configure(e, world, spot, run, !glance && plan->factors > 0, config)) {
                return error_set(error, ERROR_INPUT, "", "a world has a value that is none");
            }
            if (!run_spot(e, config, run, glance, result, error)) {
                return error_set(error, ERROR_SYSTEM, "", "a run failed");
            }
            memcpy(outcome->x[spot][run], result->metric, sizeof result->metric);
        }
    }
    return true;
}

bool ensemble_look(const struct ensemble *e, const struct world *world, enum ensemble_look look,
                   struct ensemble_outcome *outcome, struct error *error)
{
    struct run_result *result = run_result_new();
    struct config *config = malloc(sizeof *config);
    bool ok;

    outcome->runs = look == ENSEMBLE_GLANCE ? 1 : e->runs;
    outcome->all = look == ENSEMBLE_ALL;
    ok = result && config ? look_at(e, world, look, outcome, result, config, error)
                          : error_set(error, ERROR_SYSTEM, "", "out of memory");
    run_result_free(result);
    free(config);
    return ok;
}

/* ---- what it is worth ---- */

static double term_value(const struct ensemble_target *target, const struct ensemble_term *term,
                         const struct ensemble_outcome *outcome, uint32_t run)
{
    double x = outcome->x[term->spot][run][target->metric];
    double base = term->base == ENSEMBLE_NO_SPOT ? term->published
                                                 : outcome->x[term->base][run][target->metric];

    switch (target->measure) {
    case ENSEMBLE_VALUE:
        return x;
    case ENSEMBLE_ERROR:
    case ENSEMBLE_GAIN:
        return x - base;
    case ENSEMBLE_ERROR_PERCENT:
    case ENSEMBLE_GAIN_PERCENT:
        return 100 * (x / base - 1);
    }
    return NAN;
}

double ensemble_value_in(const struct ensemble_target *target,
                         const struct ensemble_outcome *outcome, uint32_t run)
{
    double sum = 0;

    for (size_t i = 0; i < target->terms; i++) {
        sum += term_value(target, &target->term[i], outcome, run);
    }
    return sum / (double)target->terms;
}

double ensemble_value(const struct ensemble_target *target, const struct ensemble_outcome *outcome)
{
    double sum = 0;

    for (uint32_t run = 0; run < outcome->runs; run++) {
        sum += ensemble_value_in(target, outcome, run);
    }
    return sum / outcome->runs;
}

double ensemble_score(const struct ensemble *e, const struct ensemble_outcome *outcome)
{
    double score = 0;

    for (size_t i = 0; i < e->plan->targets; i++) {
        const struct ensemble_target *target = &e->plan->target[i];

        if (target->accepts && isfinite(target->sigma)) {
            double off = (ensemble_value(target, outcome) - target->published) / target->sigma;

            score += off * off;
        }
    }
    return isfinite(score) && score < SCORE_MISSING ? score : SCORE_MISSING;
}

bool ensemble_accepts(const struct ensemble *e, const struct ensemble_outcome *outcome)
{
    for (size_t i = 0; i < e->plan->targets; i++) {
        const struct ensemble_target *target = &e->plan->target[i];
        double value = target->accepts ? ensemble_value(target, outcome) : 0;

        if (target->accepts && !(value >= target->low && value <= target->high)) {
            return false;
        }
    }
    return true;
}
