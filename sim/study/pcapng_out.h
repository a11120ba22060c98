/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A pcapng file of what was on the simulated wire, for the tools that read captures.
 *
 * One section in little endian, one Ethernet interface whose times are picoseconds (if_tsresol 12)
 * of simulated time. A simulated packet has no content: of each there stand the headers of a UDP
 * packet between two addresses that are reserved for documentation, its number in the
 * identification, and the true length beside (orig_len); a frame too short for them has the Ethernet
 * header alone. Lengths in the headers are 0 where the frame is longer than they can say, as in a
 * capture of a packet that the device will cut.
 */
#ifndef SIM_STUDY_PCAPNG_OUT_H
#define SIM_STUDY_PCAPNG_OUT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "sim/engine/error.h"
#include "sim/engine/time.h"

#define PCAPNG_OUT_SNAPLEN 42 /* Ethernet, IPv4 and UDP headers */

struct pcapng_out {
    FILE *file;
    const char *name;
    uint64_t most;    /* packets the file may hold */
    uint64_t packets; /* that came; the first `most` of them are there */
};

/* Creates the file. The name stays the caller's. */
bool pcapng_out_open(struct pcapng_out *out, const char *name, uint64_t most, struct error *error);

/* A packet of `size` frame bytes (>= 14) at `at`; number counts from 1. */
void pcapng_out_packet(struct pcapng_out *out, sim_time at, uint64_t number, uint32_t size);

/* False when not all of it could be written. */
bool pcapng_out_close(struct pcapng_out *out, struct error *error);

#endif
