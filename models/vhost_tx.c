/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The transmit handler. One loop for both ways of sending and both eras:
 *
 *   run -> [signal -> limit ->] fetch -> [call ->] send -> [flush ->] [return ->] weight -> back to signal or fetch
 *                                 | empty
 *                                 +-> [flush ->] [return ->] [spin ->] enable -> re-check [-> re-scan] -> end
 *
 * Three ways out leave notifications off: too many pending (the older limit), a full socket, and the weight. Only
 * the last one queues the work again; the others rely on a completion, or on the socket becoming writable.
 */
#include "models/vhost_tx.h"

#include <inttypes.h>
#include <string.h>

#include "models/guest.h"
#include "models/indirect.h"
#include "models/memory.h"
#include "models/nic.h"
#include "models/virtqueue.h"
#include "sim/engine/assert.h"

static void disable_notify(struct vhost_tx *tx, sim_time now)
{
    if (virtqueue_disable_notify(tx->vq)) {
        memory_host_write_ring(tx->memory, now, virtqueue_addr_notify(tx->vq));
    }
}

static sim_time run(struct vhost_tx *tx, sim_time now)
{
    tx->counts.runs++;
    vhost_work_begin(&tx->work, now);
    tx->by_poll = tx->queued_by_poll;
    tx->queued_by_poll = false;
    tx->found = tx->spun = false;
    tx->bytes = 0;
    tx->packets = 0;
    disable_notify(tx, now);
    tx->pc = vhost_tx_loop(tx);
    return vhost_worker_spend(tx->worker, now, tx->config.run);
}

/* ---- used entries ---- */

static void put_used(struct vhost_tx *tx, sim_time now, uint16_t id)
{
    memory_host_write(tx->memory, now, virtqueue_addr_put_used(tx->vq), 8);
    virtqueue_put_used(tx->vq, id);
}

static void move_used(struct vhost_tx *tx, sim_time now)
{
    uint32_t at = virtqueue_addr_publish_used(tx->vq);

    virtqueue_publish_used(tx->vq);
    memory_host_write_ring(tx->memory, now, at);
}

/* What it costs. */
static sim_time call(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    tx->counts.calls++;
    guest_on_call(tx->guest, sim, now, GUEST_VECTOR_TX);
    return tx->notify.call;
}

/* Of writing them, moving the index and reading whether to signal. */
static sim_time entries_cost(struct vhost_tx *tx, uint32_t count)
{
    sim_time cost = (sim_time)count * tx->config.used_entry;

    cost += vhost_tx_accesses(tx, 3); /* the entries as one block, the index, whether to signal */
    return cost + memory_host_read_ring(tx->memory, virtqueue_addr_callbacks(tx->vq));
}

/* Makes the entries visible and signals when asked to; what that costs. */
static sim_time publish(struct vhost_tx *tx, struct sim *sim, sim_time now, uint32_t count)
{
    sim_time cost;

    move_used(tx, now);
    cost = entries_cost(tx, count);
    return virtqueue_call_needed(tx->vq) ? cost + call(tx, sim, now) : cost;
}

/* Returns the completed entries that follow each other; where the array ends, in two pieces. */
static sim_time signal(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    sim_time cost = 0;

    while (ubuf_has_returnable(&tx->ubuf)) {
        uint32_t count = ubuf_returnable(&tx->ubuf);

        for (uint32_t i = 0; i < count; i++) {
            struct ubuf_entry entry = ubuf_return(&tx->ubuf);

            put_used(tx, now, entry.id);
            histogram_add(&tx->completion, (uint64_t)(now - entry.completed), 1);
        }
        cost += publish(tx, sim, now, count);
        tx->found = true;
    }
    tx->pc = VHOST_TX_FETCH;
    if (tx->config.zcopy_limit == UBUF_LIMIT_EQUAL &&
        ubuf_over_limit(&tx->ubuf, UBUF_LIMIT_EQUAL, tx->vq->config.size)) {
        tx->counts.limited++;
        tx->pc = VHOST_TX_END;
    }
    return vhost_worker_spend(tx->worker, now, cost);
}

static sim_time return_copied(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    uint32_t count = tx->done_count;

    vhost_tx_deliver_batch(tx, sim, now);
    for (uint32_t i = 0; i < count; i++) {
        put_used(tx, now, tx->done[i]);
    }
    tx->done_count = 0;
    if (tx->config.call_window > 0) {
        tx->calls = virtqueue_call_needed_early(tx->vq);
        tx->pc = VHOST_TX_MOVE;
        return vhost_worker_spend(tx->worker, now,
                                  tx->config.call_window + entries_cost(tx, count));
    }
    tx->pc = tx->after_return;
    return vhost_worker_spend(tx->worker, now, publish(tx, sim, now, count));
}

