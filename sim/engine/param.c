/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/param.h"

#include <math.h>
#include <string.h>

size_t param_part_count(const struct param_schema *schema)
{
    return schema->count + (schema->further ? *schema->further_count : 0);
}

struct param_part param_part_at(const struct param_schema *schema, size_t index)
{
    struct param_part part;

    if (index < schema->count) {
        return schema->parts[index];
    }
    part = schema->further[index - schema->count];
    part.offset += schema->further_offset;
    return part;
}

size_t param_count(const struct param_schema *schema)
{
    size_t count = 0;

    for (size_t i = 0, n = param_part_count(schema); i < n; i++) {
        count += param_part_at(schema, i).table->count;
    }
    return count;
}

struct param_place param_at(const struct param_schema *schema, size_t index)
{
    size_t i = 0;
    struct param_part part = param_part_at(schema, 0);

    while (index >= part.table->count) {
        index -= part.table->count;
        part = param_part_at(schema, ++i);
    }
    return (struct param_place){&part.table->rows[index], part.table, part.offset};
}

const struct param *param_find(const struct param_schema *schema, const char *path, size_t *offset)
{
    for (size_t i = 0, n = param_part_count(schema); i < n; i++) {
        struct param_part part = param_part_at(schema, i);

        for (size_t r = 0; r < part.table->count; r++) {
            if (strcmp(part.table->rows[r].path, path) == 0) {
                if (offset) {
                    *offset = part.offset + part.table->rows[r].offset;
                }
                return &part.table->rows[r];
            }
        }
    }
    return NULL;
}

static const char *last_part(const char *path)
{
    const char *dot = strrchr(path, '.');

    return dot ? dot + 1 : path;
}

static bool is_whole(const struct param *row, const char *name)
{
    size_t stem;

    if (strcmp(row->path, name) == 0) {
        return true;
    }
    if (!row->alias) {
        return false;
    }
    stem = (size_t)(last_part(row->path) - row->path);
    return strncmp(row->path, name, stem) == 0 && strcmp(name + stem, row->alias) == 0;
}

/* Whether `name` is the end of the path at a dot, or the alias. */
static bool is_tail(const struct param *row, const char *name)
{
    size_t path = strlen(row->path), length = strlen(name);

    if (row->alias && strcmp(row->alias, name) == 0) {
        return true;
    }
    return length < path && row->path[path - length - 1] == '.' &&
           strcmp(row->path + path - length, name) == 0;
}

ptrdiff_t param_lookup(const struct param_schema *schema, const char *name, bool whole,
                       size_t *matches)
{
    const bool asked = !whole || matches;
    size_t index = 0, tails = 0;
    ptrdiff_t tail = -1;

    for (size_t i = 0, n = param_part_count(schema); i < n; i++) {
        const struct param_table *table = param_part_at(schema, i).table;

        for (size_t r = 0; r < table->count; r++, index++) {
            if (is_whole(&table->rows[r], name)) {
                return (ptrdiff_t)index;
            }
            /* An array has no short name: it cannot be set on the command line. */
            if (asked && table->rows[r].kind != PARAM_ARRAY && is_tail(&table->rows[r], name)) {
                tails++;
                tail = (ptrdiff_t)index;
            }
        }
    }
    if (matches) {
        *matches = tails;
    }
    return !whole && tails == 1 ? tail : -1;
}

bool param_not_yet(const struct param_schema *schema, const char *path)
{
    for (const char *const *p = schema->not_yet; p && *p; p++) {
        size_t length = strlen(*p);

        if (strncmp(path, *p, length) == 0 && (path[length] == '\0' || path[length] == '.')) {
            return true;
        }
    }
    return false;
}

size_t param_bytes(const struct param *row)
{
    switch (row->kind) {
    case PARAM_BOOL:
        return sizeof(bool);
    case PARAM_COUNT:
    case PARAM_ARRAY:
        return sizeof(uint32_t);
    case PARAM_U64:
    case PARAM_BYTES:
        return sizeof(uint64_t);
    case PARAM_RATIO:
    case PARAM_PPS:
    case PARAM_BPS:
        return sizeof(double);
    case PARAM_TIME:
    case PARAM_COST:
        return sizeof(sim_time);
    case PARAM_CHOICE:
        return sizeof(int);
    case PARAM_TEXT:
        return PARAM_TEXT_BYTES;
    case PARAM_DIST:
        return sizeof(struct dist);
    }
    return 0;
}

