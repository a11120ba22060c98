/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The two ways of replay of each capture side by side: the bracket around what a machine shows. */
#ifndef SIM_CLI_REPLAY_TABLE_H
#define SIM_CLI_REPLAY_TABLE_H

#include <stdio.h>

#include "sim/study/recommend.h"

/* Nothing where no case replays the gaps of an emulated machine. */
void replay_table_print(const struct recommend *r, FILE *out);

#endif
