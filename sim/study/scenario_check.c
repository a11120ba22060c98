/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What needs whole configurations: rules across parameters at every point and variant, parameters
 * that are missing, settings without effect, kernels whose switches are mixed. A finding names the
 * place of the setting that is in force for its path, and comes once however many points share it.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

/* Configurations that are checked one by one; of larger sweeps every value of every axis is, with
 * the first ones of the others, and an even sample of the rest. */
#define CHECK_MOST 1000000

/* Findings at one path that differ in their text only (each point has its own numbers). */
#define SAME_PATH_MOST 8

/* A row that has a condition, and what was seen of it. */
struct asked {
    bool anywhere; /* set explicitly somewhere */
    bool effect;   /* its condition holds at some point where it is set */
    struct node node;
};

/* A finding that was added already, by what it looked like before it got its place. */
struct seen {
    const struct document *doc;
    uint32_t row;
    bool warning;
    char path[160];
    char text[512];
};

struct check {
    struct scenario *s;
    struct problems *problems;    /* those of all points */
    struct problems found;        /* of one configuration, kept for its room */
    struct asked *asked;          /* [rows] */
    size_t rows;
    struct seen *seen;
    size_t seen_count, seen_room;
};

/* How many problems there are already at this path. */
static size_t problems_at(const struct problems *problems, size_t from, const char *path)
{
    size_t count = 0;

    for (size_t i = from; i < problems->count; i++) {
        count += strcmp(problems->list[i].error.path, path) == 0;
    }
    return count;
}

static struct node last_root(const struct scenario *s)
{
    return document_root(s->files.docs[s->files.count - 1]);
}

/* Of a distribution or array the element that the text names by its number, else the whole. */
static struct node find_number(struct node node, const char *text)
{
    struct node best = node;

    if (node_type(node) != JSON_OBJECT && node_type(node) != JSON_ARRAY) {
        return node;
    }
    for (uint32_t i = 1; i < node.doc->scan.rows[node.row].span; i++) {
        const struct json_row *row = &node.doc->scan.rows[node.row + i];
        const char *at, *number = node.doc->text + row->at;

        if (row->type != JSON_NUMBER) {
            continue;
        }
        at = memmem(text, strlen(text), number, row->length);
        if (at && (at == text || at[-1] == ' ') &&
            (at[row->length] == ' ' || at[row->length] == '\0' || at[row->length] == ',')) {
            best.row = node.row + i;
        }
    }
    return best;
}

/* Element i of an array, else the whole. */
static struct node find_element(struct node node, unsigned i)
{
    struct node element = {.doc = node.doc, .item = node.item, .row = node.row + 1};

    if (node_type(node) != JSON_ARRAY) {
        return node;
    }
    while (i-- > 0) {
        element.row += node.doc->scan.rows[element.row].span;
    }
    return element.row < node.row + node.doc->scan.rows[node.row].span ? element : node;
}

/* Whether this finding is new; the newest are the likeliest to come again. */
static bool remember(struct check *check, struct node node, const struct problem *p)
{
    struct seen *seen;

    for (size_t i = check->seen_count; i-- > 0;) {
        seen = &check->seen[i];
        if (seen->row == node.row && seen->doc == node.doc && seen->warning == p->warning &&
            strcmp(seen->text, p->error.text) == 0 && strcmp(seen->path, p->error.path) == 0) {
            return false;
        }
    }
    if (check->seen_count == check->seen_room) {
        size_t room = check->seen_room ? 2 * check->seen_room : 16;

        check->seen = realloc(check->seen, room * sizeof *check->seen);
        if (!check->seen) {
            abort();
        }
        check->seen_room = room;
    }
    seen = &check->seen[check->seen_count++];
    seen->doc = node.doc;
    seen->row = node.row;
    seen->warning = p->warning;
    memcpy(seen->path, p->error.path, sizeof seen->path);
    memcpy(seen->text, p->error.text, sizeof seen->text);
    return true;
}

/* How many findings there are at this path. */
static size_t seen_at(const struct check *check, const char *path, bool warning)
{
    size_t count = 0;

    for (size_t i = 0; i < check->seen_count; i++) {
        count += check->seen[i].warning == warning && strcmp(check->seen[i].path, path) == 0;
    }
    return count;
}

