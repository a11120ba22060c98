/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What reaches the transmit handler from the card: completions of zerocopy packets, whose callback decides whether
 * the worker is to look, and a socket that is writable again.
 */
#include "models/vhost_tx.h"
#include "models/virtqueue.h"

/* Whether the stack copied it after all. */
static __attribute__((noinline)) bool fails(struct vhost_tx *tx)
{
    return stream_uniform(&tx->failure) < tx->config.zcopy_failure;
}

void vhost_tx_on_sent(struct vhost_tx *tx, sim_time now, uint32_t index)
{
    ubuf_complete(&tx->ubuf, now, index, tx->config.zcopy_failure > 0 && fails(tx));
}

uint32_t vhost_tx_callback_count(const struct vhost_tx *tx)
{
    return tx->ubuf.outstanding;
}

bool vhost_tx_callback_put(struct vhost_tx *tx, uint32_t read)
{
    enum ubuf_rule rule = (enum ubuf_rule)tx->config.zcopy_callback;
    uint32_t found = ubuf_put(&tx->ubuf);

    tx->counts.completions++;
    tx->last_read_early = found == 1 && rule == UBUF_BEFORE_PUT && read > found;
    return ubuf_fires(rule, rule == UBUF_BEFORE_PUT ? read : found, tx->config.zcopy_cb_batch);
}

sim_time vhost_tx_callback_queue(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    bool wakes = vhost_worker_is_asleep(tx->worker, now);

    if (tx->config.zcopy_cb_gated && !virtqueue_notify_enabled(tx->vq)) {
        return 0;
    }
    tx->counts.polls++;
    if (vhost_worker_queue(tx->worker, &tx->work, sim, now)) {
        tx->counts.polls_first++;
        tx->queued_by_poll = true;
    }
    return tx->config.queue + (wakes ? tx->config.wake_up : 0);
}

sim_time vhost_tx_zerocopy_callback(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    uint32_t found = ubuf_put(&tx->ubuf);

    tx->counts.completions++;
    if (!ubuf_fires((enum ubuf_rule)tx->config.zcopy_callback, found, tx->config.zcopy_cb_batch)) {
        return tx->config.callback;
    }
    return tx->config.callback + vhost_tx_callback_queue(tx, sim, now);
}

sim_time vhost_tx_on_let_go(struct vhost_tx *tx, struct sim *sim, sim_time now, uint32_t index, bool copied)
{
    ubuf_complete(&tx->ubuf, now, index, copied);
    return vhost_tx_zerocopy_callback(tx, sim, now);
}

void vhost_tx_on_writable(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    if (tx->waits_socket) {
        tx->waits_socket = false;
        vhost_worker_queue(tx->worker, &tx->work, sim, now);
    }
}
