/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/ensemble_cells.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/published.h"

static bool is(struct node node, const char *text)
{
    const char *own = node.item ? node_text(node) : NULL;

    return own && strcmp(own, text) == 0;
}

/* ---- where ---- */

static bool read_spot(struct node node, struct ensemble_spot *spot, struct problems *problems)
{
    memset(spot, 0, sizeof *spot);
    if (!ensemble_text(node, "variant", spot->variant, sizeof spot->variant, problems)) {
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
            node_problem(n, problems, false, "at", "too many, or too long");
            return false;
        }
    }
    return true;
}

/* ---- means over cells before it ---- */

static bool is_gain(const struct ensemble_target *target)
{
    return target->measure == ENSEMBLE_GAIN || target->measure == ENSEMBLE_GAIN_PERCENT;
}

/* The cell of the same metric at the same settings of variant `over`; NULL: none. */
static const struct ensemble_target *twin(const struct ensemble_plan *plan,
                                          const struct ensemble_target *of, const char *over)
{
    struct ensemble_spot spot = plan->spot[of->term[0].spot];

    memset(spot.variant, 0, sizeof spot.variant);
    snprintf(spot.variant, sizeof spot.variant, "%s", over);
    for (size_t i = 0; i < plan->targets; i++) {
        const struct ensemble_target *target = &plan->target[i];
        const struct ensemble_spot *at = &plan->spot[target->term[0].spot];

        if (target->measure == ENSEMBLE_VALUE && target->metric == of->metric &&
            strcmp(at->variant, spot.variant) == 0 && at->settings == spot.settings &&
            memcmp(at->setting, spot.setting, sizeof at->setting) == 0) {
            return target;
        }
    }
    return NULL;
}

double ensemble_null(const struct ensemble_plan *plan, const struct ensemble_target *target)
{
    const struct ensemble_target *first;

    if (is_gain(target)) {
        return 0;
    }
    if (target->measure != ENSEMBLE_VALUE || plan->second[0] == '\0' ||
        strcmp(plan->spot[target->term[0].spot].variant, plan->second) != 0) {
        return NAN;
    }
    first = twin(plan, target, plan->first);
    return first ? first->published : NAN;
}

/* Adds the term that `cell` stands for; `sum` gathers what is published. */
static bool add_term(const struct ensemble_plan *plan, struct ensemble_target *into,
                     const struct ensemble_target *cell, const char *over, double *sum)
{
    struct ensemble_term term = {cell->term[0].spot, ENSEMBLE_NO_SPOT, cell->published};

    if (is_gain(into)) {
        const struct ensemble_target *base = twin(plan, cell, over);

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

static bool read_mean(const struct ensemble_plan *plan, struct node node,
                      struct ensemble_target *into, struct problems *problems)
{
    struct ensemble_spot spot;
    char over[ENSEMBLE_NAME] = "";
    double sum = 0;

    if (!read_spot(node, &spot, problems) ||
        (is_gain(into) && !ensemble_text(node, "over", over, sizeof over, problems))) {
        return false;
    }
    for (size_t i = 0; i < plan->targets; i++) {
        const struct ensemble_target *cell = &plan->target[i];

        if (cell->measure == ENSEMBLE_VALUE && cell->metric == into->metric &&
            strcmp(plan->spot[cell->term[0].spot].variant, spot.variant) == 0 &&
            !add_term(plan, into, cell, over, &sum)) {
            node_problem(node, problems, false, "over", "no cell of it for %s", cell->name);
            return false;
        }
    }
    if (into->terms == 0) {
        node_problem(node, problems, false, "mean", "no cell of its variant and metric before it");
        return false;
    }
    into->published = sum / (double)into->terms;
    return true;
}

static bool read_measure(struct node node, struct ensemble_target *target,
                         struct problems *problems)
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
        node_problem(mean, problems, false, "mean",
                     "error, error_percent, gain or gain_percent is needed");
    }
    return !mean.item;
}

/* ---- limits ---- */

