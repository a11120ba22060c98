/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/html.h"

#include <stdbool.h>
#include <string.h>

/* Bytes of the UTF-8 sequence at c; 0: none. Overlong forms, surrogates and values past U+10FFFF
 * are none. */
static size_t utf8_length(const unsigned char *c)
{
    static const struct {
        unsigned char first_low, first_high, second_low, second_high;
        size_t length;
    } forms[] = {
        {0x00, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4},
    };

    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (c[0] < forms[i].first_low || c[0] > forms[i].first_high) {
            continue;
        }
        if (forms[i].length > 1 && (c[1] < forms[i].second_low || c[1] > forms[i].second_high)) {
            return 0;
        }
        for (size_t k = 2; k < forms[i].length; k++) {
            if (c[k] < 0x80 || c[k] > 0xbf) {
                return 0;
            }
        }
        return forms[i].length;
    }
    return 0;
}

void html_text(FILE *page, const char *text)
{
    const unsigned char *c = (const unsigned char *)text;

    while (c && *c != '\0') {
        size_t length = utf8_length(c);

        if (length == 0) {
            fputs("\xef\xbf\xbd", page);
            c++;
            continue;
        }
        if (*c == '&') {
            fputs("&amp;", page);
        } else if (*c == '<') {
            fputs("&lt;", page);
        } else if (*c == '>') {
            fputs("&gt;", page);
        } else if (*c == '"') {
            fputs("&quot;", page);
        } else if (*c == '\'') {
            fputs("&#39;", page);
        } else if ((*c < ' ' && *c != '\n') || *c == 0x7f) {
            fputc(' ', page);
        } else {
            fwrite(c, 1, length, page);
        }
        c += length;
    }
}

void html_svg(FILE *page, const char *svg, const char *prefix)
{
    static const char *const before[] = {" id='", " id=\"", "href='#", "href=\"#", "url(#"};
    const char *c = strstr(svg, "<svg");
    bool in_tag = false;

    while (c && *c != '\0') {
        if (strncmp(c, "<title>", 7) == 0) {
            const char *end = strstr(c, "</title>");

            c = end ? end + 8 : c + strlen(c);
            continue;
        }
        if (*c == '<') {
            in_tag = true;
        } else if (*c == '>') {
            in_tag = false;
        }
        size_t skip = 0;
        for (size_t i = 0; in_tag && i < sizeof before / sizeof before[0]; i++) {
            if (strncmp(c, before[i], strlen(before[i])) == 0) {
                skip = strlen(before[i]);
            }
        }
        if (skip > 0) {
            fwrite(c, 1, skip, page);
            fputs(prefix, page);
            c += skip;
        } else {
            fputc(*c++, page);
        }
    }
}
