/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/document.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Reads all of a stream, up to one byte more than a document may have. */
static char *read_all(FILE *stream, size_t *length)
{
    size_t room = 65536, used = 0;
    char *text = malloc(room);

    for (;;) {
        size_t got;

        if (!text) {
            abort();
        }
        got = fread(text + used, 1, room - used - 1, stream);
        used += got;
        if (got == 0 || used > JSON_TEXT_MOST) {
            break;
        }
        if (used + 1 == room) {
            room *= 2;
            text = realloc(text, room);
        }
    }
    text[used] = '\0';
    *length = used;
    return text;
}

static bool fail_file(const char *file, const char *reason, struct problems *problems)
{
    struct error error = {.kind = ERROR_INPUT};

    json_show(file, strlen(file), sizeof error.source - 16, error.source, sizeof error.source);
    snprintf(error.text, sizeof error.text, "%s", reason);
    problems_add(problems, false, &error);
    return false;
}

bool document_open(struct document *doc, const char *file, struct problems *problems)
{
    struct stat info;
    FILE *stream;
    size_t length;
    char *text;
    bool ok;

    memset(doc, 0, sizeof *doc);
    stream = fopen(file, "rb");
    if (!stream) {
        return fail_file(file, strerror(errno), problems);
    }
    if (fstat(fileno(stream), &info) == 0 && S_ISDIR(info.st_mode)) {
        fclose(stream);
        return fail_file(file, "is a directory", problems);
    }
    text = read_all(stream, &length);
    if (ferror(stream)) {
        ok = fail_file(file, strerror(errno), problems);
    } else {
        ok = document_parse(doc, file, text, length, problems);
    }
    fclose(stream);
    free(text);
    return ok;
}

static void name_file(struct problems *problems, size_t from, const char *file)
{
    for (size_t i = from; file && i < problems->count; i++) {
        struct error *error = &problems->list[i].error;

        json_show(file, strlen(file), sizeof error->source - 16, error->source,
                  sizeof error->source);
    }
}

bool document_parse(struct document *doc, const char *file, const char *text, size_t length,
                    struct problems *problems)
{
    size_t before = problems->count;
    const char *end = NULL;

    memset(doc, 0, sizeof *doc);
    doc->file = file ? strdup(file) : NULL;
    doc->text = malloc(length + 1);
    if ((file && !doc->file) || !doc->text) {
        abort();
    }
    memcpy(doc->text, text, length);
    doc->text[length] = '\0';
    doc->length = length;
    if (!json_scan(&doc->scan, doc->text, length, problems)) {
        name_file(problems, before, file);
        return false;
    }
    doc->root = cJSON_ParseWithLengthOpts(doc->text, length + 1, &end, true);
    if (!doc->root) {
        abort(); /* out of memory: the scan refuses all that cJSON does */
    }
    return true;
}

void document_fini(struct document *doc)
{
    cJSON_Delete(doc->root);
    json_scan_fini(&doc->scan);
    free(doc->text);
    free(doc->file);
    memset(doc, 0, sizeof *doc);
}

struct node document_root(const struct document *doc)
{
    return (struct node){doc, 0, doc->root};
}

struct node node_first(struct node node)
{
    return (struct node){node.doc, node.row + 1, node.item ? node.item->child : NULL};
}

struct node node_next(struct node node)
{
    return (struct node){node.doc, node.row + node.doc->scan.rows[node.row].span, node.item->next};
}

static const struct json_row *row_of(struct node node)
{
    return &node.doc->scan.rows[node.row];
}

const char *node_key(struct node node)
{
    return row_of(node)->key_has_nul ? "" : node.item->string;
}

struct node node_member(struct node object, const char *key)
{
    struct node member = node_first(object);

    while (member.item && strcmp(node_key(member), key) != 0) {
        member = node_next(member);
    }
    return member;
}

enum json_type node_type(struct node node)
{
    return row_of(node)->type;
}

const char *node_text(struct node node)
{
    const struct json_row *row = row_of(node);

    return row->type == JSON_STRING && !row->has_nul ? node.item->valuestring : NULL;
}

const char *node_type_name(struct node node)
{
    enum json_type type = node_type(node);

    return type == JSON_TRUE || type == JSON_FALSE ? "true or false" : json_type_name(type);
}

struct json_place node_place(struct node node)
{
    return row_of(node)->place;
}

struct json_place node_key_place(struct node node)
{
    return row_of(node)->key_place;
}

char *node_show(struct node node, char *buffer, size_t bytes)
{
    const struct json_row *row = row_of(node);

    return json_show(node.doc->text + row->at, row->length, JSON_SHOWN_MOST, buffer, bytes);
}

char *node_show_key(struct node node, char *buffer, size_t bytes)
{
    const struct json_row *row = row_of(node);

    if (row->key_has_nul) {
        return json_show(node.doc->text + row->key_at, row->key_length, JSON_SHOWN_MOST, buffer,
                         bytes);
    }
    return json_show(node.item->string, strlen(node.item->string), JSON_SHOWN_MOST, buffer, bytes);
}

bool node_number(struct node node, char *buffer)
{
    const struct json_row *row = row_of(node);

    if (row->type != JSON_NUMBER) {
        return false;
    }
    memcpy(buffer, node.doc->text + row->at, row->length);
    buffer[row->length] = '\0';
    return true;
}

static void add_problem(struct node node, struct json_place place, struct problems *problems,
                        bool warning, const char *path, const char *format, va_list args)
{
    struct error error = {.kind = ERROR_INPUT};
    const char *file = node.doc->file;

    if (problems->count >= PROBLEMS_MOST && (warning || problems->errors > 0)) {
        return;
    }
    if (file) {
        json_show(file, strlen(file), sizeof error.source - 16, error.source, sizeof error.source);
        error.line = place.line;
        error.column = place.column;
    }
    json_show(path, strlen(path), 140, error.path, sizeof error.path);
    vsnprintf(error.text, sizeof error.text, format, args);
    problems_add(problems, warning, &error);
}

void node_problem(struct node node, struct problems *problems, bool warning, const char *path,
                  const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_problem(node, node_place(node), problems, warning, path, format, args);
    va_end(args);
}

void node_key_problem(struct node node, struct problems *problems, bool warning, const char *path,
                      const char *format, ...)
{
    va_list args;

    va_start(args, format);
    add_problem(node, node_key_place(node), problems, warning, path, format, args);
    va_end(args);
}

int document_print_place(const struct document *doc, struct json_place place, char *buffer,
                         size_t bytes)
{
    if (!doc || !doc->file) {
        return snprintf(buffer, bytes, "%s", "");
    }
    return snprintf(buffer, bytes, "%s:%u:%u", doc->file, place.line, place.column);
}
