/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The points of a scenario: axes from cases, sweep, sweep_zip and --vary. The product is formed
 * before any value is made, saturating, so that a sweep of 10^30 points is refused as quickly as
 * one of ten.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario_parts.h"

static struct axis *new_axis(struct scenario *s)
{
    struct axis *axes = realloc(s->axes, (s->axis_count + 1) * sizeof *axes);

    if (!axes) {
        abort();
    }
    s->axes = axes;
    memset(&axes[s->axis_count], 0, sizeof *axes);
    return &axes[s->axis_count++];
}

static void add_cases(struct scenario *s)
{
    struct axis *axis;

    if (s->cases.count == 0) {
        return;
    }
    axis = new_axis(s);
    axis->path = strdup("case");
    axis->index = -1;
    axis->node = s->cases.node;
    axis->count = s->cases.count;
    axis->texts = calloc(s->cases.count, sizeof *axis->texts);
    if (!axis->path || !axis->texts) {
        abort();
    }
    for (size_t i = 0; i < s->cases.count; i++) {
        axis->texts[i] = strdup(s->cases.list[i].name);
        if (!axis->texts[i]) {
            abort();
        }
    }
}

static struct axis *find_axis(struct scenario *s, const char *path)
{
    for (size_t i = 0; i < s->axis_count; i++) {
        if (strcmp(s->axes[i].path, path) == 0) {
            return &s->axes[i];
        }
    }
    return NULL;
}

static bool read_section(struct scenario *s, struct node section, const char *name, bool zipped,
                         struct problems *problems)
{
    bool ok = true;

    if (!section.item) {
        return true;
    }
    if (node_type(section) != JSON_OBJECT) {
        node_problem(section, problems, false, name, "expected an object of axes, got %s",
                     node_type_name(section));
        return false;
    }
    for (struct node n = node_first(section); n.item; n = node_next(n)) {
        struct axis axis;

        if (node_key(n)[0] == '_') {
            continue;
        }
        ok = axis_read(&axis, s->schema, n, node_key(n), zipped, problems) && ok;
        if (scenario_is_whole(axis.path)) {
            node_key_problem(n, problems, false, axis.path,
                             "belongs to the whole scenario and is no axis");
            ok = false;
        }
        if (find_axis(s, axis.path)) {
            node_key_problem(n, problems, false, axis.path, "is an axis already");
            axis_fini(&axis);
            ok = false;
            continue;
        }
        *new_axis(s) = axis;
    }
    return ok;
}

/* --vary replaces the axis of the same parameter, or adds one. */
static bool read_vary(struct scenario *s, const struct scenario_options *options,
                      struct problems *problems)
{
    bool ok = true;

    for (size_t i = 0; i < options->vary_count; i++) {
        const char *text;
        ptrdiff_t index = scenario_option_path(s, "--vary", options->vary[i], &text, problems);
        const struct param *row;
        struct document *doc;
        struct axis *old, axis;

        if (index < 0) {
            ok = false;
            continue;
        }
        row = param_at(s->schema, (size_t)index).row;
        if (scenario_is_whole(row->path)) {
            problems_error(problems, row->path, "belongs to the whole scenario and is no axis");
            ok = false;
            continue;
        }
        doc = scenario_new_text(s);
        if (!axis_parse(row, text, row->path, doc, problems)) {
            ok = false;
            continue;
        }
        old = find_axis(s, row->path);
        ok = axis_read(&axis, s->schema, document_root(doc), row->path, old && old->zipped,
                       problems) &&
             ok;
        if (old) {
            axis_fini(old);
        } else {
            old = new_axis(s);
        }
        *old = axis;
    }
    return ok;
}

static bool check_zip(struct scenario *s, struct problems *problems)
{
    const struct axis *first = NULL;

    for (size_t i = 0; i < s->axis_count; i++) {
        struct axis *axis = &s->axes[i];

        if (!axis->zipped) {
            continue;
        }
        if (first && axis->count != first->count) {
            node_problem(axis->node, problems, false, axis->path,
                         "zipped lists differ: %" PRIu64 " and %" PRIu64 " values", first->count,
                         axis->count);
            return false;
        }
        first = first ? first : axis;
    }
    return true;
}

/* a x b, stuck at the largest number. */
static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t product;

    return __builtin_mul_overflow(a, b, &product) ? UINT64_MAX : product;
}

