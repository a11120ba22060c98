/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast captures are read, and in how much memory.
 *
 *   bench_trace write FORMAT PACKETS    a capture of that many packets to stdout: pcap, pcapng, csv,
 *                                      ftrace (six lines a packet)
 *   bench_trace read FILE               its packets through the reader
 *   bench_trace order FILE              the same in order of time, with entries
 *
 * Reading prints packets, seconds of CPU time, the most resident KiB and a checksum.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "sim/study/trace.h"
#include "sim/study/trace_order.h"
#include "sim/study/trace_sg.h"

#define CAPTURED 60u

static void put32(uint32_t value)
{
    fwrite(&value, sizeof value, 1, stdout);
}

/* An IPv4 TCP segment of `size` bytes, as far as it is captured. */
static void put_frame(uint32_t size)
{
    uint8_t frame[CAPTURED] = {[12] = 8, [14] = 0x45, [23] = 6, [46] = 0x80};

    frame[16] = (uint8_t)((size - 14) >> 8);
    frame[17] = (uint8_t)(size - 14);
    fwrite(frame, sizeof frame, 1, stdout);
}

static void write_pcap(uint64_t packets)
{
    const uint32_t header[] = {0xa1b23c4d, 4u << 16 | 2, 0, 0, 96, 1};

    fwrite(header, sizeof header, 1, stdout);
    for (uint64_t i = 0; i < packets; i++) {
        put32((uint32_t)(i / 1000000));
        put32((uint32_t)(i % 1000000 * 1000));
        put32(CAPTURED);
        put32(66 + (uint32_t)(i % 7) * 200);
        put_frame(66 + (uint32_t)(i % 7) * 200);
    }
}

static void write_pcapng(uint64_t packets)
{
    const uint32_t section[] = {0x0a0d0d0a, 28, 0x1a2b3c4d, 1, 0xffffffff, 0xffffffff, 28};
    const uint32_t interface[] = {1, 32, 1, 96, 1u << 16 | 9, 9, 0, 32};

    fwrite(section, sizeof section, 1, stdout);
    fwrite(interface, sizeof interface, 1, stdout);
    for (uint64_t i = 0; i < packets; i++) {
        const uint64_t time = i * 1000;
        const uint32_t length = 32 + CAPTURED;

        put32(6);
        put32(length);
        put32(0);
        put32((uint32_t)(time >> 32));
        put32((uint32_t)time);
        put32(CAPTURED);
        put32(66 + (uint32_t)(i % 7) * 200);
        put_frame(66 + (uint32_t)(i % 7) * 200);
        put32(length);
    }
}

static void write_csv(uint64_t packets)
{
    printf("time,len,sg,queue\n");
    for (uint64_t i = 0; i < packets; i++) {
        printf("%llu.%06llu,%u,%u,0\n", (unsigned long long)(i / 1000000),
               (unsigned long long)(i % 1000000), 66 + (unsigned)(i % 7) * 200, 1 + (unsigned)(i % 18));
    }
}

/* A sendfile segment with all its events, on two CPUs in turn; a doorbell and an interrupt each. */
static void write_ftrace(uint64_t packets)
{
    for (uint64_t i = 0; i < packets; i++) {
        const unsigned cpu = (unsigned)(i / 4 % 2), entries = 17 + (unsigned)(i % 2);
        char head[80];

        snprintf(head, sizeof head, "          iperf3-%u    [%03u] b..1. %llu.%06llu: ", 4321 + cpu,
                 cpu, (unsigned long long)(i / 1000000), (unsigned long long)(i % 1000000));
        printf("%snet_dev_start_xmit: dev=eth0 queue_mapping=0 skbaddr=00000000a1b2c3d4 "
               "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3 "
               "len=65226 data_len=65160 network_offset=14 transport_offset_valid=1 "
               "transport_offset=34 tx_flags=0 gso_size=1448 gso_segs=45 gso_type=0x1\n",
               head);
        printf("%svq_add: (virtqueue_add_outbuf+0x0/0x60 [virtio_ring]) idx=1 nfree=256 num=%u\n",
               head, entries);
        printf("%skmalloc: call_site=virtqueue_add_split+0x8d/0x700 [virtio_ring] "
               "ptr=00000000809143e2 bytes_req=%u bytes_alloc=512 gfp_flags=GFP_ATOMIC node=-1 "
               "accounted=false\n",
               head, 16 * entries);
        printf("%svq_kickp: (virtqueue_kick_prepare+0x0/0xd0 [virtio_ring]) idx=1 nfree=255\n",
               head);
        printf("%svq_notify: (vp_notify+0x0/0x20 [virtio_pci]) idx=1\n", head);
        printf("%sirq_handler_entry: irq=29 name=virtio1-output.0\n", head);
    }
}

static int write_capture(const char *format, uint64_t packets)
{
    if (strcmp(format, "pcap") == 0) {
        write_pcap(packets);
    } else if (strcmp(format, "pcapng") == 0) {
        write_pcapng(packets);
    } else if (strcmp(format, "csv") == 0) {
        write_csv(packets);
    } else if (strcmp(format, "ftrace") == 0) {
        write_ftrace(packets);
    } else {
        return EXIT_FAILURE;
    }
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static double cpu_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int read_capture(const char *file, bool in_order)
{
    struct trace_options options = {0};
    struct trace_shape shape = {0};
    struct problems problems;
    struct trace_reader *reader;
    struct trace_order *order = NULL;
    struct trace_packet packet;
    struct trace_sg sg;
    struct rusage usage;
    uint64_t packets = 0, sum = 0;
    const double begin = cpu_s();
    int got;

    problems_init(&problems);
    trace_sg_init(&sg, &shape);
    reader = trace_open(file, &options, &problems);
    if (!reader) {
        return EXIT_FAILURE;
    }
    order = in_order ? trace_order_new(reader, &options) : NULL;
    while ((got = order ? trace_order_next(order, &packet) : trace_next(reader, &packet)) == 1) {
        packets++;
        sum += (uint64_t)packet.at ^ packet.size;
        sum += order ? trace_sg_frags(&sg, &packet) : 0;
    }
    trace_order_free(order);
    trace_close(reader);
    problems_fini(&problems);
    getrusage(RUSAGE_SELF, &usage);
    printf("%llu %.3f %ld %llx\n", (unsigned long long)packets, cpu_s() - begin, usage.ru_maxrss,
           (unsigned long long)sum);
    return got == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "write") == 0) {
        return write_capture(argv[2], strtoull(argv[3], NULL, 10));
    }
    if (argc == 3 && (strcmp(argv[1], "read") == 0 || strcmp(argv[1], "order") == 0)) {
        return read_capture(argv[2], argv[1][0] == 'o');
    }
    fprintf(stderr, "usage: bench_trace write pcap|pcapng|csv|ftrace PACKETS | read FILE | "
                    "order FILE\n");
    return EXIT_FAILURE;
}
