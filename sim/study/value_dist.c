/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/value_dist.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/study/suggest.h"

/* Reads `wanted` whole numbers and, with weight, a positive weight after them. */
static bool read_tuple(const struct param *row, struct node list, const char *path, size_t wanted,
                       bool weight, struct node *nodes, uint64_t *values, double *weight_value,
                       struct problems *problems)
{
    struct node at = node_first(list);
    size_t count = 0;

    if (node_type(list) == JSON_ARRAY) {
        for (struct node n = at; n.item; n = node_next(n)) {
            count++;
        }
    }
    if (count != wanted + (weight ? 1 : 0)) {
        node_problem(list, problems, false, path, "expected %s%s, got %s",
                     wanted == 2 ? "[low, high" : "[value", weight ? ", weight]" : "]",
                     node_type(list) == JSON_ARRAY ? "another number of elements"
                                                   : node_type_name(list));
        return false;
    }
    for (size_t i = 0; i < wanted; i++, at = node_next(at)) {
        nodes[i] = at;
        if (!value_whole(row, at, path, &values[i], problems) ||
            !value_in_range(row, (double)values[i], at, path, problems)) {
            return false;
        }
    }
    if (weight) {
        struct decimal number = {0};
        char shown[256];

        if (node_type(at) == JSON_NUMBER && !value_decimal(at, path, &number, problems)) {
            return false;
        }
        *weight_value = decimal_double(number);
        if (decimal_sign(number) <= 0 || *weight_value > 1e12 || *weight_value < 1e-12) {
            node_problem(at, problems, false, path,
                         "weight %s: must be a number from 1e-12 to 1e12",
                         node_show(at, shown, sizeof shown));
            return false;
        }
    }
    return true;
}

static bool check_order(struct node node, uint64_t low, uint64_t high, const char *form,
                        const char *path, struct problems *problems)
{
    if (low <= high) {
        return true;
    }
    node_problem(node, problems, false, path, "%s: low %" PRIu64 " > high %" PRIu64, form, low,
                 high);
    return false;
}

/* The bins of a list or histogram. */
static bool read_bins(const struct param *row, struct node bins, const char *path, size_t wanted,
                      struct dist *dist, struct problems *problems)
{
    const char *form = wanted == 2 ? "histogram" : "list";

    if (node_type(bins) != JSON_ARRAY || !node_first(bins).item) {
        node_problem(bins, problems, false, path, "%s: expected a list of %s, got %s", form,
                     wanted == 2 ? "[low, high, weight]" : "[value, weight]",
                     node_type(bins) == JSON_ARRAY ? "an empty one" : node_type_name(bins));
        return false;
    }
    for (struct node n = node_first(bins); n.item; n = node_next(n)) {
        struct node nodes[2];
        uint64_t values[2];
        double weight = 0;

        if (dist->count == DIST_BINS) {
            node_problem(n, problems, false, path, "%s: more than %d entries", form, DIST_BINS);
            return false;
        }
        if (!read_tuple(row, n, path, wanted, true, nodes, values, &weight, problems)) {
            return false;
        }
        if (wanted == 1) {
            values[1] = values[0];
        }
        if (!check_order(n, values[0], values[1], form, path, problems)) {
            return false;
        }
        dist->bin[dist->count++] = (struct dist_bin){values[0], values[1], weight};
    }
    return true;
}

static bool read_form(const struct param *row, struct node form, const char *path,
                      struct dist *dist, struct problems *problems)
{
    const char *key = node_key(form);
    struct node nodes[2];
    uint64_t values[2];

    if (strcmp(key, "uniform") == 0) {
        dist->kind = DIST_UNIFORM;
        if (!read_tuple(row, form, path, 2, false, nodes, values, NULL, problems) ||
            !check_order(form, values[0], values[1], key, path, problems)) {
            return false;
        }
        dist->bin[0] = (struct dist_bin){values[0], values[1], 1.0};
        dist->count = 1;
        return true;
    }
    if (strcmp(key, "list") == 0) {
        dist->kind = DIST_LIST;
        return read_bins(row, form, path, 1, dist, problems);
    }
    if (strcmp(key, "histogram") == 0) {
        dist->kind = DIST_HISTOGRAM;
        return read_bins(row, form, path, 2, dist, problems);
    }
    return false;
}

/* The member that says which law it is; the others are comments or unknown. */
static struct node find_form(struct node node, const char *path, struct problems *problems)
{
    static const char *const forms[] = {"uniform", "list", "histogram"};
    struct node found = {.doc = node.doc};

