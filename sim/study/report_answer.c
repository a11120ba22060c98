/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/report_answer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/recommend_probe.h"
#include "sim/study/recommend_replay.h"

#define ANSWER_LEVEL 0.95

static bool is_nothing(const struct answer_value *v)
{
    return fabs(v->ns) <= v->ns_half || fabs(v->percent) < ANSWER_NOTHING_PERCENT;
}

static bool overlap(const struct answer_value *a, const struct answer_value *b)
{
    return fabs(a->ns - b->ns) <= a->ns_half + b->ns_half ||
           fabs(a->percent - b->percent) < ANSWER_NOTHING_PERCENT;
}

void answer_judge(struct answer_case *c)
{
    c->best = c->smallest = c->worst = 0;
    c->gains = c->costs = c->undecided = false;
    for (size_t i = 1; i < c->count; i++) {
        c->best = c->values[i].ns > c->values[c->best].ns ? i : c->best;
        c->worst = c->values[i].ns < c->values[c->worst].ns ? i : c->worst;
    }
    if (c->count == 0) {
        return;
    }
    const struct answer_value *best = &c->values[c->best], *worst = &c->values[c->worst];
    c->gains = best->ns > 0 && !is_nothing(best);
    c->costs = worst->ns < 0 && !is_nothing(worst);
    c->smallest = c->best;
    for (size_t i = c->count; i-- > 0;) {
        struct answer_value *v = &c->values[i];

        c->undecided =
            c->undecided || (!c->no_table && !c->gains && !c->costs &&
                             fabs(v->percent) + v->percent_half > ANSWER_NOTHING_PERCENT);

        /* A value that is itself a tie with the first does not share the best's place. */
        v->tied = c->gains && (i == c->best || (overlap(v, best) && v->ns > 0 && !is_nothing(v)));
        c->smallest = v->tied ? i : c->smallest;
    }
}

void answer_tied_text(const struct answer_case *c, bool numbers, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < c->count && used < bytes; i++) {
        size_t last = i;

        if (!c->values[i].tied) {
            continue;
        }
        while (numbers && last + 1 < c->count && c->values[last + 1].tied) {
            last++;
        }
        int length =
            snprintf(text + used, bytes - used, "%s%s%s%s", used > 0 ? ", " : "", c->values[i].name,
                     last > i ? ".." : "", last > i ? c->values[last].name : "");
        used += length > 0 ? (size_t)length : 0;
        i = last;
    }
}

/* Merging */

static bool same(double a, double b)
{
    return fabs(a - b) <= 1e-9 * (fabs(a) + fabs(b));
}

static bool same_value(const struct answer_value *a, const struct answer_value *b)
{
    return same(a->ns, b->ns) && same(a->ns_half, b->ns_half) && same(a->percent, b->percent) &&
           same(a->peak_bytes, b->peak_bytes);
}

static void join_names(char *name, size_t bytes, const char *other)
{
    const char *parts[] = {" = ", other};
    size_t used = strlen(name);

    for (size_t i = 0; i < 2; i++) {
        for (const char *c = parts[i]; *c != '\0' && used + 1 < bytes; c++) {
            name[used++] = *c;
        }
    }
    name[used] = '\0';
}

void answer_merge_values(struct answer_case *c)
{
    size_t kept = 0;

    for (size_t i = 0; i < c->count; i++) {
        size_t k = 0;

        while (k < kept && !same_value(&c->values[k], &c->values[i])) {
            k++;
        }
        if (k < kept) {
            join_names(c->values[k].name, sizeof c->values[k].name, c->values[i].name);
        } else {
            c->values[kept++] = c->values[i];
        }
    }
    c->count = kept;
}

static bool same_case(const struct answer_case *a, const struct answer_case *b)
{
    if (a->count != b->count || !same(a->base_ns, b->base_ns)) {
        return false;
    }
    for (size_t i = 0; i < a->count; i++) {
        if (!same_value(&a->values[i], &b->values[i]) ||
            strcmp(a->values[i].name, b->values[i].name) != 0) {
            return false;
        }
    }
    return true;
}

void answer_merge_cases(struct answer *answer)
{
    size_t kept = 0;

    for (size_t i = 0; i < answer->count; i++) {
        struct answer_case *c = &answer->cases[i];
        size_t k = 0;

        while (k < kept && !same_case(&answer->cases[k], c)) {
            k++;
        }
        if (k < kept) {
            join_names(answer->cases[k].label, sizeof answer->cases[k].label, c->label);
            free(c->values);
        } else {
            answer->cases[kept++] = *c;
        }
    }
    answer->count = kept;
}

