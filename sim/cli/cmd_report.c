/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <getopt.h>
#include <stdio.h>

#include "sim/cli/command.h"
#include "sim/study/report.h"

/* A broken plot is an error of its own that leaves the page standing. */
static void tell_broken(const struct report *report)
{
    for (size_t i = 0; i < report->plots.count; i++) {
        const struct plot *plot = &report->plots.list[i];

        if (plot->state == PLOT_BROKEN) {
            fprintf(stderr, "vqsim: error: plot %s: %s\n", plot->name, plot->reason);
        } else if (plot->state == PLOT_DRAWN && plot->reason[0] != '\0') {
            fprintf(stderr, "vqsim: warning: plot %s: %s\n", plot->name, plot->reason);
        }
    }
}

static void tell_result(const struct report *report)
{
    printf("%s: %zu plots", report->page, report->drawn);
    if (report->empty + report->broken > 0) {
        printf(", %zu not drawn:", report->empty + report->broken);
        for (size_t i = 0; i < report->plots.count; i++) {
            if (report->plots.list[i].state != PLOT_DRAWN) {
                printf(" %s", report->plots.list[i].name);
            }
        }
    }
    printf("\n");
}

int cmd_report(int argc, char **argv)
{
    static const struct option long_options[] = {
        {"output", required_argument, NULL, 'o'},
        {"plots", required_argument, NULL, 'p'},
        {NULL, 0, NULL, 0},
    };
    struct report_options options = {0};
    struct report report;
    struct error error = {0};

    optind = 0;
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, ":o:", long_options, NULL)) != -1;) {
        if (c == 'o') {
            options.out = optarg;
        } else if (c == 'p') {
            options.plots = optarg;
        } else {
            return command_bad_option("report", c, argv);
        }
    }
    if (argc - optind != 1) {
        return command_usage("report", "one store is needed, %d given", argc - optind);
    }
    options.store_file = argv[optind];
    bool made = report_make(&report, &options, &error);
    int code = ERROR_NONE;
    if (made) {
        tell_broken(&report);
        tell_result(&report);
        code = report.broken > 0 ? ERROR_INPUT : ERROR_NONE;
    } else {
        code = command_fail(&error);
    }
    report_close(&report);
    return command_finish(code);
}
