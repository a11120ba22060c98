/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/expect.h"

#include <math.h>
#include <string.h>

static bool applies(const struct expectation *e, const struct scenario *scenario, size_t point,
                    size_t variant)
{
    if (!e->filter_path[0]) {
        return true;
    }
    if (strcmp(e->filter_path, "variant") == 0) {
        return strcmp(e->filter_value, scenario_variant_name(scenario, variant)) == 0;
    }
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        if (strcmp(e->filter_path, scenario_axis_path(scenario, i)) == 0) {
            return strcmp(e->filter_value, scenario_point_value(scenario, point, i)) == 0;
        }
    }
    return false;
}

static bool holds(const struct expectation *e, double value)
{
    switch (e->op) {
    case EXPECT_LT:
        return value < e->value;
    case EXPECT_LE:
        return value <= e->value;
    case EXPECT_EQ:
        return value <= e->value && value >= e->value;
    case EXPECT_NE:
        return value < e->value || value > e->value;
    case EXPECT_GE:
        return value >= e->value;
    case EXPECT_GT:
        return value > e->value;
    }
    return false;
}

static void note_place(struct expect_result *result, const struct scenario *scenario, size_t point,
                       size_t variant)
{
    size_t used = 0, room = sizeof result->where;

    result->where[0] = '\0';
    for (size_t i = 0; i < scenario_axis_count(scenario) && used < room; i++) {
        used += (size_t)snprintf(result->where + used, room - used, "%s=%s, ",
                                 scenario_axis_path(scenario, i),
                                 scenario_point_value(scenario, point, i));
    }
    if (used < room) {
        snprintf(result->where + used, room - used, "variant %s",
                 scenario_variant_name(scenario, variant));
    }
}

void expect_add(struct expect_result *result, const struct expectation *expectation,
                const struct scenario *scenario, size_t point, size_t variant, double value)
{
    bool ok = holds(expectation, value); /* false for NaN */

    if (!applies(expectation, scenario, point, variant)) {
        return;
    }
    result->tested++;
    if (result->state == EXPECT_UNTESTED || (!ok && result->state == EXPECT_PASS)) {
        result->worst = value;
        note_place(result, scenario, point, variant);
        result->state = ok ? EXPECT_PASS : EXPECT_FAIL;
    }
    result->failed += !ok;
}