/* Gives the problem of a part the place of the setting that is in force, and adds it once. */
static void keep(struct check *check, const struct pile *pile, const struct problem *p)
{
    const char *bracket = strchr(p->error.path, '[');
    char path[sizeof p->error.path];
    ptrdiff_t index;
    const struct setting *setting;
    struct node node;
    size_t same;

    snprintf(path, sizeof path, "%.*s", (int)strcspn(p->error.path, "["), p->error.path);
    index = param_lookup(check->s->schema, path, true, NULL);
    setting = index >= 0 ? pile_find(pile, (size_t)index) : NULL;
    node = !setting  ? last_root(check->s)
           : bracket ? find_element(setting->node, (unsigned)strtoul(bracket + 1, NULL, 10))
                     : find_number(setting->node, p->error.text);
    same = seen_at(check, p->error.path, p->warning);
    if (same > SAME_PATH_MOST || !remember(check, node, p)) {
        return;
    }
    if (same == SAME_PATH_MOST) {
        node_problem(node, check->problems, p->warning, p->error.path,
                     "and more of this kind at other points");
    } else {
        node_problem(node, check->problems, p->warning, p->error.path, "%s", p->error.text);
    }
}

static void run_checks(struct check *check, const struct pile *pile, const struct config *config)
{
    const struct param_schema *schema = check->s->schema;

    check->found.count = 0;
    for (size_t i = 0, n = param_part_count(schema); i < n; i++) {
        struct param_part part = param_part_at(schema, i);

        if (part.table->check) {
            part.table->check((const char *)config + part.offset, &check->found);
        }
    }
    if (schema->check) {
        schema->check(config, &check->found);
    }
    for (size_t i = 0; i < check->found.count; i++) {
        keep(check, pile, &check->found.list[i]);
    }
}

static void look_at(struct check *check, const struct setting *setting, const struct config *config)
{
    const struct conditions *conditions = check->s->conditions;
    struct asked *asked = &check->asked[setting->index];

    if (setting->shared || !conditions_has(conditions, setting->index) || asked->effect) {
        return;
    }
    if (!asked->anywhere) {
        asked->anywhere = true;
        asked->node = setting->node;
    }
    asked->effect = conditions_hold(conditions, setting->index, config);
}

static void look_at_layer(struct check *check, const struct layer *layer,
                          const struct config *config)
{
    for (size_t i = 0; layer && i < layer->count; i++) {
        look_at(check, &layer->list[i], config);
    }
}

/* "kernel 6.1 has guest.bql false; mixing kernel rows" where the choice was made explicitly. */
static void look_for_mix(struct check *check, const struct pile *pile)
{
    const struct scenario *s = check->s;

    for (size_t i = 0; i < s->preset_count; i++) {
        const struct preset *preset = &s->presets[i];
        const struct setting *choice = pile_find(pile, preset->index);

        if (!choice || !choice->place.row->mixing_warns ||
            pile_preset(pile, s, preset->index) != preset) {
            continue;
        }
        for (size_t j = 0; j < preset->layer.count; j++) {
            const struct setting *own = &preset->layer.list[j];
            const struct setting *set = pile_find(pile, own->index);
            struct problem p = {.warning = true, .error = {.kind = ERROR_INPUT}};
            char *want, *have;

            if (!set) {
                continue;
            }
            want = setting_text(own);
            have = setting_text(set);
            if (strcmp(want, have) != 0) {
                const struct param *row = choice->place.row;

                snprintf(p.error.path, sizeof p.error.path, "%s", own->place.row->path);
                snprintf(p.error.text, sizeof p.error.text, "%s %s has %s %.60s; mixing %s rows",
                         row->path, row->choices[preset->choice].name, own->place.row->path, want,
                         row->path);
                keep(check, pile, &p);
            }
            free(want);
            free(have);
        }
    }
}

static void check_one(struct check *check, size_t point, size_t variant)
{
    struct pile pile;
    struct config config;
    bool dropped;

    pile_init(&pile, check->s, point, variant);
    pile_build(&pile, check->s, &config);
    dropped = scenario_is_dropped(check->s, point);
    if (!dropped) {
        run_checks(check, &pile, &config);
    }
    for (int i = 0; i < 3; i++) {
        look_at_layer(check, pile.layers[i], &config);
    }
    for (size_t i = 0; i < pile.axis_count; i++) {
        look_at(check, pile.axis[i], &config);
    }
    if (!dropped) {
        look_for_mix(check, &pile);
    }
}

