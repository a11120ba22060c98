/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One value, into the field of its parameter. The row of the parameter says what is allowed: type,
 * unit, range, choices. Whole numbers are taken from the text of the file, never from a double;
 * decimals are exact. Every message names the value, the limits and, for words, the nearest name.
 *
 * A value comes from JSON, or from text as after --set: there "200ms", "true", 4, and JSON for
 * distributions, arrays and costs with a certificate.
 */
#ifndef SIM_STUDY_VALUE_H
#define SIM_STUDY_VALUE_H

#include "sim/engine/param.h"
#include "sim/study/document.h"

/* What a cost table says about a cost besides its value; the texts belong to the document. */
struct value_certificate {
    bool set;
    bool has_range, has_status;
    sim_time low, high;
    enum param_status status;
    const char *source; /* NULL: not given */
};

/* Reads the node into `part`, the start of the configuration that row->offset counts from. `path`
 * is for messages. A value above a row's clamp is clamped, with a warning. False: at least one
 * error was added. */
bool value_read(const struct param *row, struct node node, const char *path, void *part,
                struct value_certificate *certificate, struct problems *problems);

/* Makes a document of a text as after --set; false: errors by that path. The document lives as long
 * as the certificate is wanted. */
bool value_parse(const struct param *row, const char *text, const char *path, struct document *doc,
                 struct problems *problems);

/* Problems from number `from` on were found in such a text: they get its path and have no line. */
void value_problems_at(struct problems *problems, size_t from, const char *path);

/* Both in one, for defaults, presets and conditions: what is wrong there is a bug of a table.
 * False: the text is no value of the row. */
bool value_from_text(const struct param *row, const char *text, void *part);

const char *value_status_name(enum param_status status); /* "guess", "measured", "calibrated" */

#endif
