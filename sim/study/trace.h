/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A capture, read packet by packet.
 *
 * A format is one file (trace_pcap.c, trace_ftrace.c, trace_csv.c) behind one small interface: it
 * recognises its files by their first bytes, and hands over packets in the order of the file, in
 * constant memory, however long the file is. What the source does not record is said to be unknown,
 * never made up; what stands for it is decided later and stated (trace_sg).
 *
 * Time is exact: picoseconds from the first packet of the file (which is at 0), computed from the
 * integers of the file; a packet before it has a negative time. Files may be compressed by gzip.
 *
 * Findings go to `problems` with the file, the line (text) or the packet and offset (binary); a
 * failure is an error there and ends the reading. Damage at the end of a file (a capture that was
 * cut short) is a warning, and the packets before it count.
 *
 * What else is asked of a capture is stacked on top: order and choice of packets (trace_order), the
 * entries where the file has none (trace_sg), the whole as an array for the models (trace_spool).
 */
#ifndef SIM_STUDY_TRACE_H
#define SIM_STUDY_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/time.h"

#define TRACE_UNKNOWN UINT32_MAX

/* Frame bytes that can be sent. */
#define TRACE_SIZE_LEAST 14u
#define TRACE_SIZE_MOST  65550u

/* Between any two packets lies less than the 106 days that a time can hold. */
#define TRACE_BEFORE_MOST (5 * 86400 * SIM_S) /* before the first packet of the file */
#define TRACE_AFTER_MOST  SIM_TIME_LIMIT      /* after it: 100 days */

enum trace_direction { TRACE_DIRECTION_UNKNOWN, TRACE_SENT, TRACE_RECEIVED };

/* A packet as the file tells it. */
struct trace_packet {
    sim_time at;   /* from the first packet of the file */
    uint32_t size; /* frame bytes on the wire, Ethernet header included, never the captured part;
                      TRACE_UNKNOWN */
    uint32_t data_len;  /* bytes outside the linear part; TRACE_UNKNOWN */
    uint32_t payload;   /* bytes behind the headers of a TCP segment, 0 of anything else, where the
                           source shows the headers only (pcap); TRACE_UNKNOWN */
    uint32_t sg;        /* entries of the request as the driver counted them; TRACE_UNKNOWN */
    uint32_t queue;     /* TRACE_UNKNOWN */
    uint32_t kick_test; /* 1: virtqueue_kick_prepare was called for it, 0: not (xmit_more);
                           TRACE_UNKNOWN */
    enum trace_direction direction;
    uint64_t number; /* from 1: the packet (binary) or the line (text) of the file */
};

struct sha256;

/* What becomes of packets that are not in order of time. */
enum trace_ordering {
    TRACE_ORDER_SORT, /* sorted within a window; what is later still gets its predecessor's time */
    TRACE_ORDER_KEEP, /* order of the file; one that goes back gets its predecessor's time */
    TRACE_ORDER_REJECT, /* refused */
};

/* What is wanted of a file; zeroed: everything there is. */
struct trace_options {
    const char *format;     /* name of a reader; NULL: by the first bytes */
    const char *dev;        /* exact name of a network device, where the file names it; NULL: all */
    const char *len_column; /* CSV: name of the column of lengths; NULL: the known names */
    char delimiter;         /* CSV; 0: found by itself */
    uint32_t sg_bytes;      /* ftrace: table bytes per entry, 16 or 32; 0: guessed and said */
    double tsc_hz;          /* ftrace with a counter clock; 0: refused */
    struct sha256 *hash;    /* gets the bytes that are read (trace_input_hash); NULL */
    const char *mac;        /* pcap: hardware address of the sender ("52:54:00:77:00:02"): its
                               packets were sent, all others received; NULL: as the file says */
    uint32_t queues;        /* a packet of queue `queues` or above is refused; 0: any number */

    /* The rest is read by trace_order. */
    enum trace_ordering ordering;
    enum trace_direction direction; /* UNKNOWN: all but received ones */
    bool received_too;              /* with direction UNKNOWN: those as well */
    uint32_t size;                  /* bytes of packets whose size is not recorded; 0: left out */
    bool unknown_size_too;          /* with size 0: handed over without it */
    bool one_queue;                 /* only packets of queue `queue` */
    uint32_t queue;
};

/* What is known of a file; complete after the last packet. */
struct trace_facts {
    const char *format;     /* name of the reader */
    uint64_t packets;       /* handed over; counted by trace_next */
    uint64_t lost_events;   /* the file says are missing */
    bool lost_unknown;      /* and an unknown number besides */
    bool lost_not_recorded; /* the file says nothing about it */
    bool records_sg;        /* the source tells the entries of (some) packets */
    uint32_t sg_bytes;      /* table bytes per entry that were assumed; 0: not asked */
    uint64_t truncated;     /* packets captured in part */
    uint32_t snaplen;       /* the longest captured part of those, bytes */
    uint64_t interrupts, napi_polls, kicks; /* of the device, where the file has such events */
};

struct trace_input;  /* bytes of a file, plain or gzip (trace_input.h) */
struct trace_reader; /* of one file; each format embeds it first in its own struct */

struct trace_reader_ops {
    const char *name; /* "pcap", "pcapng", "ftrace", "perf-script", "csv" */
    bool binary;      /* packets have numbers, not lines */
    /* Whether the first bytes look like this format. */
    bool (*recognise)(const uint8_t *head, size_t bytes);
    /* NULL: refused, reported. trace_open owns the input, and sets the members of struct
     * trace_reader after this; the options outlive the reader. */
    struct trace_reader *(*open)(struct trace_input *input, const struct trace_options *options,
                                 struct problems *problems);
    /* 1: a packet; 0: the end; -1: refused, reported. *packet comes with everything unknown, size
     * and time 0: only what the file tells is set. */
    int (*next)(struct trace_reader *reader, struct trace_packet *packet);
    void (*close)(struct trace_reader *reader); /* frees the reader; the input is closed after it */
};

struct trace_reader {
    const struct trace_reader_ops *ops;
    struct trace_input *input;
    struct problems *problems;
    struct trace_facts facts;
};

extern const struct trace_reader_ops trace_pcap_reader, trace_pcapng_reader, trace_csv_reader;

extern const struct trace_reader_ops trace_ftrace_reader, trace_perf_script_reader;

/* Opens a file with the reader that fits it. NULL: refused, reported. */
struct trace_reader *trace_open(const char *file, const struct trace_options *options,
                                struct problems *problems);
int trace_next(struct trace_reader *reader, struct trace_packet *packet);
void trace_close(struct trace_reader *reader); /* NULL is fine */

#endif
