/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A cell of an ensemble: where it is looked at, what is made of it, what it must meet. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/published_parts.h"

static bool is(struct node node, const char *text)
{
    const char *own = node.item ? node_text(node) : NULL;

    return own && strcmp(own, text) == 0;
}

/* ---- where ---- */

static bool read_spot(struct published_reader *r, struct node node, struct ensemble_spot *spot)
{
    memset(spot, 0, sizeof *spot);
    if (!published_text(r, node, "variant", spot->variant, sizeof spot->variant)) {
        return false;
    }
    for (struct node n = node_first(node_member(node, "at")); n.item; n = node_next(n)) {
        char shown[ENSEMBLE_NAME];
        const char *value = node_text(n) ? node_text(n) : node_show(n, shown, sizeof shown);
        int length = -1;

        if (spot->settings < ENSEMBLE_SETTINGS) {
            length = snprintf(spot->setting[spot->settings++], ENSEMBLE_NAME, "%s=%s", node_key(n),
                              value);
        }
        if (length < 0 || length >= ENSEMBLE_NAME) {
            published_complain(r, n, "at", "too many, or too long");
            return false;
        }
    }
    return true;
}

/* ---- means over cells before it ---- */

/* Adds the term that `cell` stands for; `sum` gathers what is published. */
static bool add_term(const struct ensemble_plan *plan, struct ensemble_target *into,
                     const struct ensemble_target *cell, const char *over, double *sum)
{
    struct ensemble_term term = {cell->term[0].spot, ENSEMBLE_NO_SPOT, cell->published};

    if (ensemble_is_gain(into)) {
        const struct ensemble_target *base = ensemble_twin(plan, cell, over);

        if (!base) {
            return false;
        }
        term.base = base->term[0].spot;
        *sum += into->measure == ENSEMBLE_GAIN ? cell->published - base->published
                                               : 100 * (cell->published / base->published - 1);
    }
    if (into->terms == ENSEMBLE_TERMS) {
        return false;
    }
    into->term[into->terms++] = term;
    return true;
}

static bool read_mean(struct published_reader *r, struct node node,
                      const struct ensemble_plan *plan, struct ensemble_target *into)
{
    struct ensemble_spot spot;
    char over[ENSEMBLE_NAME] = "";
    double sum = 0;

    if (!read_spot(r, node, &spot) ||
        (ensemble_is_gain(into) && !published_text(r, node, "over", over, sizeof over))) {
        return false;
    }
    for (size_t i = 0; i < plan->targets; i++) {
        const struct ensemble_target *cell = &plan->target[i];

        if (cell->measure == ENSEMBLE_VALUE && cell->metric == into->metric &&
            strcmp(plan->spot[cell->term[0].spot].variant, spot.variant) == 0 &&
            !add_term(plan, into, cell, over, &sum)) {
            node_problem(node, r->problems, false, "over", "no cell of it for %s", cell->name);
            return false;
        }
    }
    if (into->terms == 0) {
        published_complain(r, node, "mean", "no cell of its variant and metric before it");
        return false;
    }
    into->published = sum / (double)into->terms;
    return true;
}

static bool read_measure(struct published_reader *r, struct node node,
                         struct ensemble_target *target)
{
    static const char *const names[] = {"", "error", "error_percent", "gain", "gain_percent"};
    struct node mean = node_member(node, "mean");

    target->measure = ENSEMBLE_VALUE;
    for (int i = 1; mean.item && i < (int)(sizeof names / sizeof names[0]); i++) {
        if (is(mean, names[i])) {
            target->measure = (enum ensemble_measure)i;
            return true;
        }
    }
    if (mean.item) {
        published_complain(r, mean, "mean", "error, error_percent, gain or gain_percent is needed");
    }
    return !mean.item;
}

/* ---- limits ---- */

static bool read_limits(struct published_reader *r, struct node node,
                        struct ensemble_target *target)
{
    struct node range = node_member(node, "accepted"), low, high;
    double within = NAN;

