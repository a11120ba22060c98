/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/json_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t json_text_utf8(const char *text, size_t length)
{
    const unsigned char *b = (const unsigned char *)text;
    uint32_t code;
    size_t bytes;

    if (length == 0) {
        return 0;
    }
    if (b[0] < 0x80) {
        return 1;
    }
    if (b[0] >= 0xc2 && b[0] <= 0xdf) {
        bytes = 2;
        code = b[0] & 0x1fu;
    } else if (b[0] >= 0xe0 && b[0] <= 0xef) {
        bytes = 3;
        code = b[0] & 0x0fu;
    } else if (b[0] >= 0xf0 && b[0] <= 0xf4) {
        bytes = 4;
        code = b[0] & 0x07u;
    } else {
        return 0;
    }
    if (bytes > length) {
        return 0;
    }
    for (size_t i = 1; i < bytes; i++) {
        if ((b[i] & 0xc0) != 0x80) {
            return 0;
        }
        code = code << 6 | (b[i] & 0x3fu);
    }
    if ((bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000) || code > 0x10ffff ||
        (code >= 0xd800 && code <= 0xdfff)) {
        return 0;
    }
    return bytes;
}

static bool fault_at(struct json_text_fault *fault, size_t at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static bool fault_at(struct json_text_fault *fault, size_t at, const char *format, ...)
{
    va_list args;

    fault->at = at;
    va_start(args, format);
    vsnprintf(fault->text, sizeof fault->text, format, args);
    va_end(args);
    return false;
}

/* Four hexadecimal digits; -1: they are not. */
static int32_t hex4(const char *text, size_t length)
{
    int32_t value = 0;

    if (length < 4) {
        return -1;
    }
    for (int i = 0; i < 4; i++) {
        char c = text[i];
        int digit = c >= '0' && c <= '9'                 ? c - '0'
                    : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10
                                                         : -1;

        if (digit < 0) {
            return -1;
        }
        value = value * 16 + digit;
    }
    return value;
}

/* The code point of the \u escape at `text` (a surrogate pair is one), -1: no digits, -2: unpaired
 * surrogate. */
static int32_t escape_code(const char *text, size_t length, size_t *used)
{
    int32_t code = length >= 6 ? hex4(text + 2, length - 2) : -1, low;

    *used = 6;
    if (code < 0xd800 || code > 0xdfff) {
        return code;
    }
    if (code >= 0xdc00 || length < 12 || text[6] != '\\' || text[7] != 'u') {
        return -2;
    }
    low = hex4(text + 8, length - 8);
    if (low < 0xdc00 || low > 0xdfff) {
        return -2;
    }
    *used = 12;
    return 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
}

static bool check_escape(const char *text, size_t length, size_t *at, bool *has_nul,
                         struct json_text_fault *fault)
{
    size_t used;
    int32_t code;
    char shown[24];

    if (*at + 1 >= length) {
        return fault_at(fault, length, "unexpected end of file");
    }
    if (text[*at + 1] != 'u') {
        if (text[*at + 1] == '\0' || !strchr("\"\\/bfnrt", text[*at + 1])) {
            json_show(text + *at + 1, 1, 4, shown, sizeof shown);
            return fault_at(fault, *at, "unknown escape \\%s", shown);
        }
        *at += 2;
        return true;
    }
    code = escape_code(text + *at, length - *at, &used);
    if (code == -1) {
        return fault_at(fault, *at, "\\u takes four hexadecimal digits");
    }
    if (code == -2) {
        return fault_at(fault, *at, "unpaired surrogate %.6s", text + *at);
    }
    *has_nul = *has_nul || code == 0;
    *at += used;
    return true;
}

bool json_text_check(const char *text, size_t length, size_t from, size_t *end, bool *has_nul,
                     struct json_text_fault *fault)
{
    size_t at = from + 1;

    while (at < length) {
        unsigned char byte = (unsigned char)text[at];
        size_t bytes;

        if (byte == '"') {
            *end = at + 1;
            return true;
        }
        if (byte == '\\') {
            if (!check_escape(text, length, &at, has_nul, fault)) {
                return false;
            }
            continue;
        }
        if (byte == '\n' || byte == '\r') {
            return fault_at(fault, at, "line ends inside a string; is its closing quote missing?");
        }
        if (byte < 0x20) {
            return fault_at(fault, at, "control character U+%04X in string", byte);
        }
        bytes = json_text_utf8(text + at, length - at);
        if (bytes == 0) {
            return fault_at(fault, at, "invalid UTF-8 byte 0x%02X in string", byte);
        }
        at += bytes;
    }
    return fault_at(fault, length, "unexpected end of file");
}

static size_t put_utf8(char *out, int32_t code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        out[0] = (char)(0xc0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3f));
        return 2;
    }
    if (code < 0x10000) {
        out[0] = (char)(0xe0 | code >> 12);
        out[1] = (char)(0x80 | (code >> 6 & 0x3f));
        out[2] = (char)(0x80 | (code & 0x3f));
        return 3;
    }
    out[0] = (char)(0xf0 | code >> 18);
    out[1] = (char)(0x80 | (code >> 12 & 0x3f));
    out[2] = (char)(0x80 | (code >> 6 & 0x3f));
    out[3] = (char)(0x80 | (code & 0x3f));
    return 4;
}

