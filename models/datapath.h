/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The whole path, put together: workload -> guest driver -> virtqueue -> backend -> back.
 * PLACE  The only file that knows all parts; it joins them, runs them, checks the accounts at the
 *        end (sent = delivered + dropped + inside; time by symbol = busy time; area of the in-flight
 *        level = sum of the stays; conservation of line moves) and fills the result.
 */
#ifndef MODELS_DATAPATH_H
#define MODELS_DATAPATH_H

#include "models/run.h"
#include "sim/engine/error.h"
#include "sim/engine/param.h"

struct datapath_config; /* plain values: models/datapath_config.h */

/* The parts' parameter rows with offsets into struct datapath_config, and the rules across parts. */
extern const struct param_part datapath_parts[];
extern const size_t datapath_part_count;
void datapath_check(const struct datapath_config *config, struct problems *problems);

/* Paths of parts that are planned and not there yet; ends with NULL. */
extern const char *const datapath_not_yet[];

/* Runs one replication. False only when memory runs out: a configuration that passed the checks
 * always runs. A hang is a result (metric hung = 1). */
bool datapath_run(const struct datapath_config *config, const struct run_id *id,
                  struct run_result *result, struct error *error);

#endif
