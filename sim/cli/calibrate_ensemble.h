/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim calibrate --ensemble N, --worlds FILE: the worlds that meet a published table, found or
 * read, and what they say about the rest of it.
 */
#ifndef SIM_CLI_CALIBRATE_ENSEMBLE_H
#define SIM_CLI_CALIBRATE_ENSEMBLE_H

#include "sim/cli/table_args.h"
#include "sim/study/published.h"

/* The exit code: ERROR_DIFFERS when a search accepted no world. */
int calibrate_ensemble(const struct table_args *args, const struct published *published);

#endif