/* Values of the zipped axes; the longest counts while they are not known to agree. */
static uint64_t zip_count(const struct scenario *s)
{
    uint64_t most = 0;

    for (size_t i = 0; i < s->axis_count; i++) {
        if (s->axes[i].zipped && s->axes[i].count > most) {
            most = s->axes[i].count;
        }
    }
    return most;
}

static uint64_t count_points(const struct scenario *s, char *formula, size_t bytes)
{
    uint64_t points = 1;
    size_t used = 0;

    formula[0] = '\0';
    for (size_t i = 0; i < s->axis_count; i++) {
        uint64_t count = s->axes[i].zipped ? zip_count(s) : s->axes[i].count;

        if (scenario_dimension(s, i) != i) {
            continue;
        }
        points = times(points, count);
        if (used < bytes) {
            used += (size_t)snprintf(formula + used, bytes - used, "%s%" PRIu64, used ? " x " : "",
                                     count);
        }
    }
    return points;
}

/* The values of an axis are kept in memory, whatever the limit of points. */
static bool check_axes(const struct scenario *s, struct problems *problems)
{
    bool ok = true;

    for (size_t i = 0; i < s->axis_count; i++) {
        if (s->axes[i].count > AXIS_VALUES_MOST) {
            node_problem(s->axes[i].node, problems, false, s->axes[i].path,
                         "%" PRIu64 " values; an axis has up to %d", s->axes[i].count,
                         AXIS_VALUES_MOST);
            ok = false;
        }
    }
    return ok;
}

static bool check_limit(const struct scenario *s, const struct scenario_options *options,
                        struct problems *problems)
{
    uint64_t limit = options->most_points ? options->most_points : SCENARIO_POINTS_MOST;
    uint64_t variants = s->variants.count ? s->variants.count : 1, points, runs;
    char formula[300], total[40], times_variants[60] = "";
    struct config config = s->defaults;
    struct node at = s->sweep.item ? s->sweep : s->sweep_zip.item ? s->sweep_zip : s->cases.node;

    layer_apply(&s->base, &config);
    points = count_points(s, formula, sizeof formula);
    runs = times(times(points, variants), config.study.replications);
    if (runs <= limit) {
        return true;
    }
    snprintf(total, sizeof total, "%s%" PRIu64, points == UINT64_MAX ? "more than " : "", points);
    if (variants > 1) {
        snprintf(times_variants, sizeof times_variants, " x %" PRIu64 " variants", variants);
    }
    if (!at.item) {
        at = document_root(s->files.docs[s->files.count - 1]);
    }
    node_problem(at, problems, false, "sweep",
                 "too many points: %s = %s points%s x %u replications; limit %" PRIu64
                 " runs (--max-points)",
                 formula, total, times_variants, config.study.replications, limit);
    return false;
}

bool scenario_sweep(struct scenario *s, const struct scenario_options *options,
                    struct problems *problems)
{
    bool ok;

    add_cases(s);
    ok = read_section(s, s->sweep, "sweep", false, problems);
    ok = read_section(s, s->sweep_zip, "sweep_zip", true, problems) && ok;
    ok = read_vary(s, options, problems) && ok;
    ok = check_zip(s, problems) && ok;
    if (s->axis_count > SCENARIO_PILE_MOST) {
        problems_error(problems, "sweep", "more than %d axes", SCENARIO_PILE_MOST);
        return false;
    }
    s->points = 1;
    if (!check_limit(s, options, problems) || !check_axes(s, problems)) {
        return false;
    }
    for (size_t i = 0; i < s->axis_count; i++) {
        struct axis *axis = &s->axes[i];

        if (axis->index >= 0 && axis->sound) {
            ok = axis_make(axis, s->schema, problems) && ok;
        }
    }
    if (ok) {
        char formula[8];

        s->points = (size_t)count_points(s, formula, sizeof formula);
    }
    return ok;
}

size_t scenario_dimension(const struct scenario *s, size_t axis)
{
    for (size_t i = 0; s->axes[axis].zipped && i < axis; i++) {
        if (s->axes[i].zipped) {
            return i;
        }
    }
    return axis;
}

size_t scenario_point_index(const struct scenario *s, size_t point, size_t axis)
{
    size_t target = scenario_dimension(s, axis);

    /* The last axis changes fastest: divide from the end. */
    for (size_t i = s->axis_count; i-- > target + 1;) {
        if (scenario_dimension(s, i) == i) {
            point /= (size_t)s->axes[i].count;
        }
    }
    return point % (size_t)s->axes[target].count;
}
