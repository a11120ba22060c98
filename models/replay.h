/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   A way through a packet trace, entry by entry, once or round after round.
 *          timing  an entry is due when the capture had it, the first one at the start of the run
 *          marks   sizes, fragments and order alone; the sender takes the next entry when it may
 * PLACE  In the workload, which asks it for packets instead of drawing them.
 * LEAVES OUT  What made the packets wait: a gap of the capture may be the application's or that of a
 *        slow peer, a slow host, a closed window. Under other speeds it would be another one, and
 *        timing freezes it. Marks leaves the gaps to the simulated feedback instead.
 * SOURCE docs/traces.md, section "Replay".
 *
 * Packets of one list (xmit_more) come together, at the time of the first: what lay between them in
 * the capture was the driver's own work.
 */
#ifndef MODELS_REPLAY_H
#define MODELS_REPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "models/packet_trace.h"
#include "sim/engine/param.h"

enum replay_mode { REPLAY_TIMING, REPLAY_MARKS };

struct replay_config {
    int mode;
    double time_scale; /* of gaps: 2 is half as fast */
    sim_time most_gap; /* of the capture, before scaling; longer ones become this; 0: none */
    bool loop;         /* starts over at the end; else nothing comes any more */
    sim_time loop_gap; /* last packet to first of the next round; 0: the round's mean gap */
    bool emulated;     /* the captured machine was emulated: its gaps are no machine's */
};

extern const struct param_table replay_params;

struct replay {
    struct replay_config config;
    const struct packet_trace *trace; /* NULL: nothing is replayed */
    uint64_t next;                    /* the entry that comes next */
    uint64_t taken;                   /* entries handed out, of all rounds */
    sim_time clock;                   /* when it is due */
    sim_time round_start;
};

void replay_init(struct replay *replay, const struct replay_config *config,
                 const struct packet_trace *trace);

/* Whether no entry will come any more. */
static inline bool replay_ended(const struct replay *replay)
{
    return replay->next == replay->trace->count;
}

/* The next entry; not after the end. The last one of a round promises no other. */
struct packet_trace_entry replay_take(struct replay *replay);

/* When the next entry is due, in timing; SIM_NEVER after the end. */
sim_time replay_due(const struct replay *replay);

/* Rounds through the trace so far, the present one in part. */
double replay_rounds(const struct replay *replay);

/* First to last packet of a round as it is replayed, or `until` once it is longer than that. */
sim_time replay_span(const struct replay_config *config, const struct packet_trace *trace,
                     sim_time until);

#endif
