/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tables that the replay programs read: CSV, plain or gzip; columns go by their header names,
 * others are ignored. A program takes one file. Exit: 0 all rows agree, 1 some do not, 2 wrong
 * usage, 3 bad file, 4 the system failed; what is wrong ends the program here.
 */
#ifndef TESTS_REPLAY_TABLE_H
#define TESTS_REPLAY_TABLE_H

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/engine/error.h"

#define REPLAY_COLUMNS 64

struct replay_table {
    const char *program, *path;
    const char *const *names; /* of the columns that are read */
    int columns;
    FILE *file;
    pid_t child; /* gunzip, or 0 */
    uint32_t line;
    char *text;
    size_t room;
    int place[REPLAY_COLUMNS];   /* field of each column */
    uint32_t fields;             /* of the header */
    char *field[REPLAY_COLUMNS]; /* of the row that was read last */
};

static inline _Noreturn void replay_bad(const struct replay_table *t, uint32_t line,
                                        const char *what, const char *which)
{
    fflush(stdout);
    fprintf(stderr, "%s:%u: error: %s%s%s%s\n", t->path, line, what, which != NULL ? " '" : "",
            which != NULL ? which : "", which != NULL ? "'" : "");
    exit(ERROR_INPUT);
}

static inline _Noreturn void replay_failed(const char *program, const char *what)
{
    fprintf(stderr, "%s: error: %s: %s\n", program, what, strerror(errno));
    exit(ERROR_SYSTEM);
}

/* The read end of `gzip -dc <&fd`. */
static inline FILE *replay_gunzip(struct replay_table *t, FILE *packed)
{
    int ends[2];

    if (pipe(ends) != 0) {
        replay_failed(t->program, "pipe");
    }
    t->child = fork();
    if (t->child < 0) {
        replay_failed(t->program, "fork");
    }
    if (t->child == 0) {
        dup2(fileno(packed), STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        lseek(STDIN_FILENO, 0, SEEK_SET);
        execlp("gzip", "gzip", "-dc", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    fclose(packed);
    return fdopen(ends[0], "r");
}

static inline void replay_file_open(struct replay_table *t)
{
    unsigned char magic[2] = {0, 0};
    const char *path = t->path;

    t->file = fopen(path, "r");
    if (t->file == NULL || (fread(magic, 1, 2, t->file) < 2 && ferror(t->file) != 0)) {
        fprintf(stderr, "%s: error: cannot be read: %s\n", path, strerror(errno));
        exit(ERROR_INPUT);
    }
    if (magic[0] == 0x1f && magic[1] == 0x8b) {
        t->file = replay_gunzip(t, t->file);
        if (t->file == NULL) {
            replay_failed(t->program, "fdopen");
        }
    } else {
        rewind(t->file);
    }
}

/* Closes the file; a damaged archive is a bad file although its first rows were read. */
static inline void replay_table_close(struct replay_table *t)
{
    int status = 0;

    if (ferror(t->file) != 0) {
        replay_failed(t->program, t->path);
    }
    fclose(t->file);
    free(t->text);
    if (t->child != 0) {
        if (waitpid(t->child, &status, 0) < 0) {
            replay_failed(t->program, "waitpid");
        }
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
            replay_bad(t, t->line, "the gzip data cannot be unpacked", NULL);
        }
    }
}

/* The next line without its end, cut at commas; false at the end of the file. */
static inline bool replay_table_line(struct replay_table *t, uint32_t *count)
{
    ssize_t length = getline(&t->text, &t->room, t->file);
    char *rest = t->text;

    if (length < 0) {
        return false;
    }
    t->line++;
    if (strlen(t->text) != (size_t)length) {
        replay_bad(t, t->line, "a zero byte in the text", NULL);
    }
    t->text[strcspn(t->text, "\r\n")] = '\0';
    *count = 0;
    while (rest != NULL) {
        if (*count == REPLAY_COLUMNS) {
            replay_bad(t, t->line, "too many columns", NULL);
        }
        t->field[(*count)++] = strsep(&rest, ",");
    }
    return true;
}

static inline void replay_table_header(struct replay_table *t)
{
    if (!replay_table_line(t, &t->fields)) {
        replay_bad(t, 1, "empty file", NULL);
    }
    for (int c = 0; c < t->columns; c++) {
        t->place[c] = -1;
        for (uint32_t i = 0; i < t->fields; i++) {
            if (strcmp(t->field[i], t->names[c]) != 0) {
                continue;
            }
            if (t->place[c] >= 0) {
                replay_bad(t, t->line, "two columns are named", t->names[c]);
            }
            t->place[c] = (int)i;
        }
        if (t->place[c] < 0) {
            replay_bad(t, t->line, "no column", t->names[c]);
        }
    }
}

/* `names`: the columns that the program reads, of which there are `columns`. */
static inline void replay_table_open(struct replay_table *t, const char *program,
                                     const char *const *names, int columns, const char *path)
{
    *t =
        (struct replay_table){.program = program, .names = names, .columns = columns, .path = path};
    replay_file_open(t);
    replay_table_header(t);
}

/* The next row, into field[]; false at the end of the file. */
static inline bool replay_table_row(struct replay_table *t)
{
    uint32_t count;

    if (!replay_table_line(t, &count)) {
        return false;
    }
    if (count != t->fields) {
        replay_bad(t, t->line, "the row has not as many fields as the header", NULL);
    }
    return true;
}

/* The row's text of a column. */
static inline const char *replay_text(const struct replay_table *t, int column)
{
    return t->field[t->place[column]];
}

static inline _Noreturn void replay_bad_number(const struct replay_table *t, int column,
                                               const char *text)
{
    char what[120];

    snprintf(what, sizeof what, "%s is not a number:", t->names[column]);
    replay_bad(t, t->line, what, text);
}

/* A plain decimal number; what strtod would take besides is refused. */
static inline double replay_number(const struct replay_table *t, int column, double least,
                                   double most, bool whole)
{
    const char *text = replay_text(t, column);
    char what[120];
    char *end = NULL;
    double value = strtod(text, &end);

    if (text[0] == '\0' || *end != '\0' || strspn(text, "0123456789.eE+-") != strlen(text)) {
        replay_bad_number(t, column, text);
    }
    if (!(value >= least && value <= most) || (whole && value != floor(value))) {
        snprintf(what, sizeof what, "%s must be %s, %g..%g:", t->names[column],
                 whole ? "a whole number" : "a number", least, most);
        replay_bad(t, t->line, what, text);
    }
    return value;
}

/* A whole number of -2^63 to 2^64 - 1, exactly, as its 64 bits. */
static inline uint64_t replay_bits(const struct replay_table *t, int column)
{
    const char *text = replay_text(t, column);
    const char *digits = text + (text[0] == '-' ? 1 : 0);
    char *end = NULL;
    uint64_t value;

    errno = 0;
    value = text[0] == '-' ? (uint64_t)strtoll(text, &end, 10) : strtoull(text, &end, 10);
    if (digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits) || errno != 0) {
        replay_bad_number(t, column, text);
    }
    return value;
}

#endif
