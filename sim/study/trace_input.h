/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The bytes of a capture, plain or compressed by gzip, front to back in constant memory: a reader
 * looks at what comes next (peek) and then takes it (skip), or takes text line by line. Bytes are
 * counted as they are after decompression.
 *
 * A text line ends with LF, CR LF, or CR alone (where the first line does); it is handed over
 * without its end, NUL-terminated, in the buffer, and may be written to. A line that is too long or
 * holds a NUL byte is refused, so that nothing after it vanishes.
 *
 * gzip data that stop early are a warning, like any capture that was cut short; damaged ones are an
 * error.
 */
#ifndef SIM_STUDY_TRACE_INPUT_H
#define SIM_STUDY_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/error.h"

#define TRACE_INPUT_PEEK_MOST (1u << 20) /* bytes that can be looked at in one piece */
#define TRACE_LINE_MOST       65536      /* bytes of a line */

struct sha256;
struct trace_input;

/* NULL: refused, reported. An empty file is refused. The problems outlive the input. */
struct trace_input *trace_input_open(const char *file, struct problems *problems);
void trace_input_close(struct trace_input *input); /* NULL is fine */

const char *trace_input_file(const struct trace_input *input); /* as it was given */

/* From now on all bytes that are read go into the hash too; trace_input_drain reads the rest. Call
 * it before the first peek: true only then. */
bool trace_input_hash(struct trace_input *input, struct sha256 *sha);
bool trace_input_drain(struct trace_input *input); /* false: a read error, reported */

/* The next bytes, not taken yet; *available is less than `bytes` only at the end of the file, or
 * when reading failed (reported; trace_input_failed). bytes <= TRACE_INPUT_PEEK_MOST. The pointer
 * is good until the next call. More than was asked may be available, and may be used. */
const uint8_t *trace_input_peek(struct trace_input *input, size_t bytes, size_t *available);
void trace_input_skip(struct trace_input *input, size_t bytes); /* at most what is available */
uint64_t trace_input_offset(const struct trace_input *input);   /* of the next byte, from 0 */
bool trace_input_failed(const struct trace_input *input);

/* 1: a line; 0: the end; -1: refused, reported. */
int trace_input_line(struct trace_input *input, char **line, size_t *bytes);
uint64_t trace_input_line_number(const struct trace_input *input); /* of the last one, from 1 */
bool trace_input_line_ended(const struct trace_input *input); /* false: cut off by the file's end */

/* Reports about the file; line 0: no place, column 0: 1. Bytes of the file belong into a message
 * only through trace_input_show. */
void trace_input_error(struct trace_input *input, uint64_t line, uint32_t column,
                       const char *format, ...) __attribute__((format(printf, 4, 5)));
void trace_input_warning(struct trace_input *input, uint64_t line, uint32_t column,
                         const char *format, ...) __attribute__((format(printf, 4, 5)));

#define TRACE_SHOW_BYTES 80

/* The text as it can be shown on a terminal: other bytes as \x.., cut with … near 60. */
const char *trace_input_show(const char *text, size_t bytes, char shown[TRACE_SHOW_BYTES]);

#endif
