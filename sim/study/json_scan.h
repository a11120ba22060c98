/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The grammar of JSON (RFC 8259), strictly: UTF-8 without a byte order mark, no comments, no
 * trailing commas, no text after the value, nesting up to 64, no key twice in an object (compared
 * after unescaping). A scan builds no tree: it leaves one row for every value, in the order of the
 * text, with its place, its own text and the place of its key. What passed here is accepted by
 * cJSON with the same shape, so the two can be walked side by side: the first child of a row is the
 * next row, the sibling of a row is `span` rows further on.
 *
 * Places are lines and columns from 1, columns in bytes.
 */
#ifndef SIM_STUDY_JSON_SCAN_H
#define SIM_STUDY_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/error.h"

#define JSON_DEPTH_MOST  64
#define JSON_NUMBER_MOST 63                 /* bytes of a number; cJSON reads no longer ones */
#define JSON_TEXT_MOST   (4u * 1024 * 1024) /* bytes of a document */

enum json_type {
    JSON_OBJECT,
    JSON_ARRAY,
    JSON_STRING,
    JSON_NUMBER,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NULL,
};

struct json_place {
    uint32_t line, column;
};

struct json_row {
    enum json_type type;
    bool has_nul; /* string: holds U+0000, which a C string cannot */
    bool key_has_nul;
    uint32_t parent; /* row of the object or array around it; its own for the first row */
    uint32_t span;   /* rows of the value, itself included */
    struct json_place place, key_place; /* key_place.line 0: no key */
    uint32_t at, length;                /* the value's own text */
    uint32_t key_at, key_length;        /* the key's text between its quotes, as written */
};

struct json_scan {
    const char *text; /* the caller's */
    size_t length;
    struct json_row *rows; /* at least one after success */
    size_t count, room;
};

/* Scans `length` bytes. Adds an error for the first break of the grammar, or one for each key that
 * comes twice, with its place; false then. Only the place is filled in: the caller knows the file.
 */
bool json_scan(struct json_scan *scan, const char *text, size_t length, struct problems *problems);
void json_scan_fini(struct json_scan *scan);

const char *json_type_name(enum json_type type); /* "object", "string", "true or false", ... */

#endif
