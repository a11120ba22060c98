/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A layer: parameters that one source sets, each once, with its value ready to be put into a
 * configuration and the place it came from. A scenario is a pile of layers (files and --set, a
 * case, the values of the axes, a variant); the later one wins, parameter by parameter.
 */
#ifndef SIM_STUDY_LAYER_H
#define SIM_STUDY_LAYER_H

#include "sim/engine/param.h"
#include "sim/study/document.h"
#include "sim/study/value.h"

struct setting {
    size_t index;             /* of the row in the schema */
    struct param_place place; /* the row and its part */
    struct node node;         /* the value where it was written */
    bool shared;              /* from an included file: says nothing about this study's intent */
    void *packed;             /* param_pack(); the setting's own */
    struct value_certificate certificate;
};

struct layer {
    struct setting *list;
    size_t count, room;
};

void layer_fini(struct layer *layer);

/* Reads an object of settings: nested objects, or dotted keys. Members whose key is in `others`
 * (ends with NULL; NULL: none) belong to somebody else, keys with _ are comments. What is wrong is
 * added to problems, each at its place; the rest is read. */
void layer_read(struct layer *layer, const struct param_schema *schema, struct node object,
                const char *const *others, bool shared, struct problems *problems);

/* One value for one row; false: refused. */
bool layer_read_value(struct layer *layer, const struct param_schema *schema, size_t index,
                      struct node node, bool shared, struct problems *problems);

/* The setting of a row, NULL: the layer leaves it alone. */
const struct setting *layer_find(const struct layer *layer, size_t index);

/* Puts every setting into the whole configuration. */
void layer_apply(const struct layer *layer, void *config);
void setting_apply(const struct setting *setting, void *config);

/* Canonical text of the setting's value; malloc'ed. */
char *setting_text(const struct setting *setting);

/* "; did you mean ...?" or "; it belongs in ..." for a path that is no parameter: near names of the
 * same level first, then names that have it as a word (thr, ring), then near names anywhere.
 * `others` are further names of the top level. buffer of LAYER_HINT_BYTES. */
#define LAYER_HINT_BYTES 300
char *layer_hint(const struct param_schema *schema, const char *path, const char *const *others,
                 char *buffer);

/* "; did you mean host.backend.type?", or the first members, for a path that has parameters below
 * it and is none itself; layer_hint() begins with it. The same buffer. */
char *layer_group_hint(const struct param_schema *schema, const char *path, char *buffer);

/* "A, B" for a last part that more than one parameter has, up to four of them; returns buffer. */
char *layer_candidates(const struct param_schema *schema, const char *last, char *buffer,
                       size_t bytes);

#endif
