/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Holds json_scan to cJSON: what the scan accepts, cJSON must accept with the same types, the same
 * number of children everywhere, and the same keys and strings (up to the first U+0000, where a C
 * string ends).
 */
#ifndef TESTS_JSON_SHAPE_H
#define TESTS_JSON_SHAPE_H

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/json_scan.h"
#include "sim/study/json_text.h"

enum json_shape { JSON_SHAPE_REFUSED, JSON_SHAPE_SAME, JSON_SHAPE_DIFFERS };

static inline bool json_shape_text(const struct json_scan *scan, uint32_t at, uint32_t length,
                                   const char *text)
{
    char *out = malloc(length + 1u);
    size_t bytes = json_text_unescape(scan->text + at, length, out);
    bool same;

    out[bytes] = '\0';
    same = text && strcmp(out, text) == 0;
    free(out);
    return same;
}

static inline bool json_shape_type(enum json_type type, const cJSON *item)
{
    switch (type) {
    case JSON_OBJECT:
        return cJSON_IsObject(item);
    case JSON_ARRAY:
        return cJSON_IsArray(item);
    case JSON_STRING:
        return cJSON_IsString(item);
    case JSON_NUMBER:
        return cJSON_IsNumber(item);
    case JSON_TRUE:
        return cJSON_IsTrue(item);
    case JSON_FALSE:
        return cJSON_IsFalse(item);
    case JSON_NULL:
        return cJSON_IsNull(item);
    }
    return false;
}

/* Compares the value at *row and moves *row behind it. */
static inline bool json_shape_value(const struct json_scan *scan, uint32_t *row, const cJSON *item)
{
    const struct json_row *r = &scan->rows[*row];
    uint32_t end = *row + r->span;

    if (!json_shape_type(r->type, item) ||
        (r->key_place.line && !json_shape_text(scan, r->key_at, r->key_length, item->string)) ||
        (r->type == JSON_STRING &&
         !json_shape_text(scan, r->at + 1, r->length - 2, item->valuestring))) {
        return false;
    }
    ++*row;
    if (r->type == JSON_OBJECT || r->type == JSON_ARRAY) {
        for (const cJSON *child = item->child; child; child = child->next) {
            if (*row >= end || !json_shape_value(scan, row, child)) {
                return false;
            }
        }
    }
    return *row == end;
}

/* text[length] must be a NUL. */
static inline enum json_shape json_shape_agrees(const char *text, size_t length)
{
    enum json_shape shape = JSON_SHAPE_REFUSED;
    struct problems problems;
    struct json_scan scan;
    uint32_t row = 0;

    problems_init(&problems);
    if (json_scan(&scan, text, length, &problems)) {
        const char *end;
        cJSON *root = cJSON_ParseWithLengthOpts(text, length + 1, &end, true);

        shape = root && json_shape_value(&scan, &row, root) && row == scan.count
                    ? JSON_SHAPE_SAME
                    : JSON_SHAPE_DIFFERS;
        cJSON_Delete(root);
    }
    json_scan_fini(&scan);
    problems_fini(&problems);
    return shape;
}

#endif