/* By what the guest asked for a while ago. */
static sim_time move(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    move_used(tx, now);
    tx->pc = tx->after_return;
    return vhost_worker_spend(tx->worker, now, tx->calls ? call(tx, sim, now) : 0);
}

/* ---- the ring is empty ---- */

/* Work that was queued meanwhile ends the run, a packet goes on with it, else it asks for kicks. */
static sim_time spun(struct vhost_tx *tx, sim_time now)
{
    vhost_worker_end_spin(tx->worker, now);
    if (vhost_worker_has_work(tx->worker, now)) {
        vhost_work_requeue(&tx->work, now);
        tx->pc = VHOST_TX_END;
    } else if (virtqueue_refresh_avail(tx->vq) > 0) {
        tx->pc = vhost_tx_loop(tx);
    } else {
        tx->pc = VHOST_TX_ENABLE;
        return vhost_worker_spend(tx->worker, now, tx->config.enable / 2);
    }
    return now;
}

static sim_time empty(struct vhost_tx *tx, sim_time now, sim_time cost)
{
    bool spins = tx->config.busyloop > 0 && !tx->spun;

    if (tx->done_count > 0 && (spins || tx->config.flush_order == VHOST_FLUSH_BEFORE_ENABLE)) {
        vhost_tx_flush_then(tx, VHOST_TX_FETCH);
        return vhost_worker_spend(tx->worker, now, cost);
    }
    if (spins) {
        tx->spun = true;
        tx->pc = VHOST_TX_SPUN;
        now = vhost_worker_spend(tx->worker, now, cost);
        return vhost_worker_begin_spin(tx->worker, now, now + tx->config.busyloop);
    }
    /* The way to the store takes time: the window in which a packet can be published that only the
     * re-check finds. */
    tx->pc = VHOST_TX_ENABLE;
    return vhost_worker_spend(tx->worker, now, cost + tx->config.enable / 2);
}

static sim_time enable(struct vhost_tx *tx, sim_time now)
{
    if (virtqueue_enable_notify(tx->vq)) {
        memory_host_write_ring(tx->memory, now, virtqueue_addr_notify(tx->vq));
    }
    tx->pc = VHOST_TX_RECHECK;
    return vhost_worker_spend(tx->worker, now,
                              tx->config.enable - tx->config.enable / 2 + vhost_tx_accesses(tx, 1));
}

static sim_time recheck(struct vhost_tx *tx, sim_time now)
{
    sim_time cost = 0;

    if (tx->config.recheck) {
        cost = memory_host_read_ring(tx->memory, virtqueue_addr_refresh(tx->vq)) +
               vhost_tx_accesses(tx, 1);
        if (virtqueue_refresh_avail(tx->vq) > 0) {
            disable_notify(tx, now);
            tx->pc = vhost_tx_loop(tx);
            return vhost_worker_spend(tx->worker, now, cost);
        }
    }
    vhost_tx_flush_then(tx, tx->config.zerocopy && tx->config.zcopy_rescan ? VHOST_TX_RESCAN : VHOST_TX_END);
    return vhost_worker_spend(tx->worker, now, cost);
}

/* A completion that came between the last scan and the enabling saw notifications off and was silent. */
static sim_time rescan(struct vhost_tx *tx, sim_time now)
{
    tx->pc = VHOST_TX_END;
    if (ubuf_has_returnable(&tx->ubuf)) {
        disable_notify(tx, now);
        tx->pc = VHOST_TX_SIGNAL;
    }
    return now;
}

/* ---- a packet ---- */

/* The lines of the request that was taken last, its table included. */
static sim_time read_request(struct vhost_tx *tx, sim_time now, const struct virtqueue_request *request)
{
    struct virtqueue *vq = tx->vq;
    uint16_t at = virtqueue_taken_head(vq, request);
    sim_time cost = memory_host_read_ring(tx->memory, virtqueue_addr_desc(vq, at));

    /* The entry of the avail ring and its descriptors; a table is copied as one block. */
    cost += vhost_tx_accesses(tx, 1 + request->count);
    for (uint32_t i = 1; i < request->count; i++) {
        at = virtqueue_chain_next(vq, at);
        cost += memory_host_read_ring(tx->memory, virtqueue_addr_desc(vq, at));
    }
    if (request->table != VIRTQUEUE_DIRECT) {
        cost += indirect_read(tx->tables, request->table, request->sg, now) + vhost_tx_accesses(tx, 1);
        cost += host_socket_is_split(&tx->socket) ? tx->socket.config.table_fetch : 0;
    }
    return cost;
}

