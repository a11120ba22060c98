/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cost table as a file: what a scenario includes. */
#include <stdio.h>
#include <stdlib.h>

#include "sim/study/calibrate.h"
#include "sim/study/json_out.h"

static const char *const status_names[] = {"guess", "measured", "calibrated"};

static void add_cost(struct json_out *json, const struct calibrated_cost *cost)
{
    char text[40];

    json_object(json, cost->param->path);
    snprintf(text, sizeof text, "%.6gns", cost->value_ns);
    json_text(json, "value", text);
    json_text(json, "low", cost->param->certificate.low);
    json_text(json, "high", cost->param->certificate.high);
    json_text(json, "status", status_names[cost->param->certificate.status]);
    json_text(json, "source", cost->source);
    json_end(json);
}

char *calibrate_table(const struct calibration *c)
{
    char *text = NULL, what[320];
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    struct json_out json;

    if (!out) {
        abort();
    }
    json_init(&json, out, 1);
    json_object(&json, NULL);
    snprintf(what, sizeof what,
             "Cost table calibrated on the published table %s%s%s; include it in a scenario.",
             c->published->table, c->hide == CALIBRATE_HIDE_NOTHING ? "" : ", with hidden variant ",
             c->hide == CALIBRATE_HIDE_NOTHING ? "" : c->published->variant[c->hide].name);
    json_text(&json, "_what", what);
    json_text(&json, "_rounding",
              "profile costs to 0.1 ns, the fitted line cost to 1 ns; other random numbers move a "
              "cost by up to 1 ns");
    for (size_t i = 0; i < c->count; i++) {
        if (c->cost[i].fitted) {
            add_cost(&json, &c->cost[i]);
        }
    }
    if (c->free.param) {
        add_cost(&json, &c->free);
    }
    json_end(&json);
    if (fclose(out) != 0) {
        abort();
    }
    return text;
}
