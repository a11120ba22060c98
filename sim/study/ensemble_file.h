/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The worlds of an ensemble as a file. Its worlds are cases, so a scenario that includes it beside
 * the bed runs them all:
 *
 *   {"_what": ..., "_seed": 1, "_draws": 2000, "_starts": 100,
 *    "cases": {"w0017": {"_score": 11.2, "guest.stack.packet": "2.1us", ...}, ...}}
 */
#ifndef SIM_STUDY_ENSEMBLE_FILE_H
#define SIM_STUDY_ENSEMBLE_FILE_H

#include "sim/study/ensemble.h"

/* malloc'ed text of the file. */
char *ensemble_file_text(const struct ensemble_plan *plan, const struct ensemble_search *search,
                         const char *table);

/* Reads worlds into search->world, with the counts of the search that found them. Every unknown of
 * the plan is needed, nothing else is allowed. False: problems say why; free it in any case. */
bool ensemble_file_read(struct ensemble_search *search, const struct ensemble_plan *plan,
                        const char *file, struct problems *problems);

#endif
