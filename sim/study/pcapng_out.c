/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/pcapng_out.h"

#include <string.h>

#include "sim/study/output_file.h"

#define ETHERNET 14
#define IPV4     20
#define UDP      8

#define BLOCK_SECTION   0x0a0d0d0a
#define BLOCK_INTERFACE 1
#define BLOCK_PACKET    6

#define TYPE_IPV4         0x0800
#define TYPE_EXPERIMENTAL 0x88b5 /* local experiments, IEEE 802 */

/* A block while it is put together. */
struct block {
    uint8_t bytes[128];
    uint32_t length;
};

static void put16(struct block *b, uint32_t value)
{
    b->bytes[b->length++] = (uint8_t)value;
    b->bytes[b->length++] = (uint8_t)(value >> 8);
}

static void put32(struct block *b, uint32_t value)
{
    put16(b, value & 0xffff);
    put16(b, value >> 16);
}

static void put_bytes(struct block *b, const void *data, uint32_t length)
{
    memcpy(b->bytes + b->length, data, length);
    b->length += length;
    while (b->length % 4 != 0) {
        b->bytes[b->length++] = 0;
    }
}

static void put_option(struct block *b, uint32_t code, const void *data, uint32_t length)
{
    put16(b, code);
    put16(b, length);
    put_bytes(b, data, length);
}

static void begin(struct block *b, uint32_t type)
{
    b->length = 0;
    put32(b, type);
    put32(b, 0); /* total length, known at the end */
}

static void end(struct block *b, FILE *file)
{
    uint32_t total = b->length + 4;
    struct block length = {.length = 0};

    put32(b, total);
    put32(&length, total);
    memcpy(b->bytes + 4, length.bytes, 4);
    fwrite(b->bytes, 1, b->length, file);
}

static void write_head(FILE *file)
{
    static const char program[] = "vqsim " VQSIM_VERSION;
    static const uint8_t resolution = 12;
    struct block b;

    begin(&b, BLOCK_SECTION);
    put32(&b, 0x1a2b3c4d);
    put16(&b, 1);
    put16(&b, 0);
    put32(&b, UINT32_MAX); /* length of the section: not said */
    put32(&b, UINT32_MAX);
    put_option(&b, 4, program, sizeof program - 1);
    put32(&b, 0);
    end(&b, file);

    begin(&b, BLOCK_INTERFACE);
    put16(&b, 1); /* Ethernet */
    put16(&b, 0);
    put32(&b, PCAPNG_OUT_SNAPLEN);
    put_option(&b, 2, "wire", 4);
    put_option(&b, 9, &resolution, 1);
    put32(&b, 0);
    end(&b, file);
}

bool pcapng_out_open(struct pcapng_out *out, const char *name, uint64_t most, struct error *error)
{
    *out = (struct pcapng_out){
        .file = output_file_open(name, error), .name = name, .most = most};
    if (!out->file) {
        return false;
    }
    write_head(out->file);
    return true;
}

static void big16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

static uint32_t checksum(const uint8_t *at, uint32_t length)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i < length; i += 2) {
        sum += (uint32_t)at[i] << 8 | at[i + 1];
    }
    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return ~sum & 0xffff;
}

/* The headers of the packet; returns how many bytes. */
static uint32_t make_headers(uint8_t *at, uint64_t number, uint32_t size)
{
    static const uint8_t addresses[] = {2, 0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 1};
    static const uint8_t ips[] = {192, 0, 2, 1, 192, 0, 2, 2};
    uint8_t *ip = at + ETHERNET, *udp = ip + IPV4;
    uint32_t length = size - ETHERNET;

    memset(at, 0, PCAPNG_OUT_SNAPLEN);
    memcpy(at, addresses, sizeof addresses);
    if (size < PCAPNG_OUT_SNAPLEN) {
        big16(at + 12, TYPE_EXPERIMENTAL);
        return ETHERNET;
    }
    big16(at + 12, TYPE_IPV4);
    ip[0] = 0x45;
    big16(ip + 2, length <= UINT16_MAX ? length : 0);
    big16(ip + 4, (uint32_t)number & 0xffff);
    ip[8] = 64;
    ip[9] = 17;
    memcpy(ip + 12, ips, sizeof ips);
    big16(ip + 10, checksum(ip, IPV4));
    big16(udp, 49152);
    big16(udp + 2, 9); /* discard */
    big16(udp + 4, length <= UINT16_MAX ? length - IPV4 : 0);
    return ETHERNET + IPV4 + UDP;
}

void pcapng_out_packet(struct pcapng_out *out, sim_time at, uint64_t number, uint32_t size)
{
    uint8_t headers[PCAPNG_OUT_SNAPLEN];
    uint32_t captured;
    struct block b;

    if (out->packets++ >= out->most) {
        return;
    }
    captured = make_headers(headers, number, size);
    begin(&b, BLOCK_PACKET);
    put32(&b, 0); /* interface */
    put32(&b, (uint32_t)((uint64_t)at >> 32));
    put32(&b, (uint32_t)at);
    put32(&b, captured);
    put32(&b, size);
    put_bytes(&b, headers, captured);
    end(&b, out->file);
}

bool pcapng_out_close(struct pcapng_out *out, struct error *error)
{
    FILE *file = out->file;

    out->file = NULL;
    return output_file_close(file, out->name, error);
}
