/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "models/datapath.h"
#include "sim/study/recommend.h"
#include "sim/study/stored_config.h"

#define OTHER_SEED 0x9e3779b97f4a7c15 /* turned into the stored seed's bits */

struct confirmation {
    struct store *store;
    struct config *config;
    struct run_result *result;
    struct trace_set *traces;
    uint32_t replications;
    struct error *error;
};

/* Whether a value is the chosen one, next to it, or the best. */
static bool is_near(const struct recommend_case *c, size_t i)
{
    return i == c->best || i == c->recommended || i + 1 == c->recommended ||
           i == c->recommended + 1;
}

static bool is_wanted(const struct recommend *r, const struct recommend_case *c, size_t i)
{
    if (is_near(c, i)) {
        return true;
    }
    for (size_t k = 0; k < r->overall.count; k++) {
        if (is_near(&r->overall, k) && strcmp(r->overall.values[k].name, c->values[i].name) == 0) {
            return true;
        }
    }
    return false;
}

static bool run_again(const struct confirmation *confirmation, struct recommend_value *v)
{
    struct config *config = confirmation->config;
    double *ns = calloc(confirmation->replications, sizeof *ns);

    if (!ns) {
        return error_set(confirmation->error, ERROR_SYSTEM, "", "out of memory");
    }
    free(v->ns);
    v->ns = ns;
    v->n = confirmation->replications;
    v->cost_bytes = 0;
    if (!stored_config_read(config, confirmation->store, v->config_id,
                            confirmation->traces, confirmation->error)) {
        return false;
    }
    for (uint32_t i = 0; i < v->n; i++) {
        struct run_id id = config_run_id(config, i);

        id.seed ^= OTHER_SEED;
        if (!datapath_run(&config->datapath, &id, confirmation->result, confirmation->error)) {
            return error_set(confirmation->error, ERROR_SYSTEM, "", "the run failed");
        }
        ns[i] = confirmation->result->metric[METRIC_GUEST_NS];
        v->cost_bytes = fmax(v->cost_bytes, confirmation->result->metric[METRIC_CACHE_BYTES]);
    }
    return true;
}

/* Leaves the wanted values, measured again. */
static bool confirm_case(const struct confirmation *confirmation, const struct recommend *r,
                         struct recommend_case *c)
{
    size_t kept = 0;
    bool ok = true;

    for (size_t i = 0; i < c->count; i++) {
        c->values[i].verdict = is_wanted(r, c, i) ? RECOMMEND_TIE : RECOMMEND_WORSE;
    }
    for (size_t i = 0; i < c->count; i++) {
        if (c->values[i].verdict == RECOMMEND_WORSE) {
            free(c->values[i].ns);
            continue;
        }
        c->values[kept] = c->values[i];
        ok = ok && run_again(confirmation, &c->values[kept]);
        kept++;
    }
    c->count = kept;
    recommend_judge(c, r->tolerance_percent);
    return ok;
}

bool recommend_confirm(struct recommend *r, struct store *store, uint32_t replications,
                       struct error *error)
{
    struct confirmation confirmation = {.store = store,
                                        .config = calloc(1, sizeof *confirmation.config),
                                        .result = run_result_new(),
                                        .traces = trace_set_new(),
                                        .replications = replications,
                                        .error = error};
    bool ok = confirmation.config && confirmation.result;

    for (size_t i = 0; ok && i < r->count; i++) {
        ok = confirm_case(&confirmation, r, &r->cases[i]);
    }
    ok = ok && recommend_judge_overall(r);
    r->confirmed = replications;
    run_result_free(confirmation.result);
    trace_set_free(confirmation.traces);
    free(confirmation.config);
    return ok ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}