size_t json_text_unescape(const char *text, size_t length, char *out)
{
    static const char escapes[] = "\"\\/bfnrt", meanings[] = "\"\\/\b\f\n\r\t";
    size_t written = 0;

    for (size_t at = 0; at < length;) {
        if (text[at] != '\\') {
            out[written++] = text[at++];
        } else if (text[at + 1] == 'u') {
            size_t used;
            int32_t code = escape_code(text + at, length - at, &used);

            written += put_utf8(out + written, code);
            at += used;
        } else {
            out[written++] = meanings[strchr(escapes, text[at + 1]) - escapes];
            at += 2;
        }
    }
    return written;
}

char *json_show(const char *text, size_t length, size_t most, char *buffer, size_t bytes)
{
    size_t at = 0, used = 0;

    while (at < length && at < most) {
        unsigned char byte = (unsigned char)text[at];
        size_t take = json_text_utf8(text + at, length - at);
        /* U+0080..U+009F are control characters too: a terminal may obey them. */
        bool control = byte < 0x20 || byte == 0x7f ||
                       (take == 2 && byte == 0xc2 && (unsigned char)text[at + 1] < 0xa0);

        if (used + 12 >= bytes) {
            break;
        }
        if (take == 0 || (control && take == 1)) {
            used +=
                (size_t)snprintf(buffer + used, bytes - used, take ? "\\u%04x" : "\\x%02x", byte);
            at++;
        } else if (control) {
            used += (size_t)snprintf(buffer + used, bytes - used, "\\u%04x",
                                     (unsigned char)text[at + 1]);
            at += take;
        } else {
            memcpy(buffer + used, text + at, take);
            used += take;
            at += take;
        }
    }
    snprintf(buffer + used, bytes - used, "%s", at < length ? "\xe2\x80\xa6" : "");
    return buffer;
}

void json_put_quoted(FILE *out, const char *text)
{
    fputc('"', out);
    for (; *text; text++) {
        unsigned char byte = (unsigned char)*text;

        if (byte == '"' || byte == '\\') {
            fprintf(out, "\\%c", byte);
        } else if (byte < 0x20 || byte == 0x7f) {
            fprintf(out, "\\u%04x", byte);
        } else {
            fputc(byte, out);
        }
    }
    fputc('"', out);
}

char *json_quoted(const char *text)
{
    char *quoted = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&quoted, &bytes);

    if (!out) {
        abort();
    }
    json_put_quoted(out, text);
    if (fclose(out) != 0) {
        abort();
    }
    return quoted;
}
