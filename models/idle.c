/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/idle.h"

#include <math.h>
#include <string.h>

#include "sim/engine/law.h"

static const struct param_choice cpus[] = {
    {"none", "no states: waking takes the same after any gap", NULL},
    {"skylake", "Skylake-X, Cascade Lake: C1 2/2, C1E 10/20, C6 133/600 us (exit/residency)", NULL},
    {"icelake", "Ice Lake server: C1 1/1, C1E 4/4, C6 170/600 us (recalled; 128/384 at first)", NULL},
    {"sapphire_rapids", "C1 1/1, C1E 2/4, C6 290/800 us (recalled)", NULL},
    {"granite_rapids", "C1 1/1, C1E 4/4 (recalled), C6 170/650, C6P 210/1000 us", NULL},
    {"sierra_forest", "C1 1/1, C1E 2/10, C6S 270/700, C6SP 310/900 us", NULL},
    {"epyc", "C1 1/2, C2 400/800 us, as ACPI says (recalled)", NULL},
    {0},
};

static const struct param_choice laws[] = {
    {"exponential", "mostly short, seldom several times the mean", NULL},
    {"constant", "always the mean", NULL},
    {"lognormal", "as wide as the exponential, hardly ever near 0, with a longer tail", NULL},
    {0},
};

#define WITH_STATES                                                                                \
    .when_path = "host.idle.cpu",                                                                  \
    .when_value = "skylake|icelake|sapphire_rapids|granite_rapids|sierra_forest|epyc"

static const struct param rows[] = {
    {.path = "host.idle.cpu",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct idle_config, cpu),
     .fallback = "none",
     .choices = cpus,
     .help = "idle states of the host's CPUs, which the vhost worker and a halted vCPU wake from"},
    {.path = "host.idle.deepest",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct idle_config, deepest),
     .most = IDLE_STATES_MOST,
     .fallback = "4",
     .unit = "states",
     .alias = "max_cstate",
     WITH_STATES,
     .help = "how many of the states may be used; 0: idle CPUs poll"},
    {.path = "host.idle.sched_latency",
     .kind = PARAM_TIME,
     .offset = offsetof(struct idle_config, sched),
     .most = 1e12,
     .fallback = "0us",
     .help = "mean of the time from woken to running, on top of the wake-up's constant part"},
    {.path = "host.idle.sched_law",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct idle_config, sched_law),
     .fallback = "exponential",
     .choices = laws,
     .help = "law of host.idle.sched_latency"},
    {.path = "host.idle.runqueue_busy",
     .kind = PARAM_RATIO,
     .offset = offsetof(struct idle_config, busy_ratio),
     .most = 1,
     .fallback = "0",
     .help = "probability that a woken thread finds another one running on its CPU"},
    {.path = "host.idle.slice",
     .kind = PARAM_TIME,
     .offset = offsetof(struct idle_config, slice),
     .most = 1e12,
     .fallback = "3ms",
     .help = "what is left of the other's slice is evenly spread up to this"},
};

const struct param_table idle_params = PARAM_TABLE("idle", struct idle_config, rows, NULL);

static const struct {
    struct idle_state state[IDLE_STATES_MOST];
    uint32_t count;
} table[IDLE_CPUS] = {
    [IDLE_SKYLAKE] = {{{"C1", 2, 2}, {"C1E", 10, 20}, {"C6", 133, 600}}, 3},
    [IDLE_ICELAKE] = {{{"C1", 1, 1}, {"C1E", 4, 4}, {"C6", 170, 600}}, 3},
    [IDLE_SAPPHIRE_RAPIDS] = {{{"C1", 1, 1}, {"C1E", 2, 4}, {"C6", 290, 800}}, 3},
    [IDLE_GRANITE_RAPIDS] = {{{"C1", 1, 1}, {"C1E", 4, 4}, {"C6", 170, 650}, {"C6P", 210, 1000}}, 4},
    [IDLE_SIERRA_FOREST] = {{{"C1", 1, 1}, {"C1E", 2, 10}, {"C6S", 270, 700}, {"C6SP", 310, 900}}, 4},
    [IDLE_EPYC] = {{{"C1", 1, 2}, {"C2", 400, 800}}, 2},
};

const struct idle_state *idle_states(enum idle_cpu cpu, uint32_t *count)
{
    *count = table[cpu].count;
    return *count > 0 ? table[cpu].state : NULL;
}

sim_time idle_expected(const struct idle *idle)
{
    uint32_t count = idle->gaps < IDLE_GAPS ? idle->gaps : IDLE_GAPS;
    sim_time sum = 0, longest = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += idle->gap[i];
        longest = idle->gap[i] > longest ? idle->gap[i] : longest;
    }
    if (count > 1 && longest > 2 * ((sum - longest) / (count - 1))) {
        return (sum - longest) / (count - 1);
    }
    return count > 0 ? sum / count : 0;
}

/* Of the deepest state that pays for the gap. */
static sim_time exit_latency(const struct idle *idle)
{
    uint32_t count;
    const struct idle_state *state = idle_states((enum idle_cpu)idle->config.cpu, &count);
    sim_time expected = idle_expected(idle), latency = 0;

    count = count < idle->config.deepest ? count : idle->config.deepest;
    for (uint32_t i = 0; i < count && state[i].residency_us * SIM_US <= expected; i++) {
        latency = state[i].exit_us * SIM_US;
    }
    return latency;
}

/* Coefficient of variation 1: the logarithm's variance is ln 2, its mean half of that below ln of the mean. */
static sim_time sched_latency(struct idle *idle)
{
    const struct idle_config *c = &idle->config;

    switch ((enum idle_law)c->sched_law) {
    case IDLE_CONSTANT:
        return c->sched;
    case IDLE_LOGNORMAL:
        return law_rounded((double)c->sched *
                           exp(sqrt(M_LN2) * law_normal(&idle->stream) - M_LN2 / 2));
    case IDLE_EXPONENTIAL:
        return law_exponential_time(&idle->stream, c->sched);
    }
    __builtin_unreachable();
}

sim_time idle_enter(struct idle *idle)
{
    const struct idle_config *c = &idle->config;
    sim_time latency = c->cpu == IDLE_NONE ? 0 : exit_latency(idle);

    if (c->sched > 0) {
        latency += sched_latency(idle);
    }
    if (c->busy_ratio > 0 && stream_uniform(&idle->stream) < c->busy_ratio) {
        latency += (sim_time)(stream_uniform(&idle->stream) * (double)c->slice);
    }
    return latency;
}

void idle_leave(struct idle *idle, sim_time gap)
{
    idle->gap[idle->gaps++ % IDLE_GAPS] = gap;
}

void idle_init(struct idle *idle, const struct idle_config *config, uint64_t seed,
               uint32_t replication, const char *name)
{
    memset(idle, 0, sizeof *idle);
    idle->config = *config;
    idle->modelled = config->cpu != IDLE_NONE || config->sched > 0 || config->busy_ratio > 0;
    stream_init(&idle->stream, seed, replication, name);
}
