/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pcapng half of trace_pcap_scan: blocks. Each is type, length, body, length again; the section
 * header tells the byte order, interface descriptions tell link type and clock.
 */
#include <stdio.h>
#include <string.h>

#include "sim/study/trace_input.h"
#include "sim/study/trace_pcap_scan.h"

enum block {
    BLOCK_SECTION = 0x0a0d0d0a,
    BLOCK_INTERFACE = 1,
    BLOCK_PACKET = 2, /* obsolete, still found */
    BLOCK_SIMPLE = 3,
    BLOCK_STATISTICS = 5,
    BLOCK_ENHANCED = 6,
};

enum { BYTE_ORDER_MAGIC = 0x1a2b3c4d, BLOCK_LEAST = 12, SECTION_LEAST = 28 };

/* Option codes. */
enum { IF_NAME = 2, IF_TSRESOL = 9, IF_FCSLEN = 13, IF_TSOFFSET = 14 };
enum { EPB_FLAGS = 2, EPB_DROPCOUNT = 4, EPB_QUEUE = 6 };
enum { ISB_IFDROP = 5, ISB_OSDROP = 7 };

struct block_at {
    uint64_t offset;
    uint32_t type, length;
    const uint8_t *bytes; /* [length], or what the file has of it */
};

struct option {
    uint16_t code, length;
    const uint8_t *value;
};

static uint64_t block_u64(const struct pcap_scan *scan, const uint8_t *at)
{
    uint64_t value;

    memcpy(&value, at, sizeof value);
    return scan->swapped ? __builtin_bswap64(value) : value;
}

static bool refuse_block(struct pcap_scan *scan, uint64_t offset, const char *text)
{
    trace_input_error(scan->input, 0, 0, "block at offset %llu: %s", (unsigned long long)offset,
                      text);
    return false;
}

/* Steps through the options from *at to the end of the block; false: no more. */
static bool option_next(const struct pcap_scan *scan, const struct block_at *block, uint32_t *at,
                        struct option *option)
{
    const uint32_t end = block->length - 4;

    if (*at + 4 > end) {
        return false;
    }
    option->code = pcap_u16(scan, block->bytes + *at);
    option->length = pcap_u16(scan, block->bytes + *at + 2);
    option->value = block->bytes + *at + 4;
    if (option->code == 0 || option->length > end - *at - 4) {
        return false; /* the end, or damage: libpcap judges */
    }
    *at += 4 + (option->length + 3u) / 4 * 4;
    return true;
}

static bool set_resolution(struct pcap_scan *scan, struct pcap_interface *interface,
                           uint64_t offset, uint8_t resolution)
{
    const uint8_t power = resolution & 0x7f;
    char text[60];

    if (power > (resolution & 0x80 ? 63 : 19)) {
        snprintf(text, sizeof text, "if_tsresol %u: %s^%u does not fit", resolution,
                 resolution & 0x80 ? "2" : "10", power);
        refuse_block(scan, offset, text);
        return false;
    }
    interface->ticks_per_s = 1;
    for (uint8_t i = 0; i < power; i++) {
        interface->ticks_per_s *= resolution & 0x80 ? 2 : 10;
    }
    return true;
}

static bool interface_option(struct pcap_scan *scan, struct pcap_interface *interface,
                             const struct option *option, uint64_t offset)
{
    const char *dev = scan->options->dev;

    if (option->code == IF_TSRESOL && option->length >= 1) {
        return set_resolution(scan, interface, offset, option->value[0]);
    }
    if (option->code == IF_FCSLEN && option->length >= 1) {
        interface->fcs = option->value[0] / 8;
    } else if (option->code == IF_TSOFFSET && option->length >= 8) {
        interface->offset_s = (int64_t)block_u64(scan, option->value);
    } else if (option->code == IF_NAME && dev) {
        size_t length = strnlen((const char *)option->value, option->length);

        interface->wanted = length == strlen(dev) && memcmp(option->value, dev, length) == 0;
        scan->dev_seen = scan->dev_seen || interface->wanted;
    }
    return true;
}

/* Descriptions reach libpcap without options, and as if all interfaces were like the first, without
 * a limit of their own. */
