/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every invariant of a virtqueue. The marks say, for each descriptor or id, what was found there:
 * free list and chains together must name each exactly once.
 */
#include "models/virtqueue_layout.h"

#include <string.h>

#include "sim/engine/assert.h"

/* What the requests that are under way add up to, by stage. */
struct census {
    uint32_t requests[4];
    uint32_t descriptors[4];
};

static void mark_once(const struct virtqueue *vq, uint16_t i, const char *what)
{
    sim_assert(i < vq->config.size, 0, "%s names descriptor %u of %u", what, i, vq->config.size);
    sim_assert(vq->mark[i] == 0, 0, "%s names descriptor %u, which is named before", what, i);
    vq->mark[i] = 1;
}

/* free + out = size, and nothing is named twice. */
static void check_lists(const struct virtqueue *vq, struct census *census)
{
    uint32_t size = vq->config.size, out = 0, i = vq->driver.free_head;

    memset(vq->mark, 0, size);
    for (uint32_t n = 0; n < vq->driver.num_free; n++) {
        mark_once(vq, (uint16_t)i, "free list");
        sim_assert(vq->request[i].stage == VIRTQUEUE_FREE, 0, "free id %u is outstanding", i);
        i = vq->next[i];
    }
    for (uint32_t id = 0; id < size; id++) {
        const struct virtqueue_request *r = &vq->request[id];
        uint16_t at = r->id;

        if (r->stage == VIRTQUEUE_FREE) {
            continue;
        }
        sim_assert(at == id && r->count >= 1, 0, "request %u has id %u, count %u", id, at,
                   r->count);
        sim_assert(r->table == VIRTQUEUE_DIRECT ? r->count == r->sg : r->count == 1, 0,
                   "request %u: %u buffers in %u descriptors", id, r->sg, r->count);
        for (uint32_t n = 1; n < r->count; n++) {
            mark_once(vq, at, "chain");
            at = vq->next[at];
        }
        mark_once(vq, at, "chain");
        sim_assert(at == r->last, 0, "chain of %u ends at %u, not at %u", id, at, r->last);
        census->requests[r->stage]++;
        census->descriptors[r->stage] += r->count;
        out += r->count;
    }
    sim_assert(vq->driver.num_free + out == size, 0, "%u free and %u out of %u descriptors",
               vq->driver.num_free, out, size);
    sim_assert(census->requests[VIRTQUEUE_ADDED] + census->requests[VIRTQUEUE_TAKEN] +
                       census->requests[VIRTQUEUE_USED] ==
                   vq->driver.outstanding,
               0, "%u requests are counted as outstanding", vq->driver.outstanding);
}

/* The entries of a ring between two indices name requests of that stage, each once. */
static void check_entries(const struct virtqueue *vq, const uint16_t *ring, uint16_t from,
                          uint16_t to, enum virtqueue_stage stage)
{
    memset(vq->mark, 0, vq->config.size);
    for (uint16_t i = from; i != to; i++) {
        uint16_t id = ring[i & vq->mask];

        mark_once(vq, id, "ring entry");
        sim_assert(vq->request[id].stage == stage, 0, "entry %u names id %u in stage %u", i, id,
                   vq->request[id].stage);
    }
}

static void check_split(const struct virtqueue *vq, const struct census *census)
{
    const struct virtqueue_driver *driver = &vq->driver;
    const struct virtqueue_device *device = &vq->device;
    const struct virtqueue_shared *shared = &vq->shared;
    uint16_t avail = driver->avail, seen = (uint16_t)(device->avail_seen - device->last_avail);
    uint16_t waiting = (uint16_t)(avail - device->last_avail);
    uint16_t taken = (uint16_t)(device->last_avail - device->used);
    uint16_t used = (uint16_t)(device->used - driver->last_used);

    sim_assert((uint16_t)(avail - driver->last_used) <= vq->config.size, 0,
               "avail %u is more than a ring ahead of last used %u", avail, driver->last_used);
    sim_assert(waiting == census->requests[VIRTQUEUE_ADDED], 0, "%u requests wait, indices say %u",
               census->requests[VIRTQUEUE_ADDED], waiting);
    sim_assert(taken == census->requests[VIRTQUEUE_TAKEN], 0, "%u requests taken, indices say %u",
               census->requests[VIRTQUEUE_TAKEN], taken);
    sim_assert(used == census->requests[VIRTQUEUE_USED], 0, "%u requests used, indices say %u",
               census->requests[VIRTQUEUE_USED], used);
    sim_assert(shared->avail_idx == (uint16_t)(avail - driver->unpublished), 0,
               "avail.idx %u, shadow %u, unpublished %d", shared->avail_idx, avail,
               driver->unpublished);
    sim_assert(shared->used_idx == (uint16_t)(device->used - device->unpublished), 0,
               "used.idx %u, shadow %u, unpublished %u", shared->used_idx, device->used,
               device->unpublished);
    sim_assert(seen <= (uint16_t)(shared->avail_idx - device->last_avail), 0,
               "device saw %u requests of %u", seen, waiting);
    if (vq->config.event_idx) {
        sim_assert(shared->avail_flags == 0 && shared->used_flags == 0, 0,
                   "flags %u and %u under event index", shared->avail_flags, shared->used_flags);
    } else {
        sim_assert(shared->avail_flags == driver->cb_shadow, 0, "avail.flags %u, shadow %u",
                   shared->avail_flags, driver->cb_shadow);
        sim_assert(shared->used_flags == device->notify_shadow, 0, "used.flags %u, shadow %u",
                   shared->used_flags, device->notify_shadow);
    }
    check_entries(vq, shared->avail_ring, device->last_avail, avail, VIRTQUEUE_ADDED);
    check_entries(vq, shared->used_ring, driver->last_used, device->used, VIRTQUEUE_USED);
}

