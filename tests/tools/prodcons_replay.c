/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prodcons_replay FILE: runs every row of a table of producer/consumer cases through the virtqueue,
 * split (where the ring size allows) and packed, and compares with the results in the row.
 *
 *   ring, kp, kc                          slots and thresholds
 *   wp_ns, wc_ns, np_ns, nc_ns, sp_ns, sc_ns   times of producer, consumer, kick, call, start-ups
 *   simulated_ns_per_packet               to agree within 0.2 %
 *   kicks_per_packet, calls_per_packet    to agree within 0.002
 *
 * FILE and exit codes: tests/replay_table.h.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/models/prodcons.h"
#include "tests/replay_table.h"

#define TIME_TOLERANCE_RATIO 0.002
#define COUNT_TOLERANCE      0.002
#define LONGEST_NS           1e9

enum column { RING, WP, WC, NP, NC, SP, SC, KP, KC, TIME, KICKS, CALLS, COLUMN_COUNT };

static const char *const column_names[COLUMN_COUNT] = {
    "ring",
    "wp_ns",
    "wc_ns",
    "np_ns",
    "nc_ns",
    "sp_ns",
    "sc_ns",
    "kp",
    "kc",
    "simulated_ns_per_packet",
    "kicks_per_packet",
    "calls_per_packet",
};

static sim_time time_field(const struct replay_table *t, int column)
{
    return sim_time_from_ns(replay_number(t, column, 0, LONGEST_NS, false));
}

static void read_row(const struct replay_table *t, struct prodcons_params *params,
                     struct prodcons_result *expected)
{
    double ring = replay_number(t, RING, 2, VIRTQUEUE_SIZE_MOST, true);

    params->ring = (uint32_t)ring;
    params->kp = (uint32_t)replay_number(t, KP, 1, ring, true);
    params->kc = (uint32_t)replay_number(t, KC, 1, ring, true);
    params->wp = time_field(t, WP);
    params->wc = time_field(t, WC);
    params->np = time_field(t, NP);
    params->nc = time_field(t, NC);
    params->sp = time_field(t, SP);
    params->sc = time_field(t, SC);
    *expected = (struct prodcons_result){
        .consumed = PRODCONS_PACKETS,
        .ns_per_packet = replay_number(t, TIME, 0, 1e15, false),
        .kicks_per_packet = replay_number(t, KICKS, 0, 1e15, false),
        .calls_per_packet = replay_number(t, CALLS, 0, 1e15, false),
    };
}

static bool agrees(const struct prodcons_result *got, const struct prodcons_result *expected)
{
    return got->consumed == expected->consumed &&
           fabs(got->ns_per_packet - expected->ns_per_packet) <=
               TIME_TOLERANCE_RATIO * expected->ns_per_packet &&
           fabs(got->kicks_per_packet - expected->kicks_per_packet) <= COUNT_TOLERANCE &&
           fabs(got->calls_per_packet - expected->calls_per_packet) <= COUNT_TOLERANCE;
}

/* Runs a row in each layout that its ring size allows; prints and returns false where one differs.
 */
static bool replay(const struct replay_table *t, struct prodcons *p,
                   const struct prodcons_params *params, const struct prodcons_result *expected)
{
    static const char *const layout_names[] = {"split", "packed"};
    bool all = true;

    for (int layout = VIRTQUEUE_SPLIT; layout <= VIRTQUEUE_PACKED; layout++) {
        struct error error = {.kind = ERROR_NONE};
        struct prodcons_result got;

        if (layout == VIRTQUEUE_SPLIT && (params->ring & (params->ring - 1)) != 0) {
            continue;
        }
        if (!prodcons_run(p, params, (enum virtqueue_layout)layout, false, &got, &error)) {
            replay_failed(t->program, "a run");
        }
        if (!agrees(&got, expected)) {
            printf(
                "%s:%u: mismatch, %s ring: ns_per_packet %.6f for %.6f, kicks_per_packet %.6f for "
                "%.6f, calls_per_packet %.6f for %.6f, packets %u for %u\n",
                t->path, t->line, layout_names[layout], got.ns_per_packet, expected->ns_per_packet,
                got.kicks_per_packet, expected->kicks_per_packet, got.calls_per_packet,
                expected->calls_per_packet, got.consumed, expected->consumed);
            all = false;
        }
    }
    return all;
}

int main(int argc, char **argv)
{
    struct prodcons *p = malloc(sizeof *p);
    struct replay_table t;
    uint32_t rows = 0, mismatches = 0;

    if (argc != 2) {
        fprintf(stderr, "usage: prodcons_replay FILE\n");
        free(p);
        return ERROR_USAGE;
    }
    if (p == NULL) {
        replay_failed("prodcons_replay", "memory");
    }
    replay_table_open(&t, "prodcons_replay", column_names, COLUMN_COUNT, argv[1]);
    while (replay_table_row(&t)) {
        struct prodcons_params params;
        struct prodcons_result expected;

        read_row(&t, &params, &expected);
        rows++;
        mismatches += !replay(&t, p, &params, &expected);
    }
    replay_table_close(&t);
    if (rows == 0) {
        replay_bad(&t, t.line, "no row", NULL);
    }
    free(p);
    printf("%u rows, %u mismatches\n", rows, mismatches);
    return mismatches == 0 ? 0 : ERROR_DIFFERS;
}
