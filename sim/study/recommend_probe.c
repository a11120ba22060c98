/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/recommend_probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Values of a case: the first, the best, the recommended one with two neighbours, and once more
 * over all cases. */
#define NEAR_MOST 8

/* ---- which probes ---- */

static const char *chosen_parameter(const struct scenario *scenario);
static uint32_t fresh_replications(const struct scenario *scenario);

struct plan {
    const struct scenario *scenario;
    const struct experiment *experiment;
    struct probe *list;
    size_t count, room;
};

static void plan_add(struct plan *plan, struct probe probe)
{
    if (plan->count == plan->room) {
        plan->room = plan->room ? 2 * plan->room : 64;
        plan->list = realloc(plan->list, plan->room * sizeof *plan->list);
        if (!plan->list) {
            abort();
        }
    }
    plan->list[plan->count++] = probe;
}

/* The point and variant of a stored configuration; false: of another scenario. */
static bool find_cell(const struct plan *plan, int64_t config_id, struct probe *probe)
{
    size_t count = plan->experiment->points * plan->experiment->variants;

    for (size_t i = 0; i < count; i++) {
        if (plan->experiment->cell[i].config_id == config_id) {
            probe->point = i / plan->experiment->variants;
            probe->variant = i % plan->experiment->variants;
            return true;
        }
    }
    return false;
}

/* Both ends of a range at both values that a saving is the difference of. */
static void plan_ends(struct plan *plan, size_t row, const struct probe pair[2])
{
    char end[2][64];

    for (int i = 0; i < 2; i++) {
        if (scenario_plausible(plan->scenario, pair[i].point, pair[i].variant, row, end[0],
                               end[1])) {
            break;
        }
        if (i == 1) {
            return;
        }
    }
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) {
            struct probe probe = pair[i];

            probe.row = (ptrdiff_t)row;
            memcpy(probe.value, end[k], sizeof probe.value);
            plan_add(plan, probe);
        }
    }
}

/* The value whose saving against the first is told. */
static size_t told(const struct recommend_case *c)
{
    return c->recommended > 0 ? c->recommended : c->best;
}

/* The values that the answer of a case rests on, and those that the answer over all cases does. */
static void plan_fresh(struct plan *plan, const struct recommend *r, const struct recommend_case *c)
{
    for (size_t i = 0; i < c->count; i++) {
        struct probe probe = {.row = -1};

        if ((recommend_is_near(c, i) || recommend_is_near_over_all(r, c->values[i].name)) &&
            find_cell(plan, c->values[i].config_id, &probe)) {
            plan_add(plan, probe);
        }
    }
}

static void plan_costs(struct plan *plan, const struct recommend_case *c)
{
    const struct recommend_value *first = &c->values[0], *value = &c->values[told(c)];
    struct probe pair[2] = {{.row = -1}, {.row = -1}};

    /* where every value takes the same time there is nothing that could move */
    if (value == first || value->mean_ns == first->mean_ns ||
        !find_cell(plan, first->config_id, &pair[0]) ||
        !find_cell(plan, value->config_id, &pair[1])) {
        return;
    }
    for (size_t row = 0; row < param_count(&config_schema); row++) {
        plan_ends(plan, row, pair);
    }
}

uint64_t recommend_probes_most(const struct scenario *scenario)
{
    const char *parameter = chosen_parameter(scenario);
    size_t cells = scenario_point_count(scenario) * scenario_variant_count(scenario);
    uint64_t values = scenario_variant_count(scenario), costs = 0;
    char low[64], high[64];

    if (!parameter) {
        return 0;
    }
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        if (strcmp(scenario_axis_path(scenario, i), parameter) == 0) {
            values *= scenario_axis_values(scenario, i);
        }
    }
    if (cells / values > RECOMMEND_PROBE_CASES) {
        return 0;
    }
    for (size_t row = 0; row < param_count(&config_schema); row++) {
        costs +=
            scenario_plausible(scenario, scenario_point_count(scenario) - 1, 0, row, low, high);
    }
    return cells / values * (NEAR_MOST * fresh_replications(scenario) + 4 * costs);
}

/* NULL: nothing. */
static const char *chosen_parameter(const struct scenario *scenario)
{
    const char *last = NULL;
    size_t count = 0;

    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        const char *path = scenario_axis_path(scenario, i);

        if (strcmp(path, "guest.virtio_desc_cache_thr") == 0) {
            return path;
        }
        if (strcmp(path, "case") != 0 && recommend_can_choose(path)) {
            last = path;
            count++;
        }
    }
    return count != 1 && scenario_variant_count(scenario) > 1 ? "variant" : last;
}

