/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_config.h"

#include <stdlib.h>
#include <string.h>

#include "models/workload.h"

#define QUEUES 65536

_Static_assert(TRACE_SIZE_MOST == WORKLOAD_SIZE_MOST, "what a capture may hold can be sent");

static const struct param_choice orders[] = {
    [TRACE_ORDER_SORT] = {.name = "sort", .help = "by time, within a window of 65,536 packets or 1 s"},
    [TRACE_ORDER_KEEP] = {.name = "keep", .help = "that of the file; one that goes back comes at once"},
    [TRACE_ORDER_REJECT] = {.name = "reject", .help = "a packet that goes back is an error"},
    {0},
};

static const struct param_choice directions[] = {
    [TRACE_WANTED_OUT] = {.name = "out", .help = "all but those that the file calls received"},
    [TRACE_WANTED_SENT] = {.name = "sent", .help = "only those that the file calls sent"},
    [TRACE_WANTED_RECEIVED] = {.name = "received", .help = "only those that the file calls received"},
    {0},
};

static const struct param_choice sg_models[] = {
    [TRACE_SG_WRITE] = {.name = "write", .help = "payload of TCP cut from blocks of 32 KiB"},
    [TRACE_SG_SENDFILE] = {.name = "sendfile", .help = "payload of TCP in pages of 4 KiB"},
    {0},
};

#define OF_TRACE .when_path = "workload.type", .when_value = WORKLOAD_TRACES
#define FIELD(member) .offset = offsetof(struct trace_config, member)

static const struct param rows[] = {
    {.path = "workload.file",
     .kind = PARAM_TEXT,
     FIELD(file),
     .fallback = "",
     OF_TRACE,
     .help = "the capture; relative to the file that names it; may be compressed by gzip"},
    {.path = "workload.sha256",
     .kind = PARAM_TEXT,
     FIELD(sha256),
     .fallback = "",
     OF_TRACE,
     .help = "SHA-256 of its content, uncompressed; filled in, and checked where it is given"},
    {.path = "workload.order",
     .kind = PARAM_CHOICE,
     FIELD(order),
     .fallback = "sort",
     .choices = orders,
     OF_TRACE,
     .help = "what becomes of packets of a capture that are not in order of time"},
    {.path = "workload.direction",
     .kind = PARAM_CHOICE,
     FIELD(direction),
     .fallback = "out",
     .choices = directions,
     OF_TRACE,
     .help = "which packets of a capture are replayed"},
    {.path = "workload.queue_filter",
     .kind = PARAM_TEXT,
     FIELD(queue),
     .fallback = "all",
     OF_TRACE,
     .help = "only packets of this transmit queue: its number, or all"},
    {.path = "workload.device",
     .kind = PARAM_TEXT,
     FIELD(device),
     .fallback = "",
     OF_TRACE,
     .help = "only packets of this network device, where the capture names them"},
    {.path = "workload.mac",
     .kind = PARAM_TEXT,
     FIELD(mac),
     .fallback = "",
     OF_TRACE,
     .help = "hardware address of the sender: its packets were sent, all others received"},
    {.path = "workload.len_column",
     .kind = PARAM_TEXT,
     FIELD(len_column),
     .fallback = "",
     OF_TRACE,
     .help = "column of frame lengths in a table, where it has none of the known names"},
    {.path = "workload.sg_bytes",
     .kind = PARAM_COUNT,
     FIELD(sg_bytes),
     .most = 32,
     .fallback = "0",
     .unit = "bytes",
     OF_TRACE,
     .help = "table bytes per entry on the captured kernel, 16 or 32; 0: guessed and said"},
    {.path = "workload.tsc_hz",
     .kind = PARAM_RATIO,
     FIELD(tsc_hz),
     .most = 1e12,
     .fallback = "0",
     .unit = "Hz",
     OF_TRACE,
     .help = "rate of the clock of a trace whose times are counts"},
    {.path = "workload.sg_model",
     .kind = PARAM_CHOICE,
     FIELD(sg_model),
     .fallback = "write",
     .choices = sg_models,
     OF_TRACE,
     .help = "fragments of packets whose entries the capture does not tell"},
    {.path = "workload.sg_linear",
     .kind = PARAM_COUNT,
     FIELD(sg_linear),
     .least = 14,
     .most = 65535,
     .fallback = "66",
     .unit = "bytes",
     OF_TRACE,
     .help = "header bytes of packets whose headers the capture does not show"},
    {.path = "workload.unrecorded_size",
     .kind = PARAM_COUNT,
     FIELD(unrecorded_size),
     .most = WORKLOAD_SIZE_MOST,
     .fallback = "0",
     .unit = "bytes",
     OF_TRACE,
     .help = "frame bytes of packets whose size the capture does not tell (pktgen); 0: left out"},
};

static bool is_queue(const char *text)
{
    char *end;

    return strcmp(text, "all") == 0 ||
           (*text >= '0' && *text <= '9' && strtoul(text, &end, 10) < QUEUES && !*end);
}

static void check(const void *part, struct problems *problems)
{
    const struct trace_config *c = part;

    if (!is_queue(c->queue)) {
        problems_error(problems, "workload.queue_filter", "%.40s: all, or a number below %d",
                       c->queue, QUEUES);
    }
    if (c->sg_bytes != 0 && c->sg_bytes != 16 && c->sg_bytes != 32) {
        problems_error(problems, "workload.sg_bytes", "%u: 16, 32, or 0 for a guess", c->sg_bytes);
    }
}

const struct param_table trace_params = PARAM_TABLE("trace", struct trace_config, rows, check);

static const char *format_of(int type)
{
    switch (type) {
    case WORKLOAD_PCAP:
        return "pcap";
    case WORKLOAD_CSV:
        return "csv";
    case WORKLOAD_FTRACE:
        return "ftrace";
    case WORKLOAD_PERF_SCRIPT:
        return "perf-script";
    default:
        return NULL;
    }
}

static const char *text_or_null(const char *text)
{
    return text[0] ? text : NULL;
}

void trace_config_options(const struct trace_config *c, int type, struct trace_options *options,
                          struct trace_shape *shape)
{
    static const enum trace_direction wanted[] = {
        [TRACE_WANTED_OUT] = TRACE_DIRECTION_UNKNOWN,
        [TRACE_WANTED_SENT] = TRACE_SENT,
        [TRACE_WANTED_RECEIVED] = TRACE_RECEIVED,
    };

    *options = (struct trace_options){
        .format = format_of(type),
        .dev = text_or_null(c->device),
        .len_column = text_or_null(c->len_column),
        .mac = text_or_null(c->mac),
        .sg_bytes = c->sg_bytes,
        .tsc_hz = c->tsc_hz,
        .size = c->unrecorded_size,
        .ordering = (enum trace_ordering)c->order,
        .direction = wanted[c->direction],
        .one_queue = strcmp(c->queue, "all") != 0 && is_queue(c->queue), /* else refused */
        .queue = (uint32_t)strtoul(c->queue, NULL, 10),
    };
    *shape = (struct trace_shape){
        .frag_bytes =
            c->sg_model == TRACE_SG_WRITE ? TRACE_SG_WRITE_BYTES : TRACE_SG_SENDFILE_BYTES,
        .linear_bytes = c->sg_linear,
    };
}
