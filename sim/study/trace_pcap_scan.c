/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_pcap_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/trace_input.h"

#define FILE_HEADER_BYTES 24
#define MAGIC_US          0xa1b2c3d4u
#define MAGIC_NS          0xa1b23c4du
#define MAGIC_PATCHED     0xa1b2cd34u /* Kuznetsov's: 8 bytes more a record */
#define MAGIC_SECTION     0x0a0d0d0au
#define BEFORE_MOST_S     (TRACE_BEFORE_MOST / SIM_S)
#define AFTER_MOST_S      (TRACE_AFTER_MOST / SIM_S - 1) /* and a fraction */

uint32_t pcap_u32(const struct pcap_scan *scan, const uint8_t *at)
{
    uint32_t value;

    memcpy(&value, at, sizeof value);
    return scan->swapped ? __builtin_bswap32(value) : value;
}

uint16_t pcap_u16(const struct pcap_scan *scan, const uint8_t *at)
{
    uint16_t value;

    memcpy(&value, at, sizeof value);
    return scan->swapped ? __builtin_bswap16(value) : value;
}

void pcap_scan_copy(struct pcap_scan *scan, const void *bytes, size_t count)
{
    if (scan->out_bytes + count > scan->out_room) {
        size_t room = 2 * (scan->out_bytes + count);
        uint8_t *out = realloc(scan->out, room);

        if (!out) {
            abort();
        }
        scan->out = out;
        scan->out_room = room;
    }
    memcpy(scan->out + scan->out_bytes, bytes, count);
    scan->out_bytes += count;
}

struct pcap_interface *pcap_scan_interface(struct pcap_scan *scan)
{
    if (scan->interfaces == PCAP_INTERFACES_MOST) {
        return NULL;
    }
    if (scan->interfaces == scan->interface_room) {
        uint32_t room = scan->interface_room ? 2 * scan->interface_room : 8;
        struct pcap_interface *list = realloc(scan->interface, room * sizeof *list);

        if (!list) {
            abort();
        }
        scan->interface = list;
        scan->interface_room = room;
    }
    scan->interface[scan->interfaces] = (struct pcap_interface){.wanted = true};
    return &scan->interface[scan->interfaces++];
}

/* Whether the packet, so many seconds after the first, is within the time a simulation has. */
static bool time_fits(struct pcap_scan *scan, uint64_t offset, int64_t second, int64_t away,
                      bool *refused)
{
    if (away > -BEFORE_MOST_S && away <= AFTER_MOST_S) {
        return true;
    }
    if (away > 0) {
        trace_input_error(scan->input, 0, 0,
                          "packet %llu at offset %llu is %lld days after the first; at most %lld "
                          "can be simulated",
                          (unsigned long long)scan->packets, (unsigned long long)offset,
                          (long long)(away / 86400), (long long)(TRACE_AFTER_MOST / SIM_S / 86400));
        *refused = true;
        return false;
    }
    if (scan->back.packets++ == 0) {
        scan->back.number = scan->packets;
        scan->back.offset = offset;
        scan->back.seconds = (uint64_t)-away;
        scan->back.to_1970 = second == 0 && away < -86400 * 365;
    }
    return false;
}

/* Counts a record and takes it into the piece; NULL: left out, or *refused. */
struct pcap_record *pcap_scan_add(struct pcap_scan *scan, uint64_t offset, int64_t second,
                                  int64_t ps, bool *refused)
{
    struct pcap_record *record = &scan->record[scan->records];
    int64_t away;

    scan->packets++;
    if (!scan->has_first) {
        scan->has_first = true;
        scan->first_s = second;
        scan->first_ps = ps;
    }
    if (__builtin_sub_overflow(second, scan->first_s, &away)) {
        away = second < 0 ? INT64_MIN / 2 : INT64_MAX / 2;
    }
    if (!time_fits(scan, offset, second, away, refused)) {
        return NULL;
    }
    *record = (struct pcap_record){.number = scan->packets,
                                   .offset = offset,
                                   .at = away * SIM_S + (ps - scan->first_ps),
                                   .queue = TRACE_UNKNOWN};
    scan->records++;
    return record;
}

/* A fraction of a second that is one or more: some writers do not carry. */
static void note_fraction(struct pcap_scan *scan, uint64_t offset, uint32_t value)
{
    if (scan->fraction.packets++ == 0) {
        scan->fraction.number = scan->packets;
        scan->fraction.offset = offset;
        scan->fraction.value = value;
    }
}

