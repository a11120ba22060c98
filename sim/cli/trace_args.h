/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options that the sub-commands of vqsim trace share: which file, which packets of it, what is
 * assumed where it says nothing.
 */
#ifndef SIM_CLI_TRACE_ARGS_H
#define SIM_CLI_TRACE_ARGS_H

#include <stdbool.h>

#include "sim/engine/error.h"
#include "sim/study/trace.h"
#include "sim/study/trace_sg.h"

struct trace_args {
    const char *file;
    const char *out; /* -o, a file or a folder; NULL: standard output */
    bool json, strict;
    struct trace_options options;
    struct trace_shape shape;
};

/* From the name of the sub-command on. 0, or the exit code of a usage error that was printed. */
int trace_args_read(struct trace_args *args, int argc, char **argv);

/* Prints the findings; with --strict warnings are errors. ERROR_INPUT when there is one, else 0. */
int trace_args_problems(const struct trace_args *args, struct problems *problems);

/* The sub-commands: exit codes as those of commands. */
int trace_info(const struct trace_args *args);
int trace_convert(const struct trace_args *args);
int trace_fit(const struct trace_args *args);
int trace_plot(const struct trace_args *args);

#endif
