/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/validate_worlds.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/ensemble_file.h"
#include "sim/study/ensemble_summary.h"

/* The worlds that meet a row's limits. */
static size_t within(const struct ensemble_summary *summary, size_t target, double low, double high)
{
    size_t count = 0;

    for (size_t w = 0; w < summary->worlds; w++) {
        double value = summary->value[w * summary->plan->targets + target];

        count += value >= low && value <= high;
    }
    return count;
}

static void describe(struct validate_row *row, const struct ensemble_summary *summary,
                     const struct ensemble_target *target, const struct ensemble_spread *spread)
{
    const struct published_cell *cell = row->cell;
    size_t length = strlen(row->note);

    if (summary->worlds == 1) {
        return;
    }
    if (row->limited) {
        length +=
            (size_t)snprintf(row->note + length, sizeof row->note - length,
                             "%s%zu of %zu worlds within", length ? "; " : "",
                             within(summary, cell->target, cell->low, cell->high), summary->worlds);
    }
    length += (size_t)snprintf(row->note + length, sizeof row->note - length,
                               "%sover %zu worlds %.6g..%.6g", length ? "; " : "", summary->worlds,
                               spread->least, spread->most);
    if (!isnan(target->tie) && length < sizeof row->note) {
        snprintf(row->note + length, sizeof row->note - length,
                 "; helps in %" PRIu32 ", hurts in %" PRIu32 ", a tie in %" PRIu32, spread->helps,
                 spread->hurts, spread->ties);
    }
}

static void fill(struct validation *v, size_t ensemble, const struct ensemble_summary *summary)
{
    for (size_t i = 0; i < v->count; i++) {
        const struct published_cell *cell = &v->published->cell[i];
        struct validate_row *row = &v->row[i];
        const struct ensemble_spread *spread = &summary->spread[cell->target];
        struct interval interval = {.mean = spread->median,
                                    .half_width = (spread->high - spread->low) / 2};

        if (cell->measure != MEASURE_WORLDS || cell->ensemble != ensemble) {
            continue;
        }
        if (summary->worlds == 1) {
            interval.half_width = summary->half_width[cell->target];
        }
        validate_judge(row, cell, interval);
        describe(row, summary, &summary->plan->target[cell->target], spread);
    }
}

static bool run(struct validation *v, size_t ensemble, uint32_t threads, struct problems *problems,
                struct error *error)
{
    const struct ensemble_plan *plan = &v->published->ensemble[ensemble];
    struct ensemble_search search = {0};
    struct ensemble_summary summary = {0};
    struct ensemble e = {0};
    bool ok;

    if (plan->worlds[0] == '\0') {
        return error_set(error, ERROR_INPUT, "",
                         "'%s' has no worlds yet: vqsim calibrate %s "
                         "--ensemble N -o FILE finds some",
                         plan->name, v->published->table);
    }
    ok = ensemble_file_read(&search, plan, plan->worlds, problems) &&
         ensemble_open(&e, plan, problems) &&
         ensemble_summarise(&summary, &e, search.world, search.count, threads, NULL, error);
    if (ok) {
        fill(v, ensemble, &summary);
    }
    ensemble_summary_fini(&summary);
    ensemble_close(&e);
    ensemble_search_fini(&search);
    return ok;
}

bool validate_worlds(struct validation *v, uint32_t threads, struct problems *problems,
                     struct error *error)
{
    for (size_t i = 0; i < v->published->ensembles; i++) {
        if (!run(v, i, threads, problems, error)) {
            return false;
        }
    }
    return true;
}
