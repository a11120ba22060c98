/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/backend.h"

#include <stdlib.h>
#include <string.h>

#include "models/guest.h"
#include "models/indirect.h"
#include "models/peer.h"
#include "models/vhost.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static bool polls(const struct backend *b)
{
    return b->config.type != BACKEND_KICKED && b->config.type != BACKEND_VHOST;
}

/* ---- requests that are done ---- */

/* A place of the two rings below. */
static uint32_t place(const struct backend *b, uint32_t i)
{
    return i & b->done_mask;
}

/* The request in hand was sent: the guest and the peer hear of it. */
static void finish_packet(struct backend *b, struct sim *sim, sim_time now)
{
    if (!b->working) {
        return;
    }
    b->working = false;
    guest_on_delivered(b->guest, b->working_slot, now);
    peer_on_delivered(b->peer, sim, now);
    sim_assert(b->done_count <= b->done_mask, now, "more requests done than the ring holds");
    b->done[place(b, b->done_head + b->done_count)] = b->working_id;
    b->done_count++;
    b->open_burst++;
}

/* Writes used entries of the oldest requests, makes them visible, and signals when asked to.
 * Returns what the signal costs. */
static sim_time return_burst(struct backend *b, struct sim *sim, sim_time now, uint32_t count)
{
    struct virtqueue *vq = b->vq;
    struct memory *memory = b->memory;
    uint32_t at;

    for (uint32_t i = 0; i < count; i++) {
        memory_host_write(memory, now, virtqueue_addr_put_used(vq), 8);
        virtqueue_put_used(vq, b->done[b->done_head]);
        b->done_head = place(b, b->done_head + 1);
    }
    b->done_count -= count;
    at = virtqueue_addr_publish_used(vq);
    virtqueue_publish_used(vq);
    memory_host_write_ring(memory, now, at);
    memory_host_read_ring(memory, virtqueue_addr_callbacks(vq));
    if (!virtqueue_call_needed(vq)) {
        return 0;
    }
    b->calls++;
    guest_on_call(b->guest, sim, now, GUEST_VECTOR_TX);
    return b->notify.call;
}

static sim_time completion_step(struct actor *actor, struct sim *sim)
{
    struct backend *b = container_of(actor, struct backend, completion);

    return_burst(b, sim, sim->now, b->burst[b->burst_head].count);
    b->burst_head = place(b, b->burst_head + 1);
    b->burst_count--;
    return b->burst_count > 0 ? b->burst[b->burst_head].due : SIM_NEVER;
}

/* Hands the open burst to the device; bursts stay in order. */
static inline void complete_later(struct backend *b, struct sim *sim, sim_time now)
{
    sim_time read = b->reads_done > now ? b->reads_done : now;
    sim_time due = read + law_jitter(&b->delay, b->config.latency, b->jitter_cv);

    due = due > b->last_due ? due : b->last_due;
    b->last_due = due;
    b->burst[place(b, b->burst_head + b->burst_count)] = (struct backend_burst){due, b->open_burst};
    b->open_burst = 0;
    if (b->burst_count++ == 0) {
        sim_wake(sim, &b->completion, due);
    }
}

/* The burst is over: returned by the own CPU in a step of its own, or by the device later. True:
 * the CPU does it, and goes on at `then`. */
static bool close_burst(struct backend *b, struct sim *sim, sim_time now, enum backend_pc then)
{
    if (b->open_burst == 0) {
        return false;
    }
    if (b->config.latency > 0) {
        complete_later(b, sim, now);
        return false;
    }
    b->after_used = then;
    b->pc = BACKEND_USED;
    return true;
}

/* ---- the CPU ---- */

static sim_time spend(struct backend *b, sim_time now, sim_time cost)
{
    b->busy_total += cost;
    b->busy_until = now + cost;
    return b->busy_until;
}

static sim_time run(struct backend *b, sim_time now)
{
    b->runs++;
    b->found = false;
    if (b->kick_due <= now) {
        b->kick_due = SIM_NEVER; /* kicks up to the start of a run are one */
    }
    if (virtqueue_disable_notify(b->vq)) {
        memory_host_write_ring(b->memory, now, virtqueue_addr_notify(b->vq));
    }
    b->pc = BACKEND_LOOK;
    return spend(b, now, b->config.run);
}

