/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Some of the cases only (--case). All of them are read, so that what matters in another one is not
 * said to have no effect; then the points of those that were not asked for go. In a store it is the
 * same scenario: as with an axis that has fewer values, the runs of the others may come later.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"
#include "sim/study/suggest.h"

static void refuse(const struct scenario *s, const char *name, struct problems *problems)
{
    char hint[SUGGEST_TEXT_BYTES], shown[400];
    struct suggest suggest;

    suggest_init(&suggest, name);
    for (size_t i = 0; i < s->cases.count; i++) {
        suggest_offer(&suggest, s->cases.list[i].name);
    }
    json_show(name, strlen(name), JSON_SHOWN_MOST, shown, sizeof shown);
    problems_error(problems, "--case", "no case is named %s%s", shown,
                   s->cases.count > 0 ? suggest_text(&suggest, hint) : ": there are no cases");
}

void scenario_choose_cases(struct scenario *s, const struct scenario_options *options,
                           struct problems *problems)
{
    for (size_t i = 0; i < s->cases.count; i++) {
        s->cases.list[i].number = i;
        s->cases.list[i].dropped = options->case_count > 0;
    }
    for (size_t i = 0; i < options->case_count; i++) {
        size_t at = 0;

        while (at < s->cases.count && strcmp(s->cases.list[at].name, options->cases[i]) != 0) {
            at++;
        }
        if (at < s->cases.count) {
            s->cases.list[at].dropped = false;
        } else {
            refuse(s, options->cases[i], problems);
        }
    }
}

bool scenario_is_dropped(const struct scenario *s, size_t point)
{
    return s->cases.count > 0 && s->cases.list[scenario_point_index(s, point, 0)].dropped;
}

/* Assertions of a case that is dropped go with it. */
static void drop_expectations(struct scenario *s, const char *name)
{
    size_t kept = 0;

    for (size_t i = 0; i < s->expect_count; i++) {
        const struct expectation *e = &s->expect[i];

        if (strcmp(e->filter_path, "case") != 0 || strcmp(e->filter_value, name) != 0) {
            s->expect_nodes[kept] = s->expect_nodes[i];
            s->expect[kept++] = *e;
        }
    }
    s->expect_count = kept;
}

void scenario_drop_cases(struct scenario *s)
{
    struct axis *axis = s->axes; /* "case" is the first one */
    size_t each = s->cases.count > 0 ? s->points / s->cases.count : 0, kept = 0;

    for (size_t i = 0; i < s->cases.count; i++) {
        struct overrides *one = &s->cases.list[i];

        if (!one->dropped) {
            s->cases.list[kept] = *one;
            axis->texts[kept++] = axis->texts[i];
            continue;
        }
        drop_expectations(s, one->name);
        free(axis->texts[i]);
        if (i == 0) {
            s->first_case = *one;
        } else {
            overrides_fini(one);
        }
    }
    if (s->cases.count > 0) {
        s->cases.count = kept;
        axis->count = kept;
        s->points = kept * each;
    }
}

size_t scenario_point_number(const struct scenario *s, size_t point)
{
    size_t each = s->cases.count > 0 ? s->points / s->cases.count : 0;

    return each > 0 ? s->cases.list[point / each].number * each + point % each : point;
}

void scenario_first_config(const struct scenario *s, struct config *config)
{
    struct pile pile;

    s = s->parent ? s->parent : s;
    pile_init(&pile, s, 0, 0);
    if (s->first_case.name) {
        pile.layers[1] = &s->first_case.layer;
    }
    pile_build(&pile, s, config);
}
