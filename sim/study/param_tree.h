/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of a schema as the tree that their dotted paths form: walked in the order of the paths,
 * so that what is printed is the same whatever the order of the tables.
 */
#ifndef SIM_STUDY_PARAM_TREE_H
#define SIM_STUDY_PARAM_TREE_H

#include "sim/engine/param.h"

struct param_tree_visitor {
    void *context;
    /* Which rows belong to the walk; NULL: all. */
    bool (*wants)(void *context, size_t index, const struct param *row);
    void (*open)(void *context, const char *key); /* of a group */
    void (*leaf)(void *context, const char *key, size_t index, struct param_place place);
    void (*close)(void *context);
};

void param_tree_walk(const struct param_schema *schema, const struct param_tree_visitor *visitor);

/* The rows' indices in the order of their paths; malloc'ed, param_count() of them. */
size_t *param_tree_order(const struct param_schema *schema);

#endif
