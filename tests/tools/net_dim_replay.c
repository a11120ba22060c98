/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * net_dim_replay FILE: gives every row's sample to an instance of net_dim and compares what it is
 * afterwards.
 *
 *   seq, step                     a new seq begins a fresh instance
 *   cq_mode, dir                  0 or 1; rx or tx: which table usec and pkts are from
 *   time_ns, event_ctr, pkt_ctr, byte_ctr   the sample
 *   decision_scheduled            whether the call asked for a new profile
 *   work_done                     an input: the work ran at the end of this row
 *   state, tune_state, profile_ix, steps_right, steps_left, tired, usec, pkts, prev_bpms,
 * prev_ppms, prev_epms
 *
 * FILE and exit codes: tests/replay_table.h.
 */
#include "models/net_dim.h"
#include "tests/replay_table.h"

enum column {
    SEQ,
    STEP,
    MODE,
    DIR,
    TIME,
    EVENTS,
    PACKETS,
    BYTES,
    WORK_DONE,
    RESULTS, /* the columns from here on are compared */
    STATE = RESULTS,
    TUNE,
    PROFILE,
    RIGHT,
    LEFT,
    TIRED,
    SCHEDULED,
    USECS,
    FRAMES,
    REFERENCE_BYTES,
    REFERENCE_PACKETS,
    REFERENCE_EVENTS,
    COLUMN_COUNT
};

static const char *const column_names[COLUMN_COUNT] = {
    "seq",         "step",       "cq_mode",    "dir",
    "time_ns",     "event_ctr",  "pkt_ctr",    "byte_ctr",
    "work_done",   "state",      "tune_state", "profile_ix",
    "steps_right", "steps_left", "tired",      "decision_scheduled",
    "usec",        "pkts",       "prev_bpms",  "prev_ppms",
    "prev_epms",
};

static const struct net_dim_profile *profile(const struct replay_table *t,
                                             const struct net_dim *dim)
{
    const char *dir = replay_text(t, DIR);
    uint64_t mode = replay_bits(t, MODE);

    if ((strcmp(dir, "rx") != 0 && strcmp(dir, "tx") != 0) || mode >= NET_DIM_MODES) {
        replay_bad(t, t->line, "dir must be rx or tx, cq_mode 0 or 1:", dir);
    }
    return &net_dim_profiles[dir[0] == 'r' ? NET_DIM_RX : NET_DIM_TX][mode][dim->profile];
}

/* Compares the instance with the row; prints the columns that differ. */
static bool agrees(const struct replay_table *t, const struct net_dim *dim, bool scheduled)
{
    const struct net_dim_profile *p = profile(t, dim);
    const int64_t got[COLUMN_COUNT - RESULTS] = {
        dim->state,
        dim->tune,
        dim->profile,
        dim->steps_right,
        dim->steps_left,
        dim->tired,
        scheduled,
        p->usecs,
        p->packets,
        dim->reference.bytes,
        dim->reference.packets,
        dim->reference.events,
    };
    bool all = true;

    for (int c = RESULTS; c < COLUMN_COUNT; c++) {
        int64_t expected = (int64_t)replay_bits(t, c);

        if (got[c - RESULTS] != expected) {
            printf("%s:%" PRIu32 ": mismatch, seq %s step %s: %s %" PRId64 " for %" PRId64 "\n",
                   t->path, t->line, replay_text(t, SEQ), replay_text(t, STEP), column_names[c],
                   got[c - RESULTS], expected);
            all = false;
        }
    }
    return all;
}

static bool replay(const struct replay_table *t, struct net_dim *dim)
{
    struct net_dim_sample sample = {.time_ns = (int64_t)replay_bits(t, TIME),
                                    .packets = (uint32_t)replay_bits(t, PACKETS),
                                    .bytes = (uint32_t)replay_bits(t, BYTES),
                                    .events = (uint16_t)replay_bits(t, EVENTS)};
    bool scheduled = net_dim(dim, &sample);

    if (replay_bits(t, WORK_DONE) != 0) {
        net_dim_applied(dim);
    }
    return agrees(t, dim, scheduled);
}

int main(int argc, char **argv)
{
    struct replay_table t;
    struct net_dim dim = {0};
    uint64_t seq = 0;
    uint32_t rows = 0, mismatches = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: net_dim_replay FILE\n");
        return ERROR_USAGE;
    }
    replay_table_open(&t, "net_dim_replay", column_names, COLUMN_COUNT, argv[1]);
    while (replay_table_row(&t)) {
        if (rows == 0 || replay_bits(&t, SEQ) != seq) {
            seq = replay_bits(&t, SEQ);
            net_dim_init(&dim, NET_DIM_EVENTS, NET_DIM_SIGNIFICANT);
        }
        rows++;
        mismatches += !replay(&t, &dim);
    }
    replay_table_close(&t);
    if (rows == 0) {
        replay_bad(&t, t.line, "no row", NULL);
    }
    printf("%" PRIu32 " rows, %" PRIu32 " mismatches\n", rows, mismatches);
    return mismatches == 0 ? 0 : ERROR_DIFFERS;
}
