/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures that were over before their runs. By timing that is known, and told, when the scenario
 * is opened; by marks the simulated path decides how long a capture lasts, so its runs are asked.
 */
#ifndef SIM_STUDY_REPLAY_END_H
#define SIM_STUDY_REPLAY_END_H

#include "sim/study/experiment.h"

/* After the runs: warns of configurations whose capture ended, in the warm-up (nothing was
 * measured) or after it (rates are too low), and keeps that in the store. Replication 0 stands for
 * all: they replay the same packets. False: the store failed. */
bool replay_end_warn(const struct experiment *experiment, const struct scenario *scenario,
                     struct store *store, int64_t scenario_id, struct problems *problems,
                     struct error *error);

#endif
