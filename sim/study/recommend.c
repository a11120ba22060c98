/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/recommend.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/interval.h"
#include "sim/study/recommend_replay.h"

#define LEVEL 0.95

const char *recommend_verdict_name(enum recommend_verdict verdict)
{
    static const char *const names[] = {"best", "tie", "undecided", "worse"};

    return names[verdict];
}

static struct recommend_value *value_named(const struct recommend_case *c, const char *name);

uint32_t recommend_pair(const struct recommend_value *a, const struct recommend_value *b,
                        const double **a_ns, const double **b_ns)
{
    bool fresh = a->fresh_n > 0 && b->fresh_n > 0;
    uint32_t a_n = fresh ? a->fresh_n : a->n, b_n = fresh ? b->fresh_n : b->n;

    *a_ns = fresh ? a->fresh_ns : a->ns;
    *b_ns = fresh ? b->fresh_ns : b->ns;
    return a_n < b_n ? a_n : b_n;
}

/* What a takes longer than b. */
static struct interval longer(const struct recommend_value *a, const struct recommend_value *b)
{
    const double *a_ns, *b_ns;
    uint32_t n = recommend_pair(a, b, &a_ns, &b_ns);

    return interval_difference(a_ns, b_ns, n, LEVEL);
}

/* Whether a value can be chosen: a lucky one is not, once there are other seeds to judge by. */
static bool is_candidate(const struct recommend_case *c, size_t i)
{
    return c->values[0].fresh_n == 0 || c->values[i].fresh_n > 0;
}

/* The cheapest of those that reach the best; the first where costs are equal. */
static size_t cheapest(const struct recommend_case *c)
{
    size_t chosen = c->best;

    for (size_t i = c->count; i-- > 0;) {
        if (is_candidate(c, i) && c->values[i].verdict <= RECOMMEND_TIE &&
            c->values[i].cost_bytes <= c->values[chosen].cost_bytes) {
            chosen = i;
        }
    }
    return chosen;
}

static enum recommend_verdict verdict_of(double low, double high, double limit)
{
    if (high <= limit) {
        return RECOMMEND_TIE;
    }
    return low > limit ? RECOMMEND_WORSE : RECOMMEND_UNDECIDED;
}

/* What is saved against the first value. */
static void tell_saving(struct recommend_case *c)
{
    const struct recommend_value *first = &c->values[0];
    const struct recommend_value *value = &c->values[c->recommended ? c->recommended : c->best];
    struct interval d;

    c->saving = (struct recommend_saving){0};
    c->fresh = first->fresh_n < value->fresh_n ? first->fresh_n : value->fresh_n;
    if (c->count == 0 || value == first) {
        return;
    }
    d = longer(first, value);
    c->saving = (struct recommend_saving){.name = value->name,
                                          .ns = d.mean,
                                          .ns_half = d.half_width,
                                          .percent = 100 * d.mean / first->mean_ns};
}

/* The value that takes least time, told against the first one. */
static size_t fastest(const struct recommend_case *c)
{
    double least = 0;
    size_t best = 0;

    for (size_t i = 1; i < c->count; i++) {
        double more = longer(&c->values[i], &c->values[0]).mean;

        if (is_candidate(c, i) && more < least) {
            least = more;
            best = i;
        }
    }
    return best;
}

static void judge_value(struct recommend_case *c, size_t i, double tolerance_percent)
{
    const struct recommend_value *best = &c->values[c->best];
    struct recommend_value *v = &c->values[i];
    struct interval d = longer(v, best);

    v->regret_percent = 100 * d.mean / best->mean_ns;
    v->half_percent = i == c->best ? 0 : 100 * d.half_width / best->mean_ns;
    v->verdict = verdict_of(v->regret_percent - v->half_percent,
                            v->regret_percent + v->half_percent, tolerance_percent);
    /* Nothing is certain that has no interval, or was not measured. */
    if (!isfinite(v->half_percent) || isnan(v->regret_percent)) {
        v->verdict = RECOMMEND_UNDECIDED;
    } else if (i == c->best) {
        v->verdict = RECOMMEND_BEST;
    }
}

void recommend_judge(struct recommend_case *c, double tolerance_percent)
{
    for (size_t i = 0; i < c->count; i++) {
        struct recommend_value *v = &c->values[i];
        const double *ns = v->fresh_n > 0 ? v->fresh_ns : v->ns;
        uint32_t n = v->fresh_n > 0 ? v->fresh_n : v->n;

        v->mean_ns = interval_of(ns, n, LEVEL).mean;
        v->modes = modes_of(ns, n);
    }
    c->best = fastest(c);
    for (size_t i = 0; i < c->count; i++) {
        judge_value(c, i, tolerance_percent);
    }
    c->recommended = cheapest(c);
    tell_saving(c);
}

bool recommend_is_near(const struct recommend_case *c, size_t i)
{
    return i == 0 || i == c->best || i == c->recommended || i + 1 == c->recommended ||
           i == c->recommended + 1;
}

bool recommend_is_near_over_all(const struct recommend *r, const char *name)
{
    const struct recommend_value *v = value_named(&r->overall, name);

    return v && recommend_is_near(&r->overall, (size_t)(v - r->overall.values));
}

