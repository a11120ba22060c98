/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/memory.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"

#define COST(member) .kind = PARAM_COST, .offset = offsetof(struct memory_config, member), .most = 1e12

/* Rows: exposed and hidden upgrade, ring store, used entry read. Nothing but the default was fitted
 * to a measurement of a gain; the others are what moving a line costs at that distance. */
#define PLACEMENT(name, exposed, hidden, ring, used)                                               \
    static const struct param_setting name[] = {                                                   \
        {.path = "costs.memory.write_alloc", .text = (exposed)},                                   \
        {.path = "costs.memory.write_free", .text = (hidden)},                                     \
        {.path = "costs.memory.write_ring", .text = (ring)},                                       \
        {.path = "costs.memory.read_used", .text = (used)},                                        \
        {0},                                                                                       \
    }

/* Rows: read, exposed store, posted store, an skb of the other CPU. */
#define CPUS(name, read, exposed, posted, skb)                                                     \
    static const struct param_setting name[] = {                                                   \
        {.path = "costs.memory.cpu_read", .text = (read)},                                         \
        {.path = "costs.memory.cpu_write", .text = (exposed)},                                     \
        {.path = "costs.memory.cpu_post", .text = (posted)},                                       \
        {.path = "costs.guest.skb_other", .text = (skb)},                                          \
        {0},                                                                                       \
    }

PLACEMENT(sibling, "5ns", "1ns", "2ns", "5ns");
PLACEMENT(cross_llc, "120ns", "8ns", "20ns", "80ns");
PLACEMENT(remote, "205ns", "15ns", "34ns", "140ns");
CPUS(cpus_sibling, "3ns", "3ns", "1ns", "6ns");
CPUS(cpus_cross_llc, "100ns", "100ns", "8ns", "200ns");
CPUS(cpus_remote, "180ns", "180ns", "15ns", "360ns");

static const struct param_choice placements[] = {
    {.name = "sibling",
     .help = "two threads of a core: guess, a line stays in the first-level cache they share",
     .preset = sibling},
    {.name = "same_llc", .help = "two cores under one last-level cache: as fitted, 57 to 72 ns"},
    {.name = "cross_llc",
     .help = "two last-level caches of a socket: guess, between the fit and the stopwatch",
     .preset = cross_llc},
    {.name = "remote",
     .help = "two sockets: guess, a stopwatch between two CPUs of a shared virtual machine gave "
             "205 ns one way",
     .preset = remote},
    {.name = NULL},
};

static const struct param_choice guest_placements[] = {
    {.name = "sibling",
     .help = "two threads of a core: guess, a line stays in the first-level cache they share",
     .preset = cpus_sibling},
    {.name = "same_llc", .help = "two cores under one last-level cache: guess, 20 to 80 ns"},
    {.name = "cross_llc",
     .help = "two last-level caches of a socket: guess, 80 to 160 ns",
     .preset = cpus_cross_llc},
    {.name = "remote",
     .help = "two sockets, of which the guest sees one node: guess, 120 to 300 ns",
     .preset = cpus_remote},
    {.name = NULL},
};

#define TWO_CPUS .when_path = "guest.reclaim_cpu", .when_value = "other"

