/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_pcap_frame.h"

#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>

enum { ETHERNET_BYTES = 14, FCS_BYTES = 4 };

enum link {
    LINK_NULL = 0,
    LINK_ETHERNET = 1,
    LINK_RAW_BSD = 12,
    LINK_RAW_OPENBSD = 14,
    LINK_RAW = 101,
    LINK_LOOP = 108,
    LINK_SLL = 113,
    LINK_RADIOTAP = 127,
    LINK_IPV4 = 228,
    LINK_IPV6 = 229,
    LINK_SLL2 = 276,
};

/* Bytes in front of the IP header where that is all the link adds. */
static const struct plain_link {
    uint16_t link;
    uint16_t header;
} plain_links[] = {
    {LINK_NULL, 4}, {LINK_LOOP, 4}, {LINK_RAW_BSD, 0}, {LINK_RAW_OPENBSD, 0}, {LINK_RAW, 0},
    {LINK_IPV4, 0}, {LINK_IPV6, 0}, {LINK_SLL, 16},    {LINK_SLL2, 20},
};

/* A part of a frame: what was captured of it, and how long it was on the wire. */
struct span {
    const uint8_t *data;
    size_t captured;
    uint32_t size;
};

static const struct plain_link *plain_find(uint16_t link)
{
    for (size_t i = 0; i < sizeof plain_links / sizeof *plain_links; i++) {
        if (plain_links[i].link == link) {
            return &plain_links[i];
        }
    }
    return NULL;
}

bool pcap_link_restored(uint16_t link)
{
    return link != LINK_ETHERNET;
}

bool pcap_link_known(uint16_t link, char *name, size_t bytes)
{
    const char *known = pcap_datalink_val_to_name(link);

    snprintf(name, bytes, "%s", known ? known : "unknown");
    return link == LINK_ETHERNET || link == LINK_RADIOTAP || plain_find(link) != NULL;
}

