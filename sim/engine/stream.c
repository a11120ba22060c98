/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/engine/stream.h"

#include <stdlib.h>
#include <string.h>

#include "sim/engine/wide.h"

/* SplitMix64 (Steele, Lea, Flood 2014): a Weyl sequence of this step, scrambled. */
#define WEYL_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Its scrambler, a bijection of 64 bits. */
static uint64_t mix(uint64_t z)
{
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static uint64_t absorb(uint64_t hash, uint64_t word)
{
    return mix((hash ^ word) + WEYL_STEP);
}

/* Eight bytes a word, lowest first on any machine, the length last: "a" and "a\0" would differ. */
static uint64_t absorb_name(uint64_t hash, const char *name)
{
    size_t bytes = strlen(name);
    uint64_t word = 0;

    for (size_t i = 0; i < bytes; i++) {
        word |= (uint64_t)(unsigned char)name[i] << (8 * (i % 8));
        if (i % 8 == 7 || i == bytes - 1) {
            hash = absorb(hash, word);
            word = 0;
        }
    }
    return absorb(hash, bytes);
}

/* Each word goes through a bijection, so seeds that differ alone always give different states. */
void stream_init(struct stream *stream, uint64_t seed, uint32_t replication, const char *name)
{
    uint64_t state = absorb_name(absorb(absorb(0, seed), replication), name);

    for (int i = 0; i < 4; i++) {
        state += WEYL_STEP;
        stream->s[i] = mix(state);
    }
}

/*
 * Lemire 2019: the high word of bits x n is uniform once the low word is not among the first
 * 2^64 mod n values; the division is needed only when the low word is below n.
 */
uint64_t stream_below(struct stream *stream, uint64_t n)
{
    sim_wide_unsigned product = (sim_wide_unsigned)stream_bits(stream) * n;

    if ((uint64_t)product < n) {
        uint64_t refused = (0 - n) % n;

        while ((uint64_t)product < refused) {
            product = (sim_wide_unsigned)stream_bits(stream) * n;
        }
    }
    return (uint64_t)(product >> 64);
}

static unsigned long shell_get(void *state)
{
    return stream_bits(*(struct stream **)state);
}

static double shell_uniform(void *state)
{
    return stream_uniform(*(struct stream **)state);
}

static void shell_set(void *state, unsigned long seed)
{
    stream_init(*(struct stream **)state, seed, 0, "");
}

static const gsl_rng_type shell_type = {
    .name = "xoshiro256++",
    .max = UINT64_MAX,
    .min = 0,
    .size = sizeof(struct stream *),
    .set = shell_set,
    .get = shell_get,
    .get_double = shell_uniform,
};

/* Not by gsl_rng_alloc(), which seeds what it allocates: the stream has its seed already. */
gsl_rng *stream_gsl(struct stream *stream)
{
    gsl_rng *shell = malloc(sizeof *shell);
    struct stream **state = malloc(sizeof(struct stream *));

    if (!shell || !state) {
        free(shell);
        free(state);
        return NULL;
    }
    *state = stream;
    shell->type = &shell_type;
    shell->state = state;
    return shell;
}