static const struct param rows[] = {
    {.path = "host.placement",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct memory_config, placement),
     .choices = placements,
     .fallback = "same_llc",
     .help = "where the device's CPU is, seen from the guest's: presets costs.memory"},
    {.path = "costs.memory.write_alloc",
     COST(write_alloc),
     .fallback = "72ns",
     .help = "exposed upgrade of a shared table line: what the drain that ends the add waits",
     .certificate = {"30ns", "80ns", PARAM_CALIBRATED,
                     "fitted to the 51.7 ns per packet that the published descriptor cache saves; "
                     "depends on the placement of the two CPUs"}},
    {.path = "costs.memory.write_free",
     COST(write_free),
     .fallback = "5ns",
     .help = "hidden upgrade of a shared table line while reclaiming: its issue slot",
     .certificate = {"3ns", "15ns", PARAM_GUESS,
                     "only p * write_alloc - write_free is identifiable from the published table"}},
    {.path = "costs.memory.write_ring",
     COST(write_ring),
     .fallback = "12ns",
     .help = "guest store to a ring line that the device has read",
     .certificate = {"0ns", "25ns", PARAM_GUESS,
                     "2.9 such stores a packet must fit into the published time of virtqueue_add"}},
    {.path = "costs.memory.read_used",
     COST(read_used),
     .fallback = "30ns",
     .help = "guest load of a used ring line that the device wrote",
     .certificate = {"30ns", "80ns", PARAM_CALIBRATED,
                     "the published 10.4 ns of virtqueue_get_buf_ctx leave no more"}},
    {.path = "costs.memory.host_read",
     COST(host_read),
     .fallback = "0ns",
     .help = "device load of a line that the guest wrote",
     .certificate = {"0ns", "80ns", PARAM_GUESS, "contained in the backend's cost per packet"}},
    {.path = "costs.memory.remote",
     COST(remote),
     .fallback = "60ns",
     .help = "further, for each line of a remote array (guest.desc_cache.node) that misses",
     .certificate = {"30ns", "130ns", PARAM_GUESS,
                     "recalled difference of memory latency between the nodes of two-socket "
                     "servers"}},
    {.path = "guest.reclaim_placement",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct memory_config, guest_placement),
     .choices = guest_placements,
     .fallback = "same_llc",
     TWO_CPUS,
     .help = "where the guest's second CPU is, seen from the sender's: presets costs.memory.cpu_* "
             "and costs.guest.skb_other"},
    {.path = "costs.memory.cpu_read",
     COST(cpu_read),
     .fallback = "50ns",
     TWO_CPUS,
     .help = "a line that the guest's other CPU wrote is read, or read and written",
     .certificate = {"20ns", "80ns", PARAM_GUESS,
                     "recalled latency between two cores under one last-level cache; depends on "
                     "guest.reclaim_placement"}},
    {.path = "costs.memory.cpu_write",
     COST(cpu_write),
     .fallback = "50ns",
     TWO_CPUS,
     .help = "exposed store to a line of the other CPU: what the drain that ends the add waits",
     .certificate = {"20ns", "80ns", PARAM_GUESS, "as costs.memory.cpu_read: the same way"}},
    {.path = "costs.memory.cpu_post",
     COST(cpu_post),
     .fallback = "5ns",
     TWO_CPUS,
     .help = "hidden store to a line of the other CPU: its issue slot",
     .certificate = {"0ns", "50ns", PARAM_GUESS,
                     "as costs.memory.write_free; a locked instruction of a slow free may wait for "
                     "it, then it is costs.memory.cpu_write"}},
};

const struct param_table memory_params = PARAM_TABLE("memory", struct memory_config, rows, NULL);

