/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Fuzz target of the scenario reader (libFuzzer). For any bytes:
 *   - what json_scan accepts, cJSON accepts with the same shape
 *   - the reader neither crashes nor hangs, and refuses with at least one message that is clean
 * UTF-8 without control characters
 *   - what it accepts is shown as a scenario that it accepts again, with the same configuration
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/scenario.h"
#include "tests/json_shape.h"

#define NAME TESTS_DIR "/rejects/scenario/fuzz.json"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(bool condition, const char *what)
{
    if (!condition) {
        fprintf(stderr, "broken: %s\n", what);
        abort();
    }
}

static void check_messages(const struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        char line[1200];

        error_format(&problems->list[i].error, "error", line, sizeof line);
        for (size_t at = 0, length = strlen(line); at < length;) {
            size_t bytes = json_text_utf8(line + at, length - at);

            must(bytes > 0, "a message is UTF-8");
            must((unsigned char)line[at] >= 0x20, "a message has no control characters");
            at += bytes;
        }
    }
}

static void check_shown(const struct scenario *scenario)
{
    const struct scenario_options options = {0};
    size_t last = scenario_point_count(scenario) - 1;
    size_t variant = scenario_variant_count(scenario) - 1, bytes;
    struct config *config = malloc(sizeof *config);
    struct problems problems;
    struct scenario *again;
    char *shown = NULL, *before, *after;
    FILE *out = open_memstream(&shown, &bytes);

    must(config && out, "memory");
    scenario_config(scenario, last, variant, config);
    before = config_canonical(config);
    scenario_show(scenario, last, variant, true, out);
    fclose(out);
    problems_init(&problems);
    again = scenario_open_text(NAME, shown, strlen(shown), &options, &problems);
    must(again != NULL, "what is shown is accepted");
    scenario_config(again, 0, 0, config);
    after = config_canonical(config);
    must(strcmp(before, after) == 0, "what is shown is the same configuration");
    free(after);
    free(before);
    scenario_free(again);
    problems_fini(&problems);
    free(shown);
    free(config);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct scenario_options options = {.most_points = 300};
    struct problems problems;
    struct scenario *scenario;
    char *text = malloc(size + 1);

    if (!text) {
        return 0;
    }
    if (size > 0) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    must(json_shape_agrees(text, size) != JSON_SHAPE_DIFFERS, "json_scan and cJSON agree");
    problems_init(&problems);
    scenario = scenario_open_text(NAME, text, size, &options, &problems);
    must((scenario != NULL) == (problems.errors == 0), "refused with a message, or not at all");
    check_messages(&problems);
    if (scenario) {
        check_shown(scenario);
    }
    scenario_free(scenario);
    problems_fini(&problems);
    free(text);
    return 0;
}
