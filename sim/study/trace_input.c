/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "sim/study/sha256.h"

#define STRING_OF(x) #x
#define STRING(x)    STRING_OF(x)

#define CHUNK_BYTES (256u << 10) /* read at once: stays in a cache */

struct trace_input {
    gzFile gz;
    char *file;
    struct problems *problems;
    struct sha256 *sha; /* NULL: none wanted */

    uint8_t *buffer;   /* [room + 1]: one byte for a NUL */
    size_t room;       /* as much as was looked at in one piece, and a chunk */
    size_t begin, end; /* what was read and not taken */
    uint64_t base;     /* offset of buffer[0] */
    bool at_end;       /* nothing comes after `end` */
    bool failed;

    uint64_t lines;
    char line_end; /* '\n' or '\r'; 0: not known yet */
    bool line_ended;
};

static void report(struct trace_input *input, bool warning, uint64_t line, uint32_t column,
                   const char *format, va_list args)
{
    struct error e = {.kind = ERROR_INPUT};

    snprintf(e.source, sizeof e.source, "%s", input->file);
    e.line = line > UINT32_MAX ? UINT32_MAX : (uint32_t)line;
    e.column = line > 0 && column == 0 ? 1 : column;
    vsnprintf(e.text, sizeof e.text, format, args);
    problems_add(input->problems, warning, &e);
}

void trace_input_error(struct trace_input *input, uint64_t line, uint32_t column,
                       const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(input, false, line, column, format, args);
    va_end(args);
}

void trace_input_warning(struct trace_input *input, uint64_t line, uint32_t column,
                         const char *format, ...)
{
    va_list args;

    va_start(args, format);
    report(input, true, line, column, format, args);
    va_end(args);
}

const char *trace_input_show(const char *text, size_t bytes, char shown[TRACE_SHOW_BYTES])
{
    size_t n = 0;

    for (size_t i = 0; i < bytes; i++) {
        unsigned char c = (unsigned char)text[i];

        if (n > 60) {
            snprintf(shown + n, TRACE_SHOW_BYTES - n, "…");
            return shown;
        }
        if (c >= 0x20 && c < 0x7f) {
            shown[n++] = (char)c;
        } else {
            n += (size_t)snprintf(shown + n, TRACE_SHOW_BYTES - n, "\\x%02x", c);
        }
    }
    shown[n] = '\0';
    return shown;
}

static void make_room(struct trace_input *input, size_t room)
{
    if (room > input->room) {
        uint8_t *buffer = realloc(input->buffer, room + 1);

        if (!buffer) {
            abort();
        }
        input->buffer = buffer;
        input->room = room;
    }
}

/* Reads until `bytes` are there, the buffer is full or the file ends. */
static void fill(struct trace_input *input, size_t bytes)
{
    if (input->begin > 0) {
        memmove(input->buffer, input->buffer + input->begin, input->end - input->begin);
        input->base += input->begin;
        input->end -= input->begin;
        input->begin = 0;
    }
    while (input->end < bytes && !input->at_end) {
        int got, code = Z_OK;

        make_room(input, input->end + CHUNK_BYTES);
        got = gzread(input->gz, input->buffer + input->end, CHUNK_BYTES);
        if (got > 0) {
            if (input->sha) {
                sha256_add(input->sha, input->buffer + input->end, (size_t)got);
            }
            input->end += (size_t)got;
        }
        if (got == (int)CHUNK_BYTES) {
            continue;
        }
        input->at_end = true;
        gzerror(input->gz, &code);
        if (code == Z_BUF_ERROR) {
            trace_input_warning(input, 0, 0, "the gzip data end early; what was read counts");
        } else if (got < 0 || (code != Z_OK && code != Z_STREAM_END)) {
            input->failed = true;
            trace_input_error(input, 0, 0, "%s",
                              code == Z_ERRNO ? strerror(errno) : "the gzip data are damaged");
        }
    }
}

static struct trace_input *input_fail(struct trace_input *input, const char *text)
{
    trace_input_error(input, 0, 0, "%s", text);
    trace_input_close(input);
    return NULL;
}

struct trace_input *trace_input_open(const char *file, struct problems *problems)
{
    struct trace_input *input = calloc(1, sizeof *input);
    struct stat status;
    int fd;

