/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim help [COMMAND]: printed from the command table.
 */
#include <stdio.h>
#include <string.h>

#include "sim/cli/command.h"

static void print_all(void)
{
    printf("vqsim: a simulator of the virtio-net datapath\n\nusage: vqsim COMMAND ...\n\n");
    for (const struct command *c = commands; c->name; c++) {
        printf("  %-9s %s\n", c->name, c->help);
    }
    printf("\n'vqsim help COMMAND' tells a command's options. Exit codes: 0 ok, 1 a comparison differs,\n"
           "2 wrong usage, 3 bad input, 4 the system failed, 130 interrupted.\n");
}

int cmd_help(int argc, char **argv)
{
    const struct command *c;

    if (argc < 2) {
        print_all();
        return command_finish(ERROR_NONE);
    }
    c = command_find(argv[1]);
    if (!c) {
        return command_unknown(argv[1]);
    }
    printf("usage: vqsim %s\n\n%s\n%s%s", c->usage, c->help, c->options[0] ? "\n" : "", c->options);
    return command_finish(ERROR_NONE);
}
