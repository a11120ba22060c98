/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool error_set(struct error *e, enum error_kind kind, const char *path, const char *format, ...)
{
    va_list args;

    if (e->kind != ERROR_NONE) {
        return false;
    }
    e->kind = kind;
    snprintf(e->path, sizeof e->path, "%s", path ? path : "");
    va_start(args, format);
    vsnprintf(e->text, sizeof e->text, format, args);
    va_end(args);
    return false;
}

bool error_set_errno(struct error *e, enum error_kind kind, const char *source)
{
    int code = errno;

    if (e->kind != ERROR_NONE) {
        return false;
    }
    error_set(e, kind, "", "%s", strerror(code));
    snprintf(e->source, sizeof e->source, "%s", source);
    return false;
}

void error_format(const struct error *e, const char *severity, char *buffer, size_t bytes)
{
    char place[320];

    if (e->source[0] == '\0') {
        snprintf(place, sizeof place, "vqsim");
    } else if (e->line == 0) {
        snprintf(place, sizeof place, "%s", e->source);
    } else {
        snprintf(place, sizeof place, "%s:%u:%u", e->source, e->line, e->column);
    }
    if (e->path[0] == '\0') {
        snprintf(buffer, bytes, "%s: %s: %s", place, severity, e->text);
    } else {
        snprintf(buffer, bytes, "%s: %s: %s: %s", place, severity, e->path, e->text);
    }
}

void problems_init(struct problems *p)
{
    memset(p, 0, sizeof *p);
}

void problems_fini(struct problems *p)
{
    free(p->list);
    memset(p, 0, sizeof *p);
}

void problems_add(struct problems *p, bool warning, const struct error *e)
{
    if (p->count == p->room) {
        size_t room = p->room ? 2 * p->room : 16;
        struct problem *list = realloc(p->list, room * sizeof *list);

        if (!list) {
            abort();
        }
        p->list = list;
        p->room = room;
    }
    p->list[p->count].warning = warning;
    p->list[p->count].error = *e;
    p->count++;
    p->errors += warning ? 0 : 1;
}

static void problems_text(struct problems *p, bool warning, const char *path, const char *format,
                          va_list args)
{
    struct error e = {.kind = ERROR_INPUT};

    snprintf(e.path, sizeof e.path, "%s", path ? path : "");
    vsnprintf(e.text, sizeof e.text, format, args);
    problems_add(p, warning, &e);
}

void problems_error(struct problems *p, const char *path, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    problems_text(p, false, path, format, args);
    va_end(args);
}

void problems_warning(struct problems *p, const char *path, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    problems_text(p, true, path, format, args);
    va_end(args);
}
