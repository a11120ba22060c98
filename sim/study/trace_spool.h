/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A whole capture as an array for the models: read once through its reader, put in order, chosen
 * from, given its entries, and kept in a file without a name that is mapped read-only. All runs
 * share it, in any number of threads; the pages are the kernel's to drop, so memory does not grow
 * with the capture. Nothing of it stays on the disk after the end, however that comes.
 *
 * The first packet that was chosen is at 0 and no packet is before its predecessor. Sizes are
 * within what the driver can send (14..65550): a packet outside is left out with a warning.
 */
#ifndef SIM_STUDY_TRACE_SPOOL_H
#define SIM_STUDY_TRACE_SPOOL_H

#include <stdbool.h>
#include <stdint.h>

#include "models/packet_trace.h"
#include "sim/study/sha256.h"
#include "sim/study/trace.h"
#include "sim/study/trace_order.h"
#include "sim/study/trace_sg.h"

struct trace_spool {
    struct packet_trace packets; /* count >= 1 */
    struct trace_facts facts;
    struct trace_order_facts order;
    uint64_t bytes;                    /* sum of the sizes */
    bool sg_from_trace;                /* the entries are the capture's own; else a model's */
    uint64_t sg_modelled;              /* packets whose entries are a model's */
    uint64_t sg_differs;               /* of those: would have others if sent the other way */
    char sg_text[TRACE_SG_TEXT_BYTES]; /* how, in a sentence: to be printed and stored */
    char sha256[SHA256_HEX_BYTES];     /* of the file's content, after decompression */
    void *map;                         /* the array */
    uint64_t map_bytes;
};

/* False: refused, reported (with the file); a capture without a packet to replay is refused. The
 * directory of the nameless file is TMPDIR, else /tmp. Free with trace_spool_fini, also after
 * false. */
bool trace_spool(struct trace_spool *spool, const char *file, const struct trace_options *options,
                 const struct trace_shape *shape, struct problems *problems);
void trace_spool_fini(struct trace_spool *spool); /* a zeroed one is fine */

#endif
