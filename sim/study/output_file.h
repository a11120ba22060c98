/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A file that is written bit by bit, as long as it takes. What fails in between is told at the end.
 */
#ifndef SIM_STUDY_OUTPUT_FILE_H
#define SIM_STUDY_OUTPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/engine/error.h"

/* NULL: *error says why. */
FILE *output_file_open(const char *name, struct error *error);

/* Closes it; false: not all of it could be written, *error says why. */
bool output_file_close(FILE *file, const char *name, struct error *error);

#endif
