/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The device side of a receive virtqueue: puts each packet that comes in into a buffer the driver posted,
 *        returns it as used at once, and notifies as its coalescing limits allow and the driver wants.
 * PLACE  Between whatever sends (models/rx_source.h) and the guest CPU (models/rx_cpu.h).
 * LEAVES OUT  Mergeable buffers, the time to copy, the lines of the ring; whose CPU pays for the timer.
 * SOURCE docs/receive.md.
 */
#ifndef MODELS_RX_DEVICE_H
#define MODELS_RX_DEVICE_H

#include "models/coalesce.h"
#include "models/rx_config.h"
#include "models/virtqueue.h"
#include "sim/engine/sim.h"

struct rx_cpu;

struct rx_device {
    struct actor timer; /* the end of a coalescing period */

    /* neighbours, set by receive.c */
    struct virtqueue *vq;
    struct rx_cpu *cpu;
    sim_time inject;

    struct coalesce coalesce;
    uint64_t arrived, dropped, notified; /* packets in; without a buffer; notifications sent */
};

void rx_device_init(struct rx_device *d, const struct rx_config *config);

/* A packet comes in; from: what the application answers to. */
void rx_device_on_packet(struct rx_device *d, struct sim *sim, sim_time now, uint32_t from);

/* A command has set new limits. */
void rx_device_set(struct rx_device *d, struct sim *sim, sim_time now, uint32_t max_usecs,
                   uint32_t max_packets);

#endif