/* Reading */

/* The columns that take_value() reads. */
enum column {
    LABEL,
    NAME,
    NUMBER,
    NS,
    NS_HALF,
    PERCENT,
    PERCENT_HALF,
    REPLICATIONS,
    TABLES,
    PEAK,
    BOUND,
    LISTS,
    BASE,
    FIRST,
    CONFIG
};

static const char by_threshold[] =
    " SELECT g.label, g.thr, g.thr, avg(saved_ns), half_width(saved_ns, g.level),"
    " avg(saved_percent), half_width(saved_percent, g.level), count(*), max(n.value), max(m.value),"
    " max(b.bytes), max(b.lists), avg(g.base_ns), '', max(g.config_id)"
    " FROM gain g LEFT JOIN metric n ON n.run_id = g.run_id AND n.name = 'tables_per_packet'"
    " LEFT JOIN metric m ON m.run_id = g.run_id AND m.name = 'desc_cache_bytes'"
    " LEFT JOIN bound b ON b.config_id = g.config_id"
    " WHERE g.sg IS NULL AND g.thr > 0 GROUP BY g.label, g.thr ORDER BY min(g.place), g.thr";

static const char by_variant[] =
    ", pair AS (SELECT n.axes, n.scenario, n.variant, n.variant_index, n.point_index,"
    " n.scenario_id, x.level, b.guest_ns AS base_ns, b.guest_ns - x.guest_ns AS saved_ns,"
    " 100 * (b.guest_ns - x.guest_ns) / b.guest_ns AS saved_percent, m.value AS peak,"
    " q.bytes AS bound, q.lists AS lists, f.variant AS first, n.config_id"
    " FROM labelled n JOIN labelled f ON f.scenario_id = n.scenario_id AND f.axes = n.axes"
    " AND f.thr IS n.thr AND f.sg IS n.sg AND f.variant_index = 0"
    " JOIN ran x ON x.config_id = n.config_id"
    " JOIN ran b ON b.config_id = f.config_id AND b.replication = x.replication"
    " LEFT JOIN metric m ON m.run_id = x.run_id AND m.name = 'desc_cache_bytes'"
    " LEFT JOIN bound q ON q.config_id = n.config_id"
    " WHERE n.variant_index > 0 AND n.thr IS NULL AND n.sg IS NULL AND b.guest_ns > 0)"
    " SELECT CASE WHEN axes = '' THEN scenario ELSE axes END, variant, variant_index,"
    " avg(saved_ns), half_width(saved_ns, level), avg(saved_percent),"
    " half_width(saved_percent, level), count(*), 1, max(peak), max(bound), max(lists),"
    " avg(base_ns), first, max(config_id) FROM pair GROUP BY scenario_id, axes, variant_index"
    " ORDER BY scenario_id, min(point_index), variant_index";

static struct answer_case *case_of(struct answer *answer, const char *label)
{
    if (answer->count > 0 && strcmp(answer->cases[answer->count - 1].label, label) == 0) {
        return &answer->cases[answer->count - 1];
    }
    struct answer_case *cases = realloc(answer->cases, (answer->count + 1) * sizeof *cases);
    if (!cases) {
        return NULL;
    }
    answer->cases = cases;
    struct answer_case *c = &cases[answer->count++];
    *c = (struct answer_case){.replications = UINT_MAX, .no_table = true};
    snprintf(c->label, sizeof c->label, "%s", label);
    return c;
}

static double number(const char *text)
{
    return text ? strtod(text, NULL) : 0;
}

