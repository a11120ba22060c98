/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_join.h"

#include <stdlib.h>

#include "sim/study/trace_event.h"

#define PAGE_FRAG_BYTES   32768 /* a fragment of the per-socket page is no longer */
#define USUAL_ENTRIES     19    /* header, linear part, 17 fragments */
#define MOST_ENTRIES      47    /* with the largest CONFIG_MAX_SKB_FRAGS */
#define EVEN_TABLES_LEAST 16    /* so many, none of an odd number of 16 bytes */

void trace_join_init(struct trace_join *join, uint32_t sg_bytes)
{
    *join = (struct trace_join){
        .ring = calloc(TRACE_JOIN_PACKETS, sizeof *join->ring),
        .cpus = calloc(TRACE_CPU_MOST, sizeof *join->cpus),
        .sg_bytes = sg_bytes,
        .basis = sg_bytes > 0 ? TRACE_SG_BYTES_GIVEN : TRACE_SG_BYTES_NONE,
    };
    if (!join->ring || !join->cpus) {
        abort();
    }
}

void trace_join_fini(struct trace_join *join)
{
    free(join->ring);
    free(join->cpus);
}

bool trace_join_full(const struct trace_join *join)
{
    return join->put - join->taken == TRACE_JOIN_PACKETS;
}

static struct trace_join_entry *entry_at(struct trace_join *join, uint64_t index)
{
    return &join->ring[index % TRACE_JOIN_PACKETS];
}

static struct trace_join_entry *append(struct trace_join *join, const struct trace_packet *packet)
{
    struct trace_join_entry *entry = entry_at(join, join->put++);

    *entry = (struct trace_join_entry){.packet = *packet, .wanted = true};
    return entry;
}

/* The packet whose events may follow on the CPU; NULL: none, or it was handed over already. */
static struct trace_join_entry *open_entry(struct trace_join *join, uint32_t cpu)
{
    uint64_t open = join->cpus[cpu].open;

    return open > join->taken ? entry_at(join, open - 1) : NULL;
}

void trace_join_close(struct trace_join *join, uint32_t cpu)
{
    struct trace_join_entry *entry = open_entry(join, cpu);

    if (entry) {
        entry->ended = true;
    }
    join->cpus[cpu].open = 0;
}

static void open_cpu(struct trace_join *join, uint32_t cpu, uint32_t pid)
{
    join->cpus[cpu] = (struct trace_join_cpu){.open = join->put, .pid = pid, .begun = true};
    if (cpu >= join->cpus_seen) {
        join->cpus_seen = cpu + 1;
    }
}

void trace_join_xmit(struct trace_join *join, uint32_t cpu, uint32_t pid,
                     const struct trace_packet *packet, uint16_t device, bool wanted)
{
    struct trace_join_entry *entry;

    trace_join_close(join, cpu);
    entry = append(join, packet);
    entry->device = device;
    entry->wanted = wanted;
    open_cpu(join, cpu, pid);
}

void trace_join_receive(struct trace_join *join, const struct trace_packet *packet)
{
    append(join, packet)->ended = true;
}

void trace_join_add(struct trace_join *join, uint32_t cpu, uint32_t pid, sim_time at,
                    uint64_t number, uint32_t queue, uint32_t entries)
{
    struct trace_join_entry *entry = open_entry(join, cpu);
    struct trace_packet packet = {.at = at,
                                  .size = TRACE_UNKNOWN,
                                  .data_len = TRACE_UNKNOWN,
                                  .payload = TRACE_UNKNOWN,
                                  .queue = queue,
                                  .kick_test = TRACE_UNKNOWN,
                                  .direction = TRACE_SENT,
                                  .number = number};

    join->adds_seen = true;
    if (!entry || entry->added ||
        (queue != TRACE_UNKNOWN && entry->packet.queue != TRACE_UNKNOWN &&
         entry->packet.queue != queue)) {
        trace_join_close(join, cpu);
        entry = append(join, &packet);
        entry->alone = true;
        entry->first = !join->cpus[cpu].begun;
        join->alone++;
        open_cpu(join, cpu, pid);
    }
    entry->added = true;
    entry->packet.sg = entries;
}

/* What a table says about the bytes per entry. */
static void weigh_table(struct trace_join *join, const struct trace_join_entry *entry)
{
    uint32_t bytes = entry->table_bytes, entries = entry->packet.sg;
    uint32_t data = entry->packet.data_len;

    join->tables++;
    if (entries != TRACE_UNKNOWN && entries > 1) {
        join->settles_16 += bytes == 16 * entries;
        join->settles_32 += bytes == 32 * entries;
        return;
    }
    if (bytes % 32 == 16 || bytes == 32) {
        join->settles_16 += bytes % 16 == 0;
    } else if (bytes % 32 == 0) {
        join->even_tables++;
        join->settles_32 += bytes / 16 > MOST_ENTRIES;
        join->hints_32 += bytes / 16 > USUAL_ENTRIES;
        join->hints_16 += data != TRACE_UNKNOWN && data > (bytes / 32 - 1) * PAGE_FRAG_BYTES;
    }
}

