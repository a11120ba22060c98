/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text trace read whole, for the tests of its reader. */
#ifndef TESTS_STUDY_FTRACE_FIXTURE_H
#define TESTS_STUDY_FTRACE_FIXTURE_H

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "sim/study/trace.h"
#include "tests/suite.h"

struct capture {
    struct trace_packet *list;
    size_t count, room;
    struct trace_facts facts;
    struct problems problems;
    int end; /* of the last trace_next; -1 where the file was not opened either */
};

static inline void capture_read(struct capture *capture, const char *file,
                                const struct trace_options *options)
{
    const struct trace_options none = {0};
    struct trace_reader *reader;
    struct trace_packet packet;

    *capture = (struct capture){.end = -1};
    problems_init(&capture->problems);
    reader = trace_open(file, options ? options : &none, &capture->problems);
    while (reader && (capture->end = trace_next(reader, &packet)) == 1) {
        if (capture->count == capture->room) {
            capture->room = capture->room > 0 ? 2 * capture->room : 64;
            capture->list = realloc(capture->list, capture->room * sizeof *capture->list);
            require(capture->list != NULL);
        }
        capture->list[capture->count++] = packet;
    }
    if (reader) {
        capture->facts = reader->facts;
    }
    trace_close(reader);
}

/* The text as a file. */
static inline void capture_text(struct capture *capture, const char *text,
                                const struct trace_options *options)
{
    char file[] = "/tmp/vqsim-trace-XXXXXX";
    int fd = mkstemp(file);

    require(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    capture_read(capture, file, options);
    unlink(file);
}

static inline void capture_fini(struct capture *capture)
{
    free(capture->list);
    problems_fini(&capture->problems);
}

/* Whether a problem's text has these words. */
static inline bool capture_says(const struct capture *capture, const char *words)
{
    for (size_t i = 0; i < capture->problems.count; i++) {
        if (strstr(capture->problems.list[i].error.text, words)) {
            return true;
        }
    }
    return false;
}

static inline void capture_print(const struct capture *capture)
{
    char line[1200];

    for (size_t i = 0; i < capture->problems.count; i++) {
        const struct problem *p = &capture->problems.list[i];

        error_format(&p->error, p->warning ? "warning" : "error", line, sizeof line);
        fprintf(stderr, "%s\n", line);
    }
}

#endif
