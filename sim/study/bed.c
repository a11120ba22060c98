/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/bed.h"

#include <stdlib.h>
#include <string.h>

#include "sim/study/summary.h"

bool bed_open(struct bed *bed, const char *file, const struct experiment_options *options,
              struct error *error)
{
    memset(bed, 0, sizeof *bed);
    bed->file = file;
    bed->options = *options;
    bed->store = store_open(NULL, true, error);
    return bed->store != NULL;
}

static void forget(struct bed *bed)
{
    for (size_t i = 0; i < bed->variant_count; i++) {
        free(bed->variant[i].pps);
        free(bed->variant[i].ns);
        free(bed->variant[i].slow_free);
    }
    free(bed->variant);
    bed->variant = NULL;
    bed->variant_count = 0;
}

void bed_close(struct bed *bed)
{
    forget(bed);
    store_close(bed->store);
    memset(bed, 0, sizeof *bed);
}

/* replication, symbol, ns per packet */
static bool take_symbol(void *context, int columns, const char *const *names,
                        const char *const *values)
{
    struct bed_variant *v = context;
    unsigned long replication = strtoul(values[0], NULL, 10);

    (void)columns;
    (void)names;
    for (size_t i = 0; i < SYMBOL_COUNT && replication < v->count; i++) {
        if (strcmp(symbol_name((enum symbol)i), values[1]) == 0) {
            v->ns[i * v->count + replication] = strtod(values[2], NULL);
        }
    }
    return true;
}

static bool read_variant(struct bed *bed, struct bed_variant *v, const struct experiment_cell *cell,
                         struct error *error)
{
    struct summary summary;
    char sql[200];

    v->count = cell->replications;
    v->pps = calloc(v->count + 1, sizeof *v->pps);
    v->slow_free = calloc(v->count + 1, sizeof *v->slow_free);
    v->ns = calloc((size_t)SYMBOL_COUNT * v->count + 1, sizeof *v->ns);
    if (!v->pps || !v->slow_free || !v->ns) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    if (!summary_init(&summary, bed->store, cell, bed->level, error)) {
        return false;
    }
    for (uint32_t i = 0; i < v->count; i++) {
        v->pps[i] = summary.x[(size_t)METRIC_TX_PPS * v->count + i];
        v->slow_free[i] = summary.x[(size_t)METRIC_SLAB_SLOW_FREE * v->count + i];
    }
    summary_fini(&summary);
    snprintf(sql, sizeof sql,
             "SELECT r.replication, s.name, s.ns_per_packet FROM symbol s JOIN run r "
             "ON r.id = s.run_id WHERE r.config_id = %lld AND s.ns_per_packet IS NOT NULL",
             (long long)cell->config_id);
    return store_query(bed->store, sql, take_symbol, v, error);
}

static bool run_scenario(struct bed *bed, const struct scenario *scenario, struct error *error)
{
    struct experiment experiment = {0};
    struct problems problems;
    struct config config;
    bool ok;

    problems_init(&problems);
    scenario_config(scenario, 0, 0, &config);
    bed->level = config.study.confidence;
    ok = experiment_run(&experiment, scenario, bed->store, &bed->options, &problems, error);
    bed->runs += experiment.computed;
    bed->signal = experiment.signal;
    if (ok && experiment.signal) {
        ok = error_set(error, ERROR_SYSTEM, "", "interrupted");
    }
    bed->variant = calloc(scenario_variant_count(scenario), sizeof *bed->variant);
    for (size_t i = 0; ok && i < scenario_variant_count(scenario); i++) {
        bed->variant_count = i + 1;
        snprintf(bed->variant[i].name, sizeof bed->variant[i].name, "%s",
                 scenario_variant_name(scenario, i));
        ok = read_variant(bed, &bed->variant[i], experiment_at(&experiment, 0, i), error);
    }
    experiment_fini(&experiment);
    problems_fini(&problems);
    return ok;
}

bool bed_run(struct bed *bed, const char *const *set, size_t count, struct error *error)
{
    struct scenario_options options = {.set = set, .set_count = count, .without_axes = true};
    struct problems problems;
    struct scenario *scenario;
    bool ok = false;

    forget(bed);
    problems_init(&problems);
    scenario = scenario_open(bed->file, &options, &problems);
    if (scenario) {
        ok = run_scenario(bed, scenario, error);
    } else {
        for (size_t i = 0; i < problems.count && error->kind == ERROR_NONE; i++) {
            if (!problems.list[i].warning) {
                *error = problems.list[i].error;
            }
        }
        error_set(error, ERROR_INPUT, "", "the bed cannot be read");
    }
    scenario_free(scenario);
    problems_fini(&problems);
    return ok;
}

const struct bed_variant *bed_find(const struct bed *bed, const char *name)
{
    for (size_t i = 0; i < bed->variant_count; i++) {
        if (strcmp(bed->variant[i].name, name) == 0) {
            return &bed->variant[i];
        }
    }
    return NULL;
}

struct interval bed_rate(const struct bed *bed, const struct bed_variant *v)
{
    return interval_of(v->pps, v->count, bed->level);
}

struct interval bed_gain_percent(const struct bed *bed, const struct bed_variant *v,
                                 const struct bed_variant *first)
{
    uint32_t n = v->count < first->count ? v->count : first->count;
    struct interval ratio = interval_ratio(v->pps, first->pps, n, bed->level);

    ratio.mean = 100 * (ratio.mean - 1);
    ratio.half_width *= 100;
    return ratio;
}

struct interval bed_slow_free_percent(const struct bed *bed, const struct bed_variant *v)
{
    return interval_of(v->slow_free, v->count, bed->level);
}

/* Of each replication the sum over the symbols, in ns or in percent of all symbols. */
static struct interval of_symbols(const struct bed *bed, const struct bed_variant *v,
                                  const bool *symbol, bool percent)
{
    double *x = calloc(v->count + 1, sizeof *x);
    struct interval interval;

    if (!x) {
        abort();
    }
    for (uint32_t r = 0; r < v->count; r++) {
        double all = 0;

        for (size_t i = 0; i < SYMBOL_COUNT; i++) {
            all += v->ns[i * v->count + r];
            x[r] += symbol[i] ? v->ns[i * v->count + r] : 0;
        }
        x[r] *= percent ? 100 / all : 1;
    }
    interval = interval_of(x, v->count, bed->level);
    free(x);
    return interval;
}

struct interval bed_ns(const struct bed *bed, const struct bed_variant *v,
                       const bool symbol[SYMBOL_COUNT])
{
    return of_symbols(bed, v, symbol, false);
}

struct interval bed_share_percent(const struct bed *bed, const struct bed_variant *v,
                                  const bool symbol[SYMBOL_COUNT])
{
    return of_symbols(bed, v, symbol, true);
}