    target->low = target->high = target->sigma = target->tie = NAN;
    if (ensemble_is_gain(target) && !published_number(node_member(node, "tie"), &target->tie)) {
        target->tie = 0;
    }
    if (published_number(node_member(node, "sigma_percent"), &target->sigma)) {
        target->sigma *= fabs(target->published) / 100;
    } else if (!published_number(node_member(node, "sigma"), &target->sigma)) {
        target->sigma = NAN;
    }
    if (published_number(node_member(node, "accepted_percent"), &within)) {
        within *= fabs(target->published) / 100;
    } else if (!published_number(node_member(node, "accepted_within"), &within)) {
        within = NAN;
    }
    if (isfinite(within)) {
        target->low = target->published - within;
        target->high = target->published + within;
        return true;
    }
    if (!range.item) {
        return true;
    }
    low = node_first(range);
    high = low.item ? node_next(low) : low;
    if (!published_number(low, &target->low) || !published_number(high, &target->high) ||
        target->low > target->high) {
        published_complain(r, range, "accepted", "[low, high] is needed");
        return false;
    }
    return true;
}

static bool read_role(struct published_reader *r, struct node node, struct ensemble_target *target)
{
    struct node informed = node_member(node, "informed");

    for (target->role = 0; target->role < ROLES; target->role++) {
        if (is(node_member(node, "role"), role_name((enum role)target->role))) {
            break;
        }
    }
    if (target->role == ROLES) {
        published_complain(r, node, "role", "one of the known words is needed");
        return false;
    }
    target->informed = informed.item && node_type(informed) == JSON_TRUE;
    target->accepts = target->role == ROLE_CALIBRATED;
    if (target->accepts && isnan(target->low)) {
        published_complain(r, node, target->name, "a calibrated cell needs limits");
        return false;
    }
    return !node_member(node, "note").item ||
           published_text(r, node, "note", target->note, sizeof target->note);
}

/* ---- a cell ---- */

static bool read_target(struct published_reader *r, struct node node,
                        const struct ensemble_plan *plan, struct ensemble_target *target)
{
    char metric[ENSEMBLE_NAME];

    if (!published_text(r, node, "cell", target->name, sizeof target->name) ||
        !published_text(r, node, "metric", metric, sizeof metric)) {
        return false;
    }
    target->metric = metric_find(metric);
    if (target->metric < 0) {
        published_complain(r, node_member(node, "metric"), "metric", "no such metric");
        return false;
    }
    if (!read_measure(r, node, target) ||
        (target->measure != ENSEMBLE_VALUE && !read_mean(r, node, plan, target))) {
        return false;
    }
    if (!published_figure(r, node_member(node, "published"), &target->published) &&
        target->measure == ENSEMBLE_VALUE) {
        published_complain(r, node, "published", "a number is needed");
        return false;
    }
    return read_limits(r, node, target) && read_role(r, node, target);
}

void published_read_target(struct published_reader *r, struct node node, struct ensemble_plan *plan)
{
    struct ensemble_target target;
    struct ensemble_spot spot;

    memset(&target, 0, sizeof target);
    if (plan->targets == ENSEMBLE_TARGETS) {
        published_complain(r, node, "cells", "too many");
        return;
    }
    if (!read_target(r, node, plan, &target)) {
        return;
    }
    if (target.measure == ENSEMBLE_VALUE) {
        if (!read_spot(r, node, &spot)) {
            return;
        }
        spot.accepts = target.accepts;
        target.term[0] = (struct ensemble_term){ensemble_spot_of(plan, &spot), ENSEMBLE_NO_SPOT,
                                                target.published};
        target.terms = 1;
        if (target.term[0].spot == ENSEMBLE_NO_SPOT) {
            published_complain(r, node, "cells", "too many spots");
            return;
        }
    }
    for (size_t i = 0; target.accepts && i < target.terms; i++) {
        plan->spot[target.term[i].spot].accepts = true;
        if (target.term[i].base != ENSEMBLE_NO_SPOT) {
            plan->spot[target.term[i].base].accepts = true;
        }
    }
    plan->target[plan->targets++] = target;
}
