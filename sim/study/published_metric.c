/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cells that are a metric of a scenario, and means of such cells. */
#include <stdio.h>
#include <string.h>

#include "models/metric.h"
#include "sim/study/published_parts.h"

/* "AXIS=VALUE" of a member; false with a problem. */
static bool read_setting(struct published_reader *r, struct node node,
                         struct published_point *point)
{
    char number[JSON_NUMBER_MOST + 1];
    const char *value = node_text(node);
    char *into = point->set[point->set_count];
    int length;

    if (!value && node_number(node, number)) {
        value = number;
    } else if (!value && (node_type(node) == JSON_TRUE || node_type(node) == JSON_FALSE)) {
        value = node_type(node) == JSON_TRUE ? "true" : "false";
    }
    if (!value || point->set_count == PUBLISHED_SETTINGS) {
        published_complain(r, node, "at", value ? "too many" : "the value of an axis is needed");
        return false;
    }
    if (strcmp(node_key(node), "case") == 0) {
        length = snprintf(point->one_case, sizeof point->one_case, "%s", value);
    } else {
        length = snprintf(into, sizeof point->set[0], "%s=%s", node_key(node), value);
        point->set_count++;
    }
    if (length < 0 || (size_t)length >= sizeof point->set[0]) {
        published_complain(r, node, "at", "too long");
        return false;
    }
    return true;
}

/* Index of an equal point, made when it is new. */
static bool share_point(struct published_reader *r, struct node node,
                        const struct published_point *point, size_t *index)
{
    struct published *p = r->published;

    for (size_t i = 0; i < p->point_count; i++) {
        if (memcmp(&p->point[i], point, sizeof *point) == 0) {
            *index = i;
            return true;
        }
    }
    if (p->point_count == PUBLISHED_POINTS) {
        published_complain(r, node, "at", "too many points");
        return false;
    }
    p->point[p->point_count] = *point;
    *index = p->point_count++;
    return true;
}

/* What the object says of an operand; what it does not say stays as it was. */
static bool read_operand(struct published_reader *r, struct node node, struct published_operand *o)
{
    struct published_point point = {0};
    struct node at = node_member(node, "at"), metric = node_member(node, "metric");
    char file[PUBLISHED_NAME];

    if (o->point < r->published->point_count) {
        point = r->published->point[o->point];
    }
    if (node_member(node, "scenario").item || point.scenario[0] == '\0') {
        memset(&point, 0, sizeof point);
        if (!published_text(r, node, "scenario", file, sizeof file) ||
            !published_beside(r->published, file, point.scenario, sizeof point.scenario)) {
            return false;
        }
    }
    if (at.item) {
        memset(point.set, 0, sizeof point.set);
        memset(point.one_case, 0, sizeof point.one_case);
        point.set_count = 0;
    }
    for (struct node n = node_first(at); at.item && n.item; n = node_next(n)) {
        if (!read_setting(r, n, &point)) {
            return false;
        }
    }
    if (node_member(node, "variant").item &&
        !published_text(r, node, "variant", o->variant, sizeof o->variant)) {
        return false;
    }
    if (metric.item) {
        o->metric = node_text(metric) ? metric_find(node_text(metric)) : -1;
        if (o->metric < 0) {
            published_complain(r, metric, "metric", "the name of a metric is needed");
            return false;
        }
    }
    return share_point(r, node, &point, &o->point);
}

static bool read_against(struct published_reader *r, struct node node, struct published_cell *cell)
{
    static const char *const words[] = {NULL, "ratio", "percent", "difference"};
    struct node as = node_member(node, "as");
    const char *text = as.item ? node_text(as) : NULL;

    for (int i = AGAINST_RATIO; text && i <= AGAINST_DIFFERENCE; i++) {
        if (strcmp(text, words[i]) == 0) {
            cell->against = (enum against)i;
        }
    }
    if (cell->against == AGAINST_NOTHING) {
        published_complain(r, as.item ? as : node, "as", "ratio, percent or difference is needed");
        return false;
    }
    cell->base = cell->operand;
    return read_operand(r, node, &cell->base);
}

/* Units as the other measures spell them. */
static void name_unit(struct published_cell *cell)
{
    const char *unit = metric_unit((enum metric)cell->operand.metric);

    if (cell->against == AGAINST_RATIO) {
        unit = "ratio";
    } else if (cell->against == AGAINST_PERCENT || strcmp(unit, "%") == 0) {
        unit = "percent";
    } else if (strcmp(unit, "packets/s") == 0) {
        unit = "pps";
    }
    snprintf(cell->unit, sizeof cell->unit, "%s", unit);
}

bool published_read_metric(struct published_reader *r, struct node node,
                           struct published_cell *cell)
{
    struct node against = node_member(node, "against");

    cell->operand.point = PUBLISHED_POINTS;
    cell->operand.metric = -1;
    snprintf(cell->operand.variant, sizeof cell->operand.variant, "base");
    if (!read_operand(r, node, &cell->operand)) {
        return false;
    }
    if (cell->operand.metric < 0) {
        published_complain(r, node, "metric", "the name of a metric is needed");
        return false;
    }
    if (cell->hide[0] != '\0') {
        published_complain(r, node, "hide", "only cells of the bed are simulated with other costs");
        return false;
    }
    if (against.item && !read_against(r, against, cell)) {
        return false;
    }
    name_unit(cell);
    return true;
}

bool published_read_mean(struct published_reader *r, struct node node, struct published_cell *cell)
{
    const struct published *p = r->published;
    struct node of = node_member(node, "of");

    for (struct node n = node_first(of); of.item && n.item; n = node_next(n)) {
        const char *name = node_text(n);
        size_t i = 0;

        while (name && i < p->cell_count &&
               (strcmp(p->cell[i].cell, name) != 0 || p->cell[i].measure != MEASURE_METRIC)) {
            i++;
        }
        if (!name || i == p->cell_count || cell->of_count == PUBLISHED_OF) {
            published_complain(r, n, "of", "an earlier cell that is a metric is needed");
            return false;
        }
        cell->of[cell->of_count++] = i;
        if (strcmp(p->cell[i].unit, p->cell[cell->of[0]].unit) != 0) {
            published_complain(r, n, "of", "its unit is another one");
            return false;
        }
    }
    if (cell->of_count == 0) {
        published_complain(r, node, "of", "a list of cells is needed");
        return false;
    }
    snprintf(cell->unit, sizeof cell->unit, "%s", p->cell[cell->of[0]].unit);
    return true;
}
