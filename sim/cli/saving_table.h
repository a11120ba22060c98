/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the recommended value of each case saves, with the interval over seeds and the range over
 * the plausible costs: as a table (sweep, recommend) and as JSON.
 */
#ifndef SIM_CLI_SAVING_TABLE_H
#define SIM_CLI_SAVING_TABLE_H

#include <stdio.h>

#include "sim/study/json_out.h"
#include "sim/study/recommend.h"

void saving_table_print(const struct recommend *r, FILE *out);

/* "saving": {...} or null, into an open object. */
void saving_json(const struct recommend_case *c, struct json_out *json);

#endif
