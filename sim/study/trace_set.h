/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The captures that configurations replay: each file, read in one way, once, however many runs and
 * threads share it. A configuration finds its trace by file and way of reading.
 */
#ifndef SIM_STUDY_TRACE_SET_H
#define SIM_STUDY_TRACE_SET_H

#include "sim/study/config.h"
#include "sim/study/trace_spool.h"

#define TRACE_SET_MOST 64

struct trace_set; /* of one thread while it is filled, of all afterwards */

struct trace_set *trace_set_new(void);
void trace_set_free(struct trace_set *set); /* NULL is fine; no run may go on */

/* Tells the set that `file`, as `from` names it, is the file of this located configuration. */
void trace_set_place(struct trace_set *set, const struct config *config, const char *file,
                     const char *from);

/* Makes the file of a configuration one from the root, `from` being the file that names it (NULL:
 * the command line). What the set was told of stays what it was then, even when the file is gone
 * since; of the rest a file that is not there stays as it would be named from here. set: NULL is
 * fine. */
void trace_set_locate(const struct trace_set *set, struct config *config, const char *from);

/* Gives a configuration that replays a capture its trace and the SHA-256 of it; others, and those
 * whose capture is not in the set, are left alone. */
void trace_set_apply(const struct trace_set *set, struct config *config);

/* What was read for a configuration; NULL: nothing. */
const struct trace_spool *trace_set_spool(const struct trace_set *set, const struct config *config);

/* Reads the configuration's capture unless the set has it. False: refused, reported, and so again
 * at every later call. *fresh: it was read now, and problems hold what is to be said of it. */
bool trace_set_add(struct trace_set *set, const struct config *config, bool *fresh,
                   struct problems *problems);

/* One line for each capture, in the order they were read: what it holds and what was assumed. */
size_t trace_set_count(const struct trace_set *set);
const char *trace_set_note(const struct trace_set *set, size_t index);

#endif
