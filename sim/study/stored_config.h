/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of a stored run, read back from the parameters in the store alone: what is run
 * again does not depend on files that may have changed since. Captures are not kept in the store;
 * one that changed is noticed by its sum.
 */
#ifndef SIM_STUDY_STORED_CONFIG_H
#define SIM_STUDY_STORED_CONFIG_H

#include "sim/study/config.h"
#include "sim/study/store.h"
#include "sim/study/trace_set.h"

/* False when the store holds a parameter or a value that this program does not take, or when the
 * capture that the configuration replays is not there any more, or is not the same: it is read into
 * `traces`, which outlives what is run. */
bool stored_config_read(struct config *config, struct store *store, int64_t config_id,
                        struct trace_set *traces, struct error *error);

#endif
