/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim check: reads scenarios as run and sweep would, every point and variant, and runs nothing.
 * Silent when there is nothing to say.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/cli/command.h"
#include "sim/study/json_out.h"
#include "sim/study/scenario.h"

struct check_options {
    struct scenario_options scenario;
    const char **set;
    bool json;
};

/* 0, or the exit code of a usage error that was printed. */
static int read_options(int argc, char **argv, struct check_options *o)
{
    static const struct option names[] = {
        {"json", no_argument, NULL, 'j'},
        {"strict", no_argument, NULL, 'S'},
        {"set", required_argument, NULL, 's'},
        {"max-points", required_argument, NULL, 'm'},
        {0},
    };
    char *end = NULL;
    int c;

    optind = 0;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (c == 'j') {
            o->json = true;
        } else if (c == 'S') {
            o->scenario.strict = true;
        } else if (c == 's') {
            o->set[o->scenario.set_count++] = optarg;
        } else if (c == 'm') {
            o->scenario.most_points = strtoull(optarg, &end, 10);
            if (*end || o->scenario.most_points == 0) {
                return command_usage("check", "--max-points %s: a whole number above 0 is needed",
                                     optarg);
            }
        } else {
            return command_bad_option("check", c, argv);
        }
    }
    o->scenario.set = o->set;
    return optind < argc ? 0 : command_usage("check", "at least one scenario file is needed");
}

static void print_json(const struct problems *problems)
{
    struct json_out json;

    json_init(&json, stdout, 2);
    json_object(&json, NULL);
    json_bool(&json, "ok", problems->errors == 0);
    json_array(&json, "problems");
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *p = &problems->list[i];

        json_object(&json, NULL);
        json_text(&json, "severity", p->warning ? "warning" : "error");
        json_text(&json, "file", p->error.source[0] ? p->error.source : NULL);
        if (p->error.line > 0) {
            json_integer(&json, "line", p->error.line);
            json_integer(&json, "column", p->error.column);
        } else {
            json_null(&json, "line");
            json_null(&json, "column");
        }
        json_text(&json, "path", p->error.path);
        json_text(&json, "text", p->error.text);
        json_end(&json);
    }
    json_end(&json);
    json_end(&json);
}

int cmd_check(int argc, char **argv)
{
    struct check_options options = {.set = calloc((size_t)argc, sizeof(const char *))};
    struct problems problems;
    int code;

    if (!options.set) {
        abort();
    }
    code = read_options(argc, argv, &options);
    if (code != 0) {
        free(options.set);
        return code;
    }
    problems_init(&problems);
    for (int i = optind; i < argc; i++) {
        scenario_free(scenario_open(argv[i], &options.scenario, &problems));
    }
    if (options.json) {
        print_json(&problems);
        code = command_finish(problems.errors > 0 ? ERROR_INPUT : ERROR_NONE);
    } else {
        code = command_problems(&problems);
    }
    problems_fini(&problems);
    free(options.set);
    return code;
}