static struct recommend_value *value_named(const struct recommend_case *c, const char *name)
{
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->values[i].name, name) == 0) {
            return &c->values[i];
        }
    }
    return NULL;
}

/* The worst of a value over the cases; false: a case lacks it. low, high: worst bounds. */
static bool worst_of(const struct recommend *r, struct recommend_value *v, double *low,
                     double *high)
{
    *low = *high = v->regret_percent = v->cost_bytes = 0;
    v->half_percent = 0;
    for (size_t i = 0; i < r->count; i++) {
        const struct recommend_value *own = value_named(&r->cases[i], v->name);

        if (recommend_is_set_aside(&r->cases[i])) {
            continue;
        }
        if (!own || isnan(own->regret_percent)) {
            return false;
        }
        v->cost_bytes = fmax(v->cost_bytes, own->cost_bytes);
        if (own->regret_percent > v->regret_percent) {
            v->regret_percent = own->regret_percent;
            v->half_percent = own->half_percent;
        }
        *low = fmax(*low, own->regret_percent - own->half_percent);
        *high = isnan(own->half_percent) ? INFINITY
                                         : fmax(*high, own->regret_percent + own->half_percent);
    }
    return true;
}

static void explain(struct recommend *r);

/* Whose values stand for all. */
static const struct recommend_case *first_that_counts(const struct recommend *r)
{
    size_t i = 0;

    while (i + 1 < r->count && recommend_is_set_aside(&r->cases[i])) {
        i++;
    }
    return &r->cases[i];
}

bool recommend_judge_overall(struct recommend *r)
{
    struct recommend_case *all = &r->overall;
    const struct recommend_case *first = first_that_counts(r);
    double *low = calloc(first->count, sizeof *low), *high = calloc(first->count, sizeof *high);
    double limit;

    free(all->values);
    *all = (struct recommend_case){0};
    all->values = calloc(first->count, sizeof *all->values);
    if (!low || !high || !all->values) {
        free(low);
        free(high);
        return false;
    }
    for (size_t i = 0; i < first->count; i++) {
        struct recommend_value *v = &all->values[all->count];

        memcpy(v->name, first->values[i].name, sizeof v->name);
        v->mean_ns = NAN;
        all->count += recommend_set_aside_count(r) < r->count &&
                      worst_of(r, v, &low[all->count], &high[all->count]);
    }
    for (size_t i = 0; i < all->count; i++) {
        if (all->values[i].regret_percent < all->values[all->best].regret_percent) {
            all->best = i;
        }
    }
    limit = all->count > 0 ? all->values[all->best].regret_percent + r->tolerance_percent : 0;
    for (size_t i = 0; i < all->count; i++) {
        all->values[i].verdict =
            i == all->best ? RECOMMEND_BEST : verdict_of(low[i], high[i], limit);
    }
    all->recommended = all->count > 0 ? cheapest(all) : 0;
    explain(r);
    free(low);
    free(high);
    return true;
}

static size_t count_of(const struct recommend_case *c, enum recommend_verdict verdict)
{
    size_t count = 0;

    for (size_t i = 0; i < c->count; i++) {
        count += c->values[i].verdict == verdict;
    }
    return count;
}

static void explain(struct recommend *r)
{
    const struct recommend_case *all = &r->overall;
    const struct recommend_value *chosen, *best;
    size_t undecided;

    if (recommend_set_aside_count(r) == r->count) {
        snprintf(r->why, sizeof r->why,
                 "every case replays the gaps of an emulated machine, and those alone choose no "
                 "default: sweep with workload.replay=marks too");
        return;
    }
    if (all->count == 0) {
        snprintf(r->why, sizeof r->why, "no value was measured in every case");
        return;
    }
    chosen = &all->values[all->recommended];
    best = &all->values[all->best];
    undecided = count_of(all, RECOMMEND_UNDECIDED);
    if (count_of(all, RECOMMEND_TIE) + 1 == all->count && all->count > 1) {
        snprintf(r->why, sizeof r->why, "a tie at every value; %s needs least memory",
                 chosen->name);
    } else {
        snprintf(
            r->why, sizeof r->why,
            "%s loses %.2g %% of a packet's guest time where it loses most and needs %.0f bytes; "
            "the best, %s, loses %.2g %% and needs %.0f",
            chosen->name, chosen->regret_percent, chosen->cost_bytes, best->name,
            best->regret_percent, best->cost_bytes);
    }
    if (undecided > 0) {
        size_t used = strlen(r->why);

        snprintf(r->why + used, sizeof r->why - used, "; undecided: %zu", undecided);
    }
}

void recommend_case_fini(struct recommend_case *c)
{
    for (size_t v = 0; v < c->count; v++) {
        free(c->values[v].ns);
        free(c->values[v].fresh_ns);
    }
    free(c->values);
}

void recommend_free(struct recommend *r)
{
    for (size_t i = 0; i < r->count; i++) {
        recommend_case_fini(&r->cases[i]);
    }
    free(r->cases);
    free(r->overall.values);
    memset(r, 0, sizeof *r);
}