static bool take_value(void *context, int columns, const char *const *names,
                       const char *const *values)
{
    struct answer *answer = context;
    struct answer_case *c = case_of(answer, values[LABEL] ? values[LABEL] : "");

    (void)columns;
    (void)names;
    if (!c) {
        return false;
    }
    struct answer_value *list = realloc(c->values, (c->count + 1) * sizeof *list);
    if (!list) {
        return false;
    }
    c->values = list;
    struct answer_value *v = &list[c->count++];
    *v = (struct answer_value){
        .number = (long)number(values[NUMBER]),
        .ns = number(values[NS]),
        .ns_half = number(values[NS_HALF]),
        .percent = number(values[PERCENT]),
        .percent_half = number(values[PERCENT_HALF]),
        .peak_bytes = values[PEAK] ? number(values[PEAK]) : -1,
        .bound_bytes = values[BOUND] ? number(values[BOUND]) : -1,
        .config_id = strtoll(values[CONFIG], NULL, 10),
    };
    snprintf(v->name, sizeof v->name, "%s", values[NAME] ? values[NAME] : "");
    const char *first = values[FIRST] ? values[FIRST] : "";
    bool differs = answer->count + c->count > 2 && strcmp(first, answer->first) != 0;
    snprintf(answer->first, sizeof answer->first, "%s", differs ? "" : first);
    answer->lists = answer->lists || number(values[LISTS]) > 0;
    unsigned replications = (unsigned)number(values[REPLICATIONS]);
    c->replications = replications < c->replications ? replications : c->replications;
    c->no_table = c->no_table && values[TABLES] && number(values[TABLES]) == 0;
    c->base_ns = number(values[BASE]);
    return true;
}

/* Probes: what was run again because the answer rests on it. */

static const struct recommend_value *find_value(const struct recommend_case *c, int64_t config_id)
{
    for (size_t i = 0; i < c->count; i++) {
        if (c->values[i].config_id == config_id) {
            return &c->values[i];
        }
    }
    return NULL;
}

/* The figures of the other seed, for the values that were run again. */
static void take_probes(struct answer_case *c, const struct recommend_case *from)
{
    for (size_t i = 0; i < c->count; i++) {
        struct answer_value *v = &c->values[i];
        const struct recommend_value *value = find_value(from, v->config_id);
        const double *first_ns, *ns;
        struct interval saved;
        uint32_t n;

        if (!value) {
            continue;
        }
        c->saving = from->saving;
        if (from->values[0].fresh_n > 0 && value->fresh_n > 0) {
            n = recommend_pair(&from->values[0], value, &first_ns, &ns);
            saved = interval_difference(first_ns, ns, n, ANSWER_LEVEL);
            v->ns = saved.mean;
            v->ns_half = saved.half_width;
            v->percent = 100 * saved.mean / from->values[0].mean_ns;
            v->percent_half = 100 * saved.half_width / from->values[0].mean_ns;
            v->fresh = n;
        }
    }
}

static bool read_probes(struct answer *answer, struct store *store, struct error *error)
{
    const char *parameter =
        answer->kind == ANSWER_THRESHOLDS ? "guest.virtio_desc_cache_thr" : "variant";
    struct recommend r = {0};
    bool ok = recommend_read(&r, store, 0, parameter, ANSWER_NOTHING_PERCENT, error) &&
              recommend_take_probes(&r, store, error);

    answer->runs = r.runs;
    answer->want = r.want;
    for (size_t k = 0; ok && k < r.count; k++) {
        bool aside = recommend_is_set_aside(&r.cases[k]);

        answer->set_aside += aside;
        answer->alone += aside && !recommend_by_marks(&r, &r.cases[k]);
    }
    for (size_t i = 0; ok && i < answer->count; i++) {
        for (size_t k = 0; k < r.count; k++) {
            take_probes(&answer->cases[i], &r.cases[k]);
        }
        answer->cases[i].saving.name = NULL; /* it ends with r */
    }
    recommend_free(&r);
    return ok;
}

bool answer_read(struct answer *answer, enum answer_kind kind, struct store *store,
                 const char *with, struct error *error)
{
    char *sql = NULL;

    memset(answer, 0, sizeof *answer);
    answer->kind = kind;
    answer->level = "95 %";
    if (asprintf(&sql, "%s%s", with, kind == ANSWER_THRESHOLDS ? by_threshold : by_variant) < 0) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    bool ok = store_query(store, sql, take_value, answer, error);
    free(sql);
    ok = ok && (answer->count == 0 || read_probes(answer, store, error));
    for (size_t i = 0; i < answer->count && kind == ANSWER_VARIANTS; i++) {
        answer_merge_values(&answer->cases[i]);
    }
    answer_merge_cases(answer);
    for (size_t i = 0; i < answer->count; i++) {
        answer_judge(&answer->cases[i]);
    }
    return ok;
}

void answer_free(struct answer *answer)
{
    for (size_t i = 0; i < answer->count; i++) {
        free(answer->cases[i].values);
    }
    free(answer->cases);
    memset(answer, 0, sizeof *answer);
}
