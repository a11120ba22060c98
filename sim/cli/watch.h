/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run that is watched: replication 0 of the first case and one variant once more, with what is on its wire
 * and what its parties do written into files. Its result is that of the run that was not watched.
 */
#ifndef SIM_CLI_WATCH_H
#define SIM_CLI_WATCH_H

#include "sim/study/scenario.h"

#define WATCH_PACKETS 100000 /* default of --pcapng-packets */

struct watch_args {
    const char *pcapng, *timeline; /* files; NULL: not asked for */
    const char *window;            /* "A..B" of simulated time; NULL: 100 us from the warm-up on */
    const char *variant;           /* NULL: the first */
    uint64_t packets;              /* 0: WATCH_PACKETS */
};

/* 0, or the exit code of a usage error that was printed. */
int watch_check(const struct watch_args *args);

/* Runs and writes what was asked for; 0, or the exit code after a message. */
int watch_run(const struct watch_args *args, const struct scenario *scenario);

#endif
