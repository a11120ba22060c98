/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcap and pcapng through libpcap. trace_pcap_scan walks the file ahead of it and fills a buffer
 * with whole records; libpcap reads packets from there through a stream of our own, a section of
 * the file at a time, as it takes one byte order and one set of interfaces in a file.
 */
#include <ctype.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/trace.h"
#include "sim/study/trace_input.h"
#include "sim/study/trace_pcap_frame.h"
#include "sim/study/trace_pcap_scan.h"
#include "sim/study/trace_senders.h"

#define STREAM_BYTES (64u << 10)

struct pcap_reader {
    struct trace_reader base;
    struct pcap_scan scan;
    pcap_t *handle;     /* of the section; NULL: none open */
    char *stream;       /* [STREAM_BYTES]: what stdio reads ahead for libpcap */
    size_t served;      /* of scan.out */
    const uint8_t *mac; /* NULL: none wanted */
    uint8_t mac_bytes[6];

    uint32_t records;             /* of the piece, seen by libpcap */
    struct trace_packet *packet;  /* [PCAP_RECORDS_MOST]: of the piece */
    uint32_t packets, packets_at; /* there, handed over */
    bool failed;                  /* a record could not be read; reported */

    uint64_t restored, unreadable; /* packets */
    uint16_t restored_link;
    struct trace_senders senders;
};

static bool recognise(const uint8_t *head, size_t bytes, const uint32_t *magic, size_t count)
{
    uint32_t first;

    if (bytes < sizeof first) {
        return false;
    }
    memcpy(&first, head, sizeof first);
    for (size_t i = 0; i < count; i++) {
        if (first == magic[i] || first == __builtin_bswap32(magic[i])) {
            return true;
        }
    }
    return false;
}

static bool recognise_pcap(const uint8_t *head, size_t bytes)
{
    static const uint32_t magic[] = {0xa1b2c3d4, 0xa1b23c4d, 0xa1b2cd34};

    return recognise(head, bytes, magic, 3);
}

static bool recognise_pcapng(const uint8_t *head, size_t bytes)
{
    static const uint32_t magic[] = {0x0a0d0d0a};

    return recognise(head, bytes, magic, 1);
}

/* stdio wants bytes for libpcap. */
static ssize_t serve(void *cookie, char *to, size_t bytes)
{
    struct pcap_reader *reader = cookie;
    size_t left = reader->scan.out_bytes - reader->served;

    bytes = bytes < left ? bytes : left;
    memcpy(to, reader->scan.out + reader->served, bytes);
    reader->served += bytes;
    return (ssize_t)bytes;
}

static void close_section(struct pcap_reader *reader)
{
    if (reader->handle) {
        pcap_close(reader->handle);
        reader->handle = NULL;
    }
}

/* What only libpcap finds wrong. */
static void refuse(struct pcap_reader *reader, const char *text)
{
    const struct pcap_record *record = &reader->scan.record[reader->records];

    trace_input_error(reader->scan.input, 0, 0, "packet %llu at offset %llu: %s",
                      (unsigned long long)record->number, (unsigned long long)record->offset, text);
    reader->failed = true;
}

static bool open_section(struct pcap_reader *reader)
{
    cookie_io_functions_t io = {.read = serve};
    char text[PCAP_ERRBUF_SIZE] = "";
    FILE *stream = fopencookie(reader, "r", io);

    if (!stream) {
        abort();
    }
    setvbuf(stream, reader->stream, _IOFBF, STREAM_BYTES);
    __fsetlocking(stream, FSETLOCKING_BYCALLER);
    reader->handle =
        pcap_fopen_offline_with_tstamp_precision(stream, PCAP_TSTAMP_PRECISION_NANO, text);
    if (!reader->handle) {
        fclose(stream);
        refuse(reader, text);
    }
    return reader->handle != NULL;
}

static void refuse_link(struct pcap_reader *reader, const struct pcap_record *record)
{
    char name[60], text[120];

    pcap_link_known(record->link, name, sizeof name);
    snprintf(text, sizeof text, "link type %u (%s) is not supported", record->link, name);
    refuse(reader, text);
}

static void count_captured(struct trace_facts *facts, const struct pcap_record *record)
{
    if (record->captured < record->size) {
        facts->truncated++;
        if (record->captured > facts->snaplen) {
            facts->snaplen = record->captured;
        }
    }
}

/* Whose packet it is that does not say whether it was sent. */
static void count_sender(struct trace_senders *senders, const struct pcap_record *record,
                         const uint8_t *data, const struct trace_packet *packet)
{
    if (record->link == DLT_EN10MB && packet->direction == TRACE_DIRECTION_UNKNOWN &&
        record->captured >= 12) {
        trace_senders_add(senders, data + 6);
    }
}