static void copy_interface(struct pcap_scan *scan, const struct block_at *block)
{
    uint8_t copy[20];
    uint32_t length = sizeof copy, snaplen = PCAP_CAPTURED_MOST;
    uint16_t link = scan->interface[0].link;

    if (scan->swapped) {
        length = __builtin_bswap32(length);
        snaplen = __builtin_bswap32(snaplen);
        link = __builtin_bswap16(link);
    }
    memcpy(copy, block->bytes, 8);
    memcpy(copy + 4, &length, sizeof length);
    memcpy(copy + 8, &link, sizeof link);
    memset(copy + 10, 0, 2);
    memcpy(copy + 12, &snaplen, sizeof snaplen);
    memcpy(copy + 16, &length, sizeof length);
    pcap_scan_copy(scan, copy, sizeof copy);
}

static bool take_interface(struct pcap_scan *scan, const struct block_at *block)
{
    struct pcap_interface *interface;
    struct option option;
    uint32_t at = 16;

    if (block->length < 20) {
        return refuse_block(scan, block->offset, "interface description is too short");
    }
    interface = pcap_scan_interface(scan);
    if (!interface) {
        return refuse_block(scan, block->offset, "more than 4096 interfaces");
    }
    interface->link = pcap_u16(scan, block->bytes + 8);
    interface->wanted = scan->options->dev == NULL;
    interface->ticks_per_s = 1000000;
    while (option_next(scan, block, &at, &option)) {
        if (!interface_option(scan, interface, &option, block->offset)) {
            return false;
        }
    }
    copy_interface(scan, block);
    return true;
}

static void take_statistics(struct pcap_scan *scan, const struct block_at *block)
{
    uint32_t number, at = 20;
    struct option option;
    uint64_t lost = 0;

    if (block->length < 24) {
        return;
    }
    number = pcap_u32(scan, block->bytes + 8);
    while (option_next(scan, block, &at, &option)) {
        if ((option.code == ISB_IFDROP || option.code == ISB_OSDROP) && option.length >= 8) {
            lost += block_u64(scan, option.value);
            scan->lost_recorded = true;
        }
    }
    if (number < scan->interfaces) {
        scan->interface[number].lost = lost;
    }
}

/* Seconds and picoseconds of a time stamp of this interface. */
static void stamp(const struct pcap_interface *interface, uint64_t ticks, int64_t *second,
                  int64_t *ps)
{
    __extension__ typedef unsigned __int128 wide;
    const uint64_t whole = ticks / interface->ticks_per_s;
    const uint64_t rest = ticks % interface->ticks_per_s;

    *ps = (int64_t)((wide)rest * (uint64_t)SIM_S / interface->ticks_per_s);
    if (whole > INT64_MAX / 4 ||
        __builtin_add_overflow((int64_t)whole, interface->offset_s, second)) {
        *second = INT64_MAX / 4;
    }
}

static void packet_options(struct pcap_scan *scan, const struct block_at *block, uint32_t at,
                           struct pcap_record *record)
{
    struct option option;

    while (option_next(scan, block, &at, &option)) {
        if (option.code == EPB_FLAGS && option.length >= 4) {
            uint32_t way = pcap_u32(scan, option.value) & 3;

            record->direction = way == 1   ? TRACE_RECEIVED
                                : way == 2 ? TRACE_SENT
                                           : TRACE_DIRECTION_UNKNOWN;
        } else if (option.code == EPB_QUEUE && option.length >= 4) {
            record->queue = pcap_u32(scan, option.value);
        } else if (option.code == EPB_DROPCOUNT && option.length >= 8) {
            scan->lost += block_u64(scan, option.value);
            scan->lost_recorded = true;
        }
    }
}

static bool refuse_packet(struct pcap_scan *scan, uint64_t offset, const char *text, uint32_t value,
                          const char *after)
{
    trace_input_error(scan->input, 0, 0, "packet %llu at offset %llu: %s %u%s",
                      (unsigned long long)scan->packets + 1, (unsigned long long)offset, text,
                      value, after);
    return false;
}

