/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The events of one transmitted packet, put together.
 *
 * While a driver sends a packet nothing but interrupt handlers runs on that CPU, so its events
 * stand in this order on it, with those of other CPUs between them:
 *
 *   net_dev_start_xmit      the packet: device, size, queue                        (xmit)
 *   virtqueue_add_outbuf    the request: its entries, num                          (add)
 *   kmalloc                 the table of the request: entries x 16 or 32 bytes     (table)
 *   virtqueue_kick_prepare  the test whether the other side wants a notification   (kick_test)
 *
 * Any of the last three may not have been traced, or not have happened: a request of one entry has
 * no table, one that comes from a cache has none either, a packet with more behind it
 * (xmit_more) has no kick test. Which it is shows in what the file has elsewhere, so packets are
 * held back until TRACE_JOIN_PACKETS of them are there, or the file ends:
 *
 *   entries    num of the add; else table bytes / bytes per entry; else, on a device for which
 * tables were seen, 1 for a packet without paged data; else not known kick test  made or not, where
 * the file has such events and the packet's other events are there
 *
 * Bytes per entry are 16 up to kernel 6.12 and 32 from 6.13. What settles it: a table and num of
 * the same request; a table of an odd number of 16 bytes; one of 32 bytes (a single entry has no
 * table). Without either, weaker signs are taken, and it is said.
 *
 * A request without a packet is what pktgen makes, which does not pass net_dev_start_xmit, and what
 * another device's driver makes, or one whose first event came before the trace began. Where at
 * least half of the first TRACE_JOIN_PACKETS are such, they are packets (their size is not known);
 * else they are left out, and counted.
 */
#ifndef SIM_STUDY_TRACE_JOIN_H
#define SIM_STUDY_TRACE_JOIN_H

#include "sim/study/trace.h"

#define TRACE_JOIN_PACKETS 4096
#define TRACE_JOIN_DEVICES 64 /* that are told apart */

enum trace_sg_bytes_basis {
    TRACE_SG_BYTES_NONE,    /* not known */
    TRACE_SG_BYTES_GIVEN,   /* by the user */
    TRACE_SG_BYTES_SETTLED, /* by a table that leaves one answer */
    TRACE_SG_BYTES_GUESSED,
};

struct trace_join_cpu {
    uint64_t open; /* the packet whose events may follow, from 1 as `taken` counts; 0: none */
    uint32_t pid;
    bool begun; /* a packet or a request was seen */
};

struct trace_join_entry {
    struct trace_packet packet;
    uint32_t table_bytes; /* 0: no table */
    uint16_t device;
    bool wanted; /* false: of another device, kept so that its events go to nobody else */
    bool alone;  /* a request without a packet */
    bool first;  /* the CPU's first: the trace may have begun within a packet */
    bool added, lost, ended;
};

struct trace_join {
    /* from trace_join_init */
    struct trace_join_entry *ring; /* of TRACE_JOIN_PACKETS */
    struct trace_join_cpu *cpus;   /* of TRACE_CPU_MOST */
    uint32_t cpus_seen;            /* one more than the highest */
    uint32_t sg_bytes;
    enum trace_sg_bytes_basis basis;

    /* what is held back: entries taken..put */
    uint64_t taken, put;
    uint64_t alone; /* among them */

    /* what the file has shown so far */
    bool adds_seen, kick_tests_seen;
    bool device_table[TRACE_JOIN_DEVICES], device_kick[TRACE_JOIN_DEVICES];
    uint64_t settles_16, settles_32, hints_16, hints_32, tables, even_tables;
    bool decided, alone_counts; /* are requests alone packets */

    /* to be told at the end */
    uint64_t alone_packets, alone_left_out, not_whole_tables, unsettled_tables;
    bool records_sg;
};

void trace_join_init(struct trace_join *join, uint32_t sg_bytes);
void trace_join_fini(struct trace_join *join);

/* Events, in the order of the file. There must be room: not trace_join_full(). Of a packet at,
 * size, data_len, queue, direction and number are read. device < TRACE_JOIN_DEVICES. queue,
 * entries: TRACE_UNKNOWN where the event does not tell. */
void trace_join_xmit(struct trace_join *join, uint32_t cpu, uint32_t pid,
                     const struct trace_packet *packet, uint16_t device, bool wanted);
void trace_join_receive(struct trace_join *join, const struct trace_packet *packet);
void trace_join_add(struct trace_join *join, uint32_t cpu, uint32_t pid, sim_time at,
                    uint64_t number, uint32_t queue, uint32_t entries);
void trace_join_table(struct trace_join *join, uint32_t cpu, uint32_t pid, uint64_t bytes);
void trace_join_kick_test(struct trace_join *join, uint32_t cpu, uint32_t queue);

/* Something ran on the CPU that cannot run within a packet's sending. */
void trace_join_close(struct trace_join *join, uint32_t cpu);

/* Events are missing; cpu UINT32_MAX: of any CPU. */
void trace_join_lost(struct trace_join *join, uint32_t cpu);

bool trace_join_full(const struct trace_join *join);

/* The oldest packet that is wanted; false: none is held back. Called when full, and at the end. */
bool trace_join_take(struct trace_join *join, struct trace_packet *packet);

#endif
