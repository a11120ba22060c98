/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What was asked for and cannot show: an axis or a --set whose parameter is set again by a layer
 * above it, so that the value asked for is never in force; and costs outside the range that is
 * plausible for them. These say what the pile of layers does to each other; whether a parameter
 * matters to the models is scenario_check.c's.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

#define NAMES_SHOWN 4

/* Which of the cases or variants set a row: how many, and their names for a message. */
struct setters {
    size_t count;
    bool all; /* there are some, and each of them sets it */
    char names[300];
};

static void find_setters(struct setters *setters, const struct overrides_list *list,
                         const char *kind, size_t index)
{
    size_t used = 0, asked = 0;

    memset(setters, 0, sizeof *setters);
    for (size_t i = 0; i < list->count; i++) {
        char shown[60];

        if (list->list[i].dropped) {
            continue;
        }
        asked++;
        if (!layer_find(&list->list[i].layer, index)) {
            continue;
        }
        if (++setters->count <= NAMES_SHOWN) {
            const char *name = list->list[i].name;

            json_show(name, strlen(name), 50, shown, sizeof shown);
            used += (size_t)snprintf(setters->names + used, sizeof setters->names - used, "%s%s",
                                     used ? ", " : "", shown);
        }
    }
    setters->all = setters->count > 0 && setters->count == asked;
    if (setters->all) {
        snprintf(setters->names, sizeof setters->names, "every %s", kind);
    } else if (setters->count > 0) {
        char names[300];

        memcpy(names, setters->names, sizeof names);
        snprintf(setters->names, sizeof setters->names, "%s%s %.240s%s", kind,
                 setters->count > 1 ? "s" : "", names, setters->count > NAMES_SHOWN ? ", ..." : "");
    }
}

static const struct axis *find_axis(const struct scenario *s, size_t index)
{
    for (size_t i = 0; i < s->axis_count; i++) {
        if (s->axes[i].index == (ptrdiff_t)index) {
            return &s->axes[i];
        }
    }
    return NULL;
}

/* Variants lie above the axes, cases below them. */
static void check_axis(const struct scenario *s, const struct axis *axis, bool left_out,
                       struct problems *problems)
{
    struct setters variants, cases;

    find_setters(&variants, &s->variants, "variant", (size_t)axis->index);
    find_setters(&cases, &s->cases, "case", (size_t)axis->index);
    if (variants.all) {
        node_problem(axis->node, problems, false, axis->path,
                     "every variant sets it, so the axis changes nothing");
    } else if (variants.count > 0) {
        node_problem(axis->node, problems, true, axis->path,
                     "the axis changes nothing for %s, which set%s it", variants.names,
                     variants.count > 1 ? "" : "s");
    }
    if (cases.count > 0 && !left_out) {
        node_problem(axis->node, problems, true, axis->path,
                     "the axis replaces what %s set%s for it", cases.names,
                     cases.count > 1 && !cases.all ? "" : "s");
    }
}

/* A setting of the command line lies below cases, axes and variants. */
static void check_set(const struct scenario *s, const struct setting *setting, bool left_out,
                      struct problems *problems)
{
    const char *path = setting->place.row->path;
    struct setters variants, cases;
    bool axis = !left_out && find_axis(s, setting->index);

    find_setters(&variants, &s->variants, "variant", setting->index);
    find_setters(&cases, &s->cases, "case", setting->index);
    if (axis || variants.all || cases.all) {
        const struct setters *all = variants.all ? &variants : &cases;

        node_problem(setting->node, problems, true, path, "--set has no effect: %s sets it",
                     axis ? "the sweep" : all->names);
        return;
    }
    if (variants.count > 0) {
        node_problem(setting->node, problems, true, path,
                     "--set has no effect in %s, which set%s it", variants.names,
                     variants.count > 1 ? "" : "s");
    }
    if (cases.count > 0) {
        node_problem(setting->node, problems, true, path,
                     "--set has no effect in %s, which set%s it", cases.names,
                     cases.count > 1 ? "" : "s");
    }
}

/* The plausible range for a bare value, and as text: that of the value it replaces, else the row's.
 */
struct plausible {
    sim_time low, high;
    char least[64], most[64];
};

static void find_range(const struct scenario *s, const struct setting *setting, struct plausible *p)
{
    const struct param *row = setting->place.row, plain = {.path = row->path, .kind = PARAM_TIME};
    const struct setting *base = layer_find(&s->base, setting->index);
    const struct value_certificate *own = &setting->certificate;

    if (!own->has_range && base) {
        own = &base->certificate;
    }
    if (own->has_range) {
        p->low = own->low;
        p->high = own->high;
        param_print(&plain, &p->low, p->least, sizeof p->least);
        param_print(&plain, &p->high, p->most, sizeof p->most);
    } else {
        value_from_text(&plain, row->certificate.low, &p->low);
        value_from_text(&plain, row->certificate.high, &p->high);
        snprintf(p->least, sizeof p->least, "%s", row->certificate.low);
        snprintf(p->most, sizeof p->most, "%s", row->certificate.high);
    }
}

/* False: a warning was added. */
static bool check_cost(const struct scenario *s, const struct setting *setting,
                       struct problems *problems)
{
    const struct param *row = setting->place.row;
    struct plausible plausible;
    sim_time value;
    char *shown;

    if (row->kind != PARAM_COST || (setting->certificate.set && setting->certificate.has_range) ||
        !row->certificate.low || !row->certificate.high) {
        return true; /* one with a range of its own was held against it when it was read */
    }
    find_range(s, setting, &plausible);
    memcpy(&value, setting->packed, sizeof value);
    if (value >= plausible.low && value <= plausible.high) {
        return true;
    }
    shown = setting_text(setting);
    node_problem(setting->node, problems, true, row->path,
                 "%s is outside its plausible range %s..%s", shown, plausible.least,
                 plausible.most);
    free(shown);
    return false;
}

/* Of a layer every cost, of an axis the first value outside. */
static void check_costs(const struct scenario *s, const struct layer *layer,
                        struct problems *problems)
{
    for (size_t i = 0; i < layer->count; i++) {
        check_cost(s, &layer->list[i], problems);
    }
}

void scenario_check_effect(const struct scenario *s, bool left_out, struct problems *problems)
{
    for (size_t i = 0; i < s->base.count; i++) {
        const struct setting *setting = &s->base.list[i];

        if (!setting->node.doc->file && !scenario_is_whole(setting->place.row->path)) {
            check_set(s, setting, left_out, problems);
        }
    }
    check_costs(s, &s->base, problems);
    for (size_t i = 0; i < s->cases.count; i++) {
        if (!s->cases.list[i].dropped) {
            check_costs(s, &s->cases.list[i].layer, problems);
        }
    }
    for (size_t i = 0; i < s->variants.count; i++) {
        check_costs(s, &s->variants.list[i].layer, problems);
    }
    for (size_t i = 0; i < s->axis_count; i++) {
        const struct axis *axis = &s->axes[i];

        if (axis->index < 0) {
            continue;
        }
        check_axis(s, axis, left_out, problems);
        for (uint64_t v = 0; v < axis->count && check_cost(s, &axis->values[v], problems);) {
            v++;
        }
    }
}
