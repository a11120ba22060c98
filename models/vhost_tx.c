/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The transmit handler. One loop for both ways of sending and both eras:
 *
 *   run -> [signal -> limit ->] fetch -> send -> [return ->] weight -> back to signal or fetch
 *                                 | empty
 *                                 +-> [return ->] [spin ->] enable -> re-check [-> re-scan] -> end
 *
 * Three ways out leave notifications off: too many pending (the older limit), a full socket, and the weight. Only
 * the last one queues the work again; the others rely on a completion, or on the socket becoming writable.
 */
#include "models/guest.h"
#include "models/indirect.h"
#include "models/nic.h"
#include "models/vhost.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static void disable_notify(struct vhost *v, sim_time now)
{
    if (virtqueue_disable_notify(v->vq)) {
        memory_host_write_ring(v->memory, now, virtqueue_addr_notify(v->vq));
    }
}

/* Where the loop begins. */
static enum vhost_pc loop(const struct vhost *v)
{
    return v->config.zerocopy ? VHOST_SIGNAL : VHOST_FETCH;
}

static sim_time run(struct vhost *v, sim_time now)
{
    v->counts.runs++;
    v->queued = false;
    v->by_poll = v->queued_by_poll;
    v->queued_by_poll = false;
    if (v->kick_due <= now) {
        v->kick_due = SIM_NEVER;
    }
    v->found = v->spun = false;
    v->bytes = 0;
    v->packets = 0;
    disable_notify(v, now);
    v->pc = loop(v);
    return vhost_spend(v, now, v->config.run);
}

/* ---- used entries ---- */

static void put_used(struct vhost *v, sim_time now, uint16_t id)
{
    memory_host_write(v->memory, now, virtqueue_addr_put_used(v->vq), 8);
    virtqueue_put_used(v->vq, id);
}

/* Makes the entries visible and signals when asked to; what that costs. */
static sim_time publish(struct vhost *v, struct sim *sim, sim_time now, uint32_t count)
{
    sim_time cost = (sim_time)count * v->config.used_entry;
    uint32_t at = virtqueue_addr_publish_used(v->vq);

    virtqueue_publish_used(v->vq);
    memory_host_write_ring(v->memory, now, at);
    cost += memory_host_read_ring(v->memory, virtqueue_addr_callbacks(v->vq));
    if (virtqueue_call_needed(v->vq)) {
        v->counts.calls++;
        guest_on_call(v->guest, sim, now, GUEST_VECTOR_TX);
        cost += v->notify.call;
    }
    return cost;
}

/* Returns the completed entries that follow each other; where the array ends, in two pieces. */
static sim_time signal(struct vhost *v, struct sim *sim, sim_time now)
{
    sim_time cost = 0;
    uint32_t count;

    while ((count = ubuf_returnable(&v->ubuf)) > 0) {
        for (uint32_t i = 0; i < count; i++) {
            struct ubuf_entry entry = ubuf_return(&v->ubuf);

            put_used(v, now, entry.id);
            histogram_add(&v->completion, (uint64_t)(now - entry.completed), 1);
        }
        cost += publish(v, sim, now, count);
        v->found = true;
    }
    v->pc = VHOST_FETCH;
    if (v->config.zcopy_limit == UBUF_LIMIT_EQUAL &&
        ubuf_over_limit(&v->ubuf, UBUF_LIMIT_EQUAL, v->vq->config.size)) {
        v->counts.limited++;
        v->pc = VHOST_END;
    }
    return vhost_spend(v, now, cost);
}

static sim_time return_copied(struct vhost *v, struct sim *sim, sim_time now)
{
    uint32_t count = v->done_count;

    for (uint32_t i = 0; i < count; i++) {
        put_used(v, now, v->done[i]);
    }
    v->done_count = 0;
    v->pc = v->after_return;
    return vhost_spend(v, now, publish(v, sim, now, count));
}

