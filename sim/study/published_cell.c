/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cells of a published table. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "models/metric.h"
#include "sim/study/published_parts.h"

static const char *const measures[MEASURES] = {"rate",   "gain", "share",  "time",
                                               "metric", "mean", "profile"};
static const char *const units[MEASURES] = {[MEASURE_RATE] = "pps",
                                            [MEASURE_GAIN] = "percent",
                                            [MEASURE_SHARE] = "percent",
                                            [MEASURE_TIME] = "ns",
                                            [MEASURE_PROFILE] = "percent"};

/* Published value of a cell from the files; NaN: they do not tell. */
static double from_files(const struct published *p, const struct published_cell *cell)
{
    const struct published_variant *v = &p->variant[cell->variant];
    double percent = cell->rest ? v->profile.rest : 0;

    if (cell->measure == MEASURE_METRIC || cell->measure == MEASURE_MEAN) {
        return NAN;
    }
    switch (cell->measure) {
    case MEASURE_RATE:
        return v->has_rate ? v->rate.mean_pps : NAN;
    case MEASURE_GAIN:
        return published_gain_percent(p, cell->variant);
    default:
        break;
    }
    for (int i = 0; i < SYMBOL_COUNT && !cell->rest; i++) {
        if (cell->symbol[i] && !v->profile.has[i]) {
            return NAN;
        }
        percent += cell->symbol[i] ? v->profile.percent[i] : 0;
    }
    if (!v->has_profile) {
        return NAN;
    }
    return cell->measure == MEASURE_TIME ? percent / 100 * published_ns(p) : percent;
}

static bool is_share(const struct published_cell *cell)
{
    return cell->measure == MEASURE_SHARE ||
           (cell->measure == MEASURE_METRIC && cell->against == AGAINST_NOTHING &&
            strcmp(metric_unit((enum metric)cell->operand.metric), "%") == 0);
}

static void read_limits(struct published_reader *r, struct node node, struct published_cell *cell)
{
    struct node range = node_member(node, "accepted"), low, high;
    double within;

    cell->low = cell->high = NAN;
    if (published_number(node_member(node, "accepted_percent"), &within)) {
        within *= fabs(cell->published) / 100;
    } else if (!published_number(node_member(node, "accepted_within"), &within)) {
        within = NAN;
    }
    if (isfinite(within)) {
        cell->low = cell->published - within;
        cell->high = cell->published + within;
    } else if (range.item) {
        low = node_first(range);
        high = low.item ? node_next(low) : low;
        if (!published_number(low, &cell->low) || !published_number(high, &cell->high) ||
            cell->low > cell->high) {
            published_complain(r, range, "accepted", "[low, high] is needed");
        }
    }
    if (is_share(cell) && isfinite(cell->low)) { /* of a whole: nothing below 0 or above 100 */
        cell->low = fmax(cell->low, 0);
        cell->high = fmin(cell->high, 100);
    }
}

/* The mean of the cells that a mean is of; NaN where one has none. */
static double mean_of(const struct published *p, const struct published_cell *cell, bool null)
{
    double sum = 0;

    for (size_t i = 0; i < cell->of_count; i++) {
        const struct published_cell *one = &p->cell[cell->of[i]];

        sum += null ? one->null : one->published;
    }
    return cell->of_count > 0 ? sum / (double)cell->of_count : NAN;
}

/* Puts a cell whose measure, variant and symbols stand into the table. */
static void add_cell(struct published_reader *r, struct node node,
                     const struct published_cell *cell)
{
    struct published *p = r->published;
    struct published_cell *into = &p->cell[p->cell_count];

    if (p->cell_count == PUBLISHED_CELLS) {
        published_complain(r, node, "cells", "too many");
        return;
    }
    *into = *cell;
    if (!published_figure(r, node_member(node, "published"), &into->published)) {
        into->published =
            into->measure == MEASURE_MEAN ? mean_of(p, into, false) : from_files(p, into);
    }
    if (!published_figure(r, node_member(node, "null"), &into->null)) {
        into->null = mean_of(p, into, true);
    }
    if (r->problems->errors > 0) {
        return;
    }
    if (!isfinite(into->published)) {
        published_complain(r, node, into->cell, "no file tells the published value");
        return;
    }
    read_limits(r, node, into);
    p->cell_count++;
}