static uint32_t fresh_replications(const struct scenario *scenario)
{
    struct config *config = malloc(sizeof *config);
    uint32_t n;

    if (!config) {
        abort();
    }
    scenario_config(scenario, 0, 0, config);
    n = config->study.replications;
    free(config);
    return n > RECOMMEND_PROBE_REPLICATIONS ? n : RECOMMEND_PROBE_REPLICATIONS;
}

static bool take_id(void *context, int columns, const char *const *names, const char *const *values)
{
    int64_t *id = context;

    (void)columns;
    (void)names;
    *id = strtoll(values[0], NULL, 10);
    return true;
}

bool recommend_read_sweep(struct recommend *r, const struct scenario *scenario,
                          const struct experiment *experiment, struct store *store,
                          struct error *error)
{
    const char *parameter = chosen_parameter(scenario);
    int64_t id = 0;
    char sql[100];

    *r = (struct recommend){0};
    if (!parameter) {
        return true;
    }
    snprintf(sql, sizeof sql, "SELECT scenario_id FROM config WHERE id = %lld",
             (long long)experiment->cell[0].config_id);
    if (!store_query(store, sql, take_id, &id, error) ||
        !recommend_read(r, store, id, parameter, RECOMMEND_TOLERANCE_PERCENT, error)) {
        return false;
    }
    if (r->cases[0].count < 2) { /* one value is no choice */
        recommend_free(r);
    }
    return true;
}

struct scenario *recommend_probes(const struct recommend *r, enum recommend_stage stage,
                                  const struct scenario *scenario,
                                  const struct experiment *experiment)
{
    struct plan plan = {.scenario = scenario, .experiment = experiment};
    struct scenario *probes = NULL;

    for (size_t i = 0; i < r->count; i++) {
        if (stage == RECOMMEND_FRESH) {
            plan_fresh(&plan, r, &r->cases[i]);
        } else {
            plan_costs(&plan, &r->cases[i]);
        }
    }
    if (plan.count > 0) {
        probes = scenario_probes(scenario, plan.list, plan.count, fresh_replications(scenario));
    }
    free(plan.list);
    return probes;
}

/* ---- what came out ---- */

struct probe_run {
    int64_t config_id; /* of the parent's configuration */
    char probe[160];
    uint32_t replication;
    double ns, bytes;
};

struct probe_runs {
    struct probe_run *list;
    size_t count, room;
};

/* The parent's point is that of the probe without ", probe=...". */
static const char probe_runs_sql[] =
    "WITH probe AS MATERIALIZED (SELECT p.identity, s.id AS scenario_id, p.variant, a.value,"
    " substr(p.point, 1, max(0, length(p.point) - length(a.value) - length(', " PROBE_AXIS
    "='))) AS point"
    " FROM scenario s JOIN scenario q ON q.sha256 = s.sha256 || '" STORE_PROBES "'"
    " JOIN config p ON p.scenario_id = q.id"
    " JOIN axis a ON a.config_id = p.id AND a.path = '" PROBE_AXIS "')"
    " SELECT c.id, p.value, r.replication, m.value, b.value FROM probe p"
    " CROSS JOIN config c ON c.scenario_id = p.scenario_id AND c.variant = p.variant"
    " AND c.point = p.point"
    " JOIN result r ON r.identity = p.identity"
    " JOIN metric m ON m.run_id = r.id AND m.name = 'guest_ns_per_packet'"
    " LEFT JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes'"
    " ORDER BY c.id, p.value, r.replication";

static bool take_run(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct probe_runs *runs = context;
    struct probe_run *run;

    (void)columns;
    (void)names;
    if (runs->count == runs->room) {
        runs->room = runs->room ? 2 * runs->room : 256;
        runs->list = realloc(runs->list, runs->room * sizeof *runs->list);
        if (!runs->list) {
            abort();
        }
    }
    run = &runs->list[runs->count++];
    *run = (struct probe_run){
        .config_id = strtoll(values[0], NULL, 10),
        .replication = (uint32_t)strtoul(values[2], NULL, 10),
        .ns = values[3] ? strtod(values[3], NULL) : NAN,
        .bytes = values[4] ? strtod(values[4], NULL) : 0,
    };
    snprintf(run->probe, sizeof run->probe, "%s", values[1]);
    return true;
}

static int compare_run(const void *a, const void *b)
{
    const struct probe_run *x = a, *y = b;

    if (x->config_id != y->config_id) {
        return x->config_id < y->config_id ? -1 : 1;
    }
    return strcmp(x->probe, y->probe);
}

