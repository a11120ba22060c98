/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   An idle host CPU and its way back: the longer it expects to be idle, the deeper the state that it enters, and
 *        the longer it takes to leave it. Then the scheduler lets the woken thread run.
 * PLACE  Under whoever sleeps on a host CPU: the vhost worker, a halted vCPU (models/vcpu.h).
 * LEAVES OUT  The time to enter a state and an abort of it; states of cores and packages together; frequency; ticks.
 * SOURCE docs/host.md. Latencies and residencies of intel_idle, of ACPI for EPYC.
 *
 * What it expects is the mean of its last eight gaps, one that is more than twice the mean of the others left out, as a
 * governor of typical intervals does. It is fixed when the CPU goes idle; how long the gap then is does not change the
 * state.
 */
#ifndef MODELS_IDLE_H
#define MODELS_IDLE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/param.h"
#include "sim/engine/stream.h"
#include "sim/engine/time.h"

#define IDLE_GAPS        8u
#define IDLE_STATES_MOST 4u

enum idle_cpu {
    IDLE_NONE, /* the wake-up takes the same time after any gap */
    IDLE_SKYLAKE,
    IDLE_ICELAKE,
    IDLE_SAPPHIRE_RAPIDS,
    IDLE_GRANITE_RAPIDS,
    IDLE_SIERRA_FOREST,
    IDLE_EPYC,
    IDLE_CPUS
};

/* Of the time until a woken thread runs; the lognormal one is as wide as the exponential. */
enum idle_law { IDLE_EXPONENTIAL, IDLE_CONSTANT, IDLE_LOGNORMAL };

struct idle_config {
    int cpu;              /* enum idle_cpu */
    uint32_t deepest;     /* states it may use, as an administrator's limit; 0: it polls */
    sim_time sched;       /* mean of the time until a woken thread runs */
    int sched_law;        /* enum idle_law */
    double busy_ratio;    /* probability that another thread runs there, which it waits for */
    sim_time slice;       /* at most so long */
};

extern const struct param_table idle_params;

struct idle_state {
    const char *name;
    uint32_t exit_us, residency_us; /* latency; least gap for which it pays */
};

/* The states of a CPU, from shallow to deep; NULL: none are modelled. */
const struct idle_state *idle_states(enum idle_cpu cpu, uint32_t *count);

struct idle {
    struct idle_config config;
    bool modelled; /* waking may take more than its constant part */
    struct stream stream;
    sim_time gap[IDLE_GAPS];
    uint32_t gaps; /* seen so far */
};

void idle_init(struct idle *idle, const struct idle_config *config, uint64_t seed,
               uint32_t replication, const char *name);

/* How long it expects to be idle; 0 before the first gap. */
sim_time idle_expected(const struct idle *idle);

/* It goes idle: what the next wake-up will take on top of the constant part. */
sim_time idle_enter(struct idle *idle);

/* It was idle for so long. */
void idle_leave(struct idle *idle, sim_time gap);

#endif