/* A packet from libpcap: the next record of the piece. */
static void on_packet(u_char *user, const struct pcap_pkthdr *header, const u_char *data)
{
    struct pcap_reader *reader = (struct pcap_reader *)(void *)user;
    const struct pcap_record *record = &reader->scan.record[reader->records];
    struct trace_packet *packet = &reader->packet[reader->packets];
    char name[60];

    if (reader->failed) {
        return;
    }
    if (header->caplen != record->captured) {
        refuse(reader, "libpcap sees another length");
        return;
    }
    *packet = (struct trace_packet){.at = record->at,
                                    .number = record->number,
                                    .queue = record->queue,
                                    .direction = (enum trace_direction)record->direction,
                                    .data_len = TRACE_UNKNOWN,
                                    .payload = TRACE_UNKNOWN,
                                    .sg = TRACE_UNKNOWN,
                                    .kick_test = TRACE_UNKNOWN};
    if (pcap_frame_read(record, data, reader->mac, packet)) {
        reader->packets++;
        count_sender(&reader->senders, record, data, packet);
        count_captured(&reader->base.facts, record);
        if (pcap_link_restored(record->link)) {
            reader->restored++;
            reader->restored_link = record->link;
        }
    } else if (pcap_link_known(record->link, name, sizeof name)) {
        reader->unreadable++;
    } else {
        refuse_link(reader, record);
        return;
    }
    reader->records++;
}

/* Lets libpcap read the piece. */
static bool read_piece(struct pcap_reader *reader)
{
    reader->served = 0;
    reader->records = 0;
    reader->packets = 0;
    reader->packets_at = 0;
    if (!reader->handle && !open_section(reader)) {
        return false;
    }
    while (reader->records < reader->scan.records && !reader->failed) {
        int got = pcap_dispatch(reader->handle, (int)(reader->scan.records - reader->records),
                                on_packet, (u_char *)reader);

        if (got <= 0 && !reader->failed) {
            refuse(reader, got < 0 ? pcap_geterr(reader->handle) : "libpcap sees the end here");
        }
    }
    return !reader->failed;
}

static void end(struct pcap_reader *reader)
{
    struct trace_input *input = reader->scan.input;
    char name[60];

    pcap_scan_end(&reader->scan);
    if (reader->scan.packets == 0) {
        trace_input_warning(input, 0, 0, "capture has no packets");
    }
    if (reader->restored > 0) {
        pcap_link_known(reader->restored_link, name, sizeof name);
        trace_input_warning(input, 0, 0,
                            "link type %u (%s): its header taken for the 14 bytes of Ethernet's "
                            "in the length of %llu packets",
                            reader->restored_link, name, (unsigned long long)reader->restored);
    }
    if (reader->unreadable > 0) {
        trace_input_warning(input, 0, 0,
                            "frames left out that hold no packet, or too little of it: %llu",
                            (unsigned long long)reader->unreadable);
    }
    trace_senders_warn(&reader->senders, input);
    reader->base.facts.lost_events = pcap_scan_lost(&reader->scan);
    reader->base.facts.lost_not_recorded = !reader->scan.lost_recorded;
}

static int next(struct trace_reader *base, struct trace_packet *packet)
{
    struct pcap_reader *reader = (struct pcap_reader *)base;

    while (reader->packets_at == reader->packets) {
        switch (reader->failed ? PCAP_REFUSED : pcap_scan_next(&reader->scan)) {
        case PCAP_REFUSED:
            return -1;
        case PCAP_FILE_END:
            end(reader);
            return 0;
        case PCAP_SECTION_END:
            close_section(reader);
            break;
        default:
            if (reader->scan.records > 0 && !read_piece(reader)) {
                return -1;
            }
        }
    }
    *packet = reader->packet[reader->packets_at++];
    return 1;
}

static void close_reader(struct trace_reader *base)
{
    struct pcap_reader *reader = (struct pcap_reader *)base;

    close_section(reader);
    pcap_scan_fini(&reader->scan);
    free(reader->packet);
    free(reader->stream);
    free(reader);
}

/* "52:54:00:77:00:02" */
static bool read_mac(const char *text, uint8_t mac[6])
{
    for (int i = 0; i < 6; i++) {
        int used = 0;

        if (!isxdigit((unsigned char)text[0]) || sscanf(text, "%2hhx%n", &mac[i], &used) != 1 ||
            used == 0 || text[used] != (i < 5 ? ':' : '\0')) {
            return false;
        }
        text += used + 1;
    }
    return true;
}

static struct trace_reader *open_reader(struct trace_input *input,
                                        const struct trace_options *options,
                                        struct problems *problems)
{
    struct pcap_reader *reader = calloc(1, sizeof *reader);

    (void)problems;
    if (!reader || !(reader->packet = malloc(PCAP_RECORDS_MOST * sizeof *reader->packet)) ||
        !(reader->stream = malloc(STREAM_BYTES))) {
        abort();
    }
    if (options->mac) {
        reader->mac = reader->mac_bytes;
        if (!read_mac(options->mac, reader->mac_bytes)) {
            trace_input_error(input, 0, 0, "%.40s is no hardware address such as 52:54:00:77:00:02",
                              options->mac);
            close_reader(&reader->base);
            return NULL;
        }
    }
    if (!pcap_scan_init(&reader->scan, input, options)) {
        close_reader(&reader->base);
        return NULL;
    }
    return &reader->base;
}

const struct trace_reader_ops trace_pcap_reader = {
    .name = "pcap",
    .binary = true,
    .recognise = recognise_pcap,
    .open = open_reader,
    .next = next,
    .close = close_reader,
};

const struct trace_reader_ops trace_pcapng_reader = {
    .name = "pcapng",
    .binary = true,
    .recognise = recognise_pcapng,
    .open = open_reader,
    .next = next,
    .close = close_reader,
};
