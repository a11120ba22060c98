/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a published table takes from other files: rates, profiles, single figures. */
#include <stdio.h>
#include <string.h>

#include "sim/study/measured_table.h"
#include "sim/study/published_parts.h"

/* The first failure of a file's own reader, as a problem. */
static void pass_on(struct published_reader *r, const struct error *error)
{
    problems_add(r->problems, false, error);
}

void published_read_rates(struct published_reader *r, struct node rates)
{
    struct node columns = node_member(rates, "columns");
    char name[PUBLISHED_NAME], path[PATH_MAX];

    if (!published_text(r, rates, "file", name, sizeof name)) {
        return;
    }
    if (!columns.item || node_type(columns) != JSON_OBJECT ||
        !published_beside(r->published, name, path, sizeof path)) {
        published_complain(r, rates, "rates", "an object of columns by variant is needed");
        return;
    }
    for (struct node n = node_first(columns); n.item; n = node_next(n)) {
        size_t i = published_variant_of(r, node_key(n));
        struct error error = {0};

        if (i == PUBLISHED_VARIANTS || !node_text(n)) {
            published_complain(r, n, "rates", "a variant's column is needed");
        } else if (!rate_column_read(&r->published->variant[i].rate, path, node_text(n), &error)) {
            pass_on(r, &error);
        } else {
            r->published->variant[i].has_rate = true;
        }
    }
}

void published_read_profiles(struct published_reader *r, struct node profiles)
{
    for (struct node n = node_first(profiles); n.item; n = node_next(n)) {
        size_t i = published_variant_of(r, node_key(n));
        char path[PATH_MAX];
        struct error error = {0};

        if (i == PUBLISHED_VARIANTS || !node_text(n) ||
            !published_beside(r->published, node_text(n), path, sizeof path)) {
            published_complain(r, n, "profiles", "a variant's file is needed");
        } else if (!perf_profile_read(&r->published->variant[i].profile, path, &error) ||
                   !perf_profile_match(&r->published->variant[i].profile, &error)) {
            pass_on(r, &error);
        } else {
            r->published->variant[i].has_profile = true;
        }
    }
}

/* One cell of the file that `node` or the table names. */
static bool look_up(struct published_reader *r, struct node node, const char *key, double *value)
{
    char file[PATH_MAX], name[PUBLISHED_NAME], row[PUBLISHED_NAME], column[PUBLISHED_NAME];
    struct error error = {0};

    snprintf(file, sizeof file, "%s", r->measured);
    if (node_member(node, "file").item &&
        (!published_text(r, node, "file", name, sizeof name) ||
         !published_beside(r->published, name, file, sizeof file))) {
        return false;
    }
    if (!published_text(r, node, "row", row, sizeof row) ||
        !published_text(r, node, key, column, sizeof column)) {
        return false;
    }
    if (file[0] == '\0') {
        published_complain(r, node, "file",
                           "neither here nor in the table (measured) is a file named");
        return false;
    }
    if (!measured_table_read(file, row, column, value, &error)) {
        pass_on(r, &error);
        return false;
    }
    return true;
}

bool published_figure(struct published_reader *r, struct node node, double *value)
{
    bool over = node_member(node, "over").item != NULL;
    double base, times = 1;

    if (!node.item) {
        return false;
    }
    if (node_type(node) != JSON_OBJECT) {
        if (!published_number(node, value)) {
            published_complain(r, node, "published",
                               "a number, or an object that says where it is");
            return false;
        }
        return true;
    }
    if (!look_up(r, node, "column", value)) {
        return false;
    }
    if (node_member(node, "times").item && !published_number(node_member(node, "times"), &times)) {
        published_complain(r, node, "times", "a number is needed");
        return false;
    }
    *value *= times;
    if (over || node_member(node, "minus").item) {
        if (!look_up(r, node, over ? "over" : "minus", &base)) {
            return false;
        }
        *value = over ? 100 * (*value / (base * times) - 1) : *value - base * times;
    }
    return true;
}
