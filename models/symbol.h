/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The kernel symbols that guest CPU time is charged to, and the ledger that keeps the sums.
 * PLACE  Every step of the guest charges what it costs here; nothing else makes a CPU busy.
 * LEAVES OUT  Symbols that the published profiles do not separate.
 * SOURCE The perf profiles of the 2021 series; docs/evidence.md.
 */
#ifndef MODELS_SYMBOL_H
#define MODELS_SYMBOL_H

#include "sim/engine/time.h"

/* X(enum suffix, kernel symbol, what it covers here) */
#define SYMBOLS(X)                                                                                 \
    X(STACK, "stack", "everything above the driver: the rest of the whole-packet budget")          \
    X(START_XMIT, "start_xmit", "virtio-net skb transmit: header, sg building, queue checks")       \
    X(XSK_RUN, "virtnet_xsk_run", "AF_XDP transmit loop")                                          \
    X(XSK_WAIT, "xsk_ring_full", "AF_XDP: polls of a full ring that reclaimed nothing: waiting")     \
    X(XSK_XMIT, "virtnet_xsk_xmit", "AF_XDP: one frame: header, sg building")                       \
    X(XSK_PEEK, "xsk_tx_peek_desc", "AF_XDP: next frame of the socket's transmit ring")             \
    X(SG_INIT, "sg_init_table", "the sg array and its memset")                                     \
    X(ADD_OUTBUF, "virtqueue_add_outbuf", "entry of the add, mapping, sg_next")                     \
    X(ADD, "virtqueue_add", "descriptors, avail ring, table entries and their lines")              \
    X(KMALLOC, "__kmalloc", "table from the allocator, kmalloc_slab included")                     \
    X(KFREE, "kfree", "table back to the allocator, fast path")                                    \
    X(KMEM_ALLOC, "kmem_cache_alloc", "table from a dedicated cache")                              \
    X(KMEM_FREE, "kmem_cache_free", "table back to a dedicated cache, fast path")                  \
    X(SLAB_FREE, "__slab_free", "slow path: the object's slab is not the CPU's slab")              \
    X(SLAB_ALLOC, "___slab_alloc", "slow path: the CPU's slab has no free object")                 \
    X(DESC_CACHE, "desc_cache", "table from and to the descriptor cache")                          \
    X(GET_BUF, "virtqueue_get_buf_ctx", "used index and used ring reads")                          \
    X(DETACH, "detach_buf", "descriptors of a completed request returned")                         \
    X(FREE_OLD, "free_old_xmit", "reclaim loop and the free of the packet")                        \
    X(KICK_PREPARE, "virtqueue_kick_prepare", "barrier and suppression test")                      \
    X(DOORBELL, "notify", "doorbell write and the exit it causes")                                 \
    X(CALLBACKS, "virtqueue_enable_cb", "enabling, delaying and disabling used buffer notifications") \
    X(HARDIRQ, "vring_interrupt", "interrupt entry and handler")                                   \
    X(NAPI, "napi_poll", "softirq entry, poll_tx and the receive poll without their reclaim") \
    X(TX_LOCK, "spin_lock", "two CPUs: the wait for the transmit queue's lock, its line and the queue's own")

enum symbol {
#define X(name, text, help) SYMBOL_##name,
    SYMBOLS(X)
#undef X
        SYMBOL_COUNT
};

const char *symbol_name(enum symbol symbol);
const char *symbol_help(enum symbol symbol);

/* Whose cache lines a symbol waited for: those of indirect tables with the allocator's links in
 * them, or those of the rings. */
enum ledger_lines { LEDGER_TABLE_LINES, LEDGER_RING_LINES, LEDGER_LINES };

struct ledger {
    sim_time time[SYMBOL_COUNT]; /* their sum is the CPU's busy time, exactly */
    sim_time waited[LEDGER_LINES][SYMBOL_COUNT]; /* of it */
};

static inline sim_time ledger_charge(struct ledger *ledger, enum symbol symbol, sim_time cost)
{
    ledger->time[symbol] += cost;
    return cost;
}

/* Of what is charged to the symbol, before or after, so much is a wait for lines. Returns it. */
static inline sim_time ledger_wait(struct ledger *ledger, enum ledger_lines lines,
                                   enum symbol symbol, sim_time cost)
{
    ledger->waited[lines][symbol] += cost;
    return cost;
}

sim_time ledger_sum(const struct ledger *ledger);

#endif