/* The first of the runs of a probe, NULL: there is none; *count: how many. */
static const struct probe_run *find_runs(const struct probe_runs *runs, int64_t config_id,
                                         const char *probe, uint32_t *count)
{
    struct probe_run key = {.config_id = config_id};
    const struct probe_run *found;

    snprintf(key.probe, sizeof key.probe, "%s", probe);
    *count = 0;
    found = runs->count > 0
                ? bsearch(&key, runs->list, runs->count, sizeof *runs->list, compare_run)
                : NULL;
    if (!found) {
        return NULL;
    }
    while (found > runs->list && compare_run(found - 1, &key) == 0) {
        found--;
    }
    while (found + *count < runs->list + runs->count && compare_run(found + *count, &key) == 0) {
        (*count)++;
    }
    return found;
}

/* One that is missing stays NaN, so that pairs stay pairs. */
static void put_fresh(struct recommend_value *v, const struct probe_run *run)
{
    if (!v->fresh_ns || run->replication >= v->fresh_n) {
        uint32_t had = v->fresh_ns ? v->fresh_n : 0;

        v->fresh_n = run->replication + 1;
        v->fresh_ns = realloc(v->fresh_ns, v->fresh_n * sizeof *v->fresh_ns);
        if (!v->fresh_ns) {
            abort();
        }
        while (had < v->fresh_n) {
            v->fresh_ns[had++] = NAN;
        }
    }
    v->fresh_ns[run->replication] = run->ns;
    v->cost_bytes = fmax(v->cost_bytes, run->bytes);
}

/* The runs under the other seed, for the values that have them. */
static void take_fresh(struct recommend_case *c, const struct probe_runs *runs)
{
    for (size_t i = 0; i < c->count; i++) {
        struct recommend_value *v = &c->values[i];
        const struct probe_run *run = find_runs(runs, v->config_id, PROBE_FRESH, &v->fresh_n);

        free(v->fresh_ns);
        v->fresh_ns = NULL;
        for (uint32_t k = 0, count = v->fresh_n; k < count; k++) {
            put_fresh(v, &run[k]);
        }
    }
}

/* The saving at an end of a cost's range, told from the same random numbers with the costs as they
 * are. */
static void take_end(struct recommend_saving *saving, const char *probe, double shift)
{
    if (!isfinite(shift)) {
        return; /* nothing was measured */
    }
    saving->ranged = true;
    if (saving->ns + shift < saving->least_ns) {
        saving->least_ns = saving->ns + shift;
        snprintf(saving->least_at, sizeof saving->least_at, "%s", probe);
    }
    if (saving->ns + shift > saving->most_ns) {
        saving->most_ns = saving->ns + shift;
        snprintf(saving->most_at, sizeof saving->most_at, "%s", probe);
    }
}

static void take_range(struct recommend_case *c, const struct probe_runs *runs)
{
    const struct recommend_value *first = &c->values[0], *value = &c->values[told(c)];
    struct recommend_saving *saving = &c->saving;

    if (!saving->name || first->n == 0 || value->n == 0) {
        return;
    }
    saving->least_ns = saving->most_ns = saving->ns;
    for (size_t i = 0; i < runs->count; i++) {
        const struct probe_run *run = &runs->list[i], *base;
        uint32_t count;

        if (run->config_id != value->config_id || strcmp(run->probe, PROBE_FRESH) == 0) {
            continue;
        }
        base = find_runs(runs, first->config_id, run->probe, &count);
        if (base && run->replication == 0) {
            take_end(saving, run->probe, (base->ns - run->ns) - (first->ns[0] - value->ns[0]));
        }
    }
}

bool recommend_take_probes(struct recommend *r, struct store *store, struct error *error)
{
    struct probe_runs runs = {0};
    bool ok = store_query(store, probe_runs_sql, take_run, &runs, error);

    r->fresh = ok && r->count > 0 ? UINT32_MAX : 0;
    r->confirmed = 0;
    for (size_t i = 0; ok && i < r->count; i++) {
        struct recommend_case *c = &r->cases[i];

        take_fresh(c, &runs);
        recommend_judge(c, r->tolerance_percent);
        r->fresh = c->fresh < r->fresh ? c->fresh : r->fresh;
        r->confirmed += c->fresh > 0;
        take_range(c, &runs);
    }
    if (ok && !recommend_judge_overall(r)) {
        ok = error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    free(runs.list);
    return ok;
}
