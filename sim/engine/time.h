/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Simulated time: int64 picoseconds, exact for 106 days. Whole nanoseconds would be 4 % wrong for a
 * minimum frame at 100 Gbit/s, and a double drifts. A sim_time carries no unit suffix in its name;
 * every bare number does (_ns, _us, _bytes, ...).
 */
#ifndef SIM_ENGINE_TIME_H
#define SIM_ENGINE_TIME_H

#include <math.h>
#include <stdint.h>

typedef int64_t sim_time;

#define SIM_NS    INT64_C(1000)
#define SIM_US    (1000 * SIM_NS)
#define SIM_MS    (1000 * SIM_US)
#define SIM_S     (1000 * SIM_MS)
#define SIM_NEVER INT64_MAX

/* The longest time a configuration may name: sums of a few such times still fit. */
#define SIM_TIME_LIMIT (100 * 86400 * SIM_S)

static inline double sim_time_ns(sim_time t)
{
    return (double)t / 1e3;
}

static inline double sim_time_us(sim_time t)
{
    return (double)t / 1e6;
}

static inline double sim_time_s(sim_time t)
{
    return (double)t / 1e12;
}

/* Rounds to the nearest picosecond; the caller keeps |ns| below 9e15. */
static inline sim_time sim_time_from_ns(double ns)
{
    return (sim_time)llround(ns * 1e3);
}

#endif
