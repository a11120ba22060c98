/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What can go wrong outside the simulation, and where. The callee states the fact, a caller may add
 * the file, nobody rewrites the text. Only the command line prints one; only main() exits.
 *
 *   struct error    one failure; the last parameter of a function that can fail, never NULL; the
 *                   first failure wins (a second error_set leaves it alone)
 *   struct problems a list of failures and warnings, for a reader that reports all of a file at once
 */
#ifndef SIM_ENGINE_ERROR_H
#define SIM_ENGINE_ERROR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The values are the program's exit codes. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_DIFFERS = 1, /* a comparison, expectation or validation differs */
    ERROR_USAGE = 2,   /* the command line */
    ERROR_INPUT = 3,   /* a file or value that was given */
    ERROR_SYSTEM = 4,  /* disk, memory, pipe */
};

struct error {
    enum error_kind kind;
    char source[256]; /* file; empty: none */
    char path[160];   /* dotted path of a parameter; empty: none */
    uint32_t line;    /* from 1; 0: not known */
    uint32_t column;  /* in bytes, from 1; 0: not known */
    char text[512];
};

/* Fills *e unless it already holds a failure; returns false, so that `return error_set(...)` reads well. */
bool error_set(struct error *e, enum error_kind kind, const char *path, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Adds "(strerror)" of the current errno to the text; kind is ERROR_SYSTEM or ERROR_INPUT. */
bool error_set_errno(struct error *e, enum error_kind kind, const char *source);

/* "FILE:LINE:COL: error: PATH: text" into buffer (parts that are empty are left out; with no file the
 * form is "vqsim: error: PATH: text"); severity is "error" or "warning". */
void error_format(const struct error *e, const char *severity, char *buffer, size_t bytes);

struct problem {
    bool warning;
    struct error error;
};

struct problems {
    struct problem *list;
    size_t count, room;
    size_t errors; /* those that are not warnings */
};

void problems_init(struct problems *p);
void problems_fini(struct problems *p);

/* Appends; path may be "" and the place may be filled in later by a reader that knows the file. */
void problems_error(struct problems *p, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void problems_warning(struct problems *p, const char *path, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void problems_add(struct problems *p, bool warning, const struct error *e);

#endif
