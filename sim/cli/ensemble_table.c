/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/ensemble_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/study/json_out.h"
#include "sim/study/published.h"
#include "sim/study/table.h"

#define GROUPS_MOST ENSEMBLE_CHOICES

static bool is_rate(const struct ensemble_target *target)
{
    return target->measure == ENSEMBLE_VALUE && fabs(target->published) >= 1000;
}

static void add_number(struct table *table, const struct ensemble_target *target, double value)
{
    if (!isfinite(value)) {
        table_add(table, "%s", "-");
    } else {
        table_add(table, "%.*f", is_rate(target) ? 0 : 2, value);
    }
}

static void add_titles(struct table *table, const char *const *titles, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        table_add(table, "%s", titles[i]);
    }
    table_end_row(table);
}

/* ---- how it was found ---- */

static void print_search(const struct ensemble_plan *plan, const struct ensemble_search *search)
{
    static const char *const titles[] = {"regime",    "value",  "draws",
                                         "best draw", "starts", "accepted"};
    struct table table;

    printf("%" PRIu32 " draws of %zu free parameters and %zu regimes, %" PRIu32
           " starts, %zu worlds accepted\n",
           search->draws, plan->free_count, plan->regime_count, search->starts, search->count);
    if (search->draws == 0 || isinf(search->tried[0][0].best_draw) || plan->regime_count == 0 ||
        search->tried[0][0].draws == 0) {
        return;
    }
    printf("\n");
    table_init(&table, "llrrrr");
    add_titles(&table, titles, sizeof titles / sizeof titles[0]);
    for (size_t r = 0; r < plan->regime_count; r++) {
        for (size_t v = 0; v < plan->regime[r].count; v++) {
            const struct ensemble_tried *tried = &search->tried[r][v];

            table_add(&table, "%s", v == 0 ? plan->regime[r].place.row->path : "");
            table_add(&table, "%s", plan->regime[r].value[v]);
            table_add(&table, "%" PRIu32, tried->draws);
            table_add(&table, "%.0f", tried->best_draw);
            table_add(&table, "%" PRIu32, tried->starts);
            table_add(&table, "%" PRIu32, tried->accepted);
            table_end_row(&table);
        }
    }
    table_print(&table, stdout);
    table_fini(&table);
}

/* ---- its cells ---- */

static void print_cells(const struct ensemble_summary *summary)
{
    static const char *const titles[] = {"cell", "published", "null", "median",
                                         "10 %", "90 %",      "role"};
    const struct ensemble_plan *plan = summary->plan;
    struct table table;

    printf("\n");
    table_init(&table, "lrrrrrl");
    add_titles(&table, titles, sizeof titles / sizeof titles[0]);
    for (size_t i = 0; i < plan->targets; i++) {
        const struct ensemble_target *target = &plan->target[i];
        const struct ensemble_spread *spread = &summary->spread[i];

        table_add(&table, "%s", target->name);
        add_number(&table, target, target->published);
        add_number(&table, target, ensemble_null(plan, target));
        add_number(&table, target, spread->median);
        add_number(&table, target, spread->low);
        add_number(&table, target, spread->high);
        table_add(&table, "%s%s", role_name((enum role)target->role),
                  target->informed ? ", informed" : "");
        table_end_row(&table);
    }
    table_print(&table, stdout);
    table_fini(&table);
    if (plan->second[0]) {
        printf("null: %s does as %s\n", plan->second, plan->first);
    }
}

/* ---- gains, by group ---- */

static void add_gain(struct table *table, const char *group, size_t worlds,
                     const struct ensemble_spread *spread)
{
    double share = worlds > 0 ? 100. / (double)worlds : 0;

    table_add(table, "%s", group);
    table_add(table, "%zu", worlds);
    if (worlds > 0) {
        table_add(table, "%.0f %%", share * spread->helps);
        table_add(table, "%.0f %%", share * spread->hurts);
        table_add(table, "%.0f %%", share * spread->ties);
        table_add(table, "%+.2f", spread->median);
        table_add(table, "%+.2f", spread->least);
        table_add(table, "%+.2f", spread->most);
    }
    table_end_row(table);
}

static void print_gain(const struct ensemble_summary *summary, size_t target,
                       const struct world *worlds)
{
    static const char *const titles[] = {"",     "worlds", "helps", "hurts",
                                         "ties", "median", "least", "most"};
    const struct ensemble_plan *plan = summary->plan;
    struct ensemble_group *groups = calloc(GROUPS_MOST, sizeof *groups);
    struct table table;

    if (!groups) {
        abort();
    }
    printf("\n%s, %s over %s; a tie: within %.2g%s and the runs' own 95 %%\n",
           plan->target[target].name, plan->second, plan->first, plan->target[target].tie,
           plan->target[target].measure == ENSEMBLE_GAIN_PERCENT ? " %" : "");
    table_init(&table, "lrrrrrrr");
    add_titles(&table, titles, sizeof titles / sizeof titles[0]);
    add_gain(&table, "all", summary->worlds, &summary->spread[target]);
    for (size_t s = 0; s < plan->splits; s++) {
        size_t count = ensemble_groups(summary, &plan->split[s], worlds, groups, GROUPS_MOST);

        table_add(&table, "%s", plan->split[s].name);
        table_end_row(&table);
        for (size_t g = 0; g < count; g++) {
            char name[ENSEMBLE_NAME + 4];

            snprintf(name, sizeof name, "  %s", groups[g].name);
            add_gain(&table, name, groups[g].worlds, &groups[g].spread[target]);
        }
    }
    table_print(&table, stdout);
    table_fini(&table);
    free(groups);
}

