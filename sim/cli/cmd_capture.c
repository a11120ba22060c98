/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim capture: prints a script for another machine, made of a line of settings and the parts in
 * scenarios/capture. Nothing is run here.
 */
#include <ctype.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/study/data_dir.h"
#include "sim/study/text_file.h"

#define SECONDS_MOST 600
#define MIB_MOST     1024
#define LINES_MOST   1000000 /* of the text trace: what the buffer holds is more only at 256 MiB */

struct capture_options {
    const char *side, *dev;
    long seconds, mib;
};

/* A name that a network device can have and that a shell takes as one word. */
static bool is_device(const char *name)
{
    size_t length = strlen(name);

    for (const char *p = name; *p; p++) {
        if (!isalnum((unsigned char)*p) && !strchr("_.:@-", *p)) {
            return false;
        }
    }
    return length > 0 && length <= 15 && name[0] != '-';
}

static bool read_whole(const char *text, long most, long *number)
{
    char *end;

    *number = strtol(text, &end, 10);
    return isdigit((unsigned char)text[0]) && *end == '\0' && *number >= 1 && *number <= most;
}

/* 0, or the exit code of a usage error that was printed. */
static int read_options(int argc, char **argv, struct capture_options *o)
{
    static const struct option names[] = {
        {"dev", required_argument, NULL, 'd'},
        {"seconds", required_argument, NULL, 's'},
        {"mib", required_argument, NULL, 'm'},
        {0},
    };
    int c;

    optind = 0;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (c == 'd') {
            o->dev = optarg;
        } else if (c == 's' && !read_whole(optarg, SECONDS_MOST, &o->seconds)) {
            return command_usage("capture", "--seconds %s: a whole number of 1..%d is needed",
                                 optarg, SECONDS_MOST);
        } else if (c == 'm' && !read_whole(optarg, MIB_MOST, &o->mib)) {
            return command_usage("capture", "--mib %s: a whole number of 1..%d is needed", optarg,
                                 MIB_MOST);
        } else if (c == ':' || c == '?') {
            return command_bad_option("capture", c, argv);
        }
    }
    if (o->dev && !is_device(o->dev)) {
        return command_usage("capture", "--dev %s: no name of a network device", o->dev);
    }
    if (optind + 1 < argc) {
        return command_usage("capture", "one argument too many: '%s'", argv[optind + 1]);
    }
    o->side = optind < argc ? argv[optind] : "";
    if (strcmp(o->side, "guest") != 0 && strcmp(o->side, "host") != 0) {
        return command_usage("capture", "guest or host is needed");
    }
    if (!o->dev) {
        o->dev = strcmp(o->side, "guest") == 0 ? "eth0" : "tap0";
    }
    return 0;
}

/* The file without its licence line, which the script has once. */
static bool print_part(const char *folder, const char *name, struct error *error)
{
    char path[PATH_MAX];
    char *text;

    snprintf(path, sizeof path, "%s/capture/%s.sh", folder, name);
    text = text_file_read(path, error);
    if (!text) {
        return false;
    }
    if (strncmp(text, "# SPDX", 6) == 0 && strchr(text, '\n')) {
        fputs(strchr(text, '\n') + 1, stdout);
    } else {
        fputs(text, stdout);
    }
    free(text);
    return true;
}

int cmd_capture(int argc, char **argv)
{
    struct capture_options options = {.seconds = 10, .mib = 32};
    struct error error = {0};
    char folder[PATH_MAX - 64];
    int code = read_options(argc, argv, &options);

    if (code != 0) {
        return code;
    }
    if (!data_dir_find("scenarios", NULL, folder, sizeof folder, &error)) {
        return command_fail(&error);
    }
    printf("#!/usr/bin/env bash\n"
           "# SPDX-License-Identifier: GPL-3.0-or-later\n"
           "# Made by: vqsim capture %s --dev %s --seconds %ld --mib %ld\n"
           "set -u\n"
           "side=%s dev=%s seconds=%ld mib=%ld lines=%d\n",
           options.side, options.dev, options.seconds, options.mib, options.side, options.dev,
           options.seconds, options.mib, LINES_MOST);
    if (!print_part(folder, "common", &error) || !print_part(folder, options.side, &error)) {
        return command_fail(&error);
    }
    return command_finish(0);
}
