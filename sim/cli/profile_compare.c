/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/profile_compare.h"

#include "sim/study/table.h"

#define REST "what is not listed"

struct line {
    const char *symbol;
    double published, simulated;
};

/* Rows in the order of the published share, the rest last; returns how many. */
static int lines_of(const struct perf_profile *published, const double *ns, struct line *lines)
{
    double all = 0, rest = 100;
    int count = 0;

    for (int i = 0; i < SYMBOL_COUNT; i++) {
        all += ns[i];
    }
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        struct line line = {symbol_name((enum symbol)i), published->percent[i],
                            all > 0 ? 100 * ns[i] / all : 0};
        int at = count;

        if (!published->has[i]) {
            continue;
        }
        for (; at > 0 && lines[at - 1].published < line.published; at--) {
            lines[at] = lines[at - 1];
        }
        lines[at] = line;
        rest -= line.simulated;
        count++;
    }
    lines[count++] = (struct line){REST, published->rest, rest};
    return count;
}

void profile_compare_print(const struct perf_profile *published, const double ns[SYMBOL_COUNT])
{
    struct line lines[SYMBOL_COUNT + 1];
    int count = lines_of(published, ns, lines);
    struct table table;

    table_init(&table, "rrrl");
    table_add(&table, "published");
    table_add(&table, "simulated");
    table_add(&table, "points");
    table_add(&table, "symbol");
    table_end_row(&table);
    for (int i = 0; i < count; i++) {
        table_add(&table, "%.2f%%", lines[i].published);
        table_add(&table, "%.2f%%", lines[i].simulated);
        table_add(&table, "%+.2f", lines[i].simulated - lines[i].published);
        table_add(&table, "%s", lines[i].symbol);
        table_end_row(&table);
    }
    table_print(&table, stdout);
    table_fini(&table);
}

void profile_compare_json(const struct perf_profile *published, const double ns[SYMBOL_COUNT],
                          struct json_out *json)
{
    struct line lines[SYMBOL_COUNT + 1];
    int count = lines_of(published, ns, lines);

    json_array(json, "beside");
    for (int i = 0; i < count; i++) {
        json_object(json, NULL);
        json_text(json, "symbol", lines[i].symbol);
        json_number(json, "published_percent", lines[i].published);
        json_number(json, "simulated_percent", lines[i].simulated);
        json_number(json, "points", lines[i].simulated - lines[i].published);
        json_end(json);
    }
    json_end(json);
}
