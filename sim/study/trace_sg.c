/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_sg.h"

#include <stdio.h>

#define LINEAR_BYTES 66u
#define MOST_FRAGS   17u
#define LINEAR_MOST  16384u /* bytes of a packet that is no TCP segment and linear */

void trace_sg_init(struct trace_sg *sg, const struct trace_shape *shape)
{
    *sg = (struct trace_sg){.shape = *shape};
    if (sg->shape.frag_bytes == 0) {
        sg->shape.frag_bytes = TRACE_SG_WRITE_BYTES;
    }
    if (sg->shape.linear_bytes == 0) {
        sg->shape.linear_bytes = LINEAR_BYTES;
    }
    if (sg->shape.most_frags == 0) {
        sg->shape.most_frags = MOST_FRAGS;
    }
    sg->offset = sg->shape.frag_bytes / 2;
}

struct trace_sg trace_sg_other(const struct trace_sg *sg)
{
    const bool files = sg->shape.frag_bytes == TRACE_SG_SENDFILE_BYTES;
    struct trace_shape shape = sg->shape;
    struct trace_sg other;

    shape.frag_bytes = files ? TRACE_SG_WRITE_BYTES : TRACE_SG_SENDFILE_BYTES;
    trace_sg_init(&other, &shape);
    return other;
}

/* Bytes that are not in the linear part. */
static uint32_t fragment_bytes(const struct trace_sg *sg, const struct trace_packet *packet)
{
    if (packet->data_len != TRACE_UNKNOWN) {
        return packet->data_len;
    }
    if (packet->payload != TRACE_UNKNOWN && (packet->payload > 0 || packet->size <= LINEAR_MOST)) {
        return packet->payload;
    }
    if (packet->size == TRACE_UNKNOWN) {
        return 0;
    }
    return packet->size > sg->shape.linear_bytes ? packet->size - sg->shape.linear_bytes : 0;
}

uint32_t trace_sg_entries(const struct trace_sg *sg, uint32_t frags)
{
    return 1 + frags + (sg->shape.header_entry ? 1 : 0);
}

uint32_t trace_sg_frags(struct trace_sg *sg, const struct trace_packet *packet)
{
    const uint32_t block = sg->shape.frag_bytes;
    uint32_t bytes, frags;
    uint64_t end;

    if (packet->sg != TRACE_UNKNOWN) {
        const uint32_t others = trace_sg_entries(sg, 0);

        sg->recorded++;
        return packet->sg > others ? packet->sg - others : 0;
    }
    sg->modelled++;
    bytes = fragment_bytes(sg, packet);
    end = (uint64_t)sg->offset + bytes;
    frags = bytes == 0 ? 0 : (uint32_t)((end + block - 1) / block);
    sg->offset = (uint32_t)(end % block);
    return frags < sg->shape.most_frags ? frags : sg->shape.most_frags;
}

bool trace_sg_from_trace(const struct trace_sg *sg)
{
    return sg->recorded > sg->modelled;
}

void trace_sg_text(const struct trace_sg *sg, char text[TRACE_SG_TEXT_BYTES])
{
    const struct trace_shape *shape = &sg->shape;
    char assumed[260];

    snprintf(assumed, sizeof assumed,
             "TCP payload in fragments of blocks of %u bytes, at most %u, the rest linear, "
             "virtio-net header %s (%u header bytes where none are seen)",
             shape->frag_bytes, shape->most_frags,
             shape->header_entry ? "an entry of its own" : "in the headroom", shape->linear_bytes);
    if (sg->modelled == 0) {
        snprintf(text, TRACE_SG_TEXT_BYTES, "recorded for every packet");
    } else if (sg->recorded == 0) {
        snprintf(text, TRACE_SG_TEXT_BYTES, "assumed: %s", assumed);
    } else {
        snprintf(text, TRACE_SG_TEXT_BYTES, "recorded for %llu packets; of %llu assumed: %s",
                 (unsigned long long)sg->recorded, (unsigned long long)sg->modelled, assumed);
    }
}