    if (!input || !(input->file = strdup(file))) {
        abort();
    }
    input->problems = problems;
    fd = open(file, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        return input_fail(input, strerror(errno));
    }
    if (S_ISDIR(status.st_mode)) {
        close(fd);
        return input_fail(input, "is a directory");
    }
    if (S_ISREG(status.st_mode) && status.st_size == 0) {
        close(fd);
        return input_fail(input, "file is empty");
    }
    input->gz = gzdopen(fd, "rb");
    if (!input->gz) {
        abort();
    }
    make_room(input, CHUNK_BYTES);
    gzbuffer(input->gz, CHUNK_BYTES / 4); /* less than a read: plain files are not copied twice */
    return input;
}

void trace_input_close(struct trace_input *input)
{
    if (!input) {
        return;
    }
    if (input->gz) {
        gzclose(input->gz);
    }
    free(input->buffer);
    free(input->file);
    free(input);
}

const char *trace_input_file(const struct trace_input *input)
{
    return input->file;
}

bool trace_input_hash(struct trace_input *input, struct sha256 *sha)
{
    if (input->end > 0 || input->base > 0) {
        return false;
    }
    input->sha = sha;
    return true;
}

bool trace_input_drain(struct trace_input *input)
{
    while (!input->at_end) {
        input->begin = input->end;
        fill(input, 1);
    }
    input->begin = input->end;
    return !input->failed;
}

const uint8_t *trace_input_peek(struct trace_input *input, size_t bytes, size_t *available)
{
    if (input->end - input->begin < bytes && !input->at_end) {
        fill(input, bytes);
    }
    *available = input->end - input->begin;
    return input->buffer + input->begin;
}

void trace_input_skip(struct trace_input *input, size_t bytes)
{
    input->begin += bytes;
}

uint64_t trace_input_offset(const struct trace_input *input)
{
    return input->base + input->begin;
}

bool trace_input_failed(const struct trace_input *input)
{
    return input->failed;
}

/* Whether the file's lines end with CR alone: the first line end says so. */
static char find_line_end(const uint8_t *data, size_t available)
{
    const uint8_t *lf = memchr(data, '\n', available);
    const uint8_t *cr = memchr(data, '\r', lf ? (size_t)(lf - data) : available);

    return cr && cr + 1 < (lf ? lf : data + available) ? '\r' : '\n';
}

/* Finds the end of the next line; NULL: the rest of what is available is the line. */
static uint8_t *line_find(struct trace_input *input, size_t *available)
{
    uint8_t *end = NULL;

    *available = input->end - input->begin;
    if (input->line_end != 0) {
        end = memchr(input->buffer + input->begin, input->line_end, *available);
    }
    if (!end) {
        trace_input_peek(input, TRACE_LINE_MOST + 2, available);
        if (input->line_end == 0) {
            input->line_end = find_line_end(input->buffer + input->begin, *available);
        }
        end = memchr(input->buffer + input->begin, input->line_end, *available);
    }
    return end;
}

static int line_refuse(struct trace_input *input, const char *text, size_t column)
{
    trace_input_error(input, input->lines, (uint32_t)column, "line %llu%s",
                      (unsigned long long)input->lines, text);
    return -1;
}

int trace_input_line(struct trace_input *input, char **line, size_t *bytes)
{
    size_t available, length;
    uint8_t *end = line_find(input, &available);
    uint8_t *data = input->buffer + input->begin;
    const uint8_t *nul;

    if (input->failed && !end) {
        return -1;
    }
    if (available == 0) {
        return 0;
    }
    input->lines++;
    length = end ? (size_t)(end - data) : available;
    if (length > TRACE_LINE_MOST) {
        return line_refuse(input, " is longer than " STRING(TRACE_LINE_MOST) " bytes", 1);
    }
    nul = memchr(data, '\0', length);
    if (nul) {
        return line_refuse(input, ": NUL byte", (size_t)(nul - data) + 1);
    }
    input->line_ended = end != NULL;
    input->begin += length + (end ? 1 : 0);
    if (input->line_end == '\n' && length > 0 && data[length - 1] == '\r') {
        length--;
    }
    data[length] = '\0';
    *line = (char *)data;
    *bytes = length;
    return 1;
}

uint64_t trace_input_line_number(const struct trace_input *input)
{
    return input->lines;
}

bool trace_input_line_ended(const struct trace_input *input)
{
    return input->line_ended;
}
