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

/* Large values are shown in millions or thousands of millions. */
static double scale_of(double mean, const char **suffix)
{
    double size = fabs(mean);

    *suffix = size >= 1e9 ? " G" : size >= 1e6 ? " M" : "";
    return size >= 1e9 ? 1e9 : size >= 1e6 ? 1e6 : 1;
}

void summary_text(const struct interval *interval, char *buffer, size_t bytes)
{
    const char *suffix;
    double scale = scale_of(interval->mean, &suffix);
    double mean = interval->mean / scale, half_width = interval->half_width / scale;
    char text[40];

    table_number(mean, text, sizeof text);
    if (!isfinite(interval->mean)) {
        snprintf(buffer, bytes, "n/a");
    } else if (!isfinite(half_width)) {
        snprintf(buffer, bytes, "%s%s", text, suffix);
    } else if (half_width <= 1e-12 * fabs(mean)) {
        snprintf(buffer, bytes, "%s ± 0%s", text, suffix);
    } else if (fabs(mean) < 1e-3 && half_width < 1e-4) {
        snprintf(buffer, bytes, "%.3g ± %.1g", mean, half_width);
    } else {
        int decimals = decimals_of(half_width);

        snprintf(buffer, bytes, "%.*f ± %.*f%s", decimals, mean, decimals, half_width, suffix);
    }
}