/* One cell for each symbol that the profile names, and the rest; `symbols` have rows of their own.
 */
static void spread(struct published_reader *r, struct node node, struct published_cell *cell)
{
    const struct perf_profile *profile = &r->published->variant[cell->variant].profile;
    char name[sizeof cell->cell];
    bool apart[SYMBOL_COUNT];

    memcpy(apart, cell->symbol, sizeof apart);
    memcpy(name, cell->cell, sizeof name);
    cell->measure = MEASURE_SHARE;
    for (int i = 0; i <= SYMBOL_COUNT; i++) {
        cell->rest = i == SYMBOL_COUNT;
        if (!cell->rest && (apart[i] || !profile->has[i])) {
            continue;
        }
        memset(cell->symbol, 0, sizeof cell->symbol);
        if (!cell->rest) {
            cell->symbol[i] = true;
        }
        snprintf(cell->cell, sizeof cell->cell, "%.80s %s", name,
                 cell->rest ? "what is not listed" : symbol_name((enum symbol)i));
        add_cell(r, node, cell);
    }
}

static int choice_of(struct node node, const char *const *names, int count)
{
    const char *text = node.item ? node_text(node) : NULL;

    for (int i = 0; text && i < count; i++) {
        if (strcmp(text, names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

static void read_symbols(struct published_reader *r, struct node symbols,
                         struct published_cell *cell)
{
    for (struct node n = node_first(symbols); n.item; n = node_next(n)) {
        int symbol = published_symbol(n);

        if (symbol == SYMBOL_COUNT) {
            published_complain(r, n, "symbols", "no symbol of the model");
        } else {
            cell->symbol[symbol] = true;
        }
    }
}

/* Its words. */
static bool read_head(struct published_reader *r, struct node node, struct published_cell *cell)
{
    static const char *const roles[ROLES] = {"calibrated", "held-out", "directional"};
    struct node informed = node_member(node, "informed");
    int measure = choice_of(node_member(node, "measure"), measures, MEASURES);
    int role = choice_of(node_member(node, "role"), roles, ROLES);

    if (!published_text(r, node, "cell", cell->cell, sizeof cell->cell)) {
        return false;
    }
    if (measure < 0 || role < 0) {
        published_complain(r, node, measure < 0 ? "measure" : "role",
                           "one of the known words is needed");
        return false;
    }
    cell->measure = (enum measure)measure;
    cell->role = (enum role)role;
    cell->informed = informed.item && node_type(informed) == JSON_TRUE;
    if (node_member(node, "note").item) {
        published_text(r, node, "note", cell->note, sizeof cell->note);
    }
    if (node_member(node, "hide").item) {
        published_text(r, node, "hide", cell->hide, sizeof cell->hide);
    }
    return true;
}

/* A cell of the bed. */
static void read_of_bed(struct published_reader *r, struct node node, struct published_cell *cell)
{
    struct node symbols = node_member(node, "symbols");

    snprintf(cell->unit, sizeof cell->unit, "%s", units[cell->measure]);
    if (!published_need_variant(r, node, &cell->variant)) {
        return;
    }
    if (symbols.item) {
        read_symbols(r, symbols, cell);
    }
    if (cell->measure == MEASURE_PROFILE) {
        spread(r, node, cell);
    } else {
        add_cell(r, node, cell);
    }
}

void published_read_cell(struct published_reader *r, struct node node)
{
    struct published_cell cell = {0};

    if (!read_head(r, node, &cell)) {
        return;
    }
    if (cell.measure == MEASURE_METRIC || cell.measure == MEASURE_MEAN) {
        if (cell.measure == MEASURE_METRIC ? published_read_metric(r, node, &cell)
                                           : published_read_mean(r, node, &cell)) {
            add_cell(r, node, &cell);
        }
    } else {
        read_of_bed(r, node, &cell);
    }
}