static enum pcap_piece refuse_captured(struct pcap_scan *scan, uint64_t offset, uint32_t captured)
{
    char hint[120] = "";

    if (scan->second_header > 0) {
        snprintf(hint, sizeof hint,
                 "; bytes %llu.. look like a second pcap header: join captures with mergecap",
                 (unsigned long long)scan->second_header);
    }
    trace_input_error(scan->input, 0, 0,
                      "packet %llu at offset %llu: captured length %u is larger than %u; file is "
                      "corrupt (whole packets before it: %llu)%s",
                      (unsigned long long)scan->packets + 1, (unsigned long long)offset, captured,
                      PCAP_CAPTURED_MOST, (unsigned long long)scan->packets, hint);
    return PCAP_REFUSED;
}

/* The file ends inside a record, or between two. */
static enum pcap_piece pcap_end(struct pcap_scan *scan, size_t available, uint32_t captured)
{
    unsigned long long packets = (unsigned long long)scan->packets;

    if (trace_input_failed(scan->input)) {
        return PCAP_REFUSED;
    }
    if (available >= scan->header) {
        trace_input_warning(scan->input, 0, 0,
                            "last packet cut short: %zu of %u bytes; used %llu packet%s",
                            available - scan->header, captured, packets, packets == 1 ? "" : "s");
    } else if (available > 0) {
        trace_input_warning(scan->input, 0, 0, "%zu stray bytes after packet %llu", available,
                            packets);
    }
    trace_input_skip(scan->input, available);
    return PCAP_FILE_END;
}

/* Takes the record whose header is at `head` and whose bytes are all there. */
static bool pcap_take(struct pcap_scan *scan, const uint8_t *head, uint32_t captured)
{
    uint64_t offset = trace_input_offset(scan->input);
    uint32_t second = pcap_u32(scan, head);
    uint32_t fraction = pcap_u32(scan, head + 4);
    uint32_t size = pcap_u32(scan, head + 12);
    struct pcap_record *record;
    bool refused = false;

    if (captured == 0 && (second == MAGIC_US || second == MAGIC_NS)) {
        scan->packets++;
        scan->second_header = offset;
        return true;
    }
    record = pcap_scan_add(scan, offset, second, (int64_t)fraction * scan->ps_per_tick, &refused);
    if (fraction >= scan->ticks_per_s) {
        note_fraction(scan, offset, fraction);
    }
    if (record) {
        record->captured = captured;
        record->size = size;
        record->link = scan->interface[0].link;
        record->fcs = scan->interface[0].fcs;
        pcap_scan_copy(scan, head, scan->header + captured);
    }
    return !refused;
}

static enum pcap_piece pcap_next(struct pcap_scan *scan)
{
    while (scan->records < PCAP_RECORDS_MOST && scan->out_bytes < PCAP_PIECE_BYTES) {
        size_t available;
        const uint8_t *head = trace_input_peek(scan->input, scan->header, &available);
        uint32_t captured;

        if (available < scan->header) {
            return scan->records > 0 ? PCAP_PIECE : pcap_end(scan, available, 0);
        }
        captured = pcap_u32(scan, head + 8);
        if (captured > PCAP_CAPTURED_MOST) {
            return scan->records > 0
                       ? PCAP_PIECE
                       : refuse_captured(scan, trace_input_offset(scan->input), captured);
        }
        if (available < scan->header + captured) {
            head = trace_input_peek(scan->input, scan->header + captured, &available);
            if (available < scan->header + captured) {
                return scan->records > 0 ? PCAP_PIECE : pcap_end(scan, available, captured);
            }
        }
        if (!pcap_take(scan, head, captured)) {
            return PCAP_REFUSED;
        }
        trace_input_skip(scan->input, scan->header + captured);
    }
    return PCAP_PIECE;
}

/* Bytes of the check sequence behind each frame: the upper bits of the header's link type. */
static uint8_t fcs_bytes(uint32_t link)
{
    return link & 0x04000000u ? (uint8_t)(2 * (link >> 28)) : 0;
}

