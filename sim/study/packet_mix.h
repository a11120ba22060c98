/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The packets of a capture as a mixture of few kinds: sizes and page fragments together, since a
 * large packet is one of many fragments.
 *
 * While reading, packets are counted by fragments and by size in a log-linear histogram (bins of at
 * most 1.6 %), with the sum of bytes of each cell, so that means are exact; memory is fixed. Then
 * cells of equal fragments are merged, always the two neighbours whose merging costs least, in
 * squared bytes of all packets (Ward, Hierarchical grouping to optimize an objective function,
 * Journal of the American Statistical Association 58 (1963) 236-244). Different fragments are
 * merged only when there are more of them than kinds, and never those that decide about thresholds
 * in the shipped traces: 0..3, 16 and 17. Otherwise the share of each number of entries is exact.
 */
#ifndef SIM_STUDY_PACKET_MIX_H
#define SIM_STUDY_PACKET_MIX_H

#include <stdbool.h>
#include <stdint.h>

#include "models/workload.h"

#define PACKET_MIX_FRAGS 46  /* 0..45; more counts as 45 */
#define PACKET_MIX_SIZES 768 /* bins up to 65,550 bytes and above */

struct packet_mix_cell {
    uint64_t packets, bytes;
    double squared; /* sum of squared bytes */
};

struct packet_mix {
    uint64_t packets, bytes, frags;
    uint64_t clipped; /* packets of more fragments than a scenario may have */
    struct packet_mix_cell cell[PACKET_MIX_FRAGS][PACKET_MIX_SIZES];
};

/* How far the kinds are from the packets. */
struct packet_mix_error {
    double size_bytes;     /* mean of the kinds less that of the packets */
    double frags;          /* the same */
    double share;          /* largest difference of the shares of a number of fragments */
    double size_rms_bytes; /* from a packet's size to that of its kind */
};

void packet_mix_init(struct packet_mix *mix);
void packet_mix_add(struct packet_mix *mix, uint32_t frags, uint32_t size);

/* At most WORKLOAD_MIX_MOST kinds by fragments, then size, weights in packets; returns how many.
 * There is at least one packet. */
uint32_t packet_mix_kinds(const struct packet_mix *mix,
                          struct workload_kind kinds[WORKLOAD_MIX_MOST],
                          struct packet_mix_error *error);

#endif
