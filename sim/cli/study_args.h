/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that the commands which run things share (run, sweep, plan), read once and in one
 * way, and the steps around an experiment that are the same for all of them.
 */
#ifndef SIM_CLI_STUDY_ARGS_H
#define SIM_CLI_STUDY_ARGS_H

#include "sim/cli/watch.h"
#include "sim/study/experiment.h"

/* Which options a command takes, or'ed. */
enum study_option {
    STUDY_SET = 1 << 0, /* --set and --case: what of the scenario */
    STUDY_VARY = 1 << 1,
    STUDY_EXPECT = 1 << 2,
    STUDY_STORE = 1 << 3,
    STUDY_JSON = 1 << 4,
    STUDY_THREADS = 1 << 5,
    STUDY_STRICT = 1 << 6,
    STUDY_MAX_POINTS = 1 << 7,
    STUDY_PROGRESS = 1 << 8,
    STUDY_FORCE = 1 << 9,
    STUDY_ALL = 1 << 10,
    STUDY_RUNS = 1 << 11,
    STUDY_PUBLISHED = 1 << 12,
    STUDY_PROBES = 1 << 13,
    STUDY_WATCH = 1 << 14,
};

struct study_args {
    const char *file;     /* the scenario or the store */
    const char *argument; /* a second one, where the command takes it; NULL: none */
    struct scenario_options scenario;
    const char **set, **vary, **cases; /* what members of scenario point to */
    const char *store;        /* NULL: not named */
    const char *published;    /* a perf profile; NULL: none */
    bool expect, json, force, all, runs;
    bool no_probes, all_probes;
    struct experiment_options experiment;
    struct watch_args watch;
};

/* 0, or the exit code of a usage error that was printed. most: arguments that are no options, 1 or
 * 2. */
int study_args_read(struct study_args *args, int argc, char **argv, unsigned allowed, int most);
void study_args_fini(struct study_args *args);

/* Opens the scenario and prints its problems; NULL with *code set on failure. */
struct scenario *study_scenario(const struct study_args *args, struct problems *problems,
                                int *code);

/* Opens the store for writing (in memory without a name), checks its revision, prints its note. */
struct store *study_store(const struct study_args *args, const char *name, struct error *error);

/* Runs it all and says what was done, `what` first; 0, or the exit code after a message. */
int study_run(const struct study_args *args, const char *what, struct experiment *experiment,
              const struct scenario *scenario, struct store *store, struct problems *problems);

#endif
