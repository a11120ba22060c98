/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/condition.h"

#include <stdlib.h>
#include <string.h>

#include "sim/study/value.h"

#define DEPTH_MOST 8 /* conditions of conditions */

/* Of one row: the row at `when` holds one of these values. */
struct condition {
    ptrdiff_t when; /* index of the row; -1: always */
    struct param_place place;
    unsigned char **values; /* packed */
    size_t count;
};

struct conditions {
    size_t rows;
    struct condition row[];
};

/* The value packed; NULL: it is none of the row's. */
static unsigned char *pack(const struct param *row, const char *text)
{
    char *part = calloc(1, row->offset + param_bytes(row));
    unsigned char *packed = NULL;

    if (!part) {
        abort();
    }
    if (value_from_text(row, text, part)) {
        packed = malloc(param_packed_bytes(row, part));
        if (!packed) {
            abort();
        }
        param_pack(row, part, packed);
    }
    free(part);
    return packed;
}

static void read_condition(struct condition *c, const struct param_schema *schema, size_t index)
{
    const struct param *row = param_at(schema, index).row;
    char *copy, *rest, *value;

    c->when = row->when_path ? param_lookup(schema, row->when_path, true, NULL) : -1;
    if (c->when < 0) {
        return;
    }
    c->place = param_at(schema, (size_t)c->when);
    rest = copy = strdup(row->when_value);
    if (!copy) {
        abort();
    }
    while ((value = strsep(&rest, "|")) != NULL) {
        unsigned char *packed = pack(c->place.row, value);

        if (packed) {
            c->values = realloc(c->values, (c->count + 1) * sizeof *c->values);
            if (!c->values) {
                abort();
            }
            c->values[c->count++] = packed;
        }
    }
    free(copy);
}

struct conditions *conditions_new(const struct param_schema *schema)
{
    size_t rows = param_count(schema);
    struct conditions *all = calloc(1, sizeof *all + rows * sizeof all->row[0]);

    if (!all) {
        abort();
    }
    all->rows = rows;
    for (size_t i = 0; i < rows; i++) {
        read_condition(&all->row[i], schema, i);
    }
    return all;
}

void conditions_free(struct conditions *all)
{
    for (size_t i = 0; all && i < all->rows; i++) {
        for (size_t j = 0; j < all->row[i].count; j++) {
            free(all->row[i].values[j]);
        }
        free(all->row[i].values);
    }
    free(all);
}

bool conditions_has(const struct conditions *all, size_t index)
{
    return all->row[index].when >= 0;
}

/* Compares the field of a configuration with the packed values. */
static bool holds(const struct condition *c, const struct config *config)
{
    const char *part = (const char *)config + c->place.part;
    size_t bytes = param_packed_bytes(c->place.row, part);
    unsigned char packed[sizeof(struct dist)];

    if (bytes > sizeof packed) {
        return true;
    }
    param_pack(c->place.row, part, packed);
    for (size_t i = 0; i < c->count; i++) {
        if (memcmp(packed, c->values[i], bytes) == 0) {
            return true;
        }
    }
    return false;
}

bool conditions_hold(const struct conditions *all, size_t index, const struct config *config)
{
    for (int depth = 0; depth < DEPTH_MOST; depth++) {
        const struct condition *c = &all->row[index];

        if (c->when < 0) {
            return true;
        }
        if (!holds(c, config)) {
            return false;
        }
        index = (size_t)c->when;
    }
    return true;
}
