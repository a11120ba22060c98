/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   Who sends to the guest: an open loop at a rate, or connections that send their next request a pause after the
 *        reply to the last one; one connection is a ping-pong.
 * PLACE  In front of the device's receive side (models/rx_device.h); replies come from the application.
 * LEAVES OUT  A limit of the client's own; the network's loss and order.
 * SOURCE docs/receive.md.
 */
#ifndef MODELS_RX_SOURCE_H
#define MODELS_RX_SOURCE_H

#include "models/rx_config.h"
#include "sim/engine/error.h"
#include "sim/engine/sim.h"
#include "sim/engine/stream.h"

struct rx_device;

struct rx_source {
    struct actor actor;
    struct stream stream;
    const struct rx_config *config;
    struct rx_device *device; /* set by receive.c */

    sim_time *due; /* [connections]: when each sends next; SIM_NEVER: it waits for a reply. A heap of indices: */
    uint32_t *heap, heap_count;
    uint64_t sent, replies;
};

bool rx_source_init(struct rx_source *s, const struct rx_config *config, uint64_t seed,
                    uint32_t replication, struct error *error);
void rx_source_fini(struct rx_source *s);

/* The reply to a connection's request arrives. */
void rx_source_on_reply(struct rx_source *s, struct sim *sim, sim_time now, uint32_t connection);

#endif
