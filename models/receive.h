/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The receive side of one queue, put together: source -> device -> interrupt -> NAPI -> application -> source.
 * PLACE  The only file that knows all parts of it: joins them, runs them, checks the accounts, fills the result.
 *        models/datapath.c gives a run to it where workload.type is receive.
 * LEAVES OUT  Sending but for replies, which are in the application's cost; several queues.
 * SOURCE docs/receive.md.
 *
 * Checked at the end of every run, and fatal when broken: sent by the source = dropped + on the ring + through the poll;
 * those = dropped at the socket + read + waiting.
 */
#ifndef MODELS_RECEIVE_H
#define MODELS_RECEIVE_H

#include <stdbool.h>

#include "models/run.h"
#include "models/rx_config.h"
#include "sim/engine/error.h"

/* Runs one replication. False only when memory runs out. */
bool receive_run(const struct rx_config *config, const struct run_id *id, struct run_result *result,
                 struct error *error);

#endif
