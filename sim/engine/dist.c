/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/dist.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

void dist_constant(struct dist *dist, uint64_t value)
{
    memset(dist, 0, sizeof *dist);
    dist->kind = DIST_CONSTANT;
    dist->count = 1;
    dist->bin[0] = (struct dist_bin){value, value, 1};
}

uint64_t dist_least(const struct dist *dist)
{
    uint64_t least = dist->bin[0].low;

    for (uint32_t i = 1; i < dist->count; i++) {
        least = dist->bin[i].low < least ? dist->bin[i].low : least;
    }
    return least;
}

uint64_t dist_most(const struct dist *dist)
{
    uint64_t most = dist->bin[0].high;

    for (uint32_t i = 1; i < dist->count; i++) {
        most = dist->bin[i].high > most ? dist->bin[i].high : most;
    }
    return most;
}

double dist_mean(const struct dist *dist)
{
    double mean = 0, weight = 0;

    for (uint32_t i = 0; i < dist->count; i++) {
        const struct dist_bin *bin = &dist->bin[i];
        double middle = (double)bin->low / 2 + (double)bin->high / 2;

        weight += bin->weight;
        mean += (middle - mean) * (bin->weight / weight);
    }
    return mean;
}

static bool bins_ok(const struct dist *dist, struct error *error)
{
    if (dist->count < 1 || dist->count > DIST_BINS) {
        return error_set(error, ERROR_INPUT, "", "%u bins, must be 1..%d", dist->count, DIST_BINS);
    }
    for (uint32_t i = 0; i < dist->count; i++) {
        const struct dist_bin *bin = &dist->bin[i];

        if (bin->low > bin->high) {
            return error_set(error, ERROR_INPUT, "",
                             "bin %u begins at %" PRIu64 " and ends before, at %" PRIu64, i,
                             bin->low, bin->high);
        }
        if (!isfinite(bin->weight) || !(bin->weight > 0)) {
            return error_set(error, ERROR_INPUT, "", "bin %u has the weight %g, must be above 0", i,
                             bin->weight);
        }
    }
    return true;
}

bool dist_sampler_init(struct dist_sampler *sampler, const struct dist *dist, struct error *error)
{
    double weights[DIST_BINS];

    memset(sampler, 0, sizeof *sampler);
    if (!bins_ok(dist, error)) {
        return false;
    }
    sampler->dist = *dist;
    if (dist->count == 1) {
        return true;
    }
    for (uint32_t i = 0; i < dist->count; i++) {
        weights[i] = dist->bin[i].weight;
    }
    return law_alias_init(&sampler->alias, weights, dist->count, error);
}

void dist_sampler_fini(struct dist_sampler *sampler)
{
    law_alias_fini(&sampler->alias);
    memset(sampler, 0, sizeof *sampler);
}

uint64_t dist_draw(const struct dist_sampler *sampler, struct stream *stream)
{
    uint32_t i = sampler->dist.count == 1 ? 0 : law_alias_draw(&sampler->alias, stream);
    const struct dist_bin *bin = &sampler->dist.bin[i];

    if (bin->low == bin->high) {
        return bin->low;
    }
    if (bin->high - bin->low == UINT64_MAX) {
        return stream_bits(stream);
    }
    return bin->low + stream_below(stream, bin->high - bin->low + 1);
}
