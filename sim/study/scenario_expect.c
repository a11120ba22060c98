/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The filters of `expect` against what the scenario has: a case, variant or value that does not
 * exist would make an assertion that is never looked at.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"
#include "sim/study/suggest.h"

static void refuse_value(struct node node, const struct expectation *e,
                         const struct suggest *suggest, struct problems *problems)
{
    char hint[SUGGEST_TEXT_BYTES], shown[400];

    json_show(e->filter_value, strlen(e->filter_value), JSON_SHOWN_MOST, shown, sizeof shown);
    node_problem(node, problems, false, "expect", "no %s is %s%s", e->filter_path, shown,
                 suggest_text(suggest, hint));
}

static void bind_name(const struct overrides_list *list, struct node node,
                      const struct expectation *e, struct problems *problems)
{
    struct suggest suggest;

    suggest_init(&suggest, e->filter_value);
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->list[i].name, e->filter_value) == 0) {
            return;
        }
        suggest_offer(&suggest, list->list[i].name);
    }
    if (list->count == 0 && strcmp(e->filter_path, "variant") == 0 &&
        strcmp(e->filter_value, "base") == 0) {
        return;
    }
    refuse_value(node, e, &suggest, problems);
}

/* The axis that a filter means: by whole path or a unique last part. */
static const struct axis *find_axis(const struct scenario *s, const char *name)
{
    ptrdiff_t index = param_lookup(s->schema, name, false, NULL);

    for (size_t i = 0; i < s->axis_count; i++) {
        if (s->axes[i].index >= 0 && s->axes[i].index == index) {
            return &s->axes[i];
        }
    }
    return NULL;
}

/* Replaces the filter's value by the canonical text of the axis' value. */
static void bind_axis(const struct scenario *s, const struct axis *axis, struct node node,
                      struct expectation *e, struct problems *problems)
{
    const struct param *row = param_at(s->schema, (size_t)axis->index).row;
    char *part = calloc(1, param_at(s->schema, (size_t)axis->index).table->config_bytes), *text;
    struct suggest suggest;

    if (!part) {
        abort();
    }
    suggest_init(&suggest, "");
    snprintf(e->filter_path, sizeof e->filter_path, "%s", axis->path);
    if (value_from_text(row, e->filter_value, part)) {
        text = param_text(row, part + row->offset);
        snprintf(e->filter_value, sizeof e->filter_value, "%s", text);
        free(text);
    }
    free(part);
    for (uint64_t i = 0; i < axis->count; i++) {
        if (strcmp(axis->texts[i], e->filter_value) == 0) {
            return;
        }
    }
    refuse_value(node, e, &suggest, problems);
}

void scenario_check_expect(struct scenario *s, struct problems *problems)
{
    for (size_t i = 0; i < s->expect_count; i++) {
        struct expectation *e = &s->expect[i];
        const struct axis *axis;
        char shown[400];

        if (e->filter_path[0] == '\0') {
            continue;
        }
        if (strcmp(e->filter_path, "case") == 0) {
            bind_name(&s->cases, s->expect_nodes[i], e, problems);
        } else if (strcmp(e->filter_path, "variant") == 0) {
            bind_name(&s->variants, s->expect_nodes[i], e, problems);
        } else if ((axis = find_axis(s, e->filter_path)) != NULL) {
            bind_axis(s, axis, s->expect_nodes[i], e, problems);
        } else {
            node_problem(s->expect_nodes[i], problems, false, "expect",
                         "%s is no axis of this scenario; a filter is case, variant or an axis",
                         json_show(e->filter_path, strlen(e->filter_path), JSON_SHOWN_MOST, shown,
                                   sizeof shown));
        }
    }
}
