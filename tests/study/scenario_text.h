/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * For tests of scenarios that are written in the test: a text that must be accepted, and a
 * configuration.
 */
#ifndef TESTS_STUDY_SCENARIO_TEXT_H
#define TESTS_STUDY_SCENARIO_TEXT_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario.h"
#include "tests/suite.h"

/* A scenario to which members are added; it ends with "}". */
#define HEAD "{\"version\": 1, \"workload\": {\"type\": \"poisson\", \"rate\": \"100kpps\"}"

static const struct scenario_options plain;

/* Opens a text that must be accepted. */
static inline struct scenario *open_text(const char *text, const struct scenario_options *options)
{
    struct problems problems;
    struct scenario *s;

    problems_init(&problems);
    s = scenario_open_text(TESTS_DIR "/rejects/scenario/here.json", text, strlen(text), options,
                           &problems);
    ck_assert_msg(s != NULL, "%s: %s", problems.list ? problems.list[0].error.path : "",
                  problems.list ? problems.list[0].error.text : "");
    problems_fini(&problems);
    return s;
}

static inline struct config *config_of(const struct scenario *s, size_t point, size_t variant)
{
    struct config *config = malloc(sizeof *config);

    scenario_config(s, point, variant, config);
    return config;
}

#endif
