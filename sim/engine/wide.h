/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * 128-bit whole numbers, for sums that 64 bits cannot hold: levels x picoseconds, sums of times,
 * products of two random words. They are an extension of both compilers; this file is the one place
 * that says so.
 */
#ifndef SIM_ENGINE_WIDE_H
#define SIM_ENGINE_WIDE_H

#include <stdint.h>

__extension__ typedef __int128 sim_wide;
__extension__ typedef unsigned __int128 sim_wide_unsigned;

/* *sum += x, by halves: compilers spend three times as much on it when it is written so. */
static inline void sim_wide_add(sim_wide_unsigned *sum, sim_wide_unsigned x)
{
    uint64_t low = (uint64_t)*sum + (uint64_t)x;
    uint64_t high = (uint64_t)(*sum >> 64) + (uint64_t)(x >> 64) + (low < (uint64_t)x);

    *sum = (sim_wide_unsigned)high << 64 | low;
}

#endif