static sim_time fetch(struct vhost_tx *tx, sim_time now)
{
    const struct virtqueue_request *request;
    sim_time cost = 0;

    if (virtqueue_avail_seen(tx->vq) == 0) {
        cost = memory_host_read_ring(tx->memory, virtqueue_addr_refresh(tx->vq)) +
               vhost_tx_accesses(tx, 1);
        if (virtqueue_refresh_avail(tx->vq) == 0) {
            return empty(tx, now, cost);
        }
    }
    tx->found = true;
    cost += memory_host_read_ring(tx->memory, virtqueue_addr_take(tx->vq));
    request = virtqueue_take(tx->vq);
    cost += read_request(tx, now, request);
    tx->sending = true;
    tx->id = request->id;
    tx->slot = request->packet;
    tx->size = tx->guest->packet[tx->slot].size;
    cost += vhost_tx_prepare(tx);
    return vhost_worker_spend(tx->worker, now, cost);
}

/* ---- a step ---- */

static sim_time end(struct vhost_tx *tx, sim_time now)
{
    tx->counts.empty_runs += tx->found ? 0 : 1;
    tx->counts.polls_useful += tx->by_poll && tx->found ? 1 : 0;
    tx->pc = VHOST_TX_RUN;
    return vhost_worker_end_run(tx->worker, now);
}

static sim_time step(struct vhost_tx *tx, struct sim *sim, sim_time now)
{
    switch (tx->pc) {
    case VHOST_TX_RUN:
        return run(tx, now);
    case VHOST_TX_SIGNAL:
        return signal(tx, sim, now);
    case VHOST_TX_FETCH:
        return fetch(tx, now);
    case VHOST_TX_CALL:
        return vhost_tx_call(tx, now);
    case VHOST_TX_SEND:
        return vhost_tx_send(tx, sim, now);
    case VHOST_TX_FLUSH:
        return vhost_tx_flush(tx, now);
    case VHOST_TX_RETURN:
        return return_copied(tx, sim, now);
    case VHOST_TX_MOVE:
        return move(tx, sim, now);
    case VHOST_TX_ENABLE:
        return enable(tx, now);
    case VHOST_TX_RECHECK:
        return recheck(tx, now);
    case VHOST_TX_RESCAN:
        return rescan(tx, now);
    case VHOST_TX_SPUN:
        return spun(tx, now);
    case VHOST_TX_END:
        return end(tx, now);
    }
    __builtin_unreachable();
}

sim_time vhost_tx_step(struct vhost_work *work, struct sim *sim, sim_time now)
{
    struct vhost_tx *tx = container_of(work, struct vhost_tx, work);

    do {
        now = step(tx, sim, now);
    } while (vhost_worker_goes_on(tx->worker, sim, now));
    return now;
}

/* ---- life ---- */

void vhost_tx_check(const struct vhost_tx *tx, sim_time now)
{
    uint32_t taken = 0, inside = tx->done_count;

    for (uint32_t id = 0; id < tx->vq->config.size; id++) {
        taken += tx->vq->request[id].stage == VIRTQUEUE_TAKEN ? 1 : 0;
    }
    inside += ubuf_pending(&tx->ubuf) + (tx->sending && tx->index == NIC_COPIED ? 1 : 0);
    sim_assert(taken == inside, now, "%" PRIu32 " requests taken, %" PRIu32 " known", taken, inside);
    ubuf_check(&tx->ubuf, now);
}

void vhost_tx_init(struct vhost_tx *tx, const struct vhost_config *config,
                   const struct notify_config *notify, double jitter_cv, uint64_t seed,
                   uint32_t replication)
{
    memset(tx, 0, sizeof *tx);
    tx->config = *config;
    tx->notify = *notify;
    tx->jitter_cv = jitter_cv;
    stream_init(&tx->jitter, seed, replication, "vhost.packet");
    stream_init(&tx->failure, seed, replication, "vhost.failure");
    ubuf_init(&tx->ubuf);
}