void trace_join_table(struct trace_join *join, uint32_t cpu, uint32_t pid, uint64_t bytes)
{
    struct trace_join_entry *entry = open_entry(join, cpu);

    /* A packet without paged data may have a table, of header and data, but a longer one is of
     * something else: a disk's request that an interrupt made. */
    if (!entry || entry->table_bytes > 0 || join->cpus[cpu].pid != pid || bytes < 32 ||
        bytes > 65536 || (entry->packet.data_len < 64 && bytes / 32 > entry->packet.data_len + 2)) {
        return;
    }
    entry->table_bytes = (uint32_t)bytes;
    if (!entry->alone) {
        join->device_table[entry->device] = true;
    }
    weigh_table(join, entry);
}

void trace_join_kick_test(struct trace_join *join, uint32_t cpu, uint32_t queue)
{
    struct trace_join_entry *entry = open_entry(join, cpu);

    join->kick_tests_seen = true;
    if (!entry || (queue != TRACE_UNKNOWN && entry->packet.queue != TRACE_UNKNOWN &&
                   entry->packet.queue != queue)) {
        return;
    }
    entry->packet.kick_test = 1;
    if (!entry->alone) {
        join->device_kick[entry->device] = true;
    }
    trace_join_close(join, cpu);
}

static void lose(struct trace_join *join, uint32_t cpu)
{
    struct trace_join_entry *entry = open_entry(join, cpu);

    if (entry) {
        entry->lost = true;
    }
    join->cpus[cpu].open = 0;
}

void trace_join_lost(struct trace_join *join, uint32_t cpu)
{
    if (cpu != UINT32_MAX) {
        lose(join, cpu);
        return;
    }
    for (uint32_t i = 0; i < join->cpus_seen; i++) {
        lose(join, i);
    }
}

/* The signs are read anew until something settles it. */
static void decide_sg_bytes(struct trace_join *join)
{
    if (join->basis == TRACE_SG_BYTES_GIVEN || join->basis == TRACE_SG_BYTES_SETTLED ||
        join->tables == 0) {
        return;
    }
    if (join->settles_16 != join->settles_32) {
        join->basis = TRACE_SG_BYTES_SETTLED;
        join->sg_bytes = join->settles_16 > join->settles_32 ? 16 : 32;
    } else if (join->hints_16 != join->hints_32) {
        join->basis = TRACE_SG_BYTES_GUESSED;
        join->sg_bytes = join->hints_16 > join->hints_32 ? 16 : 32;
    } else if (join->even_tables >= EVEN_TABLES_LEAST) {
        join->basis = TRACE_SG_BYTES_GUESSED;
        join->sg_bytes = 32;
    }
}

static uint32_t entries_of(struct trace_join *join, const struct trace_join_entry *entry)
{
    if (entry->added) {
        return entry->packet.sg;
    }
    if (entry->table_bytes > 0) {
        if (join->sg_bytes == 0) {
            join->unsettled_tables++;
            return TRACE_UNKNOWN;
        }
        if (entry->table_bytes % join->sg_bytes != 0) {
            join->not_whole_tables++;
            return TRACE_UNKNOWN;
        }
        return entry->table_bytes / join->sg_bytes;
    }
    /* Paged data without a table: a table that was not made anew, or the ring's own entries. */
    if (join->adds_seen || entry->lost || !entry->ended || !join->device_table[entry->device] ||
        (entry->packet.data_len != 0 && entry->packet.data_len != TRACE_UNKNOWN)) {
        return TRACE_UNKNOWN;
    }
    return 1;
}

static uint32_t kick_test_of(const struct trace_join *join, const struct trace_join_entry *entry)
{
    if (entry->packet.kick_test == 1) {
        return 1;
    }
    if (!join->kick_tests_seen || entry->lost || !entry->ended) {
        return TRACE_UNKNOWN;
    }
    if (join->adds_seen ? entry->added : join->device_kick[entry->device]) {
        return 0;
    }
    return TRACE_UNKNOWN;
}

bool trace_join_take(struct trace_join *join, struct trace_packet *packet)
{
    decide_sg_bytes(join);
    if (!join->decided && join->put > join->taken) {
        join->alone_counts = 2 * join->alone >= join->put - join->taken;
        join->decided = true;
    }
    while (join->taken < join->put) {
        struct trace_join_entry *entry = entry_at(join, join->taken);

        if (entry->alone && !join->alone_counts) {
            join->alone_left_out += !entry->first;
        } else if (entry->wanted) {
            *packet = entry->packet;
            if (entry->packet.direction == TRACE_SENT) {
                packet->sg = entries_of(join, entry);
                packet->kick_test = kick_test_of(join, entry);
                join->records_sg = join->records_sg || packet->sg != TRACE_UNKNOWN;
                join->alone_packets += entry->alone;
            }
            join->taken++;
            return true;
        }
        join->taken++;
    }
    return false;
}
