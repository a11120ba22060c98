/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/point_summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/table.h"

bool point_summary_init(struct point_summary *summary, const struct scenario *scenario,
                        const struct experiment *experiment, struct store *store, size_t point,
                        struct error *error)
{
    struct config *config = calloc(1, sizeof *config);
    bool ok;

    memset(summary, 0, sizeof *summary);
    summary->scenario = scenario;
    summary->experiment = experiment;
    summary->point = point;
    summary->count = experiment->variants;
    summary->variant = calloc(summary->count, sizeof *summary->variant);
    ok = config && summary->variant;
    for (size_t i = 0; ok && i < summary->count; i++) {
        scenario_config(scenario, point, i, config);
        ok = summary_init(&summary->variant[i], store, experiment_at(experiment, point, i),
                          config->study.confidence, error);
    }
    free(config);
    return ok || error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void point_summary_fini(struct point_summary *summary)
{
    for (size_t i = 0; summary->variant && i < summary->count; i++) {
        summary_fini(&summary->variant[i]);
    }
    free(summary->variant);
    memset(summary, 0, sizeof *summary);
}

static void metrics_json(const struct summary *summary, struct json_out *json)
{
    json_object(json, "metrics");
    for (int i = 0; i < METRIC_COUNT; i++) {
        struct interval interval = summary_interval(summary, (enum metric)i);

        json_object(json, metric_name((enum metric)i));
        json_number(json, "mean", interval.mean);
        json_number(json, "half_width", interval.half_width);
        json_unsigned(json, "n", interval.n);
        json_number(json, "level", summary->level);
        json_text(json, "unit", metric_unit((enum metric)i));
        json_end(json);
    }
    json_end(json);
}

static void ratios_json(const struct summary *summary, const struct summary *first,
                        struct json_out *json)
{
    json_object(json, "vs_first");
    for (int i = 0; i < METRIC_COUNT; i++) {
        struct interval ratio = summary_ratio(summary, first, (enum metric)i);

        json_object(json, metric_name((enum metric)i));
        json_number(json, "ratio", ratio.mean);
        json_number(json, "half_width", ratio.half_width);
        json_end(json);
    }
    json_end(json);
}

void point_summary_json(const struct point_summary *summary, struct json_out *json, bool with_case)
{
    for (size_t i = 0; i < summary->count; i++) {
        const struct experiment_cell *cell = experiment_at(summary->experiment, summary->point, i);

        json_object(json, NULL);
        json_text(json, "name", scenario_variant_name(summary->scenario, i));
        if (with_case) {
            json_text(json, "case", scenario_point_value(summary->scenario, summary->point, 0));
        }
        json_unsigned(json, "replications", cell->replications);
        json_bool(json, "precise", cell->precise);
        metrics_json(&summary->variant[i], json);
        ratios_json(&summary->variant[i], &summary->variant[0], json);
        json_end(json);
    }
}

void captures_json(const struct scenario *scenario, struct json_out *json)
{
    json_array(json, "captures");
    for (size_t i = 0; i < scenario_trace_count(scenario); i++) {
        json_text(json, NULL, scenario_trace_note(scenario, i));
    }
    json_end(json);
}

void problems_json(const struct problems *problems, struct json_out *json)
{
    json_array(json, "warnings");
    for (size_t i = 0; i < problems->count; i++) {
        char line[1200];

        error_format(&problems->list[i].error, "warning", line, sizeof line);
        json_text(json, NULL, line);
    }
    json_end(json);
}

void expectations_init(struct expectations *all, const struct scenario *scenario)
{
    all->scenario = scenario;
    all->result = calloc(scenario_expect_count(scenario) + 1, sizeof *all->result);
    if (!all->result) {
        abort();
    }
    for (size_t i = 0; i < scenario_expect_count(scenario); i++) {
        all->result[i].state = EXPECT_UNTESTED;
        all->result[i].worst = NAN;
    }
}

void expectations_fini(struct expectations *all)
{
    free(all->result);
    all->result = NULL;
}

void expectations_add(struct expectations *all, const struct point_summary *summary)
{
    for (size_t i = 0; i < scenario_expect_count(all->scenario); i++) {
        const struct expectation *e = scenario_expect(all->scenario, i);

        for (size_t v = 0; v < summary->count; v++) {
            struct interval interval =
                summary_interval(&summary->variant[v], (enum metric)e->metric);

            expect_add(&all->result[i], e, all->scenario, summary->point, v, interval.mean);
        }
    }
}

static const char *const state_words[] = {"pass", "FAIL", "not run"};

/* Whether a path is an axis that this command does not walk. */
static bool is_left_out(const struct scenario *scenario, const char *path)
{
    for (size_t i = 0; i < scenario_left_out_count(scenario); i++) {
        char value[PARAM_TEXT_BYTES];

        if (strcmp(scenario_left_out(scenario, i, value, sizeof value), path) == 0) {
            return true;
        }
    }
    return false;
}

void expectations_print(const struct expectations *all, FILE *out)
{
    struct table table;

    table_init(&table, "lll");
    for (size_t i = 0; i < scenario_expect_count(all->scenario); i++) {
        const struct expect_result *r = &all->result[i];
        char value[JSON_NUMBER_BYTES];

        json_number_text(r->worst, value); /* all digits: "is 1" must not fail "== 1" */
        table_add(&table, "%s", state_words[r->state]);
        table_add(&table, "%s", scenario_expect(all->scenario, i)->text);
        if (r->state == EXPECT_UNTESTED) {
            table_add(&table, "nothing that was run matches%s",
                      is_left_out(all->scenario, scenario_expect(all->scenario, i)->filter_path)
                          ? "; vqsim sweep --expect checks it"
                          : "");
        } else if (r->state == EXPECT_FAIL && r->failed > 1) {
            table_add(&table, "is %s at %s, and fails in %zu of %zu", value, r->where, r->failed,
                      r->tested);
        } else if (r->state == EXPECT_PASS && r->tested > 1) {
            table_add(&table, "in all %zu", r->tested);
        } else {
            table_add(&table, "is %s at %s", value, r->where);
        }
        table_end_row(&table);
    }
    table_print(&table, out);
    table_fini(&table);
}

void expectations_json(const struct expectations *all, struct json_out *json)
{
    json_array(json, "expectations");
    for (size_t i = 0; i < scenario_expect_count(all->scenario); i++) {
        const struct expect_result *r = &all->result[i];

        json_object(json, NULL);
        json_text(json, "text", scenario_expect(all->scenario, i)->text);
        if (r->state == EXPECT_UNTESTED) {
            json_null(json, "ok");
        } else {
            json_bool(json, "ok", r->state == EXPECT_PASS);
        }
        json_number(json, "value", r->worst);
        json_text(json, "where", r->where);
        json_unsigned(json, "tested", r->tested);
        json_unsigned(json, "failed", r->failed);
        json_end(json);
    }
    json_end(json);
}

size_t expectations_failed(const struct expectations *all)
{
    size_t failed = 0;

    for (size_t i = 0; i < scenario_expect_count(all->scenario); i++) {
        failed += all->result[i].state == EXPECT_FAIL;
    }
    return failed;
}
