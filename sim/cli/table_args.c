/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/table_args.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"

#define TABLE_STARTS_MOST 100000

static int take_threads(struct table_args *args, const char *command)
{
    char *end;
    unsigned long value = strtoul(optarg, &end, 10);

    if (*optarg < '0' || *optarg > '9' || *end || value < 1 || value > EXPERIMENT_THREADS_MOST) {
        return command_usage(command, "-j %s: a number of threads is needed, 1..%d", optarg,
                             EXPERIMENT_THREADS_MOST);
    }
    args->experiment.threads = (uint32_t)value;
    return 0;
}

static int take_starts(struct table_args *args, const char *command)
{
    char *end;
    unsigned long value = strtoul(optarg, &end, 10);

    if (*optarg < '0' || *optarg > '9' || *end || value < 1 || value > TABLE_STARTS_MOST) {
        return command_usage(command, "--ensemble %s: a number of starts is needed, 1..%d", optarg,
                             TABLE_STARTS_MOST);
    }
    args->starts = (uint32_t)value;
    return 0;
}

/* Options of ensembles. */
static int take_ensemble(struct table_args *args, const char *command, int option)
{
    if (option == 'e') {
        return take_starts(args, command);
    }
    if (option == 'w') {
        args->worlds = optarg;
    } else {
        args->of = optarg;
    }
    return 0;
}

static const char *option_name(int option)
{
    return option == 'H'   ? "--hide"
           : option == 'P' ? "--plot"
           : option == 'e' ? "--ensemble"
           : option == 'w' ? "--worlds"
           : option == 'f' ? "--of"
                           : "-o";
}

static int take(struct table_args *args, const char *command, int option, unsigned allowed)
{
    if (option == 'J') {
        args->json = true;
        return 0;
    }
    if (option == 'j') {
        return take_threads(args, command);
    }
    if (option == 'o' && allowed & TABLE_OUT) {
        args->out = optarg;
        return optarg[0] ? 0 : command_usage(command, "-o needs a file name");
    }
    if (option == 'H' && allowed & TABLE_HIDE) {
        args->hide = optarg;
        return 0;
    }
    if (option == 'P' && allowed & TABLE_PLOT) {
        args->plot = optarg;
        return 0;
    }
    if (allowed & TABLE_ENSEMBLE && (option == 'e' || option == 'w' || option == 'f')) {
        return take_ensemble(args, command, option);
    }
    return command_usage(command, "unknown option '%s'", option_name(option));
}

int table_args_read(struct table_args *args, int argc, char **argv, unsigned allowed)
{
    static const struct option options[] = {{"json", no_argument, NULL, 'J'},
                                            {"hide", required_argument, NULL, 'H'},
                                            {"ensemble", required_argument, NULL, 'e'},
                                            {"worlds", required_argument, NULL, 'w'},
                                            {"of", required_argument, NULL, 'f'},
                                            {"plot", required_argument, NULL, 'P'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"threads", required_argument, NULL, 'j'},
                                            {0}};
    int option, code = 0;

    memset(args, 0, sizeof *args);
    args->experiment.progress = PROGRESS_NONE;
    optind = 0;
    opterr = 0;
    while (code == 0 && (option = getopt_long(argc, argv, ":j:o:", options, NULL)) != -1) {
        if (option == ':') {
            return command_usage(argv[0], "%s needs a value", argv[optind - 1]);
        }
        if (option == '?') {
            return command_usage(argv[0], "unknown option '%s'", argv[optind - 1]);
        }
        code = take(args, argv[0], option, allowed);
    }
    if (code == 0 && argc - optind > 1) {
        return command_usage(argv[0], "one argument too many: '%s'", argv[optind + 1]);
    }
    args->table = code == 0 && argc > optind ? argv[optind] : NULL;
    return code;
}
