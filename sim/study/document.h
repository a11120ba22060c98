/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A JSON document in memory, as two views of one text that are walked side by side: the scan, which
 * knows places and each value's own text, and the cJSON tree, which knows unescaped strings. The
 * tree is built only after the scan passed. A node is one value in both views.
 *
 * A document is a file, or a text given on the command line or in a table of defaults; what has no
 * file has no places.
 */
#ifndef SIM_STUDY_DOCUMENT_H
#define SIM_STUDY_DOCUMENT_H

#include <cjson/cJSON.h>

#include "sim/study/json_scan.h"
#include "sim/study/json_text.h"

struct document {
    char *file; /* as named to the user; NULL: not a file */
    char *text; /* NUL-terminated */
    size_t length;
    struct json_scan scan;
    cJSON *root;
};

struct node {
    const struct document *doc;
    uint32_t row;
    const cJSON *item; /* NULL: there is none */
};

/* Reads a file. False: problems hold what is wrong, and the document is empty but for its name. */
bool document_open(struct document *doc, const char *file, struct problems *problems);

/* Takes a copy of a text; file NULL for none. */
bool document_parse(struct document *doc, const char *file, const char *text, size_t length,
                    struct problems *problems);
void document_fini(struct document *doc);

struct node document_root(const struct document *doc);

/* The first member or element, and the one after; item is NULL at the end. */
struct node node_first(struct node node);
struct node node_next(struct node node);

/* The member of that key; item NULL: none. Keys that hold U+0000 match nothing. */
struct node node_member(struct node object, const char *key);

enum json_type node_type(struct node node);

/* The text of a string; NULL: not a string, or one that holds U+0000. */
const char *node_text(struct node node);
const char *node_type_name(struct node node); /* "true or false" for both */
struct json_place node_place(struct node node);
struct json_place node_key_place(struct node node);

/* The value's own text, cut and escaped for a message. */
char *node_show(struct node node, char *buffer, size_t bytes);

/* The unescaped key; "" for one with U+0000 inside, so that it is taken for no other. */
const char *node_key(struct node node);

/* The key for a message, escapes as written in the file where it holds U+0000. */
char *node_show_key(struct node node, char *buffer, size_t bytes);

/* A number's own text; false: not a number. buffer of JSON_NUMBER_MOST + 1 bytes. */
bool node_number(struct node node, char *buffer);

/* Adds a problem at the value, or at its key. A file that is no scenario at all has one in every
 * line: after PROBLEMS_MOST the further ones are dropped, but never the first error. */
#define PROBLEMS_MOST 200
void node_problem(struct node node, struct problems *problems, bool warning, const char *path,
                  const char *format, ...) __attribute__((format(printf, 5, 6)));
void node_key_problem(struct node node, struct problems *problems, bool warning, const char *path,
                      const char *format, ...) __attribute__((format(printf, 5, 6)));

/* "FILE:LINE:COL" of a place in a document; "" where it has no file. Returns what snprintf does. */
int document_print_place(const struct document *doc, struct json_place place, char *buffer,
                         size_t bytes);

#endif