/* Two packed positions are `count` apart, wrap counters included. */
static void check_distance(const struct virtqueue *vq, const char *what, uint16_t from,
                           bool from_wrap, uint32_t count, uint16_t to, bool to_wrap)
{
    uint16_t position;

    sim_assert(count <= vq->config.size, 0, "%s: %u descriptors", what, count);
    position = virtqueue_packed_advance(vq, from, count, &from_wrap);
    sim_assert(position == to && from_wrap == to_wrap, 0,
               "%s: %u descriptors on is %u/%d, not %u/%d", what, count, position, from_wrap, to,
               to_wrap);
}

/* Walks what the driver has not read and what the device has not taken, by the flags alone. */
static void check_packed_ring(const struct virtqueue *vq, const struct census *census)
{
    const struct virtqueue_packed_desc *desc = vq->shared.desc;
    uint16_t at = vq->driver.last_used;
    bool wrap = vq->driver.used_wrap;
    uint32_t n = 0;

    memset(vq->mark, 0, vq->config.size);
    while (n < vq->config.size && virtqueue_packed_is_used(vq, at, wrap)) {
        mark_once(vq, desc[at].id, "used descriptor");
        n += vq->request[desc[at].id].count;
        at = virtqueue_packed_advance(vq, at, vq->request[desc[at].id].count, &wrap);
    }
    sim_assert(vq->device.unpublished > 0
                   ? n + vq->device.unpublished == census->descriptors[VIRTQUEUE_USED]
                   : n == census->descriptors[VIRTQUEUE_USED],
               0, "%u used descriptors are visible, %u unpublished, of %u", n,
               vq->device.unpublished, census->descriptors[VIRTQUEUE_USED]);
    at = vq->device.last_avail;
    wrap = vq->device.avail_wrap;
    n = 0;
    while (n < vq->config.size &&
           (desc[at].flags & VIRTQUEUE_DESC_STATE) == virtqueue_desc_avail_flags(wrap)) {
        mark_once(vq, desc[at].id, "available descriptor");
        n += vq->request[desc[at].id].count;
        at = virtqueue_packed_advance(vq, at, vq->request[desc[at].id].count, &wrap);
    }
    n += vq->driver.unpublished ? vq->request[desc[vq->driver.head].id].count : 0;
    sim_assert(n == census->descriptors[VIRTQUEUE_ADDED], 0, "%u descriptors are available, not %u",
               n, census->descriptors[VIRTQUEUE_ADDED]);
}

static void check_packed(const struct virtqueue *vq, const struct census *census)
{
    const struct virtqueue_driver *driver = &vq->driver;
    const struct virtqueue_device *device = &vq->device;

    check_distance(vq, "used entries", driver->last_used, driver->used_wrap,
                   census->descriptors[VIRTQUEUE_USED], device->used, device->used_wrap);
    check_distance(vq, "taken requests", device->used, device->used_wrap,
                   census->descriptors[VIRTQUEUE_TAKEN], device->last_avail, device->avail_wrap);
    check_distance(vq, "waiting requests", device->last_avail, device->avail_wrap,
                   census->descriptors[VIRTQUEUE_ADDED], driver->avail, driver->avail_wrap);
    sim_assert(vq->shared.driver_event.flags == driver->cb_shadow, 0, "driver event %u, shadow %u",
               vq->shared.driver_event.flags, driver->cb_shadow);
    sim_assert(vq->shared.device_event.flags == device->notify_shadow, 0,
               "device event %u, shadow %u", vq->shared.device_event.flags, device->notify_shadow);
    sim_assert(!device->seen || census->requests[VIRTQUEUE_ADDED] > 0, 0,
               "device saw a request and none waits");
    check_packed_ring(vq, census);
}

void virtqueue_check(const struct virtqueue *vq)
{
    struct census census = {{0}, {0}};

    check_lists(vq, &census);
    if (vq->config.layout == VIRTQUEUE_SPLIT) {
        check_split(vq, &census);
    } else {
        check_packed(vq, &census);
    }
}
