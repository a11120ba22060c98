/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the program's data folders are (plots, scenarios): data is found at run time, so that a
 * user adds a file without a compiler. The first that exists:
 *
 *   1. the folder given on the command line, which must exist
 *   2. $VQSIM_DATA/NAME
 *   3. ../../NAME seen from the program: build/release/vqsim beside the sources
 *   4. ../share/vqsim/NAME seen from the program: an installed one
 */
#ifndef SIM_STUDY_DATA_DIR_H
#define SIM_STUDY_DATA_DIR_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/engine/error.h"

/* given NULL: none on the command line. False: no such folder, *error lists where was looked. */
bool data_dir_find(const char *name, const char *given, char *path, size_t bytes,
                   struct error *error);

#endif
