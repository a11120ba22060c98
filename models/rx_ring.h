/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The guest's receive queue, counted: buffers that the guest has posted, packets that the device has put into
 *        some of them, and both sides' suppression of notifications.
 * PLACE  Between vhost's receive handler and the guest's receive poll.
 * LEAVES OUT  Descriptors, lines, mergeable buffers (a packet takes one buffer of any size): the receive virtqueue
 *        as such. Both indices are moved by one step, so what a store buffer could hide between them is not here.
 * SOURCE docs/host.md, "Receiving on the same worker".
 *
 * A buffer goes round: posted -> filled (the device only) -> visible -> held by the guest -> posted. With the event
 * index the device signals once for each time that the guest asked; with flags for every batch until the guest has
 * disabled them.
 */
#ifndef MODELS_RX_RING_H
#define MODELS_RX_RING_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/histogram.h"
#include "sim/engine/param.h"
#include "sim/engine/time.h"

struct rx_ring_config {
    uint32_t size;   /* buffers */
    uint32_t budget; /* packets that one poll takes */
};

extern const struct param_table rx_ring_params;

/* A packet from outside. */
struct rx_packet {
    uint32_t size; /* frame bytes */
    uint32_t echo; /* of an echo request: its mark, which the answer bears; 0: none */
    sim_time arrived; /* at the host's queue */
};

struct rx_ring {
    struct rx_ring_config config;
    bool event_idx;
    struct rx_packet *packet; /* [config.size], a ring: visible ones, then filled ones */
    uint32_t head, visible, filled;
    uint32_t held;      /* taken by the guest and not posted again */
    bool wants_kick;    /* the device asks to hear of posted buffers */
    bool wants_call;    /* the guest asks for an interrupt */
    bool signalled;     /* and has been sent one since it asked */
};

/* All buffers are posted. */
bool rx_ring_init(struct rx_ring *ring, const struct rx_ring_config *config, bool event_idx,
                  struct error *error);
void rx_ring_fini(struct rx_ring *ring);

static inline uint32_t rx_ring_posted(const struct rx_ring *ring)
{
    return ring->config.size - ring->visible - ring->filled - ring->held;
}

/* ---- the device ---- */

/* Fills a posted buffer; there must be one. */
void rx_ring_fill(struct rx_ring *ring, const struct rx_packet *packet);

/* How long the filled ones have waited since they arrived. */
void rx_ring_note_waits(const struct rx_ring *ring, struct histogram *waits, sim_time now);

/* Makes filled ones visible; returns whether the guest is to be interrupted. */
bool rx_ring_publish(struct rx_ring *ring);

/* ---- the guest ---- */

/* Takes the oldest visible packet; false: there is none. */
bool rx_ring_take(struct rx_ring *ring, struct rx_packet *packet);

/* Posts what it holds again. */
void rx_ring_post(struct rx_ring *ring);

/* Whether the device is to hear of posted buffers: with the event index once for each time that it asked. */
bool rx_ring_kick_needed(struct rx_ring *ring);

/* Asks for interrupts; there must be nothing visible. */
void rx_ring_enable_calls(struct rx_ring *ring);

/* Every invariant; aborts with text. */
void rx_ring_check(const struct rx_ring *ring, sim_time now);

#endif
