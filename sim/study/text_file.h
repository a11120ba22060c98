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

/* Whether what is written gets its name when it is whole: there is a file of that name, or nothing.
 * A pipe or a device is written to, and stays what it is. */
bool text_file_is_renamed(const char *path);

/* Writes path.part, then renames it, or what is no file itself. */
bool text_file_write(const char *path, const char *text, struct error *error);

#endif
