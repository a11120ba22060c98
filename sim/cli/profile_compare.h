/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A published perf profile and the simulated one side by side, in percent of the packet, and the
 * difference in points. What the profile does not list, and what the model does not name, is one
 * row: the rest.
 */
#ifndef SIM_CLI_PROFILE_COMPARE_H
#define SIM_CLI_PROFILE_COMPARE_H

#include "sim/study/json_out.h"
#include "sim/study/perf_profile.h"

/* ns: simulated time per packet by symbol. */
void profile_compare_print(const struct perf_profile *published, const double ns[SYMBOL_COUNT]);

/* An array "beside" into the open object. */
void profile_compare_json(const struct perf_profile *published, const double ns[SYMBOL_COUNT],
                          struct json_out *json);

#endif