static bool take_packet(struct pcap_scan *scan, const struct block_at *block)
{
    const uint8_t *b = block->bytes;
    const bool old = block->type == BLOCK_PACKET;
    uint32_t number, captured;
    const struct pcap_interface *interface;
    struct pcap_record *record;
    int64_t second, ps;
    bool refused = false;

    if (block->length < 32) {
        return refuse_packet(scan, block->offset, "packet block of only", block->length, " bytes");
    }
    number = old ? pcap_u16(scan, b + 8) : pcap_u32(scan, b + 8);
    captured = pcap_u32(scan, b + 20);
    if (number >= scan->interfaces) {
        return refuse_packet(scan, block->offset, "packet block refers to interface", number,
                             scan->interfaces == 0 ? ", none described" : ", not described");
    }
    if (captured > block->length - 32) {
        return refuse_packet(scan, block->offset, "captured length", captured,
                             " runs past the block");
    }
    if (captured > PCAP_CAPTURED_MOST) {
        return refuse_packet(scan, block->offset, "captured length", captured,
                             " is larger than 262144");
    }
    interface = &scan->interface[number];
    if (old && pcap_u16(scan, b + 10) != 0xffff) {
        scan->lost += pcap_u16(scan, b + 10);
        scan->lost_recorded = true;
    }
    if (!interface->wanted) {
        scan->packets++;
        return true;
    }
    stamp(interface, (uint64_t)pcap_u32(scan, b + 12) << 32 | pcap_u32(scan, b + 16), &second, &ps);
    record = pcap_scan_add(scan, block->offset, second, ps, &refused);
    if (record) {
        record->captured = captured;
        record->size = pcap_u32(scan, b + 24);
        record->link = interface->link;
        record->fcs = interface->fcs;
        packet_options(scan, block, 28 + (captured + 3) / 4 * 4, record);
        pcap_scan_copy(scan, b, block->length);
    }
    return !refused;
}

static bool take_section(struct pcap_scan *scan, const struct block_at *block)
{
    uint8_t copy[SECTION_LEAST];
    uint32_t length = sizeof copy;

    if (block->length < SECTION_LEAST) {
        return refuse_block(scan, block->offset, "section header is too short");
    }
    if (pcap_u16(scan, block->bytes + 12) != 1) {
        return refuse_block(scan, block->offset, "pcapng version is not 1.x");
    }
    memcpy(copy, block->bytes, 24); /* without options */
    if (scan->swapped) {
        length = __builtin_bswap32(length);
    }
    memcpy(copy + 4, &length, sizeof length);
    memcpy(copy + 24, &length, sizeof length);
    scan->section_open = true;
    pcap_scan_copy(scan, copy, sizeof copy);
    return true;
}

static bool take(struct pcap_scan *scan, const struct block_at *block)
{
    switch (block->type) {
    case BLOCK_SECTION:
        return take_section(scan, block);
    case BLOCK_INTERFACE:
        return take_interface(scan, block);
    case BLOCK_STATISTICS:
        take_statistics(scan, block);
        return true;
    case BLOCK_SIMPLE:
        return refuse_block(scan, block->offset, "a simple packet block has no time");
    default:
        return take_packet(scan, block);
    }
}

static bool is_known(uint32_t type)
{
    return type == BLOCK_SECTION || type == BLOCK_INTERFACE || type == BLOCK_PACKET ||
           type == BLOCK_SIMPLE || type == BLOCK_STATISTICS || type == BLOCK_ENHANCED;
}

/* The file ends inside a block, or between two. */
static enum pcap_piece blocks_end(struct pcap_scan *scan, uint64_t available, uint32_t length)
{
    if (trace_input_failed(scan->input)) {
        return PCAP_REFUSED;
    }
    if (available > 0) {
        char of[32] = "";

        if (length > 0) {
            snprintf(of, sizeof of, " of %u", length);
        }
        trace_input_warning(scan->input, 0, 0,
                            "last block cut short: %llu%s bytes; used %llu packet%s",
                            (unsigned long long)available, of, (unsigned long long)scan->packets,
                            scan->packets == 1 ? "" : "s");
    }
    return PCAP_FILE_END;
}

static bool trailer_fits(struct pcap_scan *scan, const struct block_at *block,
                         const uint8_t *trailer)
{
    char text[60];
    uint32_t again = pcap_u32(scan, trailer);

    if (again == block->length) {
        return true;
    }
    snprintf(text, sizeof text, "lengths %u and %u differ", block->length, again);
    refuse_block(scan, block->offset, text);
    return false;
}

/* Passes over a block whose kind does not matter, however long. */
static enum pcap_piece skip_block(struct pcap_scan *scan, const struct block_at *block)
{
    uint64_t left = block->length - 4;
    size_t available;
    const uint8_t *trailer;

