/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of a scenario: the one that was named and those it includes, in reading order: an
 * included file before the file that includes it, so that the later one wins. Paths are relative to
 * the including file. A file that includes itself, directly or around, is refused; identity is that
 * of the file, not of its name, so links do not hide a cycle.
 */
#ifndef SIM_STUDY_FILE_SET_H
#define SIM_STUDY_FILE_SET_H

#include "sim/study/document.h"

#define FILE_SET_MOST 64

struct file_set {
    struct document **docs; /* the last is the one that was named */
    size_t count, room;
};

/* False: problems hold what is wrong (of all files). */
bool file_set_open(struct file_set *set, const char *file, struct problems *problems);

/* The same for a text instead of the first file; `name` is shown, and what it includes is relative
 * to that name. */
bool file_set_parse(struct file_set *set, const char *name, const char *text, size_t length,
                    struct problems *problems);
void file_set_fini(struct file_set *set);

#endif
