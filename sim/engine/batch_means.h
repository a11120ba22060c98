/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch means of a long series in bounded memory: at most BATCH_MEANS_ROOM batches; when all are
 * full, neighbours are merged and the batch size doubles. From them: a suggestion where the warm-up
 * ends (MSER-5, White 1997: batches of five of the stored means, the cut that minimises the
 * variance of the mean, looked for in the first half), and an interval that allows for
 * autocorrelation.
 */
#ifndef SIM_ENGINE_BATCH_MEANS_H
#define SIM_ENGINE_BATCH_MEANS_H

#include <stdint.h>

#include "sim/engine/interval.h"

#define BATCH_MEANS_ROOM 4096

struct batch_means {
    uint64_t batch_size; /* observations per batch, a power of two */
    uint32_t count;      /* full batches */
    uint64_t filled;     /* observations in the open batch */
    double open_sum;
    double mean[BATCH_MEANS_ROOM];
};

void batch_means_clear(struct batch_means *b);
void batch_means_add(struct batch_means *b, double x);

/* The sum of batch_size observations at once, while no batch is open. */
void batch_means_add_batch(struct batch_means *b, double sum);

/* Batches to drop at the front; a multiple of 5, at most half of them. */
uint32_t batch_means_mser5(const struct batch_means *b);

/* Of the mean after dropping `skip` batches, from about 20 super-batches. */
struct interval batch_means_interval(const struct batch_means *b, uint32_t skip, double level);

#endif
