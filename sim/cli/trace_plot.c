/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim trace plot: pictures of a capture, with their data and scripts, in a folder.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/trace_args.h"
#include "sim/study/capture_plot.h"

static int draw(const struct trace_args *args, const struct capture_view *view)
{
    const char *slash = strrchr(args->file, '/');
    struct capture_plot plot = {.out = args->out, .capture = slash ? slash + 1 : args->file};
    struct error error = {0};

    if (!capture_plot(&plot, view, &error)) {
        return command_fail(&error);
    }
    printf("%s: %u pictures:", plot.out, plot.count);
    for (uint32_t i = 0; i < plot.count; i++) {
        printf(" %s.svg", plot.name[i]);
    }
    printf("\n");
    return 0;
}

int trace_plot(const struct trace_args *args)
{
    struct capture_view *view;
    struct problems problems;
    int code;

    if (!args->out || args->json) {
        return command_usage("trace", "%s",
                             args->json ? "plot draws: --json is for info"
                                        : "plot needs a folder: -o DIR");
    }
    view = malloc(sizeof *view);
    if (!view) {
        abort();
    }
    problems_init(&problems);
    capture_view_read(view, args->file, &args->options, &args->shape, &problems);
    code = trace_args_problems(args, &problems);
    if (code == 0) {
        code = draw(args, view);
    }
    problems_fini(&problems);
    free(view);
    return command_finish(code);
}
