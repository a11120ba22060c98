/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/experiment_cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/interval.h"

static void config_of(const struct cells *cells, size_t index, struct config *config)
{
    scenario_config(cells->scenario, index / cells->experiment->variants,
                    index % cells->experiment->variants, config);
}

/* Takes in what the store holds in order, and closes the cell when that suffices. */
static void advance(struct cells *cells, size_t index, const struct study_config *study)
{
    struct cell *cell = &cells->list[index];
    int64_t id = cells->experiment->cell[index].config_id;

    while (!cell->closed && cell->have < cell->most) {
        if (!cell->x) {
            if (!store_has_run(cells->store, id, cell->have)) {
                return;
            }
        } else {
            double metric[METRIC_COUNT];

            if (!store_read_metrics(cells->store, id, cell->have, metric)) {
                return;
            }
            cell->x[cell->have] = metric[study->stop_metric];
        }
        cell->have++;
        if (cell->x && cell->have >= cell->least) {
            cell->closed = interval_stop(cell->x, cell->have, cell->least, study->confidence,
                                         study->relative_precision) != 0;
        }
    }
    if (!cell->closed) {
        cell->closed = true;
        cell->imprecise = cell->x != NULL;
    }
}

static bool cell_init(struct cells *cells, size_t index, const struct study_config *study)
{
    struct cell *cell = &cells->list[index];
    int64_t id = cells->experiment->cell[index].config_id;
    bool exact = study->relative_precision <= 0;

    cell->least = study->replications;
    cell->most =
        exact || study->most_replications < cell->least ? cell->least : study->most_replications;
    cell->weight = (float)(sim_time_s(study->warmup) + sim_time_s(study->duration));
    if (!exact && !(cell->x = calloc(cell->most, sizeof *cell->x))) {
        return false;
    }
    advance(cells, index, study);
    for (uint32_t i = cell->have; !cell->closed && i < cell->least; i++) {
        if (!store_has_run(cells->store, id, i)) {
            cells->missing_runs++;
            cells->missing_weight += (double)cell->weight;
        }
    }
    return true;
}

bool cells_init(struct cells *cells, const struct scenario *scenario, struct store *store,
                const struct experiment *experiment, uint32_t threads)
{
    struct config *config = calloc(1, sizeof *config);
    bool ok = config != NULL;

    memset(cells, 0, sizeof *cells);
    cells->scenario = scenario;
    cells->store = store;
    cells->experiment = experiment;
    cells->count = experiment->points * experiment->variants;
    cells->window = 2 * (size_t)threads + 2;
    cells->ahead = threads;
    cells->list = calloc(cells->count, sizeof *cells->list);
    ok = ok && cells->list;
    for (size_t i = 0; ok && i < cells->count; i++) {
        config_of(cells, i, config);
        ok = cell_init(cells, i, &config->study);
    }
    free(config);
    return ok;
}

void cells_fini(struct cells *cells)
{
    for (size_t i = 0; cells->list && i < cells->count; i++) {
        free(cells->list[i].x);
    }
    free(cells->list);
    memset(cells, 0, sizeof *cells);
}

/* The next replication of one cell. The store is asked again for each: another process may be at
 * work on it, too. */
static bool next_of(struct cells *cells, size_t index, uint32_t *replication)
{
    struct cell *cell = &cells->list[index];
    int64_t id = cells->experiment->cell[index].config_id;

    while (!cell->closed) {
        uint32_t limit = cell->have < cell->least ? cell->least : cell->have + cells->ahead;

        limit = limit < cell->most ? limit : cell->most;
        if (cell->issued >= limit) {
            return false;
        }
        *replication = cell->issued++;
        if (*replication < cell->have) {
            continue;
        }
        if (store_has_run(cells->store, id, *replication)) {
            cells_advance(cells, index);
            continue;
        }
        if (*replication >= cell->least) {
            cells->grown_runs++;
            cells->grown_weight += (double)cell->weight;
        }
        return true;
    }
    return false;
}

bool cells_next(struct cells *cells, size_t *cell, uint32_t *replication)
{
    size_t open = 0;

    while (cells->first < cells->count && cells->list[cells->first].closed) {
        cells->first++;
    }
    for (size_t i = cells->first; i < cells->count && open < cells->window; i++) {
        if (next_of(cells, i, replication)) {
            *cell = i;
            return true;
        }
        open += !cells->list[i].closed;
    }
    return false;
}

enum cells_verdict cells_judge(const struct cells *cells, size_t cell, uint32_t replication)
{
    const struct cell *c = &cells->list[cell];

    if (replication < c->have) {
        return CELLS_DISCARD; /* another process was faster */
    }
    if (replication < c->least) {
        return CELLS_STORE;
    }
    if (c->closed) {
        return CELLS_DISCARD;
    }
    return replication == c->have ? CELLS_STORE : CELLS_HOLD;
}

void cells_advance(struct cells *cells, size_t cell)
{
    struct cell *c = &cells->list[cell];
    struct config *config;

    if (c->closed) {
        return;
    }
    config = calloc(1, sizeof *config);
    if (!config) {
        abort();
    }
    config_of(cells, cell, config);
    advance(cells, cell, &config->study);
    free(config);
    if (c->closed && !c->imprecise) {
        free(c->x);
        c->x = NULL;
    }
}

bool cells_closed(const struct cells *cells)
{
    for (size_t i = cells->first; i < cells->count; i++) {
        if (!cells->list[i].closed) {
            return false;
        }
    }
    return true;
}

double cells_weight(const struct cells *cells, size_t cell)
{
    return (double)cells->list[cell].weight;
}

void cells_describe(const struct cells *cells, size_t cell, char *buffer, size_t bytes)
{
    const struct cell *c = &cells->list[cell];
    struct config *config = calloc(1, sizeof *config);
    struct interval interval;
    size_t used = 0;

    if (!config) {
        abort();
    }
    config_of(cells, cell, config);
    interval = interval_of(c->x, c->have, config->study.confidence);
    for (size_t i = 0; i < scenario_axis_count(cells->scenario) && used < bytes; i++) {
        used += (size_t)snprintf(
            buffer + used, bytes - used, "%s=%s, ", scenario_axis_path(cells->scenario, i),
            scenario_point_value(cells->scenario, cell / cells->experiment->variants, i));
    }
    if (used < bytes) {
        snprintf(
            buffer + used, bytes - used,
            "variant %s: %s is known to %.2g of its mean after %u replications, %.2g was asked for",
            scenario_variant_name(cells->scenario,
                                  scenario_variant_at(cells->scenario,
                                                      cell / cells->experiment->variants,
                                                      cell % cells->experiment->variants)),
            metric_name((enum metric)config->study.stop_metric),
            interval.half_width / fabs(interval.mean), c->have, config->study.relative_precision);
    }
    free(config);
}
