/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/validate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/calibrate.h"
#include "sim/study/samples.h"
#include "sim/study/validate_worlds.h"

/* The symbols of a cell: its own, or all that the profile does not name. */
static void symbols_of(const struct published *p, const struct published_cell *cell,
                       bool symbol[SYMBOL_COUNT])
{
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        symbol[i] = cell->rest ? !p->variant[cell->variant].profile.has[i] : cell->symbol[i];
    }
}

static struct interval simulate(const struct published *p, const struct published_cell *cell,
                                const struct bed *bed, const struct bed_variant *v,
                                const struct bed_variant *first)
{
    bool symbol[SYMBOL_COUNT];

    symbols_of(p, cell, symbol);
    switch (cell->measure) {
    case MEASURE_RATE:
        return bed_rate(bed, v);
    case MEASURE_GAIN:
        return bed_gain_percent(bed, v, first);
    case MEASURE_TIME:
        return bed_ns(bed, v, symbol);
    default:
        return bed_share_percent(bed, v, symbol);
    }
}

/* What the measurement itself is worth, behind the cell's own note. */
static void add_uncertainty(struct validate_row *row, const struct published *p)
{
    const struct published_cell *cell = row->cell;
    const struct rate_column *x = &p->variant[cell->variant].rate, *base = &p->variant[0].rate;
    size_t length = strlen(row->note);

    if (cell->measure == MEASURE_GAIN && p->variant[cell->variant].has_rate && cell->variant > 0) {
        snprintf(row->note + length, sizeof row->note - length,
                 "%smeasured with a standard error of %.2f points: %u runs each, but lag-1 "
                 "autocorrelation %.2f and %.2f leaves %.1f and %.1f independent ones",
                 length ? "; " : "", published_gain_error(p, cell->variant, false), x->count,
                 x->lag1, base->lag1, x->independent, base->independent);
    }
}

static double error_percent(const struct published_cell *cell, double value)
{
    return cell->published == 0 ? NAN : 100 * (value - cell->published) / cell->published;
}

void validate_judge(struct validate_row *row, const struct published_cell *cell,
                    struct interval interval)
{
    double null_error = fabs(cell->null - cell->published);

    memset(row, 0, sizeof *row);
    row->cell = cell;
    row->simulated = interval.mean;
    row->half_width = interval.half_width;
    row->error_percent = error_percent(cell, interval.mean);
    row->null_error_percent = error_percent(cell, cell->null);
    row->skill = null_error > 0 ? 1 - fabs(interval.mean - cell->published) / null_error : NAN;
    row->limited = isfinite(cell->low);
    row->ok = row->limited && interval.mean >= cell->low && interval.mean <= cell->high;
    snprintf(row->note, sizeof row->note, "%s", cell->note);
}

static bool is_of_bed(const struct published_cell *cell)
{
    return cell->measure != MEASURE_METRIC && cell->measure != MEASURE_MEAN &&
           cell->measure != MEASURE_WORLDS;
}

bool validate_cell(struct validate_row *row, const struct published *published,
                   const struct published_cell *cell, const struct bed *bed, struct error *error)
{
    const struct bed_variant *v = bed_find(bed, published->variant[cell->variant].name);
    const struct bed_variant *first = bed_find(bed, published->variant[0].name);
    struct interval interval;

    if (!v || !first) {
        return error_set(error, ERROR_INPUT, "", "the bed has no variant '%s'",
                         published->variant[v ? 0 : cell->variant].name);
    }
    interval = simulate(published, cell, bed, v, first);
    validate_judge(row, cell, interval);
    add_uncertainty(row, published);
    return true;
}

/* Rows of the cells that hide `hide` ("": nothing), in their places. */
static bool fill(struct validation *v, const struct bed *bed, const char *hide, struct error *error)
{
    const struct published *p = v->published;

    for (size_t i = 0; i < p->cell_count; i++) {
        if (is_of_bed(&p->cell[i]) && strcmp(p->cell[i].hide, hide) == 0 &&
            !validate_cell(&v->row[i], p, &p->cell[i], bed, error)) {
            return false;
        }
    }
    return true;
}

