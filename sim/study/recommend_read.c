/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What there is to choose from, out of the store. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/recommend.h"
#include "sim/study/recommend_replay.h"

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

/* Columns: scenario, case, value, replication, ns, bytes, configuration, replay, name. %s: which
 * scenarios, then the path, which comes from the store. */
static const char by_axis[] =
    "SELECT c.scenario_id, (SELECT group_concat(CASE path WHEN 'case' THEN value ELSE "
    "path || '=' || value END, ', ') FROM (SELECT path, value FROM axis o WHERE o.config_id = c.id "
    "AND o.path <> a.path ORDER BY o.axis_index)),"
    " CASE c.variant_index WHEN 0 THEN a.value ELSE c.variant || ' ' || a.value END,"
    " r.replication, m.value, b.value, c.id, " RECOMMEND_REPLAY_COLUMN ", s.name"
    " FROM config c JOIN scenario s ON s.id = c.scenario_id AND %s"
    " JOIN axis a ON a.config_id = c.id AND a.path = '%s'"
    " JOIN run r ON r.config_id = c.id"
    " JOIN metric m ON m.run_id = r.id AND m.name = 'guest_ns_per_packet'"
    " LEFT JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes'"
    " ORDER BY c.scenario_id, 2, c.variant_index, a.number, a.value, r.replication";

static const char by_variant[] =
    "SELECT c.scenario_id, (SELECT group_concat(CASE path WHEN 'case' THEN value ELSE "
    "path || '=' || value END, ', ') FROM (SELECT path, value FROM axis o WHERE o.config_id = c.id "
    "ORDER BY o.axis_index)), c.variant, r.replication, m.value, b.value, c.id,"
    " " RECOMMEND_REPLAY_COLUMN ", s.name"
    " FROM config c JOIN scenario s ON s.id = c.scenario_id AND %s"
    " JOIN run r ON r.config_id = c.id"
    " JOIN metric m ON m.run_id = r.id AND m.name = 'guest_ns_per_packet'"
    " LEFT JOIN metric b ON b.run_id = r.id AND b.name = 'desc_cache_bytes'"
    " ORDER BY c.scenario_id, 2, c.variant_index, r.replication";

/* Runs that are there and that should be, at least. */
static const char progress[] =
    "SELECT sum(min(have, want)), sum(want) FROM (SELECT CAST(p.value AS INTEGER) AS want,"
    " (SELECT count(*) FROM result r WHERE r.identity = c.identity) AS have"
    " FROM config c JOIN scenario s ON s.id = c.scenario_id AND %s"
    " JOIN param p ON p.config_id = c.id AND p.path = 'replications')";

struct reading {
    struct recommend *recommend;
    bool no_memory;
};

static struct recommend_case *case_at(struct recommend *r, int64_t scenario, const char *axes,
                                      const char *name)
{
    struct recommend_case *grown;

    if (r->count > 0 && r->cases[r->count - 1].scenario == scenario &&
        strcmp(r->cases[r->count - 1].axes, axes) == 0) {
        return &r->cases[r->count - 1];
    }
    grown = realloc(r->cases, (r->count + 1) * sizeof *grown);
    if (!grown) {
        return NULL;
    }
    r->cases = grown;
    grown = &r->cases[r->count++];
    *grown = (struct recommend_case){.scenario = scenario};
    snprintf(grown->axes, sizeof grown->axes, "%s", axes);
    snprintf(grown->name, sizeof grown->name, "%s", name);
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
    *grown = (struct recommend_value){0};
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
    v->cost_bytes = fmax(v->cost_bytes, bytes);
    return true;
}

static bool take_run(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct reading *reading = context;
    struct recommend_case *c = case_at(reading->recommend, strtoll(values[0], NULL, 10),
                                       values[1] ? values[1] : "", values[8]);
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

static bool take_progress(void *context, int columns, const char *const *names,
                          const char *const *values)
{
    struct recommend *r = context;

    (void)columns;
    (void)names;
    r->runs = values[0] ? strtoull(values[0], NULL, 10) : 0;
    r->want = values[1] ? strtoull(values[1], NULL, 10) : 0;
    return true;
}

/* Of several scenarios each case says whose it is. */
static void label_cases(struct recommend *r)
{
    bool several = r->count > 0 && r->cases[0].scenario != r->cases[r->count - 1].scenario;

    for (size_t i = 0; i < r->count; i++) {
        struct recommend_case *c = &r->cases[i];

        snprintf(c->label, sizeof c->label, "%s%s%s", several || !c->axes[0] ? c->name : "",
                 several && c->axes[0] ? ": " : "", c->axes);
    }
}

bool recommend_read(struct recommend *r, struct store *store, int64_t scenario,
                    const char *parameter, double tolerance_percent, struct error *error)
{
    struct reading reading = {.recommend = r};
    char which[200], sql[2000];

    memset(r, 0, sizeof *r);
    r->tolerance_percent = tolerance_percent;
    if (!choose_parameter(r, store, parameter, error)) {
        return false;
    }
    if (scenario > 0) {
        snprintf(which, sizeof which, "s.id = %lld", (long long)scenario);
    } else {
        snprintf(which, sizeof which, "%s", STORE_NEWEST);
    }
    snprintf(sql, sizeof sql, strcmp(r->parameter, "variant") == 0 ? by_variant : by_axis, which,
             r->parameter);
    if (!store_query(store, sql, take_run, &reading, error)) {
        return false;
    }
    snprintf(sql, sizeof sql, progress, which);
    if (!store_query(store, sql, take_progress, r, error)) {
        return false;
    }
    if (r->count == 0) {
        return error_set(error, ERROR_INPUT, r->parameter, "the store holds no run to compare");
    }
    label_cases(r);
    for (size_t i = 0; i < r->count; i++) {
        recommend_judge(&r->cases[i], tolerance_percent);
    }
    if (reading.no_memory || !recommend_judge_overall(r)) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    return true;
}
