/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A named stream of random numbers. Its seed comes from (seed, replication, name), so that variants
 * and sweep points share their luck (common random numbers) and a new part with a new name leaves
 * all old draws alone. The generator is xoshiro256++ (Blackman, Vigna 2019; 256 bits, period
 * 2^256 - 1), seeded through SplitMix64; it is registered as a GSL generator type, so that GSL's
 * rare laws can draw from it.
 */
#ifndef SIM_ENGINE_STREAM_H
#define SIM_ENGINE_STREAM_H

#include <gsl/gsl_rng.h>
#include <stdint.h>

struct stream {
    uint64_t s[4];
};

void stream_init(struct stream *stream, uint64_t seed, uint32_t replication, const char *name);

static inline uint64_t stream_rotl(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

/* 64 random bits. */
static inline uint64_t stream_bits(struct stream *stream)
{
    uint64_t *s = stream->s;
    uint64_t result = stream_rotl(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = stream_rotl(s[3], 45);
    return result;
}

/* Uniform in [0, 1), a multiple of 2^-53. */
static inline double stream_uniform(struct stream *stream)
{
    return (double)(stream_bits(stream) >> 11) * 0x1p-53;
}

/* Uniform in 0..n-1 without bias (Lemire 2019); n >= 1. */
uint64_t stream_below(struct stream *stream, uint64_t n);

/* A GSL generator over an existing stream, which must outlive it: a shell to be freed with
 * gsl_rng_free(), which draws from and advances *stream. NULL: out of memory. */
gsl_rng *stream_gsl(struct stream *stream);

#endif
