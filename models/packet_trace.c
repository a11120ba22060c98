/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/packet_trace.h"

void packet_trace_summarise(struct packet_trace *trace)
{
    uint64_t size = 0, frags = 0;

    trace->most_frags = 0;
    for (uint64_t i = 0; i < trace->count; i++) {
        const struct packet_trace_entry *entry = &trace->entry[i];

        size += entry->size;
        frags += entry->frags;
        trace->most_frags = entry->frags > trace->most_frags ? entry->frags : trace->most_frags;
    }
    trace->mean_size = (double)size / (double)trace->count;
    trace->mean_frags = (double)frags / (double)trace->count;
}
