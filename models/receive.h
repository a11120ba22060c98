/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The receive side of one queue, put together: source -> device -> interrupt -> NAPI -> application -> source.
 * PLACE  The only file that knows all parts of it: joins them, runs them, checks the accounts.
 * SOURCE docs/receive.md.
 */
#ifndef MODELS_RECEIVE_H
#define MODELS_RECEIVE_H

#include "models/rx_cpu.h"
#include "models/rx_device.h"
#include "models/rx_source.h"

struct receive {
    struct sim sim;
    struct virtqueue vq;
    struct rx_source source;
    struct rx_device device;
    struct rx_cpu cpu;
};

bool receive_init(struct receive *r, const struct rx_config *config, uint64_t seed,
                  uint32_t replication, enum sim_engine engine, struct error *error);
void receive_fini(struct receive *r);

void receive_run(struct receive *r, sim_time until);

/* Busy time of the CPU up to now. */
sim_time receive_busy(const struct receive *r);

/* Every account; aborts with text. */
void receive_check(const struct receive *r);

#endif
