/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a published table: its own file and what it names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/data_dir.h"
#include "sim/study/published_parts.h"

void published_complain(struct published_reader *r, struct node at, const char *path,
                        const char *text)
{
    node_problem(at, r->problems, false, path, "%s", text);
}

bool published_text(struct published_reader *r, struct node object, const char *key, char *into,
                    size_t bytes)
{
    struct node node = node_member(object, key);
    const char *text = node.item ? node_text(node) : NULL;

    if (!text || text[0] == '\0' || strlen(text) >= bytes) {
        published_complain(r, node.item ? node : object, key, "a text is needed");
        return false;
    }
    memcpy(into, text, strlen(text) + 1);
    return true;
}

bool published_number(struct node node, double *value)
{
    char text[JSON_NUMBER_MOST + 1];

    if (!node.item || !node_number(node, text)) {
        return false;
    }
    *value = strtod(text, NULL);
    return isfinite(*value);
}

bool published_beside(const struct published *p, const char *name, char *path, size_t bytes)
{
    const char *slash = strrchr(p->file, '/');
    int folder = slash ? (int)(slash - p->file) + 1 : 0;
    int length = snprintf(path, bytes, "%.*s%s", folder, p->file, name);

    return length > 0 && (size_t)length < bytes;
}

size_t published_variant_of(struct published_reader *r, const char *name)
{
    struct published *p = r->published;
    size_t i = 0;

    if (!name || name[0] == '\0' || strlen(name) >= PUBLISHED_NAME) {
        return PUBLISHED_VARIANTS;
    }
    while (i < p->variant_count && strcmp(p->variant[i].name, name) != 0) {
        i++;
    }
    if (i == p->variant_count && i < PUBLISHED_VARIANTS) {
        snprintf(p->variant[i].name, PUBLISHED_NAME, "%s", name);
        p->variant_count++;
    }
    return i;
}

bool published_need_variant(struct published_reader *r, struct node object, size_t *variant)
{
    struct node node = node_member(object, "variant");
    size_t before = r->published->variant_count;

    *variant = published_variant_of(r, node.item ? node_text(node) : NULL);
    if (*variant < before) {
        return true;
    }
    r->published->variant_count = before;
    *variant = 0;
    published_complain(r, node.item ? node : object, "variant",
                       "a variant with a rate or a profile is needed");
    return false;
}

int published_symbol(struct node node)
{
    const char *text = node.item ? node_text(node) : NULL;
    int symbol = 0;

    while (text && symbol < SYMBOL_COUNT && strcmp(symbol_name((enum symbol)symbol), text) != 0) {
        symbol++;
    }
    return text ? symbol : SYMBOL_COUNT;
}

static void read_list(struct published_reader *r, struct node list,
                      void (*read)(struct published_reader *, struct node))
{
    for (struct node n = node_first(list); n.item; n = node_next(n)) {
        read(r, n);
    }
}

/* The bed, what was measured of its variants, and the costs that follow. */
static bool read_bed(struct published_reader *r, struct node root)
{
    struct published *p = r->published;
    char bed[PUBLISHED_NAME];

    if (!published_text(r, root, "bed", bed, sizeof bed) ||
        !published_beside(p, bed, p->bed, sizeof p->bed)) {
        return false;
    }
    published_read_rates(r, node_member(root, "rates"));
    published_read_profiles(r, node_member(root, "profiles"));
    if (r->problems->errors > 0) {
        return false;
    }
    if (p->variant_count == 0 || !p->variant[0].has_rate) {
        published_complain(r, root, "rates", "the first variant needs a rate");
        return false;
    }
    read_list(r, node_member(root, "costs"), published_read_cost);
    if (node_member(root, "free").item) {
        published_read_free(r, node_member(root, "free"));
    }
    return true;
}

static bool read_measured(struct published_reader *r, struct node root)
{
    char name[PUBLISHED_NAME];

    return !node_member(root, "measured").item ||
           (published_text(r, root, "measured", name, sizeof name) &&
            published_beside(r->published, name, r->measured, sizeof r->measured));
}

static void read_table(struct published_reader *r, struct node root)
{
    struct published *p = r->published;

    if (!node_member(root, "table").item) {
        published_complain(
            r, root, "table",
            node_member(root, "version").item
                ? "missing: this is a scenario; a table of published figures has a name "
                  "(table) and cells, as those in scenarios/published"
                : "missing; a table of published figures has a name (table) and cells, as those "
                  "in scenarios/published");
        return;
    }
    if (!published_text(r, root, "table", p->table, sizeof p->table) || !read_measured(r, root)) {
        return;
    }
    if (node_member(root, "bed").item && !read_bed(r, root)) {
        return;
    }
    read_list(r, node_member(root, "fitted"), published_read_fitted);
    read_list(r, node_member(root, "cells"), published_read_cell);
    if (node_member(root, "ensembles").item) {
        published_read_ensembles(r, node_member(root, "ensembles"));
    }
}

/* A path as it is, a name as a file of scenarios/published. */
static bool find_file(const char *name, char *file, size_t bytes, struct problems *problems)
{
    size_t length = strlen(name);
    char folder[PATH_MAX];
    struct error error = {0};

    if (strchr(name, '/') || (length > 5 && strcmp(name + length - 5, ".json") == 0)) {
        return (size_t)snprintf(file, bytes, "%s", name) < bytes;
    }
    if (!data_dir_find("scenarios", NULL, folder, sizeof folder, &error)) {
        problems_add(problems, false, &error);
        return false;
    }
    return (size_t)snprintf(file, bytes, "%s/published/%s.json", folder, name) < bytes;
}

struct published *published_open(const char *name, struct problems *problems)
{
    struct published *published = calloc(1, sizeof *published);
    struct published_reader reader = {.published = published, .problems = problems};
    struct document doc;

    if (!published) {
        abort();
    }
    if (!find_file(name, published->file, sizeof published->file, problems)) {
        published_free(published);
        return NULL;
    }
    if (document_open(&doc, published->file, problems)) {
        read_table(&reader, document_root(&doc));
    }
    document_fini(&doc);
    if (problems->errors > 0) {
        published_free(published);
        return NULL;
    }
    return published;
}