void ensemble_print_all(const char *table, const struct ensemble_plan *plan,
                        const struct ensemble_search *search,
                        const struct ensemble_summary *summary)
{
    printf("%s, %s: ", table, plan->name);
    print_search(plan, search);
    if (search->count == 0) {
        printf("\nno world meets the calibrated cells; least score of a start: %.1f\n",
               search->best_start);
        return;
    }
    print_cells(summary);
    for (size_t i = 0; i < plan->targets; i++) {
        if (!isnan(plan->target[i].tie)) {
            print_gain(summary, i, search->world);
        }
    }
}

/* ---- JSON ---- */

static void spread_json(struct json_out *json, const struct ensemble_spread *spread, bool gain)
{
    json_number(json, "median", spread->median);
    json_number(json, "low", spread->low);
    json_number(json, "high", spread->high);
    json_number(json, "least", spread->least);
    json_number(json, "most", spread->most);
    if (gain) {
        json_unsigned(json, "helps", spread->helps);
        json_unsigned(json, "hurts", spread->hurts);
        json_unsigned(json, "ties", spread->ties);
    }
}

static void groups_json(struct json_out *json, const struct ensemble_summary *summary,
                        size_t target, const struct world *worlds)
{
    const struct ensemble_plan *plan = summary->plan;
    struct ensemble_group *groups = calloc(GROUPS_MOST, sizeof *groups);

    if (!groups) {
        abort();
    }
    json_array(json, "groups");
    for (size_t s = 0; s < plan->splits; s++) {
        size_t count = ensemble_groups(summary, &plan->split[s], worlds, groups, GROUPS_MOST);

        for (size_t g = 0; g < count; g++) {
            json_object(json, NULL);
            json_text(json, "by", plan->split[s].name);
            json_text(json, "group", groups[g].name);
            json_unsigned(json, "worlds", groups[g].worlds);
            spread_json(json, &groups[g].spread[target], true);
            json_end(json);
        }
    }
    json_end(json);
    free(groups);
}

static void cell_json(struct json_out *json, const struct ensemble_summary *summary, size_t i,
                      const struct world *worlds)
{
    const struct ensemble_target *target = &summary->plan->target[i];
    bool gain = !isnan(target->tie);

    json_object(json, NULL);
    json_text(json, "cell", target->name);
    json_text(json, "metric", metric_name((enum metric)target->metric));
    json_text(json, "role", role_name((enum role)target->role));
    json_number(json, "published", target->published);
    json_number(json, "null", ensemble_null(summary->plan, target));
    spread_json(json, &summary->spread[i], gain);
    if (gain) {
        groups_json(json, summary, i, worlds);
    }
    json_end(json);
}

static void world_json(struct json_out *json, const struct ensemble_plan *plan,
                       const struct ensemble_summary *summary, const struct world *world,
                       size_t index)
{
    json_object(json, NULL);
    json_unsigned(json, "draw", world->draw);
    json_number(json, "score", world->score);
    json_object(json, "settings");
    for (size_t i = 0; i < ensemble_unknowns(plan); i++) {
        json_text(json, ensemble_unknown(plan, i).row->path, world->text[i]);
    }
    json_end(json);
    json_object(json, "cells");
    for (size_t i = 0; i < plan->targets; i++) {
        json_number(json, plan->target[i].name, summary->value[index * plan->targets + i]);
    }
    json_end(json);
    json_object(json, "metrics");
    for (size_t m = 0; m < METRIC_COUNT; m++) {
        json_number(json, metric_name((enum metric)m), summary->metric[index * METRIC_COUNT + m]);
    }
    json_end(json);
    json_end(json);
}

void ensemble_json(const char *table, const struct ensemble_plan *plan,
                   const struct ensemble_search *search, const struct ensemble_summary *summary)
{
    struct json_out json;

    json_init(&json, stdout, 3);
    json_object(&json, NULL);
    json_text(&json, "table", table);
    json_text(&json, "ensemble", plan->name);
    json_unsigned(&json, "draws", search->draws);
    json_unsigned(&json, "starts", search->starts);
    json_unsigned(&json, "accepted", search->count);
    json_array(&json, "cells");
    for (size_t i = 0; i < plan->targets; i++) {
        cell_json(&json, summary, i, search->world);
    }
    json_end(&json);
    json_array(&json, "worlds");
    for (size_t i = 0; i < search->count; i++) {
        world_json(&json, plan, summary, &search->world[i], i);
    }
    json_end(&json);
    json_bool(&json, "ok", search->count > 0);
    json_end(&json);
}