/* Nothing to do: park until the driver publishes, or go to sleep until it kicks. */
static sim_time rest(struct backend *b, sim_time now)
{
    b->waiting = true;
    b->parked_at = now;
    if (b->config.type != BACKEND_KICKED) {
        b->pc = BACKEND_LOOK;
        return SIM_NEVER;
    }
    b->empty_runs += b->found ? 0 : 1;
    b->pc = BACKEND_RUN;
    if (b->kick_due != SIM_NEVER) {
        sim_time due = b->kick_due > now ? b->kick_due : now;

        b->waiting = false;
        b->kick_due = SIM_NEVER;
        b->wakeups++;
        return due + b->config.wake;
    }
    return SIM_NEVER;
}

static sim_time look(struct backend *b, struct sim *sim, sim_time now)
{
    sim_time cost = memory_host_read_ring(b->memory, virtqueue_addr_refresh(b->vq));
    uint32_t seen;

    b->waiting = false;
    seen = virtqueue_refresh_avail(b->vq);
    b->batch_left = seen < b->config.batch ? seen : b->config.batch;
    if (b->batch_left > 0) {
        b->found = true;
        b->pc = BACKEND_FETCH;
        return spend(b, now, cost);
    }
    if (close_burst(b, sim, now, BACKEND_LOOK)) {
        return spend(b, now, cost);
    }
    if (b->config.type != BACKEND_KICKED) {
        return rest(b, now);
    }
    /* The way to the store takes time, and that is the window in which a packet can be published
     * that only the re-check finds. */
    b->pc = BACKEND_ENABLE;
    return spend(b, now, cost + b->config.enable);
}

/* The descriptors of the request that was taken last. */
static sim_time read_descriptors(struct backend *b, const struct virtqueue_request *request)
{
    struct virtqueue *vq = b->vq;
    uint16_t at = virtqueue_taken_head(vq, request);
    sim_time cost = memory_host_read_ring(b->memory, virtqueue_addr_desc(vq, at));

    for (uint32_t i = 1; i < request->count; i++) {
        at = virtqueue_chain_next(vq, at);
        cost += memory_host_read_ring(b->memory, virtqueue_addr_desc(vq, at));
    }
    return cost;
}

/* dpu: waits for a place among the reads in flight, and leaves it taken until this request's reads have ended. A
 * chain is read by 64 bytes, a table at once but after its descriptor. Returns the wait. */
static sim_time read_over_pcie(struct backend *b, const struct virtqueue_request *request, sim_time now)
{
    sim_time *end = &b->read_end[b->read_next];
    uint32_t reads = ((uint32_t)request->count * VIRTQUEUE_DESC_BYTES + 63) / 64;
    sim_time wait = *end > now ? *end - now : 0;

    reads += request->table != VIRTQUEUE_DIRECT ? 1 : 0;
    *end = now + wait + (sim_time)reads * b->config.read;
    b->reads_done = *end > b->reads_done ? *end : b->reads_done;
    b->read_next = b->read_next + 1 == b->config.reads ? 0 : b->read_next + 1;
    return wait;
}

/* Ends the request before, then begins the next one; its lines are read now and it is done when its
 * cost has passed. */
static sim_time fetch(struct backend *b, struct sim *sim, sim_time now)
{
    const struct backend_config *c = &b->config;
    const struct virtqueue_request *request;
    const struct guest_packet *packet;
    sim_time cost;

    finish_packet(b, sim, now);
    if (b->open_burst >= c->publish && close_burst(b, sim, now, BACKEND_FETCH)) {
        return now;
    }
    if (b->batch_left == 0) {
        b->pc = BACKEND_LOOK;
        return now;
    }
    b->batch_left--;
    cost = memory_host_read_ring(b->memory, virtqueue_addr_take(b->vq));
    request = virtqueue_take(b->vq);
    packet = &b->guest->packet[request->packet];
    cost += read_descriptors(b, request);
    cost += c->ring_fetch + (request->sg - 1) * c->entry_fetch;
    if (request->table != VIRTQUEUE_DIRECT) {
        cost += c->table_fetch + indirect_read(b->tables, request->table, request->sg, now);
    }
    cost += law_jitter(&b->jitter, c->packet, b->jitter_cv) + c->byte * packet->size;
    if (c->type == BACKEND_DPU) {
        cost += read_over_pcie(b, request, now);
    }
    b->working = true;
    b->working_id = request->id;
    b->working_slot = request->packet;
    return spend(b, now, cost);
}

static sim_time enable(struct backend *b, sim_time now)
{
    if (virtqueue_enable_notify(b->vq)) {
        memory_host_write_ring(b->memory, now, virtqueue_addr_notify(b->vq));
    }
    b->pc = BACKEND_RECHECK;
    return now;
}