/* Says with which costs a hidden cell was simulated, and takes back its ok when the fit left its
 * range. */
static void judge_hidden(struct validation *v, const struct calibration *c, const char *hide)
{
    for (size_t i = 0; i < v->count; i++) {
        struct validate_row *row = &v->row[i];
        size_t length = strlen(row->note);

        if (strcmp(row->cell->hide, hide) != 0 || !c->free.param) {
            continue;
        }
        snprintf(row->note + length, sizeof row->note - length, "; %s came to %.0f ns%s",
                 c->free.param->path, c->free.value_ns, c->ok ? "" : ", a cost left its range");
        row->ok = row->ok && c->ok;
    }
}

static bool fill_hidden(struct validation *v, struct bed *bed, const char *hide,
                        struct error *error)
{
    size_t variant = calibrate_variant(v->published, hide);
    struct calibration *c = calloc(1, sizeof *c);
    bool ok;

    if (!c) {
        abort();
    }
    if (variant == CALIBRATE_HIDE_NOTHING) {
        free(c);
        return error_set(error, ERROR_INPUT, "", "a cell hides '%s', which is no variant", hide);
    }
    ok = calibrate(c, v->published, bed, variant, error) && fill(v, bed, hide, error);
    if (ok) {
        judge_hidden(v, c, hide);
    }
    free(c);
    return ok;
}

/* Each thing that some cell hides, once. */
static bool fill_of_bed(struct validation *v, struct bed *bed, struct error *error)
{
    const struct published *p = v->published;
    bool ok = bed_run(bed, NULL, 0, error) && fill(v, bed, "", error);

    for (size_t i = 0; ok && i < p->cell_count; i++) {
        bool seen = p->cell[i].hide[0] == '\0';

        for (size_t k = 0; k < i; k++) {
            seen = seen || strcmp(p->cell[k].hide, p->cell[i].hide) == 0;
        }
        ok = seen || fill_hidden(v, bed, p->cell[i].hide, error);
    }
    return ok;
}

static bool run_bed(struct validation *v, const struct experiment_options *options, int *signal,
                    struct error *error)
{
    struct bed bed;
    bool ok;

    if (v->published->bed[0] == '\0') {
        return true;
    }
    if (!bed_open(&bed, v->published->bed, options, error)) {
        return false;
    }
    ok = fill_of_bed(v, &bed, error);
    *signal = bed.signal;
    bed_close(&bed);
    return ok;
}

static bool run_scenarios(struct validation *v, const struct experiment_options *options,
                          int *signal, struct error *error)
{
    struct samples *samples = calloc(1, sizeof *samples);
    bool ok;

    if (!samples) {
        abort();
    }
    ok = samples_take(samples, v->published, options, error);
    *signal = samples->signal;
    for (size_t i = 0; ok && i < v->count; i++) {
        if (!is_of_bed(v->row[i].cell) && v->row[i].cell->measure != MEASURE_WORLDS) {
            validate_judge(&v->row[i], v->row[i].cell, samples_interval(samples, i));
        }
    }
    samples_fini(samples);
    free(samples);
    return ok;
}

bool validate_table(struct validation *v, const char *name,
                    const struct experiment_options *options, int *signal,
                    struct problems *problems, struct error *error)
{
    memset(v, 0, sizeof *v);
    *signal = 0;
    v->published = published_open(name, problems);
    if (!v->published) {
        return false;
    }
    v->count = v->published->cell_count;
    for (size_t i = 0; i < v->count; i++) {
        v->row[i].cell = &v->published->cell[i];
    }
    if (!run_bed(v, options, signal, error) || !run_scenarios(v, options, signal, error) ||
        !validate_worlds(v, options->threads, problems, error)) {
        return false;
    }
    v->ok = true;
    for (size_t i = 0; i < v->count; i++) {
        v->ok = v->ok && (v->row[i].ok || !v->row[i].limited);
    }
    return true;
}

void validate_fini(struct validation *v)
{
    published_free(v->published);
    memset(v, 0, sizeof *v);
}