/* Goes on at pc, after the used entries that still wait. */
static void flush_then(struct vhost *v, enum vhost_pc pc)
{
    v->after_return = pc;
    v->pc = v->done_count > 0 ? VHOST_RETURN : pc;
}

/* ---- the ring is empty ---- */

static sim_time begin_spin(struct vhost *v, sim_time now)
{
    v->spun = v->spinning = true;
    v->spin_since = now;
    v->spin_end = now + v->config.busyloop;
    v->pc = VHOST_SPUN;
    if (v->queued || v->kick_due <= now) {
        return now;
    }
    return v->kick_due < v->spin_end ? v->kick_due : v->spin_end;
}

/* Work that was queued meanwhile ends the run, a packet goes on with it, else it asks for kicks. */
static sim_time spun(struct vhost *v, sim_time now)
{
    v->spinning = false;
    vhost_spend(v, v->spin_since, now - v->spin_since);
    if (v->queued || v->kick_due <= now) {
        v->queued = true;
        v->pc = VHOST_END;
    } else if (virtqueue_refresh_avail(v->vq) > 0) {
        v->pc = loop(v);
    } else {
        v->pc = VHOST_ENABLE;
        return vhost_spend(v, now, v->config.enable / 2);
    }
    return now;
}

static sim_time empty(struct vhost *v, sim_time now, sim_time cost)
{
    if (v->done_count > 0) {
        flush_then(v, VHOST_FETCH);
        return vhost_spend(v, now, cost);
    }
    if (v->config.busyloop > 0 && !v->spun) {
        return begin_spin(v, vhost_spend(v, now, cost));
    }
    /* The way to the store takes time: the window in which a packet can be published that only the
     * re-check finds. */
    v->pc = VHOST_ENABLE;
    return vhost_spend(v, now, cost + v->config.enable / 2);
}

static sim_time enable(struct vhost *v, sim_time now)
{
    if (virtqueue_enable_notify(v->vq)) {
        memory_host_write_ring(v->memory, now, virtqueue_addr_notify(v->vq));
    }
    v->pc = VHOST_RECHECK;
    return vhost_spend(v, now, v->config.enable - v->config.enable / 2);
}

static sim_time recheck(struct vhost *v, sim_time now)
{
    sim_time cost = 0;

    if (v->config.recheck) {
        cost = memory_host_read_ring(v->memory, virtqueue_addr_refresh(v->vq));
        if (virtqueue_refresh_avail(v->vq) > 0) {
            disable_notify(v, now);
            v->pc = loop(v);
            return vhost_spend(v, now, cost);
        }
    }
    v->pc = v->config.zerocopy && v->config.zcopy_rescan ? VHOST_RESCAN : VHOST_END;
    return vhost_spend(v, now, cost);
}

/* A completion that came between the last scan and the enabling saw notifications off and was silent. */
static sim_time rescan(struct vhost *v, sim_time now)
{
    v->pc = VHOST_END;
    if (ubuf_returnable(&v->ubuf) > 0) {
        disable_notify(v, now);
        v->pc = VHOST_SIGNAL;
    }
    return now;
}

/* ---- a packet ---- */

/* The lines of the request that was taken last, its table included. */
static sim_time read_request(struct vhost *v, sim_time now, const struct virtqueue_request *request)
{
    struct virtqueue *vq = v->vq;
    uint16_t at = virtqueue_taken_head(vq, request);
    sim_time cost = memory_host_read_ring(v->memory, virtqueue_addr_desc(vq, at));

    for (uint32_t i = 1; i < request->count; i++) {
        at = virtqueue_chain_next(vq, at);
        cost += memory_host_read_ring(v->memory, virtqueue_addr_desc(vq, at));
    }
    if (request->table != VIRTQUEUE_DIRECT) {
        cost += indirect_read(v->tables, request->table, request->sg, now);
    }
    return cost;
}