static sim_time recheck(struct backend *b, sim_time now)
{
    if (b->config.recheck && virtqueue_refresh_avail(b->vq) > 0) {
        if (virtqueue_disable_notify(b->vq)) {
            memory_host_write_ring(b->memory, now, virtqueue_addr_notify(b->vq));
        }
        b->pc = BACKEND_LOOK;
        return now;
    }
    return rest(b, now);
}

static sim_time step(struct backend *b, struct sim *sim, sim_time now)
{
    switch (b->pc) {
    case BACKEND_RUN:
        return run(b, now);
    case BACKEND_LOOK:
        return look(b, sim, now);
    case BACKEND_FETCH:
        return fetch(b, sim, now);
    case BACKEND_USED: {
        uint32_t count = b->open_burst;

        b->open_burst = 0;
        b->pc = b->after_used;
        return spend(b, now, return_burst(b, sim, now, count));
    }
    case BACKEND_ENABLE:
        return enable(b, now);
    case BACKEND_RECHECK:
        return recheck(b, now);
    }
    __builtin_unreachable();
}

static sim_time backend_step(struct actor *actor, struct sim *sim)
{
    struct backend *b = container_of(actor, struct backend, actor);
    sim_time next;

    do {
        next = step(b, sim, sim->now);
    } while (sim_goes_on(sim, next));
    return next;
}

/* ---- life ---- */

bool backend_init(struct backend *b, const struct backend_config *config,
                  const struct notify_config *notify, double jitter_cv, uint64_t seed,
                  uint32_t replication, uint32_t ring_size, struct error *error)
{
    memset(b, 0, sizeof *b);
    b->config = *config;
    b->notify = *notify;
    b->jitter_cv = jitter_cv;
    stream_init(&b->jitter, seed, replication, "backend.packet");
    stream_init(&b->delay, seed, replication, "backend.latency");
    b->actor = (struct actor){.step = backend_step, .next = SIM_NEVER};
    b->completion = (struct actor){.step = completion_step, .next = SIM_NEVER};
    b->kick_due = SIM_NEVER;
    b->waiting = true;
    while (b->done_mask < ring_size - 1) {
        b->done_mask = 2 * b->done_mask + 1;
    }
    b->done = calloc(b->done_mask + 1u, sizeof *b->done);
    b->burst = calloc(b->done_mask + 1u, sizeof *b->burst);
    b->read_end = calloc(config->reads, sizeof *b->read_end);
    return b->done && b->burst && b->read_end ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void backend_fini(struct backend *b)
{
    free(b->done);
    free(b->burst);
    free(b->read_end);
    memset(b, 0, sizeof *b);
}

void backend_start(struct backend *b)
{
    if (b->config.type == BACKEND_VHOST) {
        vhost_start(b->vhost); /* and this CPU never runs */
    } else if (polls(b)) {
        virtqueue_disable_notify(b->vq);
        b->pc = BACKEND_LOOK;
        /* A random phase of the polls against the guest. */
        b->parked_at = -(sim_time)stream_below(&b->delay, (uint64_t)b->config.poll_interval);
    } else {
        virtqueue_enable_notify(b->vq);
        b->pc = BACKEND_RUN;
    }
}

void backend_on_publish(struct backend *b, struct sim *sim, sim_time now)
{
    sim_time interval = b->config.poll_interval;

    if (b->config.type != BACKEND_KICKED && b->waiting) {
        sim_time polls = (now - b->parked_at + interval - 1) / interval;

        if (b->config.type == BACKEND_VHOST) {
            vhost_on_publish(b->vhost, sim, now);
        } else {
            sim_wake(sim, &b->actor, b->parked_at + polls * interval);
        }
    }
}

void backend_on_kick(struct backend *b, struct sim *sim, sim_time now)
{
    sim_time due = now + b->notify.kick_latency;

    if (b->config.type != BACKEND_KICKED) {
        if (b->config.type == BACKEND_VHOST) {
            vhost_on_kick(b->vhost, sim, now);
        }
        return;
    }
    if (b->waiting) {
        b->waiting = false;
        b->wakeups++;
        sim_wake(sim, &b->actor, due + b->config.wake);
    } else if (b->kick_due == SIM_NEVER) {
        b->kick_due = due;
    }
}

sim_time backend_work(const struct backend *b, sim_time now)
{
    return b->busy_total - (b->busy_until > now ? b->busy_until - now : 0);
}

sim_time backend_busy(const struct backend *b, sim_time now)
{
    return b->config.type != BACKEND_KICKED ? now : backend_work(b, now);
}
