/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/fit_draws.h"

#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdlib.h>

#include "sim/engine/stream.h"

#define SOBOL_MOST 40

struct fit_draws {
    gsl_qrng *sequence;
    uint32_t dimensions;
    double *shift; /* [dimensions] */
};

struct fit_draws *fit_draws_new(uint32_t dimensions, uint64_t seed)
{
    struct fit_draws *draws = calloc(1, sizeof *draws);
    struct stream stream;

    if (!draws || dimensions == 0 || dimensions > FIT_DRAWS_DIMENSIONS) {
        free(draws);
        return NULL;
    }
    draws->dimensions = dimensions;
    draws->shift = calloc(dimensions, sizeof *draws->shift);
    draws->sequence = gsl_qrng_alloc(
        dimensions <= SOBOL_MOST ? gsl_qrng_sobol : gsl_qrng_reversehalton, dimensions);
    if (!draws->shift || !draws->sequence) {
        fit_draws_free(draws);
        return NULL;
    }
    stream_init(&stream, seed, 0, "fit.draws");
    for (uint32_t i = 0; i < dimensions; i++) {
        draws->shift[i] = stream_uniform(&stream);
    }
    return draws;
}

void fit_draws_free(struct fit_draws *draws)
{
    if (!draws) {
        return;
    }
    if (draws->sequence) {
        gsl_qrng_free(draws->sequence);
    }
    free(draws->shift);
    free(draws);
}

void fit_draws_next(struct fit_draws *draws, double *point)
{
    gsl_qrng_get(draws->sequence, point);
    for (uint32_t i = 0; i < draws->dimensions; i++) {
        point[i] += draws->shift[i];
        point[i] -= floor(point[i]);
    }
}
