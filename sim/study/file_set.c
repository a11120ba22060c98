/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/file_set.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is being read, and the one that includes it. */
struct visit {
    const struct visit *parent;
    const char *name;
    bool known; /* dev and ino are */
    dev_t dev;
    ino_t ino;
};

static bool read_includes(struct file_set *set, const struct document *doc,
                          const struct visit *visit, struct problems *problems);

static void append(struct file_set *set, struct document *doc)
{
    if (set->count == set->room) {
        size_t room = set->room ? 2 * set->room : 8;
        struct document **docs = realloc(set->docs, room * sizeof(struct document *));

        if (!docs) {
            abort();
        }
        set->docs = docs;
        set->room = room;
    }
    set->docs[set->count++] = doc;
}

static struct document *new_document(void)
{
    struct document *doc = calloc(1, sizeof *doc);

    if (!doc) {
        abort();
    }
    return doc;
}

/* Takes the document after what it includes. */
static bool take(struct file_set *set, struct document *doc, const struct visit *visit,
                 struct problems *problems)
{
    struct node root = document_root(doc);
    bool ok;

    if (node_type(root) != JSON_OBJECT) {
        node_problem(root, problems, false, "", "expected an object, got %s", node_type_name(root));
        append(set, doc);
        return false;
    }
    ok = read_includes(set, doc, visit, problems);
    append(set, doc);
    return ok;
}

/* The name that `name` means inside the file `from`; malloc'ed. */
static char *relative_to(const char *from, const char *name)
{
    const char *slash = name[0] == '/' ? NULL : strrchr(from, '/');
    int stem = slash ? (int)(slash - from) + 1 : 0;
    char *joined = NULL;

    if (asprintf(&joined, "%.*s%s", stem, from, name) < 0) {
        abort();
    }
    return joined;
}

static bool same_file(const struct visit *a, const struct visit *b)
{
    return a->known && b->known && a->dev == b->dev && a->ino == b->ino;
}

static void append_name(const struct visit *visit, const struct visit *top, char *text,
                        size_t bytes)
{
    size_t used;

    if (visit != top) {
        append_name(visit->parent, top, text, bytes);
    }
    used = strlen(text);
    snprintf(text + used, bytes - used, "%s%s", used ? " -> " : "", visit->name);
}

static bool refuse_cycle(struct node n, const struct visit *top, const struct visit *visit,
                         struct problems *problems)
{
    char chain[400] = "", shown[450];

    if (top == visit->parent) {
        node_problem(n, problems, false, "include", "%s includes itself",
                     node_show(n, shown, sizeof shown));
        return false;
    }
    append_name(visit, top, chain, sizeof chain);
    json_show(chain, strlen(chain), sizeof chain, shown, sizeof shown);
    node_problem(n, problems, false, "include", "include cycle: %s", shown);
    return false;
}

static bool include_file(struct file_set *set, struct node n, const struct visit *parent,
                         struct problems *problems)
{
    char *name, shown[256];
    struct visit visit = {.parent = parent};
    struct document *doc;
    struct stat info = {0};
    bool ok = false;

    if (!node_text(n) || node_text(n)[0] == '\0') {
        node_problem(n, problems, false, "include", "expected a file name, got %s",
                     node_show(n, shown, sizeof shown));
        return false;
    }
    name = relative_to(parent->name, node_text(n));
    visit.name = name;
    if (stat(name, &info) != 0 || !S_ISREG(info.st_mode)) {
        const char *reason = info.st_mode == 0       ? strerror(errno)
                             : S_ISDIR(info.st_mode) ? "is a directory"
                                                     : "is not a regular file";

        node_problem(n, problems, false, "include", "%s: %s",
                     json_show(name, strlen(name), 200, shown, sizeof shown), reason);
        free(name);
        return false;
    }
    visit.known = true;
    visit.dev = info.st_dev;
    visit.ino = info.st_ino;
    for (const struct visit *v = parent; v; v = v->parent) {
        if (same_file(v, &visit)) {
            refuse_cycle(n, v, &visit, problems);
            free(name);
            return false;
        }
    }
    if (set->count + 1 >= FILE_SET_MOST) {
        node_problem(n, problems, false, "include", "more than %d files", FILE_SET_MOST);
        free(name);
        return false;
    }
    doc = new_document();
    if (document_open(doc, name, problems)) {
        ok = take(set, doc, &visit, problems);
    } else {
        append(set, doc);
    }
    free(name);
    return ok;
}

static bool read_includes(struct file_set *set, const struct document *doc,
                          const struct visit *visit, struct problems *problems)
{
    struct node include = node_member(document_root(doc), "include");
    bool ok = true;

    if (!include.item) {
        return true;
    }
    if (node_type(include) == JSON_ARRAY) {
        for (struct node n = node_first(include); n.item; n = node_next(n)) {
            ok = include_file(set, n, visit, problems) && ok;
        }
        return ok;
    }
    return include_file(set, include, visit, problems);
}

bool file_set_open(struct file_set *set, const char *file, struct problems *problems)
{
    struct visit visit = {.name = file};
    struct document *doc = new_document();
    struct stat info;

    memset(set, 0, sizeof *set);
    if (stat(file, &info) == 0) {
        visit.known = true;
        visit.dev = info.st_dev;
        visit.ino = info.st_ino;
    }
    if (!document_open(doc, file, problems)) {
        append(set, doc);
        return false;
    }
    return take(set, doc, &visit, problems);
}

bool file_set_parse(struct file_set *set, const char *name, const char *text, size_t length,
                    struct problems *problems)
{
    struct visit visit = {.name = name};
    struct document *doc = new_document();

    memset(set, 0, sizeof *set);
    if (!document_parse(doc, name, text, length, problems)) {
        append(set, doc);
        return false;
    }
    return take(set, doc, &visit, problems);
}

void file_set_fini(struct file_set *set)
{
    for (size_t i = 0; i < set->count; i++) {
        document_fini(set->docs[i]);
        free(set->docs[i]);
    }
    free(set->docs);
    memset(set, 0, sizeof *set);
}