static uint32_t items_of(const struct param *row, const void *part)
{
    uint32_t count;

    memcpy(&count, (const char *)part + row->offset, sizeof count);
    return count;
}

/* A distribution is mostly empty bins: only the used ones are kept. */
static size_t dist_bytes(const struct dist *dist)
{
    return offsetof(struct dist, bin) + dist->count * sizeof dist->bin[0];
}

size_t param_packed_bytes(const struct param *row, const void *part)
{
    if (row->kind == PARAM_ARRAY) {
        return sizeof(uint32_t) + items_of(row, part) * row->item_bytes;
    }
    if (row->kind == PARAM_DIST) {
        struct dist dist;

        memcpy(&dist, (const char *)part + row->offset, sizeof dist);
        return dist_bytes(&dist);
    }
    return param_bytes(row);
}

void param_pack(const struct param *row, const void *part, void *packed)
{
    size_t bytes = param_packed_bytes(row, part);

    if (row->kind != PARAM_ARRAY) {
        memcpy(packed, (const char *)part + row->offset, bytes);
        return;
    }
    memcpy(packed, (const char *)part + row->offset, sizeof(uint32_t));
    memcpy((char *)packed + sizeof(uint32_t), (const char *)part + row->items_offset,
           bytes - sizeof(uint32_t));
}

void param_unpack(const struct param *row, const void *packed, void *part)
{
    char *field = (char *)part + row->offset;

    if (row->kind == PARAM_ARRAY) {
        uint32_t count;

        memcpy(&count, packed, sizeof count);
        memcpy(field, &count, sizeof count);
        memset((char *)part + row->items_offset, 0, row->items_most * row->item_bytes);
        memcpy((char *)part + row->items_offset, (const char *)packed + sizeof count,
               count * row->item_bytes);
    } else if (row->kind == PARAM_DIST) {
        uint32_t count;

        memcpy(&count, (const char *)packed + offsetof(struct dist, count), sizeof count);
        memset(field, 0, sizeof(struct dist));
        memcpy(field, packed, offsetof(struct dist, bin) + count * sizeof(struct dist_bin));
    } else {
        memcpy(field, packed, param_bytes(row));
    }
}

bool param_bare_in_json(const struct param *row, const char *text)
{
    switch (row->kind) {
    case PARAM_BOOL:
    case PARAM_COUNT:
    case PARAM_U64:
    case PARAM_RATIO:
    case PARAM_DIST:
    case PARAM_ARRAY:
        return true;
    case PARAM_BYTES:
        return text[strspn(text, "0123456789")] == '\0';
    case PARAM_TIME:
    case PARAM_COST:
    case PARAM_PPS:
    case PARAM_BPS:
    case PARAM_CHOICE:
    case PARAM_TEXT:
        break;
    }
    return false;
}

const char *param_kind_name(enum param_kind kind)
{
    static const char *const names[] = {
        [PARAM_BOOL] = "true or false",
        [PARAM_COUNT] = "integer",
        [PARAM_U64] = "integer",
        [PARAM_BYTES] = "bytes",
        [PARAM_RATIO] = "number",
        [PARAM_TIME] = "time",
        [PARAM_COST] = "time",
        [PARAM_PPS] = "packet rate",
        [PARAM_BPS] = "bit rate",
        [PARAM_CHOICE] = "choice",
        [PARAM_TEXT] = "text",
        [PARAM_DIST] = "distribution",
        [PARAM_ARRAY] = "list of objects",
    };

    return names[kind];
}

double param_most(const struct param *row)
{
    if (row->most != 0 || row->least < 0) {
        return row->most;
    }
    switch (row->kind) {
    case PARAM_COUNT:
        return UINT32_MAX;
    case PARAM_U64:
    case PARAM_BYTES:
    case PARAM_DIST:
        return 18446744073709551615.0;
    case PARAM_TIME:
    case PARAM_COST:
        return (double)SIM_TIME_LIMIT;
    default:
        return INFINITY;
    }
}
