/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a request in hand into the socket. Copied packets of a socket that takes batches wait in buffers until
 * copy_batch of them are there, the ring is empty or the run ends; one that does not fit sends the batch first and
 * then itself, so that packets stay in order. With other sockets the packet goes at once.
 */
#include "models/guest.h"
#include "models/nic.h"
#include "models/vhost_tx.h"
#include "models/virtqueue.h"
#include "sim/engine/law.h"

static bool sends_zerocopy(struct vhost_tx *tx)
{
    const struct vhost_config *c = &tx->config;

    if (!c->zerocopy || tx->size < c->goodcopy_bytes || !ubuf_has_room(&tx->ubuf) ||
        !ubuf_selects(&tx->ubuf)) {
        return false;
    }
    if (c->zcopy_limit == UBUF_LIMIT_ABOVE &&
        ubuf_over_limit(&tx->ubuf, UBUF_LIMIT_ABOVE, tx->vq->config.size)) {
        tx->counts.limited++;
        return false;
    }
    return true;
}

/* Whether the packet in hand waits for others. */
static bool collects(const struct vhost_tx *tx)
{
    return !tx->config.zerocopy && !tx->local && host_socket_collects(&tx->socket, tx->size);
}

sim_time vhost_tx_prepare(struct vhost_tx *tx)
{
    const struct vhost_config *c = &tx->config;
    bool split = !tx->socket.plain && host_socket_is_split(&tx->socket);
    sim_time cost = law_jitter(&tx->jitter, split ? tx->socket.config.fetch : c->packet, tx->jitter_cv);

    if (!tx->socket.plain) {
        tx->local = tx->again ? tx->local : host_socket_is_local(&tx->socket);
        tx->local = tx->local && tx->guest->packet[tx->slot].echo == 0; /* who asked is not on this host */
    }
    tx->again = false;
    if (sends_zerocopy(tx)) {
        tx->index = ubuf_begin(&tx->ubuf, tx->id);
        cost += c->pin;
        if (!tx->socket.plain && host_socket_orphans(&tx->socket, tx->local)) {
            cost += c->copy + c->copy_byte * tx->size;
        }
    } else {
        tx->index = NIC_COPIED;
        cost += c->copy + c->copy_byte * tx->size;
    }
    tx->pc = VHOST_TX_SEND;
    if (split && !collects(tx)) {
        tx->pc = VHOST_TX_CALL;
        if (tx->batch_count > 0) {
            vhost_tx_flush_then(tx, VHOST_TX_CALL);
        }
    }
    return cost;
}

sim_time vhost_tx_call(struct vhost_tx *tx, sim_time now)
{
    bool more = tx->bytes + tx->size < HOST_SOCKET_MORE_BYTES;
    sim_time cost = 0;

    if (more && virtqueue_avail_seen(tx->vq) == 0) {
        cost = memory_host_read_ring(tx->memory, virtqueue_addr_refresh(tx->vq)) +
               vhost_tx_accesses(tx, 1);
        more = virtqueue_refresh_avail(tx->vq) > 0;
    }
    tx->pc = VHOST_TX_SEND;
    return vhost_worker_spend(tx->worker, now,
                              cost + host_socket_call(&tx->socket, 1, false, more));
}

/* ---- the batch ---- */

void vhost_tx_flush_then(struct vhost_tx *tx, enum vhost_tx_pc pc)
{
    tx->after_return = pc;
    tx->pc = tx->batch_count > 0 ? VHOST_TX_FLUSH : tx->done_count > 0 ? VHOST_TX_RETURN : pc;
}

sim_time vhost_tx_flush(struct vhost_tx *tx, sim_time now)
{
    tx->pc = VHOST_TX_RETURN;
    return vhost_worker_spend(tx->worker, now,
                              host_socket_call(&tx->socket, tx->batch_count, true, false));
}

void vhost_tx_deliver_batch(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    for (uint32_t i = 0; i < tx->batch_count; i++) {
        uint32_t slot = tx->batch[i].slot;

        host_socket_send(&tx->socket, sim, now, tx->batch[i].size, NIC_COPIED,
                         tx->guest->packet[slot].echo, false);
        guest_on_delivered(tx->guest, slot, now);
    }
    tx->counts.copied += tx->batch_count;
    tx->batch_count = 0;
}

/* ---- a packet ---- */

/* The send failed: the request goes back, and the run ends with notifications off. */
static sim_time send_fails(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    if (tx->index != NIC_COPIED) {
        ubuf_cancel(&tx->ubuf);
    }
    virtqueue_untake(tx->vq, tx->id);
    tx->counts.socket_full++;
    tx->again = true;
    tx->waits_socket = tx->config.rearm;
    if (tx->config.retry > 0) {
        vhost_worker_kick(tx->worker, &tx->work, sim, now + tx->config.retry);
    }
    vhost_tx_flush_then(tx, VHOST_TX_END);
    return now;
}

static bool over_weight(const struct vhost_tx *tx)
{
    const struct vhost_config *c = &tx->config;

    return (c->weight_bytes > 0 && tx->bytes >= c->weight_bytes) ||
           (c->weight_packets > 0 && tx->packets >= c->weight_packets);
}

/* Hands it to the socket; what that costs further. */
static sim_time hand_over(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    uint32_t echo = tx->guest->packet[tx->slot].echo;
    sim_time cost = 0;

    if (tx->socket.plain) {
        nic_send(tx->socket.nic, sim, now, tx->size, tx->index, echo);
    } else {
        cost = host_socket_send(&tx->socket, sim, now, tx->size, tx->index, echo, tx->local);
    }

    guest_on_delivered(tx->guest, tx->slot, now);
    if (tx->index == NIC_COPIED) {
        tx->counts.copied++;
        tx->done[tx->done_count++] = tx->id;
    } else {
        tx->counts.zerocopy++;
    }
    return cost;
}

sim_time vhost_tx_send(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    uint32_t batch = tx->config.zerocopy ? 1 : tx->config.batch;
    sim_time cost = 0;

    tx->sending = false;
    if (collects(tx)) {
        tx->batch[tx->batch_count++] = (struct vhost_copied){.slot = tx->slot, .size = tx->size};
        tx->done[tx->done_count++] = tx->id;
    } else if (!host_socket_has_room(&tx->socket, tx->local)) {
        return send_fails(tx, sim, now);
    } else {
        cost = hand_over(tx, sim, now);
    }
    tx->bytes += tx->size + tx->config.header_bytes;
    tx->packets++;
    ubuf_count_packet(&tx->ubuf);
    if (over_weight(tx)) {
        vhost_work_requeue(&tx->work, now);
        vhost_tx_flush_then(tx, VHOST_TX_END);
    } else if (tx->done_count >= batch) {
        vhost_tx_flush_then(tx, vhost_tx_loop(tx));
    } else {
        tx->pc = vhost_tx_loop(tx);
    }
    return cost > 0 ? vhost_worker_spend(tx->worker, now, cost) : now;
}
