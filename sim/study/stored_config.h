/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The configuration of a stored run, read back from the parameters in the store alone: what is run
 * again does not depend on files that may have changed since.
 */
#ifndef SIM_STUDY_STORED_CONFIG_H
#define SIM_STUDY_STORED_CONFIG_H

#include "sim/study/config.h"
#include "sim/study/store.h"

/* False when the store holds a parameter or a value that this program does not take. */
bool stored_config_read(struct config *config, struct store *store, int64_t config_id,
                        struct error *error);

#endif
