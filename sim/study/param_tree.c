/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/param_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct leaf {
    const char *path;
    size_t index;
};

struct walk {
    const struct param_schema *schema;
    const struct param_tree_visitor *visitor;
    struct leaf *leaves;
    size_t count;
};

static int compare(const void *a, const void *b)
{
    const struct leaf *x = a, *y = b;

    return strcmp(x->path, y->path);
}

static struct leaf *sorted_leaves(const struct param_schema *schema, size_t *count)
{
    struct leaf *leaves;

    *count = param_count(schema);
    leaves = malloc(*count * sizeof *leaves);
    if (!leaves) {
        abort();
    }
    for (size_t i = 0; i < *count; i++) {
        leaves[i] = (struct leaf){param_at(schema, i).row->path, i};
    }
    qsort(leaves, *count, sizeof *leaves, compare);
    return leaves;
}

/* The leaves from `at` on that share the first `stem` bytes of their path; returns the one behind.
 */
static size_t walk_group(const struct walk *walk, size_t at, size_t stem)
{
    const struct param_tree_visitor *v = walk->visitor;
    const char *prefix = walk->leaves[at].path;

    while (at < walk->count && strncmp(walk->leaves[at].path, prefix, stem) == 0) {
        const char *rest = walk->leaves[at].path + stem;
        size_t length = strcspn(rest, ".");
        char key[160];

        snprintf(key, sizeof key, "%.*s", (int)length, rest);
        if (rest[length] == '\0') {
            size_t index = walk->leaves[at].index;

            v->leaf(v->context, key, index, param_at(walk->schema, index));
            at++;
        } else {
            v->open(v->context, key);
            at = walk_group(walk, at, stem + length + 1);
            v->close(v->context);
        }
    }
    return at;
}

void param_tree_walk(const struct param_schema *schema, const struct param_tree_visitor *visitor)
{
    struct walk walk = {.schema = schema, .visitor = visitor};
    size_t kept = 0;

    walk.leaves = sorted_leaves(schema, &walk.count);
    for (size_t i = 0; i < walk.count; i++) {
        size_t index = walk.leaves[i].index;

        if (!visitor->wants ||
            visitor->wants(visitor->context, index, param_at(schema, index).row)) {
            walk.leaves[kept++] = walk.leaves[i];
        }
    }
    walk.count = kept;
    if (walk.count > 0) {
        walk_group(&walk, 0, 0);
    }
    free(walk.leaves);
}

size_t *param_tree_order(const struct param_schema *schema)
{
    size_t count;
    struct leaf *leaves = sorted_leaves(schema, &count);
    size_t *order = malloc(count * sizeof *order);

    if (!order) {
        abort();
    }
    for (size_t i = 0; i < count; i++) {
        order[i] = leaves[i].index;
    }
    free(leaves);
    return order;
}
