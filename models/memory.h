/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The cache lines that guest and host share: who wrote a line last, who read it since, and
 *        what the next access costs. A line is cold (nobody touched it), guest-modified, shared, or
 *        host-modified. A store to a line that the other side holds must first upgrade it; a load
 *        of a line that the other side modified must fetch it.
 * PLACE  Rings, indirect tables and the allocator's free-list links live at addresses here: first
 *        the ring region, then the tables (slabs, then the descriptor cache's array).
 *        host.placement presets the costs for where the two CPUs are. Tables from an address on may
 *        lie on another NUMA node: every one of their lines that moves, or is touched first, then
 *        costs `remote` more, in the hidden phase too (an upper bound there: nothing overlaps).
 *        Beside that, which of the guest's CPUs hold a line, when there are two (guest.reclaim_cpu):
 *        a store takes it from the other one, a load of a line that only the other one has fetches
 *        it, and the device's store takes it from both. guest.reclaim_placement presets what a move
 *        between the two costs.
 * LEAVES OUT  Cache capacity, prefetching; a side that moves to another CPU. Loads that the
 *        processor overlaps: between the guest's CPUs each is charged in full.
 * SOURCE A two-phase cost, fitted to the published gain of the descriptor cache; docs/evidence.md.
 *
 * When a store's upgrade hurts depends on what follows it, so a guest write names its phase:
 *   MEMORY_RING   descriptor and avail ring: charged at once, little (the store is posted)
 *   MEMORY_ALLOC  exposed: on the way to the device a locked instruction drains the store buffer.
 *                 The store costs nothing when issued and is pending until now + write_alloc;
 *                 stores that are pending together overlap, and memory_drain() waits for the latest
 *   MEMORY_FREE   hidden: the stores of a reclaim batch drain in the background; each pays its
 *                 issue slot only
 *
 * Conservation, as integers and for each region: a line leaves the guest when the host reads or
 * writes it, and comes back by a guest upgrade, by nothing else. So at any time
 *     guest upgrades = lines the host took - lines that are shared or host-modified now.
 * The host never writes a table and never reads one that was not written, hence for tables
 *     guest upgrades = host reads of guest-modified lines - lines that are shared now.
 * Two tables on one line can therefore not add upgrades; they move them from the hidden phase to
 * the exposed one.
 * Between the guest's CPUs: a line that both hold was fetched by one of them, and ends so by a store
 * of one or by the device's store. At any time
 *     joins = drops + host drops + lines that both hold now.
 */
#ifndef MODELS_MEMORY_H
#define MODELS_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/param.h"
#include "sim/engine/time.h"

#define MEMORY_LINE_BYTES 64u
#define MEMORY_PAGE_BYTES 4096u
#define MEMORY_NONE       UINT64_MAX /* no address */

#define MEMORY_CPUS       2    /* of the guest, at most */
#define MEMORY_HELD       3u   /* bits of a line: the guest CPUs that hold it, when there are two */

/* For each value of a line's byte a bit: whether a load costs nothing. With one CPU: not what the device
 * modified. With two: what is cold, and what the CPU holds. */
#define MEMORY_AT_HAND   (1u << 0 | 1u << 4 | 1u << 8)
#define MEMORY_AT_HAND_0 (1u << 0 | 1u << 5 | 1u << 7 | 1u << 9 | 1u << 11)
#define MEMORY_AT_HAND_1 (1u << 0 | 1u << 6 | 1u << 7 | 1u << 10 | 1u << 11)

/* The state proper of a line: its byte without the bits of MEMORY_HELD. */
enum memory_line { MEMORY_COLD = 0, MEMORY_GUEST = 4, MEMORY_SHARED = 8, MEMORY_HOST = 12 };
enum memory_phase { MEMORY_RING, MEMORY_ALLOC, MEMORY_FREE, MEMORY_PHASES };
enum memory_region { MEMORY_RINGS, MEMORY_TABLES, MEMORY_REGIONS };

struct memory_config {
    int placement;        /* of the two CPUs; only its preset acts */
    sim_time write_alloc; /* exposed upgrade: what a drain right after the store waits */
    sim_time write_free;  /* hidden upgrade: issue slot */
    sim_time write_ring;  /* upgrade of a ring line */
    sim_time read_used;   /* guest load of a host-modified line */
    sim_time host_read;   /* host load of a guest-modified line */
    sim_time remote;      /* further, for a line of another node */
    int guest_placement;  /* of the guest's two CPUs; only its preset acts */
    sim_time cpu_read;    /* a line that is read, or read and written, comes from the other CPU */
    sim_time cpu_write;   /* a store to a line of the other CPU: what a drain after it waits */
    sim_time cpu_post;    /* the same while reclaiming, and to a ring line: its issue slot */
};

extern const struct param_table memory_params;

/* Moves of lines since memory_init(); plain sums, so that a window is a difference of two copies.
 */
struct memory_count {
    uint64_t upgrades[MEMORY_PHASES]; /* guest stores to shared or host-modified lines */
    uint64_t guest_fetches;           /* guest loads: host-modified -> shared */
    uint64_t host_fetches;            /* host loads: guest-modified -> shared */
    uint64_t host_takes;              /* host stores: guest-modified -> host-modified */
    uint64_t host_firsts;             /* host accesses to cold lines; never a table */
};

/* Moves between the guest's CPUs; all 0 with one. */
struct memory_moves {
    uint64_t joins;      /* loads: a line of the other CPU, held by both then */
    uint64_t steals;     /* stores: a line that only the other CPU held */
    uint64_t drops;      /* stores: a line that both held */
    uint64_t host_drops; /* the device's stores to lines that both held */
    sim_time ring_wait;  /* what joins, steals and drops of ring lines cost beyond the device's part */
    uint64_t handovers;  /* of lines without an address, memory_handover() */
};

struct memory {
    /* set by memory_init() */
    struct memory_config config;
    sim_time issue[MEMORY_PHASES]; /* charged when the store is issued */
    uint8_t *line;                 /* enum memory_line and MEMORY_HELD, one byte a line */
    uint64_t line_count;
    uint64_t table_line;  /* first line of the tables */
    uint64_t remote_line; /* first line on another node; MEMORY_NONE: there is none */
    uint32_t cpus;        /* of the guest */

    /* while running */
    uint32_t cpu; /* of the guest, whose accesses follow */
    uint8_t own;  /* a line that this CPU may store to: guest-modified, its own */
    uint8_t mine; /* this CPU's bit; 0 when there is one CPU */
    uint32_t at_hand; /* MEMORY_AT_HAND of this CPU */
    sim_time pending[MEMORY_CPUS]; /* when the last of the CPU's exposed stores completes */
    struct memory_count count[MEMORY_REGIONS];
    struct memory_moves moves;
};

/* All lines cold. Both sizes are rounded up to whole pages. False: out of memory. */
bool memory_init(struct memory *mem, const struct memory_config *config, uint64_t ring_bytes,
                 uint64_t table_bytes, struct error *error);
void memory_fini(struct memory *mem);

/* The guest has two CPUs; to be said before the first access. */
void memory_two_cpus(struct memory *mem);

/* The accesses of the guest that follow are this CPU's. */
static inline void memory_switch_cpu(struct memory *mem, uint32_t cpu)
{
    mem->cpu = cpu;
    mem->mine = (uint8_t)(1u << cpu);
    mem->own = (uint8_t)(MEMORY_GUEST | mem->mine);
    mem->at_hand = cpu == 0 ? MEMORY_AT_HAND_0 : MEMORY_AT_HAND_1;
}

/* Lines from `address` on belong to another node. */
void memory_set_remote(struct memory *mem, uint64_t address);

/* Address of the first table byte; the ring region starts at 0. */
static inline uint64_t memory_table_base(const struct memory *mem)
{
    return mem->table_line * MEMORY_LINE_BYTES;
}

/* What follows is split in two: the inline half answers for the one line that needs nothing, which
 * is nearly every access; the other half takes lines first..last. */
sim_time memory_guest_write_lines(struct memory *mem, sim_time now, uint64_t first, uint64_t last,
                                  enum memory_phase phase);
sim_time memory_guest_read_lines(struct memory *mem, uint64_t first, uint64_t last);
sim_time memory_host_read_lines(struct memory *mem, sim_time now, uint64_t first, uint64_t last);
void memory_host_write_lines(struct memory *mem, sim_time now, uint64_t first, uint64_t last);

/* A line of the rings; the guest's store has the phase MEMORY_RING. */
sim_time memory_guest_write_ring_line(struct memory *mem, sim_time now, uint64_t index);
sim_time memory_host_read_ring_line(struct memory *mem, uint64_t index);

/* Whether this CPU's store to a line costs nothing. */
static inline bool memory_is_own(const struct memory *mem, uint64_t index)
{
    return mem->line[index] == mem->own;
}

/* Stores to a range, bytes >= 1. Returns what to charge now; exposed stores charge 0 and wait in
 * memory_drain(). */
static inline sim_time memory_guest_write(struct memory *mem, sim_time now, uint64_t address,
                                          uint32_t bytes, enum memory_phase phase)
{
    uint64_t first = address / MEMORY_LINE_BYTES;
    uint64_t last = (address + bytes - 1) / MEMORY_LINE_BYTES;

    if (first == last && memory_is_own(mem, first)) {
        return 0;
    }
    return memory_guest_write_lines(mem, now, first, last, phase);
}

/* Whether this CPU's load of a line costs nothing. */
static inline bool memory_at_hand(const struct memory *mem, uint64_t index)
{
    return mem->at_hand >> mem->line[index] & 1;
}

/* Loads from a range, bytes >= 1. Returns what to charge: host-modified lines and lines of the
 * guest's other CPU are fetched. A table's lines are never host-modified, so with one CPU its loads
 * are free. */
static inline sim_time memory_guest_read(struct memory *mem, uint64_t address, uint32_t bytes)
{
    uint64_t first = address / MEMORY_LINE_BYTES;
    uint64_t last = (address + bytes - 1) / MEMORY_LINE_BYTES;

    if (first == last && memory_at_hand(mem, first)) {
        return 0;
    }
    return memory_guest_read_lines(mem, first, last);
}

/* The same for a field that lies within one line, as all of two bytes and all descriptors do. */
static inline sim_time memory_guest_read_at(struct memory *mem, uint64_t address)
{
    uint64_t index = address / MEMORY_LINE_BYTES;

    return memory_at_hand(mem, index) ? 0 : memory_guest_read_lines(mem, index, index);
}

/* Lines that the device never sees and that every touch writes: a lock, a list head, a descriptor's
 * bookkeeping. *holder is whose they are, 0 at first and then the CPU's number + 1. Returns what
 * `lines` of them cost at `each` when they were the other CPU's. */
static inline sim_time memory_handover(struct memory *mem, uint8_t *holder, uint32_t lines,
                                       sim_time each)
{
    uint8_t before = *holder;

    if (mem->cpus < 2 || before == mem->cpu + 1) {
        return 0;
    }
    *holder = (uint8_t)(mem->cpu + 1);
    if (before == 0) {
        return 0;
    }
    mem->moves.handovers += lines;
    return lines * each;
}

/* What a locked instruction waits: until the latest exposed store has completed, 0 when none is
 * pending. Nothing is pending afterwards. */
static inline sim_time memory_drain(struct memory *mem, sim_time now)
{
    sim_time wait = mem->pending[mem->cpu] > now ? mem->pending[mem->cpu] - now : 0;

    mem->pending[mem->cpu] = 0;
    return wait;
}

/* The host's loads from a range, bytes >= 1. Returns what to charge to the host. */
static inline sim_time memory_host_read(struct memory *mem, sim_time now, uint64_t address,
                                        uint32_t bytes)
{
    uint64_t first = address / MEMORY_LINE_BYTES;
    uint64_t last = (address + bytes - 1) / MEMORY_LINE_BYTES;

    if (first == last && mem->line[first] >= MEMORY_SHARED) {
        return 0;
    }
    return memory_host_read_lines(mem, now, first, last);
}

/* The host's stores to a range of the ring region, bytes >= 1; their cost is part of the backend's
 * cost per packet. */
static inline void memory_host_write(struct memory *mem, sim_time now, uint64_t address,
                                     uint32_t bytes)
{
    uint64_t first = address / MEMORY_LINE_BYTES;
    uint64_t last = (address + bytes - 1) / MEMORY_LINE_BYTES;

    if (first != last || mem->line[first] != MEMORY_HOST) {
        memory_host_write_lines(mem, now, first, last);
    }
}

/* A field of the rings within one line. */
static inline sim_time memory_host_read_ring(struct memory *mem, uint64_t address)
{
    uint64_t index = address / MEMORY_LINE_BYTES;

    return mem->line[index] < MEMORY_SHARED ? memory_host_read_ring_line(mem, index) : 0;
}

static inline void memory_host_write_ring(struct memory *mem, sim_time now, uint64_t address)
{
    uint64_t index = address / MEMORY_LINE_BYTES;

    if (mem->line[index] != MEMORY_HOST) {
        memory_host_write_lines(mem, now, index, index);
    }
}

/* Guest upgrades of a region in all phases. */
uint64_t memory_upgrades(const struct memory *mem, enum memory_region region);

/* Lines that came from one of the guest's CPUs to the other. */
uint64_t memory_cpu_moves(const struct memory *mem);

/* Lines of a region in a state, counted one by one. */
uint64_t memory_lines_in(const struct memory *mem, enum memory_region region,
                         enum memory_line state);

/* Asserts the conservation laws above against a count of all lines. */
void memory_check(const struct memory *mem, sim_time now);

#endif
