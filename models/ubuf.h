/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The bookkeeping of zerocopy transmit: a ring of 1024 entries, one for each request whose buffers the
 *        network card still reads. `upend` is the next entry to begin, `done` the first one not yet returned to
 *        the guest. Entries complete in any order and are returned in order: one late completion at `done`
 *        holds back all that come after it.
 *        Also the rules that read it: whether a packet is sent by zerocopy, when too many are pending, and
 *        whether a completion asks the worker to look.
 * PLACE  Inside vhost's transmit handler, which begins and returns entries; the card's completion marks them.
 *        Bookkeeping only: whoever calls charges the time.
 * LEAVES OUT  Reset; who closes vhost waits for what is out (models/datapath_release.c).
 * SOURCE docs/host.md.
 */
#ifndef MODELS_UBUF_H
#define MODELS_UBUF_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/time.h"

#define UBUF_RING        1024u /* entries, of which one stays free */
#define UBUF_PEND_MOST   128u  /* what the limit of pending entries is made from */
#define UBUF_WINDOW      1024u /* packets after which packets and errors are counted anew */
#define UBUF_PER_ERROR   64u   /* packets that one error rules out */

enum ubuf_state { UBUF_CLEAR, UBUF_IN_PROGRESS, UBUF_DONE, UBUF_FAILED };

/* When too many are pending. */
enum ubuf_limit {
    UBUF_LIMIT_EQUAL, /* up to about 4.9: an equality that only a ring of 1024 or more can meet */
    UBUF_LIMIT_ABOVE, /* later: more than min(128, ring size / 4) */
};

/* Whether a completion asks the worker to look, by the number of pending ones. */
enum ubuf_rule {
    UBUF_BEFORE_PUT, /* 3.13: the count read before the put, which has the base reference in it */
    UBUF_AFTER_PUT,  /* since February 2014: what the put returned */
    UBUF_ALWAYS,
    UBUF_NEVER,
};

struct ubuf_entry {
    uint16_t id; /* of the request */
    uint8_t state;
    sim_time completed;
};

struct ubuf {
    struct ubuf_entry entry[UBUF_RING];
    uint32_t upend, done;
    uint32_t outstanding; /* completions that have not yet given their reference back */

    /* the window that decides whether zerocopy is worth trying */
    uint32_t packets, errors;

    uint64_t begun, completed, failed, returned;
};

void ubuf_init(struct ubuf *u);

/* Entries between done and upend. */
static inline uint32_t ubuf_pending(const struct ubuf *u)
{
    return (u->upend - u->done) % UBUF_RING;
}

/* Whether one more entry can begin. */
static inline bool ubuf_has_room(const struct ubuf *u)
{
    return (u->upend + 1) % UBUF_RING != u->done;
}

/* Whether the errors of this window leave zerocopy worth trying: one error rules it out up to the 64th packet,
 * sixteen to the end. */
static inline bool ubuf_selects(const struct ubuf *u)
{
    return u->packets / UBUF_PER_ERROR >= u->errors;
}

/* Whether too many are pending for a ring of `size` descriptors. The equality is met at (128 - size) mod 1024
 * pending: 128 for a ring of 1024, 896 for one of 256, which can never have so many. */
static inline bool ubuf_over_limit(const struct ubuf *u, enum ubuf_limit limit, uint32_t size)
{
    uint32_t most = size / 4 < UBUF_PEND_MOST ? size / 4 : UBUF_PEND_MOST;

    return limit == UBUF_LIMIT_EQUAL ? (u->upend + size - UBUF_PEND_MOST) % UBUF_RING == u->done
                                     : ubuf_pending(u) > most;
}

/* A packet is sent, by whatever way. */
void ubuf_count_packet(struct ubuf *u);

/* Begins an entry for the request; returns its index. */
uint32_t ubuf_begin(struct ubuf *u, uint16_t id);

/* Undoes the last begin: the packet could not be sent. */
void ubuf_cancel(struct ubuf *u);

/* The card is done with the entry; `copied`: the stack copied the data, so nothing was gained. The reference is
 * given back later, by ubuf_put(). */
void ubuf_complete(struct ubuf *u, sim_time now, uint32_t index, bool copied);

/* Gives a completion's reference back; returns how many were outstanding before. */
uint32_t ubuf_put(struct ubuf *u);

/* Whether a completion that found `outstanding` before its put asks the worker to look. */
bool ubuf_fires(enum ubuf_rule rule, uint32_t outstanding, uint32_t batch);

/* Whether the entry at `done` can be returned. */
static inline bool ubuf_has_returnable(const struct ubuf *u)
{
    return u->entry[u->done].state >= UBUF_DONE;
}

/* Completed entries that can be returned without a gap, up to the end of the array. */
uint32_t ubuf_returnable(const struct ubuf *u);

/* Returns the entry at `done`, which must be complete; what it was. */
struct ubuf_entry ubuf_return(struct ubuf *u);

/* Every invariant; aborts with text. */
void ubuf_check(const struct ubuf *u, sim_time now);

#endif