/* An end of "accepted": a number, or null for none. */
static bool read_end(struct node node, double none, double *value)
{
    *value = none;
    return node.item && (node_type(node) == JSON_NULL || ensemble_number(node, value));
}

static bool read_limits(struct node node, struct ensemble_target *target,
                        struct problems *problems)
{
    struct node range = node_member(node, "accepted"), low, high;
    double within = NAN;

    target->low = target->high = target->sigma = target->tie = NAN;
    if (is_gain(target) && !ensemble_number(node_member(node, "tie"), &target->tie)) {
        target->tie = 0;
    }
    if (ensemble_number(node_member(node, "sigma_percent"), &target->sigma)) {
        target->sigma *= fabs(target->published) / 100;
    } else if (!ensemble_number(node_member(node, "sigma"), &target->sigma)) {
        target->sigma = NAN;
    }
    if (ensemble_number(node_member(node, "accepted_percent"), &within)) {
        within *= fabs(target->published) / 100;
    } else if (!ensemble_number(node_member(node, "accepted_within"), &within)) {
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
    if (!read_end(low, -INFINITY, &target->low) || !read_end(high, INFINITY, &target->high) ||
        target->low > target->high) {
        node_problem(range, problems, false, "accepted", "[low, high] is needed");
        return false;
    }
    return true;
}

static bool read_role(struct node node, struct ensemble_target *target, struct problems *problems)
{
    struct node informed = node_member(node, "informed");

    for (target->role = 0; target->role < ROLES; target->role++) {
        if (is(node_member(node, "role"), role_name((enum role)target->role))) {
            break;
        }
    }
    if (target->role == ROLES) {
        node_problem(node, problems, false, "role", "one of the known words is needed");
        return false;
    }
    target->informed = informed.item && node_type(informed) == JSON_TRUE;
    target->accepts = target->role == ROLE_CALIBRATED;
    if (target->accepts && isnan(target->low)) {
        node_problem(node, problems, false, target->name, "a calibrated cell needs limits");
        return false;
    }
    return !node_member(node, "note").item ||
           ensemble_text(node, "note", target->note, sizeof target->note, problems);
}

/* ---- a cell ---- */

static bool read_target(struct ensemble_plan *plan, struct node node,
                        struct ensemble_target *target, struct problems *problems)
{
    char metric[ENSEMBLE_NAME];

    if (!ensemble_text(node, "cell", target->name, sizeof target->name, problems) ||
        !ensemble_text(node, "metric", metric, sizeof metric, problems)) {
        return false;
    }
    target->metric = metric_find(metric);
    if (target->metric < 0) {
        node_problem(node_member(node, "metric"), problems, false, "metric", "no such metric");
        return false;
    }
    if (!read_measure(node, target, problems) ||
        (target->measure != ENSEMBLE_VALUE && !read_mean(plan, node, target, problems))) {
        return false;
    }
    if (!ensemble_number(node_member(node, "published"), &target->published) &&
        target->measure == ENSEMBLE_VALUE) {
        node_problem(node, problems, false, "published", "a number is needed");
        return false;
    }
    return read_limits(node, target, problems) && read_role(node, target, problems);
}

void ensemble_read_cell(struct ensemble_plan *plan, struct node node, struct problems *problems)
{
    struct ensemble_target target;
    struct ensemble_spot spot;

    memset(&target, 0, sizeof target);
    if (plan->targets == ENSEMBLE_TARGETS) {
        node_problem(node, problems, false, "cells", "too many");
        return;
    }
    if (!read_target(plan, node, &target, problems)) {
        return;
    }
    if (target.measure == ENSEMBLE_VALUE) {
        if (!read_spot(node, &spot, problems)) {
            return;
        }
        spot.accepts = target.accepts;
        target.term[0] = (struct ensemble_term){ensemble_spot_of(plan, &spot), ENSEMBLE_NO_SPOT,
                                                target.published};
        target.terms = 1;
        if (target.term[0].spot == ENSEMBLE_NO_SPOT) {
            node_problem(node, problems, false, "cells", "too many spots");
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