    while (left > 0) {
        trace_input_peek(scan->input, 1, &available);
        if (available == 0) {
            return blocks_end(scan, block->length - 4 - left, block->length);
        }
        available = available < left ? available : (size_t)left;
        trace_input_skip(scan->input, available);
        left -= available;
    }
    trailer = trace_input_peek(scan->input, 4, &available);
    if (available < 4) {
        trace_input_skip(scan->input, available);
        return blocks_end(scan, block->length - 4 + available, block->length);
    }
    if (!trailer_fits(scan, block, trailer)) {
        return PCAP_REFUSED;
    }
    trace_input_skip(scan->input, 4);
    return PCAP_PIECE;
}

/* Type and length of the next block; a section header sets the byte order first. */
static enum pcap_piece block_head(struct pcap_scan *scan, struct block_at *block, size_t *available)
{
    char text[80];

    block->offset = trace_input_offset(scan->input);
    block->bytes = trace_input_peek(scan->input, BLOCK_LEAST, available);
    if (*available < BLOCK_LEAST) {
        trace_input_skip(scan->input, *available);
        return blocks_end(scan, *available, 0);
    }
    block->type = pcap_u32(scan, block->bytes);
    if (block->type == BLOCK_SECTION && !scan->section_open) {
        uint32_t magic;

        memcpy(&magic, block->bytes + 8, sizeof magic);
        scan->swapped = magic == __builtin_bswap32(BYTE_ORDER_MAGIC);
        if (!scan->swapped && magic != BYTE_ORDER_MAGIC) {
            refuse_block(scan, block->offset, "no byte order magic in the section header");
            return PCAP_REFUSED;
        }
    }
    block->length = pcap_u32(scan, block->bytes + 4);
    if (block->type == BLOCK_SECTION && scan->section_open) {
        return PCAP_SECTION_END;
    }
    if (block->length < BLOCK_LEAST) {
        snprintf(text, sizeof text, "block length %u is less than 12", block->length);
        refuse_block(scan, block->offset, text);
        return PCAP_REFUSED;
    }
    if (block->length % 4 != 0) {
        snprintf(text, sizeof text, "block length %u is not a multiple of 4", block->length);
        refuse_block(scan, block->offset, text);
        return PCAP_REFUSED;
    }
    if (is_known(block->type) && block->length > PCAP_BLOCK_MOST) {
        snprintf(text, sizeof text, "block length %u is larger than %u", block->length,
                 PCAP_BLOCK_MOST);
        refuse_block(scan, block->offset, text);
        return PCAP_REFUSED;
    }
    return PCAP_PIECE;
}

/* One block, taken; PCAP_PIECE: go on. */
static enum pcap_piece block_next(struct pcap_scan *scan)
{
    struct block_at block = {0};
    size_t available;
    enum pcap_piece piece = block_head(scan, &block, &available);

    if (piece != PCAP_PIECE) {
        return piece;
    }
    if (!is_known(block.type)) {
        return skip_block(scan, &block);
    }
    if (available < block.length) {
        block.bytes = trace_input_peek(scan->input, block.length, &available);
    }
    if (available < block.length) {
        trace_input_skip(scan->input, available);
        return blocks_end(scan, available, block.length);
    }
    if (!trailer_fits(scan, &block, block.bytes + block.length - 4) || !take(scan, &block)) {
        return PCAP_REFUSED;
    }
    trace_input_skip(scan->input, block.length);
    return PCAP_PIECE;
}

enum pcap_piece pcap_blocks_next(struct pcap_scan *scan)
{
    uint32_t before = 0;

    if (scan->ended != PCAP_PIECE) {
        return scan->ended;
    }
    /* A piece ends behind a record, so that libpcap reads all of it. */
    while (scan->records == before ||
           (scan->records < PCAP_RECORDS_MOST && scan->out_bytes < PCAP_PIECE_BYTES)) {
        enum pcap_piece piece;

        before = scan->records;
        piece = block_next(scan);
        if (piece == PCAP_SECTION_END && scan->records == 0) {
            scan->lost = pcap_scan_lost(scan);
            scan->interfaces = 0;
            scan->section_open = false;
            scan->out_bytes = 0;
            return piece;
        }
        if (piece != PCAP_PIECE) {
            if (piece != PCAP_SECTION_END) {
                scan->ended = piece; /* told after the records before it */
            }
            return scan->records > 0 ? PCAP_PIECE : piece;
        }
    }
    return PCAP_PIECE;
}
