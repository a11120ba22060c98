/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The costs that were fitted for a table. */
#include <stdio.h>
#include <string.h>

#include "sim/study/config.h"
#include "sim/study/published_parts.h"

/* The row of a cost that "parameter" names; NULL with a problem. */
static const struct param *need_cost(struct published_reader *r, struct node object)
{
    struct node node = node_member(object, "parameter");
    const char *path = node.item ? node_text(node) : NULL;
    const struct param *param = path ? param_find(&config_schema, path, NULL) : NULL;

    if (!param || param->kind != PARAM_COST) {
        published_complain(r, node.item ? node : object, "parameter",
                           "the path of a cost is needed");
        return NULL;
    }
    return param;
}

void published_read_cost(struct published_reader *r, struct node node)
{
    struct published *p = r->published;
    struct node perf = node_member(node, "perf");
    struct published_cost *cost = &p->cost[p->cost_count];
    const struct perf_profile *profile;

    if (p->cost_count == PUBLISHED_COSTS) {
        published_complain(r, node, "costs", "too many");
        return;
    }
    cost->param = need_cost(r, node);
    if (!published_need_variant(r, node, &cost->variant) || !cost->param) {
        return;
    }
    profile = &p->variant[cost->variant].profile;
    cost->symbol = published_symbol(node_member(node, "symbol"));
    if (perf.item && node_text(perf)) {
        cost->symbol = SYMBOL_COUNT;
        cost->percent = perf_profile_percent(profile, node_text(perf));
    } else if (cost->symbol == SYMBOL_COUNT) {
        published_complain(r, node, "symbol",
                           "a symbol of the model, or perf with one of the profile");
        return;
    } else {
        cost->rest = !profile->has[cost->symbol];
        cost->percent = cost->rest ? profile->rest : profile->percent[cost->symbol];
    }
    p->cost_count++;
}

void published_read_free(struct published_reader *r, struct node node)
{
    struct node otherwise = node_member(node, "otherwise");

    r->published->free_param = need_cost(r, node);
    published_need_variant(r, node, &r->published->free_variant);
    if (!published_need_variant(r, otherwise.item ? otherwise : node,
                                &r->published->otherwise_variant) ||
        !published_number(node_member(otherwise, "gain_percent"),
                          &r->published->otherwise_gain_percent)) {
        published_complain(r, node, "otherwise", "a variant and its gain_percent are needed");
    }
}

void published_read_fitted(struct published_reader *r, struct node node)
{
    struct node parameter = node_member(node, "parameter");
    const char *path = parameter.item ? node_text(parameter) : NULL;
    char to[PUBLISHED_NAME];

    if (!path || !param_find(&config_schema, path, NULL)) {
        published_complain(r, parameter.item ? parameter : node, "fitted",
                           "the path of a parameter is needed");
    } else if (published_text(r, node, "to", to, sizeof to)) {
        r->published->fitted_count++;
    }
}
