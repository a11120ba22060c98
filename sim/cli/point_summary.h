/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The variants of one point, read back for printing: what run and sweep show, as JSON and held
 * against the scenario's expectations.
 */
#ifndef SIM_CLI_POINT_SUMMARY_H
#define SIM_CLI_POINT_SUMMARY_H

#include "sim/study/expect.h"
#include "sim/study/json_out.h"
#include "sim/study/summary.h"

struct point_summary {
    const struct scenario *scenario;
    const struct experiment *experiment;
    size_t point;
    size_t count; /* variants */
    struct summary *variant;
};

bool point_summary_init(struct point_summary *summary, const struct scenario *scenario,
                        const struct experiment *experiment, struct store *store, size_t point,
                        struct error *error);
void point_summary_fini(struct point_summary *summary);

/* The objects of "variants", into an open array; with_case adds "case". */
void point_summary_json(const struct point_summary *summary, struct json_out *json, bool with_case);

/* "captures": [...] what each holds that is replayed, and what is assumed. */
void captures_json(const struct scenario *scenario, struct json_out *json);

/* "warnings": [...] as they were printed. */
void problems_json(const struct problems *problems, struct json_out *json);

/* ---- Expectations over all points ---- */

struct expectations {
    const struct scenario *scenario;
    struct expect_result *result; /* one for each */
};

void expectations_init(struct expectations *all, const struct scenario *scenario);
void expectations_fini(struct expectations *all);
void expectations_add(struct expectations *all, const struct point_summary *summary);
void expectations_print(const struct expectations *all, FILE *out);
void expectations_json(const struct expectations *all, struct json_out *json);
size_t expectations_failed(const struct expectations *all);

#endif
