/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The structure of a pcap or pcapng file, walked ahead of libpcap: record and block headers are
 * checked here, where a finding can name packet and offset, and only whole, sound records are
 * copied into a buffer for libpcap to read packets from. Every record's time is computed from the
 * integers of the file, exactly, whatever the resolution of its interface.
 *
 * A scan goes piece by piece. A piece belongs to one section: a pcap file is one section, a pcapng
 * file may have several, each with a byte order and interfaces of its own. Blocks that hold no
 * packet are read (interfaces, statistics, names) and kept from libpcap unless it needs them; the
 * interfaces of a section are shown to it as one kind, as it refuses a mixture, while `link` of
 * each record tells the truth.
 *
 * Times are rounded down to a picosecond where the file is finer. Packets more than 5 days before
 * the first (a clock that was not set, padding by zeros) are left out and counted; one as far
 * behind it is refused.
 */
#ifndef SIM_STUDY_TRACE_PCAP_SCAN_H
#define SIM_STUDY_TRACE_PCAP_SCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/study/trace.h"

#define PCAP_RECORDS_MOST    1024u       /* of a piece */
#define PCAP_PIECE_BYTES     (96u << 10) /* a piece ends behind the record that reaches this */
#define PCAP_CAPTURED_MOST   262144u     /* bytes of a packet, as libpcap has it */
#define PCAP_BLOCK_MOST      (1u << 20) /* of a block that is passed on, as much as can be peeked */
#define PCAP_INTERFACES_MOST 4096u

/* A record that was passed on, beside what libpcap tells of it. */
struct pcap_record {
    uint64_t number, offset; /* packet from 1, byte from 0 */
    sim_time at;
    uint32_t captured; /* bytes */
    uint32_t size;     /* bytes on the wire of this link */
    uint32_t queue;    /* TRACE_UNKNOWN */
    uint16_t link;     /* LINKTYPE of its interface */
    uint8_t fcs;       /* bytes of a check sequence among `size` */
    uint8_t direction; /* enum trace_direction */
};

struct pcap_interface {
    uint16_t link;
    uint8_t fcs;
    bool wanted; /* false: of another device */
    int64_t offset_s;
    uint64_t ticks_per_s;
    uint64_t lost; /* of its last statistics block */
};

enum pcap_piece { PCAP_PIECE, PCAP_SECTION_END, PCAP_FILE_END, PCAP_REFUSED };

struct pcap_scan {
    struct trace_input *input;
    const struct trace_options *options;
    bool ng;
    bool swapped;         /* against this machine */
    uint32_t header;      /* pcap: bytes of a record header */
    uint32_t ps_per_tick; /* pcap */
    uint32_t ticks_per_s; /* pcap */

    struct pcap_interface *interface; /* of the section; pcap: one */
    uint32_t interfaces, interface_room;
    bool section_open;     /* the section's header was read */
    enum pcap_piece ended; /* pcapng: what the next piece is; PCAP_PIECE: not known yet */

    uint64_t packets; /* records seen */
    bool has_first;   /* time of the first packet */
    int64_t first_s, first_ps;

    uint64_t lost;          /* of finished sections and packet blocks */
    bool lost_recorded;     /* something in the file tells */
    uint64_t second_header; /* offset of a record that looks like a file header; 0: none */
    struct pcap_back {
        uint64_t packets, number, offset, seconds;
        bool to_1970;
    } back;
    struct pcap_fraction {
        uint64_t packets, number, offset;
        uint32_t value;
    } fraction;
    bool dev_seen;

    /* The piece. */
    uint8_t
        *out; /* for libpcap: [out_bytes], from the section's header on when the section is new */
    size_t out_bytes, out_room;
    struct pcap_record *record; /* [PCAP_RECORDS_MOST] */
    uint32_t records;
};

/* Reads the header of a pcap file, or sees that the file is pcapng. False: refused, reported. */
bool pcap_scan_init(struct pcap_scan *scan, struct trace_input *input,
                    const struct trace_options *options);
void pcap_scan_fini(struct pcap_scan *scan); /* a zeroed one is fine */

/* The next piece, in place of the last, whose records and bytes are added to `out`.
 * PCAP_SECTION_END: no further record in this section, and another one follows. */
enum pcap_piece pcap_scan_next(struct pcap_scan *scan);

/* After the last piece: what there is to warn of about the whole. */
void pcap_scan_end(struct pcap_scan *scan);

/* Packets that the interfaces say were dropped. */
uint64_t pcap_scan_lost(const struct pcap_scan *scan);

/* The two formats (trace_pcap_scan.c, trace_pcap_blocks.c), for each other. */
uint32_t pcap_u32(const struct pcap_scan *scan, const uint8_t *at);
uint16_t pcap_u16(const struct pcap_scan *scan, const uint8_t *at);
struct pcap_record *pcap_scan_add(struct pcap_scan *scan, uint64_t offset, int64_t second,
                                  int64_t ps, bool *refused);
void pcap_scan_copy(struct pcap_scan *scan, const void *bytes, size_t count);
struct pcap_interface *pcap_scan_interface(struct pcap_scan *scan); /* NULL: too many */
enum pcap_piece pcap_blocks_next(struct pcap_scan *scan);

#endif
