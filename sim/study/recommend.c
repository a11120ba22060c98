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

/* ---- judging ---- */

static struct recommend_value *value_named(const struct recommend_case *c, const char *name);

/* The cheapest of those that reach the best; the first where costs are equal. */
static size_t cheapest(const struct recommend_case *c)
{
    size_t chosen = c->best;

    for (size_t i = c->count; i-- > 0;) {
        if (c->values[i].verdict <= RECOMMEND_TIE &&
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
    if (c->count == 0 || value == first) {
        return;
    }
    d = interval_difference(first->ns, value->ns, first->n < value->n ? first->n : value->n, LEVEL);
    c->saving = (struct recommend_saving){.name = value->name,
                                          .ns = d.mean,
                                          .ns_half = d.half_width,
                                          .percent = 100 * d.mean / first->mean_ns};
}

void recommend_judge(struct recommend_case *c, double tolerance_percent)
{
    const struct recommend_value *best;

    c->best = 0;
    for (size_t i = 0; i < c->count; i++) {
        struct recommend_value *v = &c->values[i];

        v->mean_ns = interval_of(v->ns, v->n, LEVEL).mean;
        v->modes = modes_of(v->ns, v->n);
        if (v->mean_ns < c->values[c->best].mean_ns || isnan(c->values[c->best].mean_ns)) {
            c->best = i;
        }
    }
    best = &c->values[c->best];
    for (size_t i = 0; i < c->count; i++) {
        struct recommend_value *v = &c->values[i];
        struct interval d =
            interval_difference(v->ns, best->ns, v->n < best->n ? v->n : best->n, LEVEL);

        v->regret_percent = 100 * d.mean / best->mean_ns;
        v->half_percent = i == c->best ? 0 : 100 * d.half_width / best->mean_ns;
        v->verdict = i == c->best
                         ? RECOMMEND_BEST
                         : verdict_of(v->regret_percent - v->half_percent,
                                      v->regret_percent + v->half_percent, tolerance_percent);
        /* Nothing is certain that has no interval. */
        if (i != c->best && !isfinite(v->half_percent)) {
            v->verdict = RECOMMEND_UNDECIDED;
        }
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

bool recommend_judge_overall(struct recommend *r)
{
    struct recommend_case *all = &r->overall;
    const struct recommend_case *first = &r->cases[0];
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
        snprintf(r->why, sizeof r->why, "no value is there in every case");
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

/* ---- reading ---- */

struct choice {
    const char *asked;
    char path[160];
    char found[400]; /* what there is, for the message */
    size_t matches;
};

/* Traffic, machine and prices are conditions of the choice, not what is chosen. */
bool recommend_can_choose(const char *path)
{
    static const char *const given[] = {"workload.", "host.", "costs.",   "kernel",
                                        "jitter",    "seed",  "duration", "warmup"};

    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) {
        if (strncmp(path, given[i], strlen(given[i])) == 0) {
            return false;
        }
    }
    return true;
}

static bool take_axis(void *context, int columns, const char *const *names,
                      const char *const *values)
{
    struct choice *choice = context;
    const char *dot = strrchr(values[0], '.');
    size_t used = strlen(choice->found);

    (void)columns;
    (void)names;
    snprintf(choice->found + used, sizeof choice->found - used, "%s%s", used ? ", " : "",
             values[0]);
    if ((!choice->asked && recommend_can_choose(values[0])) ||
        (choice->asked && strcmp(choice->asked, values[0]) == 0) ||
        (choice->asked && dot && strcmp(choice->asked, dot + 1) == 0)) {
        if (choice->matches++ == 0 || strcmp(values[0], "guest.virtio_desc_cache_thr") == 0) {
            snprintf(choice->path, sizeof choice->path, "%s", values[0]);
        }
    }
    return true;
}

static bool choose_parameter(struct recommend *r, struct store *store, const char *asked,
                             struct error *error)
{
    struct choice choice = {.asked = asked};

    if (asked && strcmp(asked, "variant") == 0) {
        snprintf(r->parameter, sizeof r->parameter, "variant");
        return true;
    }
    if (!store_query(
            store,
            "SELECT DISTINCT path FROM axis WHERE path NOT IN ('case', 'probe') ORDER BY path",
            take_axis, &choice, error)) {
        return false;
    }
    if (choice.matches == 0 && asked) {
        return error_set(error, ERROR_INPUT, asked, "no axis of this store; there are: %s",
                         choice.found[0] ? choice.found : "none");
    }
    if (choice.matches > 1 && strcmp(choice.path, "guest.virtio_desc_cache_thr") != 0) {
        return error_set(error, ERROR_INPUT, "",
                         "the store has several axes, name one with "
                         "--parameter: %s",
                         choice.found);
    }
    snprintf(r->parameter, sizeof r->parameter, "%s", choice.matches ? choice.path : "variant");
    return true;
}

/* Columns: scenario, case, value, replication, ns, bytes, configuration, replay. %s: the path, which comes
 * from the store.
 */
static const char by_axis[] =
    "SELECT c.scenario_id, coalesce((SELECT group_concat(CASE path WHEN 'case' THEN value ELSE "
    "path || '=' || value END, ', ') FROM (SELECT path, value FROM axis o WHERE o.config_id = c.id "
    "AND o.path <> a.path ORDER BY o.axis_index)), s.name),"
    " CASE c.variant_index WHEN 0 THEN a.value ELSE c.variant || ' ' || a.value END,"
    " r.replication, m.value, b.value, c.id, " RECOMMEND_REPLAY_COLUMN
    " FROM config c JOIN scenario s ON s.id = c.scenario_id AND " STORE_ASKED
    " JOIN axis a ON a.config_id = c.id AND a.path = '%s'"
    " JOIN run r ON r.config_id = c.id"
    " JOIN metric m ON m.run_id = r.id AND m.name = 'guest_ns_per_packet'"
    " LEFT JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes'"
    " ORDER BY c.scenario_id, 2, c.variant_index, a.number, a.value, r.replication";

static const char by_variant[] =
    "SELECT c.scenario_id, coalesce((SELECT group_concat(CASE path WHEN 'case' THEN value ELSE "
    "path || '=' || value END, ', ') FROM (SELECT path, value FROM axis o WHERE o.config_id = c.id "
    "ORDER BY o.axis_index)), s.name), c.variant, r.replication, m.value, b.value, c.id,"
    " " RECOMMEND_REPLAY_COLUMN
    " FROM config c JOIN scenario s ON s.id = c.scenario_id AND " STORE_ASKED
    " JOIN run r ON r.config_id = c.id"
    " JOIN metric m ON m.run_id = r.id AND m.name = 'guest_ns_per_packet'"
    " LEFT JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes'"
    " ORDER BY c.scenario_id, 2, c.variant_index, r.replication";

struct reading {
    struct recommend *recommend;
    bool no_memory;
};

static struct recommend_case *case_at(struct recommend *r, int64_t scenario, const char *label)
{
    struct recommend_case *grown;

    if (r->count > 0 && r->cases[r->count - 1].scenario == scenario &&
        strcmp(r->cases[r->count - 1].label, label) == 0) {
        return &r->cases[r->count - 1];
    }
    grown = realloc(r->cases, (r->count + 1) * sizeof *grown);
    if (!grown) {
        return NULL;
    }
    r->cases = grown;
    grown = &r->cases[r->count++];
    *grown = (struct recommend_case){.scenario = scenario};
    snprintf(grown->label, sizeof grown->label, "%s", label);
    return grown;
}

static struct recommend_value *value_at(struct recommend_case *c, const char *name)
{
    struct recommend_value *grown;

    if (c->count > 0 && strcmp(c->values[c->count - 1].name, name) == 0) {
        return &c->values[c->count - 1];
    }
    grown = realloc(c->values, (c->count + 1) * sizeof *grown);
    if (!grown) {
        return NULL;
    }
    c->values = grown;
    grown = &c->values[c->count++];
    *grown = (struct recommend_value){.swept_ns = NAN};
    snprintf(grown->name, sizeof grown->name, "%s", name);
    return grown;
}

/* Replications come in order; one that is missing stays NaN, so that pairs stay pairs. */
static bool put(struct recommend_value *v, uint32_t replication, double ns, double bytes)
{
    double *grown;

    if (replication >= v->n) {
        grown = realloc(v->ns, ((size_t)replication + 1) * sizeof *grown);
        if (!grown) {
            return false;
        }
        v->ns = grown;
        while (v->n <= replication) {
            v->ns[v->n++] = NAN;
        }
    }
    v->ns[replication] = ns;
    v->swept_ns = replication == 0 ? ns : v->swept_ns;
    v->cost_bytes = fmax(v->cost_bytes, bytes);
    return true;
}

static bool take_run(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct reading *reading = context;
    struct recommend_case *c =
        case_at(reading->recommend, strtoll(values[0], NULL, 10), values[1] ? values[1] : "");
    struct recommend_value *v = c ? value_at(c, values[2]) : NULL;

    (void)columns;
    (void)names;
    if (v) {
        v->config_id = strtoll(values[6], NULL, 10);
        recommend_take_replay(c, values[7], c->count == 1 && v->n == 0);
    }
    reading->no_memory = !v || !put(v, (uint32_t)strtoul(values[3], NULL, 10),
                                    values[4] ? strtod(values[4], NULL) : NAN,
                                    values[5] ? strtod(values[5], NULL) : 0);
    return !reading->no_memory;
}

bool recommend_read(struct recommend *r, struct store *store, const char *parameter,
                    double tolerance_percent, struct error *error)
{
    struct reading reading = {.recommend = r};
    char sql[2000];

    memset(r, 0, sizeof *r);
    r->tolerance_percent = tolerance_percent;
    if (!choose_parameter(r, store, parameter, error)) {
        return false;
    }
    if (strcmp(r->parameter, "variant") == 0) {
        snprintf(sql, sizeof sql, "%s", by_variant);
    } else {
        snprintf(sql, sizeof sql, by_axis, r->parameter);
    }
    if (!store_query(store, sql, take_run, &reading, error)) {
        return false;
    }
    if (r->count == 0) {
        return error_set(error, ERROR_INPUT, r->parameter, "the store holds no run to compare");
    }
    for (size_t i = 0; i < r->count; i++) {
        recommend_judge(&r->cases[i], tolerance_percent);
    }
    if (reading.no_memory || !recommend_judge_overall(r)) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    return true;
}

void recommend_case_fini(struct recommend_case *c)
{
    for (size_t v = 0; v < c->count; v++) {
        free(c->values[v].ns);
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
