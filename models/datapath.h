/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The whole path, put together: workload -> guest driver -> virtqueue -> backend -> back.
 * PLACE  The only files that know all parts (datapath*.c): they join them, run them, check the accounts at
 *        the end and fill the result. The border to the study above is datapath_run().
 *
 * Checked at the end of every run, and fatal when broken: offered = sent + dropped + inside; time by symbol =
 * busy time of the guest CPU; area of the in-flight level = sum of the packets' stays; guest upgrades of table
 * lines = host reads that shared them - lines still shared; the ring's, the allocator's and the cache's own
 * invariants.
 *
 * Hung: no packet moved for max(10 ms, 20 x the largest configured latency) while one is undelivered, or
 * nothing can ever happen again. A hang is a result.
 */
#ifndef MODELS_DATAPATH_H
#define MODELS_DATAPATH_H

#include "models/indirect.h"
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

/* What the configuration asks of the indirect tables; points into *config. */
struct indirect_plan datapath_table_plan(const struct datapath_config *config);

/* Runs one replication. False only when memory runs out: a configuration that passed the checks
 * always runs. */
bool datapath_run(const struct datapath_config *config, const struct run_id *id,
                  struct run_result *result, struct error *error);

#endif
