/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes one JSON document as it goes, so that a result of any length needs no tree in memory. What
 * comes out is always valid: a number that is not finite is null, integers keep all their digits,
 * doubles are the shortest decimal that reads back to the same value, text is escaped, and bytes
 * that are not UTF-8 become U+FFFD. Calls nest as the document does:
 *
 *   json_object(&j, NULL);            {
 *   json_text(&j, "name", "a");         "name": "a",
 *   json_array(&j, "list");             "list": [
 *   json_number(&j, NULL, 1.5);           1.5
 *   json_end(&j); json_end(&j);         ]}
 *
 * The key is NULL in an array and at the top.
 */
#ifndef SIM_STUDY_JSON_OUT_H
#define SIM_STUDY_JSON_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define JSON_OUT_DEPTH 32

struct json_out {
    FILE *out;
    int indent; /* levels that get a line of their own; deeper ones stand in one line */
    int depth;
    struct {
        bool array;
        bool filled; /* has a member already */
    } level[JSON_OUT_DEPTH];
};

void json_init(struct json_out *json, FILE *out, int indent);

void json_object(struct json_out *json, const char *key);
void json_array(struct json_out *json, const char *key);
void json_end(struct json_out *json); /* of the innermost object or array; a new line at the top */

void json_text(struct json_out *json, const char *key, const char *text); /* NULL: null */
void json_number(struct json_out *json, const char *key, double value);
void json_integer(struct json_out *json, const char *key, int64_t value);
void json_unsigned(struct json_out *json, const char *key, uint64_t value);
void json_bool(struct json_out *json, const char *key, bool value);
void json_null(struct json_out *json, const char *key);

/* The canonical text of a parameter: numbers, true and false bare with all their digits, the rest
 * as a string. */
void json_value(struct json_out *json, const char *key, const char *text);

/* The shortest decimal that reads back to the same double, as JSON writes numbers ("null" when it
 * is not finite); a buffer of JSON_NUMBER_BYTES. */
#define JSON_NUMBER_BYTES 48
void json_number_text(double value, char buffer[JSON_NUMBER_BYTES]);

#endif
