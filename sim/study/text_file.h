/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Small files read and written whole. A file that is written appears under its name only when all
 * of it is on the disk, so nobody ever finds half of one.
 */
#ifndef SIM_STUDY_TEXT_FILE_H
#define SIM_STUDY_TEXT_FILE_H

#include <stdbool.h>

#include "sim/engine/error.h"

/* malloc'ed; NULL: *error says why. A file with a zero byte or over 16 MiB is refused. */
char *text_file_read(const char *path, struct error *error);

/* Writes path.part, then renames it. */
bool text_file_write(const char *path, const char *text, struct error *error);

#endif
