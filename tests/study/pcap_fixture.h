/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Captures made in memory, byte by byte, for the tests of their reader. */
#ifndef TESTS_STUDY_PCAP_FIXTURE_H
#define TESTS_STUDY_PCAP_FIXTURE_H

#include "tests/study/ftrace_fixture.h"

struct bytes {
    uint8_t data[1u << 16];
    size_t count;
    bool swapped; /* against this machine */
};

static inline void put(struct bytes *b, const void *data, size_t count)
{
    require(b->count + count <= sizeof b->data);
    memcpy(b->data + b->count, data, count);
    b->count += count;
}

static inline void put16(struct bytes *b, uint16_t value)
{
    value = b->swapped ? __builtin_bswap16(value) : value;
    put(b, &value, sizeof value);
}

static inline void put32(struct bytes *b, uint32_t value)
{
    value = b->swapped ? __builtin_bswap32(value) : value;
    put(b, &value, sizeof value);
}

static inline void put64(struct bytes *b, uint64_t value)
{
    value = b->swapped ? __builtin_bswap64(value) : value;
    put(b, &value, sizeof value);
}

/* A pcap file's header, in microseconds. */
static inline void put_pcap(struct bytes *b, uint32_t link)
{
    put32(b, 0xa1b2c3d4);
    put16(b, 2);
    put16(b, 4);
    put64(b, 0);
    put32(b, 65535);
    put32(b, link);
}

static inline void put_record(struct bytes *b, uint32_t us, const void *frame, uint32_t captured,
                              uint32_t size)
{
    put32(b, us / 1000000);
    put32(b, us % 1000000);
    put32(b, captured);
    put32(b, size);
    put(b, frame, captured);
}

static inline void put_section(struct bytes *b)
{
    put32(b, 0x0a0d0d0a);
    put32(b, 28);
    put32(b, 0x1a2b3c4d);
    put16(b, 1);
    put16(b, 0);
    put64(b, UINT64_MAX);
    put32(b, 28);
}

/* A block of options: they and their padding are given as they stand in the file. */
static inline void put_interface(struct bytes *b, uint16_t link, const struct bytes *options)
{
    const uint32_t length = 20 + (options ? (uint32_t)options->count : 0);

    put32(b, 1);
    put32(b, length);
    put16(b, link);
    put16(b, 0);
    put32(b, 96);
    if (options) {
        put(b, options->data, options->count);
    }
    put32(b, length);
}

static inline void put_option(struct bytes *b, uint16_t code, const void *value, uint16_t count)
{
    put16(b, code);
    put16(b, count);
    put(b, value, count);
    put(b, "\0\0\0", (4 - count % 4u) % 4);
}

static inline void put_packet(struct bytes *b, uint32_t interface, uint64_t ticks,
                              const void *frame, uint32_t captured, uint32_t size,
                              const struct bytes *options)
{
    const uint32_t padding = (4 - captured % 4) % 4;
    const uint32_t length = 32 + captured + padding + (options ? (uint32_t)options->count : 0);

    put32(b, 6);
    put32(b, length);
    put32(b, interface);
    put32(b, (uint32_t)(ticks >> 32));
    put32(b, (uint32_t)ticks);
    put32(b, captured);
    put32(b, size);
    put(b, frame, captured);
    put(b, "\0\0\0", padding);
    if (options) {
        put(b, options->data, options->count);
    }
    put32(b, length);
}

static inline void capture_bytes(struct capture *capture, const struct bytes *b,
                                 const struct trace_options *options)
{
    char file[] = "/tmp/vqsim-trace-XXXXXX";
    int fd = mkstemp(file);

    require(fd >= 0 && write(fd, b->data, b->count) == (ssize_t)b->count && close(fd) == 0);
    capture_read(capture, file, options);
    unlink(file);
}

static inline const char *capture_text_of(const struct capture *capture, size_t problem)
{
    return problem < capture->problems.count ? capture->problems.list[problem].error.text : "";
}

#endif