static void report_no_effect(struct check *check, size_t index)
{
    const struct asked *asked = &check->asked[index];
    const struct param *row = param_at(check->s->schema, index).row;

    if (asked->anywhere && !asked->effect) {
        char alternatives[120];
        size_t used = 0;

        for (const char *v = row->when_value; *v && used + 5 < sizeof alternatives; v++) {
            if (*v == '|') {
                used += (size_t)snprintf(alternatives + used, 5, " or ");
            } else {
                alternatives[used++] = *v;
            }
        }
        alternatives[used] = '\0';
        node_problem(asked->node, check->problems, true, row->path, "has no effect: only with %s %s",
                     row->when_path, alternatives);
    }
}

/* Whether a row is set everywhere. */
static bool is_set(const struct scenario *s, size_t index)
{
    size_t cases = 0, variants = 0;

    if (layer_find(&s->base, index)) {
        return true;
    }
    for (size_t i = 0; i < s->axis_count; i++) {
        if (s->axes[i].index == (ptrdiff_t)index) {
            return true;
        }
    }
    for (size_t i = 0; i < s->cases.count; i++) {
        cases += layer_find(&s->cases.list[i].layer, index) != NULL;
    }
    for (size_t i = 0; i < s->variants.count; i++) {
        variants += layer_find(&s->variants.list[i].layer, index) != NULL;
    }
    return (cases && cases == s->cases.count) || (variants && variants == s->variants.count);
}

/* Whether any file says anything about the top-level key of a path. */
static bool is_begun(const struct scenario *s, const char *top)
{
    for (size_t i = 0; i < s->files.count; i++) {
        if (s->files.docs[i]->root && node_member(document_root(s->files.docs[i]), top).item) {
            return true;
        }
    }
    return false;
}

void scenario_check_required(const struct scenario *s, struct problems *problems)
{
    size_t before = problems->count;

    for (size_t i = 0, n = param_count(s->schema); i < n; i++) {
        const struct param *row = param_at(s->schema, i).row;
        struct node root = last_root(s);
        char top[160];

        if (!row->required || is_set(s, i) ||
            problems_at(problems, s->problems_before, row->path) > 0) {
            continue;
        }
        snprintf(top, sizeof top, "%.*s", (int)strcspn(row->path, "."), row->path);
        if (is_begun(s, top)) {
            struct node group = node_member(root, top);

            node_problem(group.item ? group : root, problems, false, row->path, "missing");
        } else if (problems_at(problems, before, top) == 0) {
            node_problem(root, problems, false, top, "missing");
        }
    }
}

static size_t greatest_common_divisor(size_t a, size_t b)
{
    while (b != 0) {
        size_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* Points that differ from the first one in a single axis. */
static void check_each_axis(struct check *check, size_t variants)
{
    struct scenario *s = check->s;

    for (size_t i = 0; i < s->axis_count; i++) {
        size_t stride = 1;

        for (size_t j = i + 1; j < s->axis_count; j++) {
            stride *= scenario_dimension(s, j) == j ? (size_t)s->axes[j].count : 1;
        }
        for (size_t k = 0; k < s->axes[i].count * variants; k++) {
            check_one(check, k / variants * stride, k % variants);
        }
    }
}

static void check_all(struct check *check)
{
    struct scenario *s = check->s;
    size_t variants = s->variants.count ? s->variants.count : 1;
    size_t total = s->points * variants, step = 1;

    if (total > CHECK_MOST) {
        check_each_axis(check, variants);
        /* A step without a common divisor visits the values of every axis evenly. */
        step = total / CHECK_MOST + 1;
        while (greatest_common_divisor(step, total) != 1) {
            step++;
        }
    }
    for (size_t i = 0; i < total; i += step) {
        check_one(check, i / variants, i % variants);
    }
}

void scenario_check(struct scenario *s, struct problems *problems)
{
    struct check check = {.s = s, .problems = problems, .rows = param_count(s->schema)};

    scenario_check_required(s, problems);
    if (problems->errors > s->errors_before) {
        scenario_check_file(s, problems);
        return;
    }
    problems_init(&check.found);
    check.asked = calloc(check.rows, sizeof *check.asked);
    if (!check.asked) {
        abort();
    }
    check_all(&check);
    for (size_t i = 0; i < check.rows; i++) {
        report_no_effect(&check, i);
    }
    free(check.asked);
    free(check.seen);
    problems_fini(&check.found);
}
