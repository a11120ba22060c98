/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/modes.h"

#include <math.h>
#include <stdlib.h>

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

static double mean_of(const double *x, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / n;
}

static double squares(const double *x, uint32_t n, double mean)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += (x[i] - mean) * (x[i] - mean);
    }
    return sum;
}

struct modes modes_of(const double *x, uint32_t n)
{
    double sorted[MODES_MOST], gap, spread;
    struct modes modes = {0};
    uint32_t count = 0, split = 1;

    for (uint32_t i = 0; i < n && count < MODES_MOST; i++) {
        if (isfinite(x[i])) {
            sorted[count++] = x[i];
        }
    }
    if (count < MODES_LEAST) {
        return modes;
    }
    qsort(sorted, count, sizeof *sorted, ascending);
    for (uint32_t i = 2; i < count; i++) {
        if (sorted[i] - sorted[i - 1] > sorted[split] - sorted[split - 1]) {
            split = i;
        }
    }
    gap = sorted[split] - sorted[split - 1];
    modes.known = true;
    modes.mean[0] = mean_of(sorted, split);
    modes.mean[1] = mean_of(sorted + split, count - split);
    modes.share[0] = (double)split / count;
    modes.share[1] = 1 - modes.share[0];
    spread = sqrt((squares(sorted, split, modes.mean[0]) +
                   squares(sorted + split, count - split, modes.mean[1])) /
                  (count - 2));
    modes.two = split >= 2 && count - split >= 2 && gap > MODES_GAP * spread &&
                gap > MODES_PERCENT / 100 * fabs(mean_of(sorted, count));
    return modes;
}