    for (struct node n = node_first(node); n.item; n = node_next(n)) {
        struct suggest suggest;
        char shown[256], hint[SUGGEST_TEXT_BYTES];

        if (node_key(n)[0] == '_') {
            continue;
        }
        suggest_init(&suggest, node_key(n));
        for (size_t i = 0; i < 3; i++) {
            suggest_offer(&suggest, forms[i]);
        }
        if (suggest.best_distance != 0 || found.item) {
            node_key_problem(n, problems, false, path,
                             "%s: one of uniform, list, histogram is needed%s",
                             node_show_key(n, shown, sizeof shown),
                             found.item ? " and no more" : suggest_text(&suggest, hint));
            found.item = NULL;
            return found;
        }
        found = n;
    }
    if (!found.item) {
        node_problem(node, problems, false, path,
                     "one of uniform, list, histogram is needed, got an empty object");
    }
    return found;
}

/* A range is what an axis has; of a distribution the like is called uniform. */
static void refuse_dist(struct node node, const char *path, struct problems *problems)
{
    const char *text = node_text(node);
    uint64_t low, high;
    char hint[100] = "", shown[200] = "";
    int used = 0;

    if (text && sscanf(text, "%18" SCNu64 "..%18" SCNu64 "%n", &low, &high, &used) == 2 &&
        text[used] == '\0') {
        snprintf(hint, sizeof hint, "; write {\"uniform\": [%" PRIu64 ", %" PRIu64 "]}", low, high);
    }
    if (text) {
        node_show(node, shown, sizeof shown);
    }
    node_problem(node, problems, false, path,
                 "expected a whole number or {\"uniform\": [low, high]}, got %s%s%s%s",
                 node_type_name(node), text ? " " : "", shown, hint);
}

bool value_read_dist(const struct param *row, struct node node, const char *path, void *field,
                     struct problems *problems)
{
    struct dist dist;
    struct node form;
    uint64_t value;

    memset(&dist, 0, sizeof dist);
    if (node_type(node) == JSON_NUMBER) {
        if (!value_whole(row, node, path, &value, problems) ||
            !value_in_range(row, (double)value, node, path, problems)) {
            return false;
        }
        dist.kind = DIST_CONSTANT;
        dist.count = 1;
        dist.bin[0] = (struct dist_bin){value, value, 1.0};
        memcpy(field, &dist, sizeof dist);
        return true;
    }
    if (node_type(node) != JSON_OBJECT) {
        refuse_dist(node, path, problems);
        return false;
    }
    form = find_form(node, path, problems);
    if (!form.item || !read_form(row, form, path, &dist, problems)) {
        return false;
    }
    memcpy(field, &dist, sizeof dist);
    return true;
}

static const struct param *find_member(const struct param *row, const char *key)
{
    for (size_t m = 0; m < row->item_count; m++) {
        if (strcmp(row->item[m].path, key) == 0) {
            return &row->item[m];
        }
    }
    return NULL;
}

static bool refuse_member(const struct param *row, struct node n, const char *path,
                          struct problems *problems)
{
    struct suggest suggest;
    char shown[256], hint[SUGGEST_TEXT_BYTES];

    suggest_init(&suggest, node_key(n));
    for (size_t m = 0; m < row->item_count; m++) {
        suggest_offer(&suggest, row->item[m].path);
    }
    node_key_problem(n, problems, false, path, "unknown key %s%s",
                     node_show_key(n, shown, sizeof shown), suggest_text(&suggest, hint));
    return false;
}

/* One element; members that are left out take their default. */
static bool read_item(const struct param *row, struct node node, const char *path, void *item,
                      struct problems *problems)
{
    bool ok = true;

    if (node_type(node) != JSON_OBJECT) {
        node_problem(node, problems, false, path, "expected object, got %s", node_type_name(node));
        return false;
    }
    for (size_t m = 0; m < row->item_count; m++) {
        if (row->item[m].fallback) {
            value_from_text(&row->item[m], row->item[m].fallback, item);
        }
        if (row->item[m].required && !node_member(node, row->item[m].path).item) {
            node_problem(node, problems, false, path, "%s: missing", row->item[m].path);
            ok = false;
        }
    }
    for (struct node n = node_first(node); n.item; n = node_next(n)) {
        const struct param *member;

        if (node_key(n)[0] == '_') {
            continue;
        }
        member = find_member(row, node_key(n));
        ok = (member ? value_read(member, n, path, item, NULL, problems)
                     : refuse_member(row, n, path, problems)) &&
             ok;
    }
    return ok;
}

