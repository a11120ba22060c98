/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim show: the effective configuration of one point and variant, and with --origin where every
 * value came from.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/study/scenario.h"

struct show_options {
    struct scenario_options scenario;
    const char **set, **vary, **cases; /* room for every argument */
    const char *point, *variant;
    bool origin;
};

/* 0, or the exit code of a usage error that was printed. */
static int read_options(int argc, char **argv, struct show_options *o)
{
    static const struct option names[] = {
        {"origin", no_argument, NULL, 'o'},        {"set", required_argument, NULL, 's'},
        {"vary", required_argument, NULL, 'v'},    {"point", required_argument, NULL, 'p'},
        {"variant", required_argument, NULL, 'n'}, {"max-points", required_argument, NULL, 'm'},
        {"strict", no_argument, NULL, 'S'},        {"case", required_argument, NULL, 'c'},
        {0},
    };
    char *end;
    int c;

    optind = 0;
    opterr = 0;
    while ((c = getopt_long(argc, argv, ":", names, NULL)) != -1) {
        if (c == 'o') {
            o->origin = true;
        } else if (c == 's') {
            o->set[o->scenario.set_count++] = optarg;
        } else if (c == 'v') {
            o->vary[o->scenario.vary_count++] = optarg;
        } else if (c == 'c') {
            o->cases[o->scenario.case_count++] = optarg;
        } else if (c == 'p') {
            o->point = optarg;
        } else if (c == 'n') {
            o->variant = optarg;
        } else if (c == 'm') {
            o->scenario.most_points = strtoull(optarg, &end, 10);
            if (*end || o->scenario.most_points == 0) {
                return command_usage("show", "--max-points %s: a whole number above 0 is needed",
                                     optarg);
            }
        } else if (c == 'S') {
            o->scenario.strict = true;
        } else {
            return command_bad_option("show", c, argv);
        }
    }
    o->scenario.set = o->set;
    o->scenario.vary = o->vary;
    o->scenario.cases = o->cases;
    if (optind + 1 < argc) {
        return command_usage("show", "one argument too many: '%s'", argv[optind + 1]);
    }
    return optind < argc ? 0 : command_usage("show", "one scenario file is needed");
}

/* The index that --point or --variant names; -1: none. */
static long find_point(const struct scenario *scenario, const char *text)
{
    char *end;
    long point;

    if (!text) {
        return 0;
    }
    point = strtol(text, &end, 10);
    return *text && !*end && point >= 0 && (size_t)point < scenario_point_count(scenario) ? point
                                                                                          : -1;
}

static long find_variant(const struct scenario *scenario, const char *name)
{
    size_t count = scenario_variant_count(scenario);

    for (size_t i = 0; name && i < count; i++) {
        if (strcmp(scenario_variant_name(scenario, i), name) == 0) {
            return (long)i;
        }
    }
    return name ? -1 : 0;
}

static int refuse_point(const struct scenario *scenario, const char *text)
{
    struct error error = {0};

    error_set(&error, ERROR_INPUT, "--point", "%.40s: points are 0..%zu", text,
              scenario_point_count(scenario) - 1);
    return command_fail(&error);
}

static int refuse_variant(const struct scenario *scenario, const char *name)
{
    struct error error = {0};
    char list[300] = "";
    size_t used = 0;

    for (size_t i = 0; i < scenario_variant_count(scenario) && used < sizeof list; i++) {
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "",
                                 scenario_variant_name(scenario, i));
    }
    error_set(&error, ERROR_INPUT, "--variant", "no variant is named %.40s; one of %s", name, list);
    return command_fail(&error);
}

/* What the configuration is of, where there is more than one; to stderr, since stdout is a
 * scenario. */
static void say_which(const struct scenario *scenario, size_t point, size_t variant)
{
    size_t points = scenario_point_count(scenario), variants = scenario_variant_count(scenario);

    if (points > 1) {
        fprintf(stderr, "vqsim: note: point %zu of 0..%zu (--point N):", point, points - 1);
        for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
            fprintf(stderr, "%s %s=%s", i ? "," : "", scenario_axis_path(scenario, i),
                    scenario_point_value(scenario, point, i));
        }
        fputc('\n', stderr);
    }
    if (variants > 1) {
        fprintf(stderr, "vqsim: note: variant %s, one of %zu (--variant NAME)\n",
                scenario_variant_name(scenario, variant), variants);
    }
}

static int show(const struct show_options *options, const char *file)
{
    struct problems problems;
    struct scenario *scenario;
    long point, variant;
    int code;

    problems_init(&problems);
    scenario = scenario_open(file, &options->scenario, &problems);
    code = command_problems(&problems);
    problems_fini(&problems);
    if (!scenario) {
        return code;
    }
    point = find_point(scenario, options->point);
    variant = find_variant(scenario, options->variant);
    if (point < 0) {
        code = refuse_point(scenario, options->point);
    } else if (variant < 0) {
        code = refuse_variant(scenario, options->variant);
    } else {
        say_which(scenario, (size_t)point, (size_t)variant);
        scenario_show(scenario, (size_t)point, (size_t)variant, options->origin, stdout);
        code = command_finish(0);
    }
    scenario_free(scenario);
    return code;
}

int cmd_show(int argc, char **argv)
{
    struct show_options options = {
        .set = calloc((size_t)argc, sizeof(const char *)),
        .vary = calloc((size_t)argc, sizeof(const char *)),
        .cases = calloc((size_t)argc, sizeof(const char *)),
    };
    int code;

    if (!options.set || !options.vary || !options.cases) {
        abort();
    }
    code = read_options(argc, argv, &options);
    if (code == 0) {
        code = show(&options, argv[optind]);
    }
    free(options.set);
    free(options.vary);
    free(options.cases);
    return code;
}