static uint64_t pages_of(uint64_t bytes)
{
    return (bytes + MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;
}

bool memory_init(struct memory *mem, const struct memory_config *config, uint64_t ring_bytes,
                 uint64_t table_bytes, struct error *error)
{
    const uint64_t lines_per_page = MEMORY_PAGE_BYTES / MEMORY_LINE_BYTES;

    memset(mem, 0, sizeof(*mem));
    mem->config = *config;
    mem->issue[MEMORY_RING] = config->write_ring;
    mem->issue[MEMORY_FREE] = config->write_free;
    mem->remote_line = MEMORY_NONE;
    mem->cpus = 1;
    mem->own = MEMORY_GUEST;
    mem->at_hand = MEMORY_AT_HAND;
    mem->table_line = pages_of(ring_bytes) * lines_per_page;
    mem->line_count = mem->table_line + pages_of(table_bytes) * lines_per_page;
    /* Reserved for the worst case; pages of it that no run touches are never backed by memory. */
    mem->line = calloc(mem->line_count + 1, 1);
    if (!mem->line) {
        return error_set(error, ERROR_SYSTEM, "", "no memory for %" PRIu64 " cache lines",
                         mem->line_count);
    }
    return true;
}

void memory_fini(struct memory *mem)
{
    free(mem->line);
    memset(mem, 0, sizeof(*mem));
}

void memory_two_cpus(struct memory *mem)
{
    mem->cpus = 2;
    memory_switch_cpu(mem, 0);
}

void memory_set_remote(struct memory *mem, uint64_t address)
{
    mem->remote_line = address / MEMORY_LINE_BYTES;
}

/* What a miss of a line costs beyond one of this node. */
static sim_time distance(const struct memory *mem, uint64_t index)
{
    return index >= mem->remote_line ? mem->config.remote : 0;
}

static struct memory_count *count_of(struct memory *mem, uint64_t index)
{
    return &mem->count[index < mem->table_line ? MEMORY_RINGS : MEMORY_TABLES];
}

static sim_time larger(sim_time a, sim_time b)
{
    return a > b ? a : b;
}

/* The other CPU's part of a store: whether it held the line, and whether this one did. */
static bool take_from_other(struct memory *mem, uint8_t line)
{
    uint8_t held = line & MEMORY_HELD;

    if ((held & ~mem->mine) == 0) {
        return false;
    }
    if (held & mem->mine) {
        mem->moves.drops++;
    } else {
        mem->moves.steals++;
    }
    return true;
}

/* Stores beside another CPU. Device and CPU lose a line by one request to both: of what each costs the
 * longer way counts. */
static __attribute__((cold)) sim_time write_beside(struct memory *mem, sim_time now,
                                                       uint64_t first, uint64_t last,
                                                       enum memory_phase phase)
{
    sim_time charge = 0;

    for (uint64_t index = first; index <= last; index++) {
        uint8_t line = mem->line[index];
        sim_time host = 0, issue, wait = 0;

        mem->line[index] = mem->own;
        charge += line == MEMORY_COLD ? distance(mem, index) : 0;
        if (line >= MEMORY_SHARED) {
            count_of(mem, index)->upgrades[phase]++;
            host = mem->issue[phase] + (phase == MEMORY_ALLOC ? 0 : distance(mem, index));
            wait = mem->config.write_alloc + distance(mem, index);
        }
        issue = host;
        if (take_from_other(mem, line)) {
            issue = larger(host, phase == MEMORY_ALLOC ? 0 : mem->config.cpu_post);
            wait = larger(wait, mem->config.cpu_write);
        }
        mem->moves.ring_wait += index < mem->table_line ? issue - host : 0;
        charge += issue;
        if (phase == MEMORY_ALLOC && wait > 0) {
            mem->pending[mem->cpu] = larger(mem->pending[mem->cpu], now + wait);
        }
    }
    return charge;
}

/* With one CPU, as in most runs, this is where their time goes: it has a loop of its own. */
sim_time memory_guest_write_lines(struct memory *mem, sim_time now, uint64_t first, uint64_t last,
                                  enum memory_phase phase)
{
    sim_time charge = 0;

    if (mem->cpus > 1) {
        return write_beside(mem, now, first, last, phase);
    }
    for (uint64_t index = first; index <= last; index++) {
        uint8_t state = mem->line[index];

        mem->line[index] = MEMORY_GUEST;
        if (state == MEMORY_COLD) {
            charge += distance(mem, index);
        }
        if (state < MEMORY_SHARED) {
            continue;
        }
        count_of(mem, index)->upgrades[phase]++;
        charge += mem->issue[phase];
        if (phase != MEMORY_ALLOC) {
            charge += distance(mem, index);
        } else if (mem->pending[0] < now + mem->config.write_alloc + distance(mem, index)) {
            mem->pending[0] = now + mem->config.write_alloc + distance(mem, index);
        }
    }
    return charge;
}

/* Lines of the rings are never remote. */
sim_time memory_guest_write_ring_line(struct memory *mem, sim_time now, uint64_t index)
{
    uint8_t state = mem->line[index];

    if (mem->cpus > 1) {
        return write_beside(mem, now, index, index, MEMORY_RING);
    }
    mem->line[index] = MEMORY_GUEST;
    if (state < MEMORY_SHARED) {
        return 0;
    }
    mem->count[MEMORY_RINGS].upgrades[MEMORY_RING]++;
    return mem->issue[MEMORY_RING];
}

sim_time memory_host_read_ring_line(struct memory *mem, uint64_t index)
{
    uint8_t line = mem->line[index];

    mem->line[index] = (uint8_t)(MEMORY_SHARED | (line & MEMORY_HELD));
    if (line < MEMORY_GUEST) {
        mem->count[MEMORY_RINGS].host_firsts++;
        return 0;
    }
    mem->count[MEMORY_RINGS].host_fetches++;
    return mem->config.host_read;
}

/* A cold line stays cold: what was never written has nothing to fetch. */
sim_time memory_guest_read_lines(struct memory *mem, uint64_t first, uint64_t last)
{
    sim_time charge = 0;

    for (uint64_t index = first; index <= last; index++) {
        uint8_t line = mem->line[index];

        if (line == MEMORY_HOST) {
            mem->line[index] = (uint8_t)(MEMORY_SHARED | mem->mine);
            count_of(mem, index)->guest_fetches++;
            charge += mem->config.read_used;
        } else if (line != MEMORY_COLD && !(line & mem->mine)) {
            mem->line[index] |= mem->mine;
            if (mem->mine && (line & MEMORY_HELD)) {
                mem->moves.joins++;
                mem->moves.ring_wait += index < mem->table_line ? mem->config.cpu_read : 0;
                charge += mem->config.cpu_read;
            }
        }
    }
    return charge;
}

sim_time memory_host_read_lines(struct memory *mem, sim_time now, uint64_t first, uint64_t last)
{
    sim_time charge = 0;

    for (uint64_t index = first; index <= last; index++) {
        uint8_t line = mem->line[index];

        if (line >= MEMORY_SHARED) {
            continue;
        }
        mem->line[index] = (uint8_t)(MEMORY_SHARED | (line & MEMORY_HELD));
        if (line >= MEMORY_GUEST) {
            count_of(mem, index)->host_fetches++;
            charge += mem->config.host_read + distance(mem, index);
        } else {
            sim_assert(index < mem->table_line, now,
                       "the host reads table line %" PRIu64 " that was never written", index);
            mem->count[MEMORY_RINGS].host_firsts++;
        }
    }
    return charge;
}

void memory_host_write_lines(struct memory *mem, sim_time now, uint64_t first, uint64_t last)
{
    struct memory_count *count = &mem->count[MEMORY_RINGS];

    sim_assert(last < mem->table_line, now, "the host writes table line %" PRIu64, last);
    for (uint64_t index = first; index <= last; index++) {
        uint8_t line = mem->line[index];

        /* From shared the line stays on the host's side: it had left the guest before. */
        if (line == MEMORY_COLD) {
            count->host_firsts++;
        } else if (line < MEMORY_SHARED) {
            count->host_takes++;
        }
        mem->moves.host_drops += (line & MEMORY_HELD) == MEMORY_HELD;
        mem->line[index] = MEMORY_HOST;
    }
}

uint64_t memory_upgrades(const struct memory *mem, enum memory_region region)
{
    uint64_t sum = 0;

    for (int phase = 0; phase < MEMORY_PHASES; phase++) {
        sum += mem->count[region].upgrades[phase];
    }
    return sum;
}

uint64_t memory_lines_in(const struct memory *mem, enum memory_region region,
                         enum memory_line state)
{
    uint64_t first = region == MEMORY_RINGS ? 0 : mem->table_line;
    uint64_t end = region == MEMORY_RINGS ? mem->table_line : mem->line_count;
    uint64_t sum = 0;

    for (uint64_t index = first; index < end; index++) {
        sum += (mem->line[index] & ~MEMORY_HELD) == state;
    }
    return sum;
}

uint64_t memory_cpu_moves(const struct memory *mem)
{
    return mem->moves.joins + mem->moves.steals + mem->moves.handovers;
}

/* The law of the guest's CPUs, and who may hold a line in which state. */
static void check_cpus(const struct memory *mem, sim_time now)
{
    const struct memory_moves *moves = &mem->moves;
    uint64_t both = 0;

    if (mem->cpus < 2) {
        return;
    }
    for (uint64_t index = 0; index < mem->line_count; index++) {
        uint8_t held = mem->line[index] & MEMORY_HELD;
        uint8_t state = mem->line[index] & (uint8_t)~MEMORY_HELD;

        both += held == MEMORY_HELD;
        sim_assert(state == MEMORY_SHARED || (state == MEMORY_GUEST) == (held != 0), now,
                   "line %" PRIu64 " in state %u is held by %u", index, state, held);
    }
    sim_assert(moves->joins == moves->drops + moves->host_drops + both, now,
               "memory: %" PRIu64 " lines joined, %" PRIu64 " taken, %" PRIu64
               " taken by the device, %" PRIu64 " held by both",
               moves->joins, moves->drops, moves->host_drops, both);
}

void memory_check(const struct memory *mem, sim_time now)
{
    for (enum memory_region region = 0; region < MEMORY_REGIONS; region++) {
        const struct memory_count *count = &mem->count[region];
        uint64_t shared = memory_lines_in(mem, region, MEMORY_SHARED);
        uint64_t host = memory_lines_in(mem, region, MEMORY_HOST);
        uint64_t taken = count->host_fetches + count->host_takes + count->host_firsts;

        sim_assert(memory_upgrades(mem, region) + shared + host == taken, now,
                   "memory region %d: %" PRIu64 " guest upgrades, %" PRIu64 " lines taken by the "
                   "host, %" PRIu64 " shared, %" PRIu64 " host-modified",
                   (int)region, memory_upgrades(mem, region), taken, shared, host);
        sim_assert(region == MEMORY_RINGS || taken == count->host_fetches, now,
                   "memory: the host took a table line other than by reading what the guest wrote");
    }
    check_cpus(mem, now);
}
