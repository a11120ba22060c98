/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/wide.h"

#define LAYERS LAW_LAYERS

/*
 * The density of the upper half, cut into LAYERS strips of equal area. A draw takes a strip i and a
 * 53-bit number u; its point lies at u x width[i], and surely under the density when u < inside[i].
 * Strip 0 holds the tail beyond r; density[i] is the height at the right end of strip i.
 */
struct ziggurat {
    double r;
    uint64_t inside[LAYERS];
    double width[LAYERS]; /* of the strip, over 2^53 */
    double density[LAYERS + 1];
};

#include "sim/engine/law_ziggurat.inc"

const struct law_strip law_strip[LAW_LAYERS] = {LAW_STRIPS};

/* Uniform in (0, 1]: safe under a logarithm. */
static double above_zero(struct stream *stream)
{
    return 1.0 - stream_uniform(stream);
}

/* A height uniform within strip i >= 1. */
static double height(const struct ziggurat *z, uint32_t i, struct stream *stream)
{
    return z->density[i] + stream_uniform(stream) * (z->density[i + 1] - z->density[i]);
}

/*
 * Some 1 % of the points are not decided by the table: the tail, and the wedges that the density
 * cuts out of the strips. Kept apart, so that the other 99 % pay neither registers nor stack for
 * them.
 */
static __attribute__((noinline)) double exponential_undecided(struct stream *stream, uint32_t i,
                                                              double x)
{
    if (i == 0) {
        /* The law has no memory: its tail is the law again. */
        return ziggurat_exponential.r + law_exponential(stream);
    }
    return height(&ziggurat_exponential, i, stream) < exp(-x) ? x : law_exponential(stream);
}

double law_exponential(struct stream *stream)
{
    uint64_t bits = stream_bits(stream);
    uint32_t i = bits % LAYERS;
    int64_t u = (int64_t)(bits >> 11);
    double x = (double)u * ziggurat_exponential.width[i];

    if ((uint64_t)u < ziggurat_exponential.inside[i]) {
        return x;
    }
    return exponential_undecided(stream, i, x);
}

/* Marsaglia 1964: beyond r by an exponential of rate r, kept with probability exp(-x^2/2). */
static double normal_tail(struct stream *stream, double r)
{
    double x, y;

    do {
        x = -log(above_zero(stream)) / r;
        y = -log(above_zero(stream));
    } while (y + y < x * x);
    return r + x;
}

static __attribute__((noinline)) double normal_undecided(struct stream *stream, uint32_t i,
                                                         double x)
{
    if (i == 0) {
        return copysign(normal_tail(stream, ziggurat_normal.r), x);
    }
    return height(&ziggurat_normal, i, stream) < exp(-x * x / 2) ? x : law_normal(stream);
}

/* The normal deviate that these bits, and more where they do not decide, give. */
static double normal_of(struct stream *stream, uint64_t bits)
{
    uint32_t i = bits % LAYERS;
    int64_t v = law_sign_and_place(bits);
    double x = (double)v * ziggurat_normal.width[i];

    return law_magnitude(v) < ziggurat_normal.inside[i] ? x : normal_undecided(stream, i, x);
}

double law_normal(struct stream *stream)
{
    return normal_of(stream, stream_bits(stream));
}

double law_normal_held(struct stream *stream, uint64_t bits)
{
    double z = normal_of(stream, bits);

    z = z < -3 ? -3 : z;
    return z > 3 ? 3 : z;
}

sim_time law_exponential_time(struct stream *stream, sim_time mean)
{
    double x = (double)mean * law_exponential(stream);

    return x < (double)SIM_TIME_LIMIT ? law_rounded(x) : SIM_TIME_LIMIT;
}

static bool weights_ok(const double *weights, uint32_t n, double *most, struct error *error)
{
    *most = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!isfinite(weights[i]) || weights[i] < 0) {
            return error_set(error, ERROR_INPUT, "",
                             "weight %u is %g, must be finite and not below 0", i, weights[i]);
        }
        *most = weights[i] > *most ? weights[i] : *most;
    }
    if (*most == 0) {
        return error_set(error, ERROR_INPUT, "", "no weight is above 0");
    }
    return true;
}

/*
 * Vose 1991. share[] becomes weight x n over the sum: entries below 1 are topped up, one each, by
 * entries above 1. Rounding can leave entries of one kind over. The shares of those k add up to k
 * but for rounding and lie on one side of 1, so each is 1 but for rounding: it stands for itself.
 */
static void build_alias(struct law_alias *law, uint32_t *work)
{
    uint32_t n = law->n, small = 0, large = n;
    double *share = law->probability;

    for (uint32_t i = 0; i < n; i++) {
        law->alias[i] = i;
        if (share[i] < 1) {
            work[small++] = i;
        } else {
            work[--large] = i;
        }
    }
    while (small > 0 && large < n) {
        uint32_t s = work[--small], l = work[large];

        law->alias[s] = l;
        share[l] = (share[l] + share[s]) - 1;
        if (share[l] < 1) {
            large++;
            work[small++] = l;
        }
    }
    while (small > 0) {
        share[work[--small]] = 1;
    }
    while (large < n) {
        share[work[large++]] = 1;
    }
}

bool law_alias_init(struct law_alias *law, const double *weights, uint32_t n, struct error *error)
{
    double most, sum = 0;
    uint32_t *work;

    memset(law, 0, sizeof *law);
    if (!weights_ok(weights, n, &most, error)) {
        return false;
    }
    law->n = n;
    law->probability = calloc(n, sizeof law->probability[0]);
    law->alias = calloc(n, sizeof law->alias[0]);
    work = calloc(n, sizeof work[0]);
    if (!law->probability || !law->alias || !work) {
        free(work);
        law_alias_fini(law);
        return error_set(error, ERROR_SYSTEM, "", "out of memory for %u weights", n);
    }
    for (uint32_t i = 0; i < n; i++) {
        sum += weights[i] / most; /* the sum itself may exceed a double */
    }
    for (uint32_t i = 0; i < n; i++) {
        law->probability[i] = weights[i] / most * n / sum;
    }
    build_alias(law, work);
    free(work);
    return true;
}

void law_alias_fini(struct law_alias *law)
{
    free(law->probability);
    free(law->alias);
    memset(law, 0, sizeof *law);
}

/* bits x n: the high word is the index, the low word a fraction that knows nothing of it. */
uint32_t law_alias_draw(const struct law_alias *law, struct stream *stream)
{
    sim_wide_unsigned product = (sim_wide_unsigned)stream_bits(stream) * law->n;
    uint32_t i = (uint32_t)(product >> 64);
    double fraction = (double)((uint64_t)product >> 11) * 0x1p-53;

    return fraction < law->probability[i] ? i : law->alias[i];
}
