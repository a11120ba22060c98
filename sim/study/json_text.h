/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of a JSON string: UTF-8 and escapes, checked and undone; and text of unknown origin
 * made fit for a message.
 */
#ifndef SIM_STUDY_JSON_TEXT_H
#define SIM_STUDY_JSON_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What was wrong with a string, and at which offset; at the end of the text: it was not closed. */
struct json_text_fault {
    size_t at;
    char text[100];
};

/* Checks the string whose opening quote is at `from`; *end gets the offset behind its closing
 * quote. */
bool json_text_check(const char *text, size_t length, size_t from, size_t *end, bool *has_nul,
                     struct json_text_fault *fault);

/* Undoes the escapes of a checked string without its quotes; out has room for `length` bytes.
 * Returns the bytes written; no NUL is added. */
size_t json_text_unescape(const char *text, size_t length, char *out);

/* Bytes of the UTF-8 character at `text` (1..4), 0 where there is none: overlong forms, surrogates
 * and what is above U+10FFFF are none. */
size_t json_text_utf8(const char *text, size_t length);

/* Up to `most` bytes for a message: control bytes, bytes that are not UTF-8 and backslashes of ours
 * are shown escaped, the rest is cut with an ellipsis. Returns buffer. */
#define JSON_SHOWN_MOST 60
char *json_show(const char *text, size_t length, size_t most, char *buffer, size_t bytes);

/* Text as a JSON string with its quotes: malloc'ed, or into a stream. */
char *json_quoted(const char *text);
void json_put_quoted(FILE *out, const char *text);

#endif