static bool pcap_header(struct pcap_scan *scan, const uint8_t *head, size_t available,
                        uint32_t magic)
{
    struct pcap_interface *interface = pcap_scan_interface(scan);
    const uint32_t snaplen =
        scan->swapped ? __builtin_bswap32(PCAP_CAPTURED_MOST) : PCAP_CAPTURED_MOST;

    if (available < FILE_HEADER_BYTES) {
        trace_input_error(scan->input, 0, 0, "file header cut short: %zu of %d bytes", available,
                          FILE_HEADER_BYTES);
        return false;
    }
    if (pcap_u16(scan, head + 4) != 2 || pcap_u16(scan, head + 6) != 4) {
        trace_input_error(scan->input, 0, 0, "pcap version %u.%u is not supported",
                          pcap_u16(scan, head + 4), pcap_u16(scan, head + 6));
        return false;
    }
    scan->header = magic == MAGIC_PATCHED ? 24 : 16;
    scan->ticks_per_s = magic == MAGIC_NS ? 1000000000 : 1000000;
    scan->ps_per_tick = magic == MAGIC_NS ? 1000 : 1000000;
    interface->link = (uint16_t)(pcap_u32(scan, head + 20) & 0xffff);
    interface->fcs = fcs_bytes(pcap_u32(scan, head + 20));
    pcap_scan_copy(scan, head, FILE_HEADER_BYTES);
    memcpy(scan->out + 16, &snaplen,
           sizeof snaplen); /* writers get it wrong: libpcap sees no limit */
    trace_input_skip(scan->input, FILE_HEADER_BYTES);
    return true;
}

bool pcap_scan_init(struct pcap_scan *scan, struct trace_input *input,
                    const struct trace_options *options)
{
    size_t available;
    const uint8_t *head = trace_input_peek(input, FILE_HEADER_BYTES, &available);
    uint32_t magic = 0;

    memset(scan, 0, sizeof *scan);
    scan->input = input;
    scan->options = options;
    scan->record = malloc(PCAP_RECORDS_MOST * sizeof *scan->record);
    if (!scan->record) {
        abort();
    }
    if (available >= 4) {
        magic = pcap_u32(scan, head);
    }
    scan->ng = magic == MAGIC_SECTION;
    if (scan->ng) {
        return true;
    }
    scan->swapped = magic != MAGIC_US && magic != MAGIC_NS && magic != MAGIC_PATCHED;
    return pcap_header(scan, head, available, scan->swapped ? __builtin_bswap32(magic) : magic);
}

void pcap_scan_fini(struct pcap_scan *scan)
{
    free(scan->out);
    free(scan->record);
    free(scan->interface);
    memset(scan, 0, sizeof *scan);
}

enum pcap_piece pcap_scan_next(struct pcap_scan *scan)
{
    if (scan->records > 0) { /* the last piece was read; a section without packets stays */
        scan->records = 0;
        scan->out_bytes = 0;
    }
    return scan->ng ? pcap_blocks_next(scan) : pcap_next(scan);
}

void pcap_scan_end(struct pcap_scan *scan)
{
    const struct pcap_back *back = &scan->back;
    const struct pcap_fraction *fraction = &scan->fraction;

    if (back->packets > 0) {
        trace_input_warning(scan->input, 0, 0,
                            "packet %llu at offset %llu goes back %s%llu s; left out (packets left "
                            "out for that: %llu)",
                            (unsigned long long)back->number, (unsigned long long)back->offset,
                            back->to_1970 ? "to 1970, by " : "", (unsigned long long)back->seconds,
                            (unsigned long long)back->packets);
    }
    if (fraction->packets > 0) {
        trace_input_warning(
            scan->input, 0, 0,
            "packet %llu at offset %llu: fraction of a second %u is a second or more; it is "
            "added (packets like that: %llu)",
            (unsigned long long)fraction->number, (unsigned long long)fraction->offset,
            fraction->value, (unsigned long long)fraction->packets);
    }
    if (scan->options->dev && !scan->dev_seen) {
        trace_input_warning(scan->input, 0, 0, "no interface is called %.40s%s", scan->options->dev,
                            scan->ng ? "" : "; a pcap file names none");
    }
}

uint64_t pcap_scan_lost(const struct pcap_scan *scan)
{
    uint64_t lost = scan->lost;

    for (uint32_t i = 0; i < scan->interfaces; i++) {
        lost += scan->interface[i].lost;
    }
    return lost;
}
