/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/replay_table.h"

#include "sim/study/recommend_replay.h"
#include "sim/study/table.h"

static void cells(struct table *table, const struct recommend_case *c)
{
    if (!c) {
        table_add(table, "not swept");
        table_add(table, "%s", "");
        return;
    }
    table_add(table, "%s", c->values[c->recommended].name);
    if (c->saving.name) {
        table_add(table, "%.1f", c->saving.ns);
    } else {
        table_add(table, "nothing");
    }
}

void replay_table_print(const struct recommend *r, FILE *out)
{
    struct table table;

    if (recommend_set_aside_count(r) == 0) {
        return;
    }
    fprintf(out, "\ncaptures of an emulated machine: its gaps (timing) choose nothing by themselves; "
                 "take the two ways as a bracket\n");
    table_init(&table, "llrlr");
    table_add(&table, "case");
    table_add(&table, "by timing");
    table_add(&table, "saves, ns");
    table_add(&table, "by marks");
    table_add(&table, "saves, ns");
    table_end_row(&table);
    for (size_t i = 0; i < r->count; i++) {
        const struct recommend_case *c = &r->cases[i];

        if (recommend_is_set_aside(c) && c->count > 0) {
            table_add(&table, "%s", c->label);
            cells(&table, c);
            cells(&table, recommend_by_marks(r, c));
            table_end_row(&table);
        }
    }
    table_print(&table, out);
    table_fini(&table);
}
