/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/batch_means.h"

#include <math.h>
#include <string.h>

#include "sim/engine/assert.h"
#include "sim/engine/tally.h"

#define MSER_BATCH    5
#define SUPER_BATCHES 20

void batch_means_clear(struct batch_means *b)
{
    memset(b, 0, sizeof *b);
    b->batch_size = 1;
}

static void halve(struct batch_means *b)
{
    for (uint32_t i = 0; i < BATCH_MEANS_ROOM / 2; i++) {
        b->mean[i] = (b->mean[2 * i] + b->mean[2 * i + 1]) / 2;
    }
    b->count = BATCH_MEANS_ROOM / 2;
    b->batch_size *= 2;
}

void batch_means_add_batch(struct batch_means *b, double sum)
{
    sim_assert(b->filled == 0, 0, "a batch beside an open one");
    b->mean[b->count++] = sum / (double)b->batch_size;
    if (b->count == BATCH_MEANS_ROOM) {
        halve(b);
    }
}

void batch_means_add(struct batch_means *b, double x)
{
    b->open_sum += x;
    b->filled++;
    if (b->filled < b->batch_size) {
        return;
    }
    b->filled = 0;
    batch_means_add_batch(b, b->open_sum);
    b->open_sum = 0;
}

static double mean_of(const double *x, uint32_t n)
{
    double sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += x[i];
    }
    return sum / n;
}

/*
 * White 1997; White, Cobb, Spratt 2000. With Z_1..Z_n the means of five and d of them dropped, the
 * statistic is sum over j > d of (Z_j - mean)^2 / (n - d)^2. One pass from the back gives it for
 * every d; among equals the smallest cut wins.
 */
uint32_t batch_means_mser5(const struct batch_means *b)
{
    uint32_t n = b->count / MSER_BATCH;
    uint32_t best = 0;
    double least = INFINITY;
    struct tally kept;

    tally_clear(&kept);
    for (uint32_t d = n; d-- > 0;) {
        double statistic;

        tally_add(&kept, mean_of(&b->mean[MSER_BATCH * d], MSER_BATCH));
        statistic = kept.m2 / ((double)kept.count * (double)kept.count);
        if (2 * d <= n && kept.count >= 2 && statistic <= least) {
            least = statistic;
            best = d;
        }
    }
    return MSER_BATCH * best;
}

/* Batches that do not fill the last super-batch are dropped at the front, next to the warm-up. */
struct interval batch_means_interval(const struct batch_means *b, uint32_t skip, double level)
{
    uint32_t kept = skip < b->count ? b->count - skip : 0;
    uint32_t size = kept < 2 * SUPER_BATCHES ? 1 : kept / SUPER_BATCHES;
    uint32_t n = kept / size;
    const double *first = &b->mean[b->count - n * size];
    double super[2 * SUPER_BATCHES];

    for (uint32_t i = 0; i < n; i++) {
        super[i] = mean_of(first + i * size, size);
    }
    return interval_of(super, n, level);
}
