/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   vhost-net of one queue pair: its worker and the handlers that it runs.
 *          vhost_worker.h  the thread: queued work, wake-up, sleep, its CPU
 *          vhost_tx.h      the transmit handler, with zerocopy and its completions
 *          vhost_rx.h      the receive handler, where somebody outside sends
 *          vhost_config.h  parameters
 * PLACE  Between the virtqueue and the network card. models/backend.h passes publishes and kicks on to it where
 *        host.backend.type is vhost.
 * LEAVES OUT  What its parts leave out.
 * SOURCE docs/host.md.
 */
#ifndef MODELS_VHOST_H
#define MODELS_VHOST_H

#include "models/vhost_rx.h"
#include "models/vhost_tx.h"
#include "models/vhost_worker.h"

/* What both did, since the start. */
struct vhost_counts {
    uint64_t calls, wakeups, runs, empty_runs;
    uint64_t copied, zerocopy;   /* packets by way of sending */
    uint64_t completions;        /* zerocopy callbacks */
    uint64_t polls, polls_first; /* of them that queued the worker; that set its bit */
    uint64_t polls_useful;       /* of them, whose run found a packet or a completed entry */
    uint64_t socket_full;
    uint64_t limited;            /* runs ended, or packets copied, for too many pending */
};

struct vhost {
    struct vhost_worker worker;
    struct vhost_tx tx;
    struct vhost_rx rx; /* zeroed unless vhost_add_rx() was called */
};

void vhost_init(struct vhost *v, const struct vhost_config *config,
                const struct notify_config *notify, const struct idle_config *idle,
                double jitter_cv, uint64_t seed, uint32_t replication);

/* The receive handler on the same worker. */
bool vhost_add_rx(struct vhost *v, const struct vhost_rx_config *config, uint64_t seed,
                  uint32_t replication, struct error *error);
void vhost_fini(struct vhost *v);

/* To be called once the neighbours are set. */
void vhost_start(struct vhost *v);

/* The driver moved the avail index, or rang the doorbell. */
void vhost_on_publish(struct vhost *v, struct sim *sim, sim_time now);
void vhost_on_kick(struct vhost *v, struct sim *sim, sim_time now);

struct vhost_counts vhost_counts(const struct vhost *v);

/* Every invariant; aborts with text. */
void vhost_check(const struct vhost *v, sim_time now);

#endif
