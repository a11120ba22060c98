/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The little HTML that the report needs: text that stays text whatever a name holds, and a gnuplot
 * SVG put into a page that has others (their ids would clash: each picture's get a prefix).
 */
#ifndef SIM_STUDY_HTML_H
#define SIM_STUDY_HTML_H

#include <stdio.h>

/* Text as HTML text or attribute value: markup characters become entities, control characters
 * blanks, bytes that are no UTF-8 the replacement character. NULL writes nothing. */
void html_text(FILE *page, const char *text);

/* The svg element of a file's text, without prolog and tool tips, every id and its uses prefixed.
 */
void html_svg(FILE *page, const char *svg, const char *prefix);

#endif