bool value_read_array(const struct param *row, struct node node, const char *path, void *part,
                      struct problems *problems)
{
    char *items = (char *)part + row->items_offset;
    uint32_t count = 0;
    bool ok = true;

    if (node_type(node) != JSON_ARRAY) {
        node_problem(node, problems, false, path, "expected a list of objects, got %s",
                     node_type_name(node));
        return false;
    }
    memset(items, 0, row->items_most * row->item_bytes);
    for (struct node n = node_first(node); n.item; n = node_next(n)) {
        if (count == row->items_most) {
            node_problem(n, problems, false, path, "more than %u entries", row->items_most);
            return false;
        }
        ok = read_item(row, n, path, items + count * row->item_bytes, problems) && ok;
        count++;
    }
    memcpy((char *)part + row->offset, &count, sizeof count);
    return ok;
}

static bool read_cost_time(const struct param *row, struct node n, const char *path,
                           sim_time *value, struct problems *problems)
{
    struct param plain = *row;

    plain.kind = PARAM_TIME;
    plain.offset = 0;
    return value_read(&plain, n, path, value, NULL, problems);
}

static bool read_status(struct node n, const char *path, struct value_certificate *certificate,
                        struct problems *problems)
{
    char shown[256];

    for (int i = PARAM_GUESS; i <= PARAM_CALIBRATED; i++) {
        if (node_text(n) && strcmp(node_text(n), value_status_name((enum param_status)i)) == 0) {
            certificate->status = (enum param_status)i;
            certificate->has_status = true;
            return true;
        }
    }
    node_problem(n, problems, false, path, "status %s: one of guess, measured, calibrated",
                 node_show(n, shown, sizeof shown));
    return false;
}

/* A member of the object into the certificate, or the value into *value. */
static bool read_cost_member(const struct param *row, struct node n, const char *path,
                             sim_time *value, struct value_certificate *c,
                             struct problems *problems)
{
    const char *key = node_key(n);
    char shown[256];

    if (strcmp(key, "value") == 0) {
        return read_cost_time(row, n, path, value, problems);
    }
    if (strcmp(key, "low") == 0) {
        return read_cost_time(row, n, path, &c->low, problems);
    }
    if (strcmp(key, "high") == 0) {
        return read_cost_time(row, n, path, &c->high, problems);
    }
    if (strcmp(key, "status") == 0) {
        return read_status(n, path, c, problems);
    }
    if (strcmp(key, "source") == 0) {
        if (!node_text(n)) {
            node_problem(n, problems, false, path, "source: expected text, got %s",
                         node_type_name(n));
            return false;
        }
        c->source = node_text(n);
        return true;
    }
    node_key_problem(n, problems, false, path,
                     "unknown key %s; a cost has value, low, high, status, source",
                     node_show_key(n, shown, sizeof shown));
    return false;
}

bool value_read_cost(const struct param *row, struct node node, const char *path, void *part,
                     struct value_certificate *certificate, struct problems *problems)
{
    struct value_certificate c = {.set = true};
    struct node low = node_member(node, "low"), high = node_member(node, "high"),
                value_node = node_member(node, "value");
    sim_time value = 0;
    bool ok = true;

    for (struct node n = node_first(node); n.item; n = node_next(n)) {
        if (node_key(n)[0] != '_') {
            ok = read_cost_member(row, n, path, &value, &c, problems) && ok;
        }
    }
    if (!value_node.item) {
        node_problem(node, problems, false, path, "a cost needs a value");
        ok = false;
    }
    if ((low.item != NULL) != (high.item != NULL)) {
        node_problem(low.item ? low : high, problems, false, path,
                     "low and high go together; one is missing");
        ok = false;
    }
    if (!ok) {
        return false;
    }
    c.has_range = low.item != NULL;
    if (c.has_range && c.low > c.high) {
        node_problem(low, problems, false, path, "low is above high");
        return false;
    }
    if (c.has_range && (value < c.low || value > c.high)) {
        char shown[256], least[256], most[256];

        node_problem(value_node, problems, true, path, "%s is outside its plausible range %s..%s",
                     node_show(value_node, shown, sizeof shown),
                     node_show(low, least, sizeof least), node_show(high, most, sizeof most));
    }
    memcpy((char *)part + row->offset, &value, sizeof value);
    if (certificate) {
        *certificate = c;
    }
    return true;
}