static uint32_t be16(const uint8_t *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

static uint32_t le16(const uint8_t *at)
{
    return (uint32_t)at[1] << 8 | at[0];
}

static uint32_t le32(const uint8_t *at)
{
    return le16(at + 2) << 16 | le16(at);
}

static void cut(struct span *span, uint32_t bytes)
{
    uint32_t had = bytes < span->captured ? bytes : (uint32_t)span->captured;

    span->data += had;
    span->captured -= had;
    span->size -= bytes < span->size ? bytes : span->size;
}

static uint32_t tcp_payload(struct span tcp)
{
    uint32_t header;

    if (tcp.captured < 13) {
        return TRACE_UNKNOWN;
    }
    header = (uint32_t)(tcp.data[12] >> 4) * 4;
    return header < tcp.size ? tcp.size - header : 0;
}

static uint32_t ipv4_payload(struct span ip)
{
    uint32_t header, total;

    if (ip.captured < 20) {
        return TRACE_UNKNOWN;
    }
    header = (uint32_t)(ip.data[0] & 15) * 4;
    total = be16(ip.data + 2);
    if (ip.data[9] != 6 || (be16(ip.data + 6) & 0x1fff) != 0) {
        return 0; /* no TCP, or not its first fragment */
    }
    if (total > 0 && total < ip.size) {
        ip.size = total; /* the rest fills up a short frame */
    }
    cut(&ip, header);
    return tcp_payload(ip);
}

static uint32_t ipv6_payload(struct span ip)
{
    uint32_t length;
    uint8_t next;

    if (ip.captured < 40) {
        return TRACE_UNKNOWN;
    }
    length = be16(ip.data + 4);
    next = ip.data[6];
    if (length > 0 && length + 40 < ip.size) {
        ip.size = length + 40;
    }
    cut(&ip, 40);
    while (next == 0 || next == 43 || next == 60) { /* hop by hop, routing, destination options */
        if (ip.captured < 8) {
            return TRACE_UNKNOWN;
        }
        next = ip.data[0];
        cut(&ip, 8 * (ip.data[1] + 1u));
    }
    return next == 6 ? tcp_payload(ip) : 0;
}

static uint32_t ip_payload(struct span ip)
{
    if (ip.captured < 1) {
        return TRACE_UNKNOWN;
    }
    return ip.data[0] >> 4 == 4 ? ipv4_payload(ip) : ip.data[0] >> 4 == 6 ? ipv6_payload(ip) : 0;
}

/* From behind the addresses: up to two VLAN tags, then the type. */
static uint32_t typed_payload(struct span span)
{
    for (int tags = 0; tags <= 2; tags++) {
        uint32_t type;

        if (span.captured < 2) {
            return TRACE_UNKNOWN;
        }
        type = be16(span.data);
        cut(&span, 2);
        if (type == 0x0800 || type == 0x86dd) {
            return ip_payload(span);
        }
        if (type != 0x8100 && type != 0x88a8) {
            return 0;
        }
        cut(&span, 2);
    }
    return 0;
}

static void set_direction(const uint8_t *source, const uint8_t *mac, struct trace_packet *packet)
{
    packet->direction = memcmp(source, mac, 6) == 0 ? TRACE_SENT : TRACE_RECEIVED;
}

static bool ethernet_read(struct span frame, const uint8_t *mac, struct trace_packet *packet)
{
    packet->size = frame.size;
    if (mac && frame.captured >= 12) {
        set_direction(frame.data + 6, mac, packet);
    }
    if (frame.captured >= ETHERNET_BYTES) {
        cut(&frame, 12);
        packet->payload = typed_payload(frame);
    }
    return true;
}

/* Linux's cooked headers know who sent a packet. */
static void sll_direction(uint16_t link, struct span frame, const uint8_t *mac,
                          struct trace_packet *packet)
{
    const size_t type_at = link == LINK_SLL ? 1 : 10;
    const size_t length_at = link == LINK_SLL ? 5 : 11;
    const size_t address_at = link == LINK_SLL ? 6 : 12;

    if (frame.captured < address_at + 6) {
        return;
    }
    if (frame.data[type_at] == 4) {
        packet->direction = TRACE_SENT;
    } else if (frame.data[type_at] <= 2) {
        packet->direction = TRACE_RECEIVED;
    }
    if (mac && frame.data[length_at] == 6) {
        set_direction(frame.data + address_at, mac, packet);
    }
}

static bool plain_read(const struct plain_link *plain, struct span frame, const uint8_t *mac,
                       struct trace_packet *packet)
{
    uint32_t type = 0;

    if (plain->link == LINK_SLL || plain->link == LINK_SLL2) {
        const size_t at = plain->link == LINK_SLL ? 14 : 0;

        sll_direction(plain->link, frame, mac, packet);
        type = frame.captured >= at + 2 ? be16(frame.data + at) : 0;
    }
    if (frame.size < plain->header) {
        return false;
    }
    cut(&frame, plain->header);
    packet->size = frame.size + ETHERNET_BYTES;
    if (type == 0x8100 || type == 0x88a8) { /* the tag is behind the cooked header */
        cut(&frame, 2);
        packet->payload = typed_payload(frame);
    } else {
        packet->payload = ip_payload(frame);
    }
    return true;
}

/* Bytes of the check sequence behind a frame with this radiotap header. */
static uint32_t radiotap_fcs(struct span frame)
{
    uint32_t at = 8, present = le32(frame.data + 4), more = present;

    while (more & 0x80000000u) {
        if (at + 4 > frame.captured) {
            return 0;
        }
        more = le32(frame.data + at);
        at += 4;
    }
    if (present & 1) {
        at = (at + 7) / 8 * 8 + 8;
    }
    return present & 2 && at < frame.captured && frame.data[at] & 0x10 ? FCS_BYTES : 0;
}

/* The Ethernet frame that a wireless data frame stands for. */
static bool radiotap_read(struct span frame, struct trace_packet *packet)
{
    uint32_t fcs, control, header = 24;

    if (frame.captured < 8 || frame.data[0] != 0 || le16(frame.data + 2) >= frame.size) {
        return false;
    }
    fcs = radiotap_fcs(frame);
    cut(&frame, le16(frame.data + 2));
    frame.size -= fcs < frame.size ? fcs : frame.size;
    if (frame.captured < 2) {
        return false;
    }
    control = le16(frame.data);
    if ((control >> 2 & 3) != 2 || control >> 4 & 4) {
        return false; /* no data */
    }
    header += (control & 0x300) == 0x300 ? 6 : 0;
    header += control & 0x80 ? 2 : 0;
    header += (control & 0x8080) == 0x8080 ? 4 : 0;
    if (control & 0x4000) {
        header += 16; /* enciphered: counter in front, code behind */
    }
    if (frame.size < header + 8) {
        return false;
    }
    cut(&frame, header + 6);
    packet->size = frame.size - 2 + ETHERNET_BYTES;
    packet->payload = control & 0x4000 ? TRACE_UNKNOWN : typed_payload(frame);
    return true;
}

bool pcap_frame_read(const struct pcap_record *record, const uint8_t *data, const uint8_t *mac,
                     struct trace_packet *packet)
{
    struct span frame = {data, record->captured, record->size};
    const struct plain_link *plain;

    frame.size -= record->fcs < frame.size ? record->fcs : frame.size;
    if (record->link == LINK_ETHERNET) {
        return ethernet_read(frame, mac, packet);
    }
    if (record->link == LINK_RADIOTAP) {
        return radiotap_read(frame, packet);
    }
    plain = plain_find(record->link);
    return plain && plain_read(plain, frame, mac, packet);
}
