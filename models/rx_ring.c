/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/rx_ring.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"

#define WHEN_OUTSIDE .when_path = "workload.outside.type", .when_value = "ping|flood"

static const struct param rows[] = {
    {.path = "guest.rx_buffers",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct rx_ring_config, size),
     .least = 1,
     .most = 65536,
     .fallback = "256",
     .unit = "buffers",
     WHEN_OUTSIDE,
     .help = "receive buffers of the guest, one for a packet: posted, filled or in its hands"},
    {.path = "guest.rx_budget",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct rx_ring_config, budget),
     .least = 1,
     .most = 65536,
     .fallback = "64",
     .unit = "packets",
     WHEN_OUTSIDE,
     .help = "packets that one receive poll takes before it posts their buffers again"},
};

const struct param_table rx_ring_params =
    PARAM_TABLE("receive queue", struct rx_ring_config, rows, NULL);

bool rx_ring_init(struct rx_ring *ring, const struct rx_ring_config *config, bool event_idx,
                  struct error *error)
{
    memset(ring, 0, sizeof *ring);
    ring->config = *config;
    ring->event_idx = event_idx;
    ring->wants_call = true;
    ring->packet = calloc(config->size, sizeof *ring->packet);
    return ring->packet ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void rx_ring_fini(struct rx_ring *ring)
{
    free(ring->packet);
    memset(ring, 0, sizeof *ring);
}

static struct rx_packet *place(const struct rx_ring *ring, uint32_t i)
{
    uint32_t at = ring->head + i;

    return &ring->packet[at >= ring->config.size ? at - ring->config.size : at];
}

void rx_ring_fill(struct rx_ring *ring, const struct rx_packet *packet)
{
    sim_assert(rx_ring_posted(ring) > 0, packet->arrived, "a packet without a receive buffer");
    *place(ring, ring->visible + ring->filled) = *packet;
    ring->filled++;
}

void rx_ring_note_waits(const struct rx_ring *ring, struct histogram *waits, sim_time now)
{
    for (uint32_t i = 0; i < ring->filled; i++) {
        histogram_add(waits, (uint64_t)(now - place(ring, ring->visible + i)->arrived), 1);
    }
}

bool rx_ring_publish(struct rx_ring *ring)
{
    bool first = !ring->signalled;

    ring->visible += ring->filled;
    ring->filled = 0;
    if (!ring->wants_call) {
        return false;
    }
    ring->signalled = true;
    return first || !ring->event_idx;
}

bool rx_ring_take(struct rx_ring *ring, struct rx_packet *packet)
{
    if (ring->visible == 0) {
        return false;
    }
    *packet = *place(ring, 0);
    ring->head = ring->head + 1 == ring->config.size ? 0 : ring->head + 1;
    ring->visible--;
    ring->held++;
    return true;
}

void rx_ring_post(struct rx_ring *ring)
{
    ring->held = 0;
}

bool rx_ring_kick_needed(struct rx_ring *ring)
{
    bool needed = ring->wants_kick;

    ring->wants_kick = needed && !ring->event_idx;
    return needed;
}

void rx_ring_enable_calls(struct rx_ring *ring)
{
    sim_assert(ring->visible == 0, 0, "interrupts enabled with %u packets visible", ring->visible);
    ring->wants_call = true;
    ring->signalled = false;
}

void rx_ring_check(const struct rx_ring *ring, sim_time now)
{
    uint64_t known = (uint64_t)ring->visible + ring->filled + ring->held;

    sim_assert(known <= ring->config.size, now, "%" PRIu64 " receive buffers in use of %" PRIu32,
               known, ring->config.size);
    sim_assert(ring->head < ring->config.size, now, "receive queue begins at %" PRIu32, ring->head);
}
