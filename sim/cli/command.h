/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A command is a file cmd_<name>.c with one function and one row in main.c's table. The function
 * gets the arguments from its own name on, prints its result to stdout and everything else to
 * stderr, and returns the exit code (the values of enum error_kind).
 */
#ifndef SIM_CLI_COMMAND_H
#define SIM_CLI_COMMAND_H

#include "sim/engine/error.h"

typedef int command_run(int argc, char **argv);

struct command {
    const char *name;
    const char *usage;   /* after "vqsim " */
    const char *help;    /* one line */
    const char *options; /* lines of "  --option  what it does\n"; "" none */
    command_run *run;
};

extern const struct command commands[]; /* ends with a NULL name */
const struct command *command_find(const char *name);

/* Prints "vqsim: error: text" and how to get help; returns ERROR_USAGE. */
int command_usage(const char *name, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* After getopt_long (with opterr 0) gave '?' or ':': one message that names the option; returns
 * ERROR_USAGE. */
int command_bad_option(const char *name, int code, char **argv);

/* Says that there is no such command and which one may be meant; returns ERROR_USAGE. */
int command_unknown(const char *name);

/* Prints the error as one line to stderr; returns its kind. */
int command_fail(const struct error *error);

/* Prints all problems to stderr; returns ERROR_INPUT when there is an error among them, else 0. */
int command_problems(const struct problems *problems);

/* Flushes stdout; ERROR_SYSTEM with a message when it could not be written, without one when its
 * reader has gone, else `code`. */
int command_finish(int code);

command_run cmd_run, cmd_sweep, cmd_plan, cmd_report, cmd_check, cmd_show, cmd_params, cmd_profile,
    cmd_recommend, cmd_validate, cmd_calibrate, cmd_list, cmd_export, cmd_rerun, cmd_trace,
    cmd_capture, cmd_help;

#endif