static bool sends_zerocopy(struct vhost *v)
{
    const struct vhost_config *c = &v->config;

    if (!c->zerocopy || v->size < c->goodcopy_bytes || !ubuf_has_room(&v->ubuf) ||
        !ubuf_selects(&v->ubuf)) {
        return false;
    }
    if (c->zcopy_limit == UBUF_LIMIT_ABOVE &&
        ubuf_over_limit(&v->ubuf, UBUF_LIMIT_ABOVE, v->vq->config.size)) {
        v->counts.limited++;
        return false;
    }
    return true;
}

static sim_time fetch(struct vhost *v, sim_time now)
{
    const struct vhost_config *c = &v->config;
    const struct virtqueue_request *request;
    sim_time cost = 0;

    if (virtqueue_avail_seen(v->vq) == 0) {
        cost = memory_host_read_ring(v->memory, virtqueue_addr_refresh(v->vq));
        if (virtqueue_refresh_avail(v->vq) == 0) {
            return empty(v, now, cost);
        }
    }
    v->found = true;
    cost += memory_host_read_ring(v->memory, virtqueue_addr_take(v->vq));
    request = virtqueue_take(v->vq);
    cost += read_request(v, now, request);
    cost += law_jitter(&v->jitter, c->packet, v->jitter_cv);
    v->sending = true;
    v->id = request->id;
    v->slot = request->packet;
    v->size = v->guest->packet[v->slot].size;
    if (sends_zerocopy(v)) {
        v->index = ubuf_begin(&v->ubuf, v->id);
        cost += c->pin;
    } else {
        v->index = NIC_COPIED;
        cost += c->copy + c->copy_byte * v->size;
    }
    v->pc = VHOST_SEND;
    return vhost_spend(v, now, cost);
}

/* The socket is full: the request goes back, and the run ends with notifications off. */
static sim_time socket_full(struct vhost *v, sim_time now)
{
    if (v->index != NIC_COPIED) {
        ubuf_cancel(&v->ubuf);
    }
    virtqueue_untake(v->vq, v->id);
    v->counts.socket_full++;
    v->waits_socket = v->config.rearm;
    flush_then(v, VHOST_END);
    return now;
}

static bool over_weight(const struct vhost *v)
{
    const struct vhost_config *c = &v->config;

    return (c->weight_bytes > 0 && v->bytes >= c->weight_bytes) ||
           (c->weight_packets > 0 && v->packets >= c->weight_packets);
}

static sim_time send(struct vhost *v, struct sim *sim, sim_time now)
{
    enum vhost_pc next = loop(v);
    uint32_t batch = v->config.zerocopy ? 1 : v->config.batch;

    v->sending = false;
    if (!nic_has_room(v->nic)) {
        return socket_full(v, now);
    }
    nic_send(v->nic, sim, now, v->size, v->index);
    guest_on_delivered(v->guest, v->slot, now);
    v->bytes += v->size;
    v->packets++;
    if (v->index == NIC_COPIED) {
        v->counts.copied++;
        v->done[v->done_count++] = v->id;
    } else {
        v->counts.zerocopy++;
    }
    ubuf_count_packet(&v->ubuf);
    if (over_weight(v)) {
        v->queued = true;
        flush_then(v, VHOST_END);
    } else if (v->done_count >= batch) {
        flush_then(v, next);
    } else {
        v->pc = next;
    }
    return now;
}

sim_time vhost_tx_step(struct vhost *v, struct sim *sim, sim_time now)
{
    switch (v->pc) {
    case VHOST_RUN:
        return run(v, now);
    case VHOST_SIGNAL:
        return signal(v, sim, now);
    case VHOST_FETCH:
        return fetch(v, now);
    case VHOST_SEND:
        return send(v, sim, now);
    case VHOST_RETURN:
        return return_copied(v, sim, now);
    case VHOST_ENABLE:
        return enable(v, now);
    case VHOST_RECHECK:
        return recheck(v, now);
    case VHOST_RESCAN:
        return rescan(v, now);
    case VHOST_SPUN:
        return spun(v, now);
    case VHOST_END:
        return vhost_end_run(v, now);
    }
    __builtin_unreachable();
}
