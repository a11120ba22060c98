/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of a table as a whole, and rows and foot as parts of a document. */
#include <math.h>
#include <string.h>

#include "sim/study/validate.h"

static void add(struct validate_error *e, double error, double null_error)
{
    if (!isfinite(error)) {
        return;
    }
    e->cells++;
    e->mean += fabs(error);
    if (isfinite(null_error)) {
        e->null_cells++;
        e->beside += fabs(error);
        e->null_mean += fabs(null_error);
    }
}

static void finish(struct validate_error *e)
{
    e->mean = e->cells > 0 ? e->mean / (double)e->cells : NAN;
    e->beside = e->null_cells > 0 ? e->beside / (double)e->null_cells : NAN;
    e->null_mean = e->null_cells > 0 ? e->null_mean / (double)e->null_cells : NAN;
}

static bool is_mean_over_worlds(const struct published *p, const struct published_cell *cell)
{
    return cell->measure == MEASURE_WORLDS &&
           p->ensemble[cell->ensemble].target[cell->target].measure != ENSEMBLE_VALUE;
}

struct validate_foot validate_foot(const struct validation *v)
{
    struct validate_foot foot = {.free_parameters = published_free_parameters(v->published)};

    for (size_t i = 0; i < v->count; i++) {
        const struct validate_row *row = &v->row[i];
        const struct published_cell *cell = row->cell;

        foot.role[cell->role]++;
        if (cell->role != ROLE_HELD_OUT) {
            continue;
        }
        foot.informed += cell->informed;
        if (cell->measure == MEASURE_MEAN || is_mean_over_worlds(v->published, cell)) {
            continue; /* its cells are counted */
        }
        if (strcmp(cell->unit, "percent") == 0) {
            add(&foot.points, row->simulated - cell->published, cell->null - cell->published);
        } else {
            add(&foot.percent, row->error_percent, row->null_error_percent);
        }
    }
    finish(&foot.percent);
    finish(&foot.points);
    return foot;
}

void validate_row_json(const struct validate_row *row, const char *table, struct json_out *json)
{
    const struct published_cell *cell = row->cell;

    json_text(json, "table", table);
    json_text(json, "cell", cell->cell);
    json_text(json, "unit", cell->unit);
    json_text(json, "role", role_name(cell->role));
    json_bool(json, "informed", cell->informed);
    json_number(json, "published", cell->published);
    json_number(json, "simulated", row->simulated);
    json_number(json, "half_width", row->half_width);
    json_number(json, "error_percent", row->error_percent);
    json_number(json, "low", cell->low);
    json_number(json, "high", cell->high);
    if (row->limited) {
        json_bool(json, "ok", row->ok);
    } else {
        json_null(json, "ok");
    }
    json_text(json, "note", row->note);
    json_number(json, "null", cell->null);
    json_number(json, "null_error_percent", row->null_error_percent);
    json_number(json, "skill", row->skill);
}

static void error_json(const struct validate_error *e, const char *key, struct json_out *json)
{
    json_object(json, key);
    json_unsigned(json, "cells", e->cells);
    json_number(json, "mean", e->mean);
    json_unsigned(json, "null_cells", e->null_cells);
    json_number(json, "mean_beside_null", e->beside);
    json_number(json, "null_mean", e->null_mean);
    json_end(json);
}

void validate_foot_json(const struct validation *v, struct json_out *json)
{
    const struct validate_foot foot = validate_foot(v);

    json_text(json, "table", v->published->table);
    json_unsigned(json, "free_parameters", foot.free_parameters);
    json_unsigned(json, "calibrated", foot.role[ROLE_CALIBRATED]);
    json_unsigned(json, "held_out", foot.role[ROLE_HELD_OUT]);
    json_unsigned(json, "informed", foot.informed);
    json_unsigned(json, "directional", foot.role[ROLE_DIRECTIONAL]);
    error_json(&foot.percent, "held_out_error_percent", json);
    error_json(&foot.points, "held_out_error_points", json);
}
