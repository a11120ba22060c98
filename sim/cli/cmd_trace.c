/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim trace: what a capture holds, and what can be made of it. A sub-command is a file
 * trace_<name>.c and a row here.
 */
#include <stdio.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/trace_args.h"
#include "sim/study/suggest.h"

static const struct sub_command {
    const char *name;
    int (*run)(const struct trace_args *args);
} sub_commands[] = {
    {"info", trace_info},
    {"convert", trace_convert},
    {"fit", trace_fit},
    {"plot", trace_plot},
};

#define SUB_COMMANDS (sizeof sub_commands / sizeof *sub_commands)

int cmd_trace(int argc, char **argv)
{
    struct suggest suggest;
    char text[SUGGEST_TEXT_BYTES];

    if (argc < 2) {
        return command_usage("trace", "what to do with the capture is needed: info, convert, fit or plot");
    }
    suggest_init(&suggest, argv[1]);
    for (size_t i = 0; i < SUB_COMMANDS; i++) {
        if (strcmp(argv[1], sub_commands[i].name) == 0) {
            struct trace_args args;
            int code = trace_args_read(&args, argc - 1, argv + 1);

            return code != 0 ? code : sub_commands[i].run(&args);
        }
        suggest_offer(&suggest, sub_commands[i].name);
    }
    return command_usage("trace", "no sub-command '%.40s'%s", argv[1],
                         suggest_text(&suggest, text));
}
