/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/vhost.h"

#include "models/virtqueue.h"

void vhost_on_publish(struct vhost *v, struct sim *sim, sim_time now)
{
    vhost_worker_poke(&v->worker, sim, now);
}

void vhost_on_kick(struct vhost *v, struct sim *sim, sim_time now)
{
    vhost_worker_kick(&v->worker, &v->tx.work, sim, now + v->tx.notify.kick_latency);
}

struct vhost_counts vhost_counts(const struct vhost *v)
{
    const struct vhost_tx_counts *tx = &v->tx.counts;

    return (struct vhost_counts){.calls = tx->calls,
                                 .wakeups = v->worker.wakeups,
                                 .runs = tx->runs + v->rx.counts.runs,
                                 .empty_runs = tx->empty_runs + v->rx.counts.empty_runs,
                                 .copied = tx->copied,
                                 .zerocopy = tx->zerocopy,
                                 .completions = tx->completions,
                                 .polls = tx->polls,
                                 .polls_first = tx->polls_first,
                                 .polls_useful = tx->polls_useful,
                                 .socket_full = tx->socket_full,
                                 .limited = tx->limited};
}

void vhost_check(const struct vhost *v, sim_time now)
{
    vhost_worker_check(&v->worker, now);
    vhost_tx_check(&v->tx, now);
    if (v->rx.ring) {
        vhost_rx_check(&v->rx, now);
    }
}

void vhost_init(struct vhost *v, const struct vhost_config *config,
                const struct notify_config *notify, const struct idle_config *idle,
                double jitter_cv, uint64_t seed, uint32_t replication)
{
    vhost_worker_init(&v->worker, config->wake, config->switch_to,
                      &(struct vhost_descheduling){.every = config->descheduled_every,
                                                   .off = config->descheduled_for},
                      idle, seed, replication);
    vhost_tx_init(&v->tx, config, notify, jitter_cv, seed, replication);
    vhost_worker_add(&v->worker, &v->tx.work, vhost_tx_step);
    v->tx.worker = &v->worker;
}

bool vhost_add_rx(struct vhost *v, const struct vhost_rx_config *config, uint64_t seed,
                  uint32_t replication, struct error *error)
{
    if (!vhost_rx_init(&v->rx, config, &v->tx.config, &v->tx.notify, v->tx.jitter_cv, seed,
                       replication, error)) {
        return false;
    }
    vhost_worker_add(&v->worker, &v->rx.work, vhost_rx_step);
    v->rx.worker = &v->worker;
    return true;
}

void vhost_fini(struct vhost *v)
{
    vhost_rx_fini(&v->rx);
}

void vhost_start(struct vhost *v)
{
    host_socket_start(&v->tx.socket);
    virtqueue_enable_notify(v->tx.vq);
}
