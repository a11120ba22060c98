/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The format of scenario files as others read it: a JSON Schema (draft 2020-12) for editors, and
 * the reference page. Both come from the parameter rows and say nothing of their own about a
 * parameter.
 */
#ifndef SIM_STUDY_SCHEMA_H
#define SIM_STUDY_SCHEMA_H

#include <stdio.h>

#include "sim/engine/param.h"

void schema_write(const struct param_schema *schema, FILE *out);
void reference_write(const struct param_schema *schema, FILE *out);

/* "64 KiB", "4", "JSON": how a value of the row is written, for instance `"200ms"`; the default
 * where there is one. Returns buffer. */
char *reference_default(const struct param *row, char *buffer, size_t bytes);

/* "guess, 2ns..12ns, source" of a cost; "" of the others. Returns buffer. */
char *reference_certificate(const struct param *row, char *buffer, size_t bytes);

#endif
