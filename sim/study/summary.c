/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/table.h"

bool summary_init(struct summary *summary, struct store *store, const struct experiment_cell *cell,
                  double level, struct error *error)
{
    summary->count = cell->replications;
    summary->level = level;
    summary->x = calloc((size_t)METRIC_COUNT * cell->replications + 1, sizeof *summary->x);
    if (!summary->x) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    for (uint32_t i = 0; i < summary->count; i++) {
        double metric[METRIC_COUNT];

        if (!store_read_metrics(store, cell->config_id, i, metric)) {
            return error_set(error, ERROR_SYSTEM, "",
                             "replication %u of configuration %lld is gone from the store", i,
                             (long long)cell->config_id);
        }
        for (uint32_t m = 0; m < METRIC_COUNT; m++) {
            summary->x[(size_t)m * summary->count + i] = metric[m];
        }
    }
    return true;
}

void summary_fini(struct summary *summary)
{
    free(summary->x);
    memset(summary, 0, sizeof *summary);
}

static const double *values(const struct summary *summary, enum metric metric)
{
    return summary->x + (size_t)metric * summary->count;
}

struct interval summary_interval(const struct summary *summary, enum metric metric)
{
    return interval_of(values(summary, metric), summary->count, summary->level);
}

static uint32_t pairs(const struct summary *a, const struct summary *b)
{
    return a->count < b->count ? a->count : b->count;
}

struct interval summary_ratio(const struct summary *summary, const struct summary *first,
                              enum metric metric)
{
    return interval_ratio(values(summary, metric), values(first, metric), pairs(summary, first),
                          summary->level);
}

struct interval summary_difference(const struct summary *summary, const struct summary *first,
                                   enum metric metric)
{
    return interval_difference(values(summary, metric), values(first, metric),
                               pairs(summary, first), summary->level);
}

/* Decimals that show the half width with two significant digits, as is usual for uncertainties. */
static int decimals_of(double half_width)
{
    double digits = floor(log10(half_width));

    return digits >= 1 ? 0 : digits < -8 ? 9 : 1 - (int)digits;
}

void summary_text(const struct interval *interval, char *buffer, size_t bytes)
{
    if (!isfinite(interval->mean)) {
        snprintf(buffer, bytes, "n/a");
    } else if (!isfinite(interval->half_width)) {
        char mean[40];

        table_number(interval->mean, mean, sizeof mean);
        snprintf(buffer, bytes, "%s", mean);
    } else if (interval->half_width <= 1e-12 * fabs(interval->mean)) {
        char mean[40];

        table_number(interval->mean, mean, sizeof mean);
        snprintf(buffer, bytes, "%s ± 0", mean);
    } else {
        int decimals = decimals_of(interval->half_width);

        snprintf(buffer, bytes, "%.*f ± %.*f", decimals, interval->mean, decimals,
                 interval->half_width);
    }
}
