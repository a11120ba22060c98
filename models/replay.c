/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/replay.h"

#include <string.h>

#include "sim/engine/assert.h"

void replay_init(struct replay *replay, const struct replay_config *config,
                 const struct packet_trace *trace)
{
    memset(replay, 0, sizeof *replay);
    replay->config = *config;
    replay->trace = trace;
}

/* A sum that stays below SIM_NEVER. */
static sim_time later(sim_time t, sim_time gap)
{
    return t > SIM_TIME_LIMIT - gap ? SIM_TIME_LIMIT : t + gap;
}

/* Entry i to entry i + 1, as replayed; exact when nothing is scaled. */
static sim_time gap_after(const struct replay_config *c, const struct packet_trace *trace, uint64_t i)
{
    sim_time gap = trace->entry[i + 1].at - trace->entry[i].at;
    double scaled;

    if (c->most_gap > 0 && gap > c->most_gap) {
        gap = c->most_gap;
    }
    if (c->time_scale == 1) {
        return gap < SIM_TIME_LIMIT ? gap : SIM_TIME_LIMIT;
    }
    scaled = (double)gap * c->time_scale + 0.5;
    return scaled < (double)SIM_TIME_LIMIT ? (sim_time)scaled : SIM_TIME_LIMIT;
}

/* The round is over: back to the first entry, or at the end for good. */
static void end_round(struct replay *r)
{
    sim_time gap = r->config.loop_gap;

    if (!r->config.loop) {
        return;
    }
    if (gap == 0 && r->trace->count > 1) {
        gap = (r->clock - r->round_start) / (sim_time)(r->trace->count - 1);
    }
    r->clock = later(r->clock, gap);
    r->round_start = r->clock;
    r->next = 0;
}

struct packet_trace_entry replay_take(struct replay *r)
{
    struct packet_trace_entry entry;
    uint64_t i = r->next;

    sim_assert(i < r->trace->count, r->clock, "replay goes past the end of its trace");
    entry = r->trace->entry[i];
    r->taken++;
    r->next++;
    if (r->next == r->trace->count) {
        entry.more = 0;
        end_round(r);
    } else {
        r->clock = later(r->clock, gap_after(&r->config, r->trace, i));
    }
    return entry;
}

sim_time replay_due(const struct replay *r)
{
    return replay_ended(r) || r->clock >= SIM_TIME_LIMIT ? SIM_NEVER : r->clock;
}

double replay_rounds(const struct replay *r)
{
    return (double)r->taken / (double)r->trace->count;
}

sim_time replay_span(const struct replay_config *config, const struct packet_trace *trace,
                     sim_time until)
{
    sim_time span = 0;

    for (uint64_t i = 0; i + 1 < trace->count && span < until; i++) {
        span = later(span, gap_after(config, trace, i));
    }
    return span < until ? span : until;
}
