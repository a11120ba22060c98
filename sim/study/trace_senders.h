/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who sent the packets of a capture that do not say whether they were sent or received: hardware
 * addresses, and how many packets came from each. More than one means that both kinds are mixed,
 * and that all would be taken as sent.
 */
#ifndef SIM_STUDY_TRACE_SENDERS_H
#define SIM_STUDY_TRACE_SENDERS_H

#include "sim/study/trace_input.h"

#define TRACE_SENDERS_MOST 64 /* addresses; packets of further ones are counted together */

struct trace_sender {
    uint8_t address[6];
    uint64_t packets;
};

struct trace_senders {
    struct trace_sender list[TRACE_SENDERS_MOST]; /* in the order they came */
    uint32_t count, last;                         /* last: of the packet before */
    uint64_t others;                              /* packets of addresses beyond those */
};

void trace_senders_add(struct trace_senders *senders, const uint8_t address[6]);

/* Warns where there is more than one: the three commonest, and what tells them apart. */
void trace_senders_warn(const struct trace_senders *senders, struct trace_input *input);

#endif
