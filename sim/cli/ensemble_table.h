/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An ensemble on stdout: as tables, and as one JSON document. */
#ifndef SIM_CLI_ENSEMBLE_TABLE_H
#define SIM_CLI_ENSEMBLE_TABLE_H

#include "sim/study/ensemble_summary.h"

void ensemble_print_all(const char *table, const struct ensemble_plan *plan,
                        const struct ensemble_search *search,
                        const struct ensemble_summary *summary);

void ensemble_json(const char *table, const struct ensemble_plan *plan,
                   const struct ensemble_search *search, const struct ensemble_summary *summary);

#endif
