/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where the load of a run was a limit of the path, and what that does to its figures: a sender that
 * is faster than the path loses packets, and its rate is what the path carries; a backend that
 * works all the time hides from the rate what the guest saves. `vqsim run` says the same of one
 * point.
 */
#ifndef SIM_STUDY_REPORT_LOAD_H
#define SIM_STUDY_REPORT_LOAD_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/engine/error.h"
#include "sim/study/store.h"

/* A note for each limit that some path is at; nothing where there is none. `with` is the text of
 * points.with. */
bool load_html(struct store *store, const char *with, FILE *page, struct error *error);

#endif
