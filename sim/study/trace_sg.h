/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Entries of a request where the capture has none: one for the linear part and one a page fragment.
 * Where the source tells (a kmalloc or probe at the virtqueue, a column), that is the truth and is
 * used. Elsewhere it takes a model, and the model is said aloud:
 *
 *   header   of the virtio-net header: in the headroom of the linear part, no entry of its own
 *   linear   what is no TCP segment is linear, whole, up to 16 KiB; of a TCP segment and of longer
 *            packets, the headers
 *   payload  of TCP lies in fragments that are cut from blocks of `frag_bytes`: 32 KiB when a
 *            program writes (the socket's own blocks), 4 KiB when it sends a file (page cache). The
 *            payload goes through the blocks end to end, so that a packet touches one fragment more
 *            than its size asks for as often as it crosses a border; the first starts mid-block.
 *
 * A packet whose headers the capture does not show is taken for a TCP segment with `linear_bytes`
 * of headers, when it is longer than them.
 */
#ifndef SIM_STUDY_TRACE_SG_H
#define SIM_STUDY_TRACE_SG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/study/trace.h"

/* Blocks that fragments are cut from. */
#define TRACE_SG_WRITE_BYTES    32768u /* a socket's own */
#define TRACE_SG_SENDFILE_BYTES 4096u  /* pages of the page cache */

/* The assumption; 0 in a member: its default. */
struct trace_shape {
    uint32_t frag_bytes; /* block that fragments are cut from; 32768 */
    uint32_t
        linear_bytes;    /* headers where none are seen; 66: Ethernet, IPv4, TCP with time stamps */
    uint32_t most_frags; /* MAX_SKB_FRAGS; 17 */
    bool header_entry;   /* the virtio-net header has an entry of its own */
};

struct trace_sg {
    struct trace_shape shape;    /* with its defaults filled in */
    uint32_t offset;             /* in the block, where the next payload starts */
    uint64_t recorded, modelled; /* packets */
};

void trace_sg_init(struct trace_sg *sg, const struct trace_shape *shape);

/* The same from the start, if the program sent the other way: files instead of writing, and where
 * that is the model, writing. */
struct trace_sg trace_sg_other(const struct trace_sg *sg);

/* Page fragments of the packet: as recorded, else by the model. */
uint32_t trace_sg_frags(struct trace_sg *sg, const struct trace_packet *packet);

/* Entries of a request with so many fragments. */
uint32_t trace_sg_entries(const struct trace_sg *sg, uint32_t frags);

/* Whether most packets had their entries recorded, so that the trace is the source. */
bool trace_sg_from_trace(const struct trace_sg *sg);

/* Where the entries came from, in a sentence. */
#define TRACE_SG_TEXT_BYTES 400
void trace_sg_text(const struct trace_sg *sg, char text[TRACE_SG_TEXT_BYTES]);

#endif
