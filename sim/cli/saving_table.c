/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/saving_table.h"

#include <math.h>
#include <string.h>

#include "sim/study/summary.h"
#include "sim/study/table.h"

static void range_cells(struct table *table, const struct recommend_saving *saving)
{
    if (!saving->ranged) {
        table_add(table, "not probed");
        table_add(table, "%s", "");
        table_add(table, "%s", "");
        return;
    }
    table_add(table, "%.1f .. %.1f", saving->least_ns, saving->most_ns);
    table_add(table, "%s", saving->least_at[0] ? saving->least_at : "as it is");
    table_add(table, "%s", saving->most_at[0] ? saving->most_at : "as it is");
}

static void case_row(struct table *table, const struct recommend *r, const struct recommend_case *c)
{
    const struct recommend_saving *saving = &c->saving;
    struct interval interval = {.mean = saving->ns, .half_width = saving->ns_half, .n = 2};
    char text[80];

    if (r->count > 1) {
        table_add(table, "%s", c->label);
    }
    table_add(table, "%s", saving->name ? saving->name : c->values[0].name);
    if (!saving->name) {
        table_add(table, "nothing");
        table_add(table, "%s", "");
        table_add(table, "%s", "");
        table_add(table, "%s", "");
        table_add(table, "%s", "");
    } else {
        summary_text(&interval, text, sizeof text);
        table_add(table, "%s", text);
        table_add(table, "%.2f", saving->percent);
        range_cells(table, saving);
    }
    table_end_row(table);
}

void saving_table_print(const struct recommend *r, FILE *out)
{
    struct table table;

    fprintf(out, "\nwhat %s saves against the first value", r->parameter);
    if (r->fresh > 0) {
        fprintf(out, " (%u replications under another seed)", (unsigned)r->fresh);
    } else {
        fprintf(out, " (by the runs that chose it: not confirmed)");
    }
    fprintf(out, "\n");
    table_init(&table, r->count > 1 ? "llrrlll" : "lrrlll");
    if (r->count > 1) {
        table_add(&table, "case");
    }
    table_add(&table, "value");
    table_add(&table, "ns per packet");
    table_add(&table, "percent");
    table_add(&table, "range over the costs");
    table_add(&table, "least at");
    table_add(&table, "most at");
    table_end_row(&table);
    for (size_t i = 0; i < r->count; i++) {
        case_row(&table, r, &r->cases[i]);
    }
    table_print(&table, out);
    table_fini(&table);
}

void saving_json(const struct recommend_case *c, struct json_out *json)
{
    const struct recommend_saving *saving = &c->saving;

    if (!saving->name) {
        json_null(json, "saving");
        return;
    }
    json_object(json, "saving");
    json_value(json, "value", saving->name);
    json_number(json, "ns_per_packet", saving->ns);
    json_number(json, "half_width", saving->ns_half);
    json_number(json, "percent", saving->percent);
    if (saving->ranged) {
        json_number(json, "least_ns", saving->least_ns);
        json_number(json, "most_ns", saving->most_ns);
        json_text(json, "least_at", saving->least_at);
        json_text(json, "most_at", saving->most_at);
    } else {
        json_null(json, "least_ns");
        json_null(json, "most_ns");
        json_null(json, "least_at");
        json_null(json, "most_at");
    }
    json_end(json);
}
