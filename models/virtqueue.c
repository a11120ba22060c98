/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/virtqueue.h"

#include <stdlib.h>
#include <string.h>

#include "models/virtqueue_layout.h"
#include "sim/engine/assert.h"

/* ---- configuration ---- */

static const struct param_choice layouts[] = {
    {.name = "split", .help = "descriptor table, avail ring and used ring"},
    {.name = "packed", .help = "one descriptor ring for both directions"},
    {.name = NULL},
};

static const struct param_choice faults[] = {
    {.name = "none", .help = "as specified"},
    {.name = "no_calls", .help = "the device never signals used buffers"},
    {.name = "call_equal",
     .help = "event index: it signals when the last entry of a batch is the one asked for, not any of them"},
    {.name = "kick_no_wrap",
     .help = "event index: the driver compares indices as plain numbers, so that a kick is lost where they wrap"},
    {.name = NULL},
};

static const struct param rows[] = {
    {.path = "guest.tx_ring.size",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct virtqueue_config, size),
     .least = 2,
     .most = VIRTQUEUE_SIZE_MOST,
     .fallback = "256",
     .unit = "descriptors",
     .help = "descriptors of the transmit virtqueue"},
    {.path = "guest.tx_ring.layout",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct virtqueue_config, layout),
     .choices = layouts,
     .fallback = "split",
     .help = "memory layout of the transmit virtqueue"},
    {.path = "guest.tx_ring.indirect",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct virtqueue_config, indirect),
     .fallback = "true",
     .help = "requests of several buffers may use an indirect table"},
    {.path = "guest.tx_ring.event_idx",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct virtqueue_config, event_idx),
     .fallback = "true",
     .help = "notifications are suppressed by event index, not by flags"},
    {.path = "guest.tx_ring.start_index",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct virtqueue_config, start_index),
     .most = UINT16_MAX,
     .fallback = "0",
     .help = "where the indices begin: near 65535 they wrap at once; packed: descriptors, over laps"},
    {.path = "guest.tx_ring.fault",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct virtqueue_config, fault),
     .choices = faults,
     .fallback = "none",
     .help = "a mistake of driver or device, to see what it stops"},
};

static bool is_power_of_two(uint32_t n)
{
    return n != 0 && (n & (n - 1)) == 0;
}

static void check_config(const void *config, struct problems *problems)
{
    const struct virtqueue_config *c = config;

    if (c->layout == VIRTQUEUE_SPLIT && !is_power_of_two(c->size)) {
        problems_error(problems, "guest.tx_ring.size", "ring size must be a power of two, 2..%d",
                       VIRTQUEUE_SIZE_MOST);
    }
    if ((c->fault == VIRTQUEUE_CALL_EQUAL || c->fault == VIRTQUEUE_KICK_NO_WRAP) && !c->event_idx) {
        problems_warning(problems, "guest.tx_ring.fault",
                         "%s has no effect without guest.tx_ring.event_idx", faults[c->fault].name);
    }
}

const struct param_table virtqueue_params =
    PARAM_TABLE("virtqueue", struct virtqueue_config, rows, check_config);

/* ---- life ---- */

static uint32_t align_up(uint32_t offset)
{
    return (offset + VIRTQUEUE_ALIGN - 1) / VIRTQUEUE_ALIGN * VIRTQUEUE_ALIGN;
}

/* A modern PCI device's split rings are one area with the used ring on a cache line of its own; the
 * packed suppression structures are separate allocations, hence never on a common line. */
static void place(struct virtqueue *vq)
{
    uint32_t size = vq->config.size;

    if (vq->config.layout != VIRTQUEUE_PACKED) {
        vq->driver_at = VIRTQUEUE_DESC_BYTES * size;
        vq->device_at = align_up(vq->driver_at + 4 + 2 * size + 2);
        vq->bytes = vq->device_at + 4 + 8 * size + 2;
        vq->callbacks_at = vq->config.event_idx ? virtqueue_addr_used_event(vq) : vq->driver_at;
        vq->notify_at = vq->config.event_idx ? virtqueue_addr_avail_event(vq) : vq->device_at;
    } else {
        vq->driver_at = align_up(VIRTQUEUE_DESC_BYTES * size);
        vq->device_at = vq->driver_at + VIRTQUEUE_ALIGN;
        vq->bytes = vq->device_at + 4;
        vq->callbacks_at = vq->driver_at;
        vq->notify_at = vq->device_at;
    }
}

/* As after so many requests of one descriptor, all returned. */
static void start(struct virtqueue *vq)
{
    if (vq->config.layout == VIRTQUEUE_SPLIT) {
        virtqueue_split_start(vq, (uint16_t)vq->config.start_index);
    } else {
        virtqueue_packed_start(vq, vq->config.start_index);
    }
}

bool virtqueue_init(struct virtqueue *vq, const struct virtqueue_config *config,
                    struct error *error)
{
    uint32_t size = config->size;
    bool split = config->layout == VIRTQUEUE_SPLIT;

    memset(vq, 0, sizeof *vq);
    sim_assert(size >= 1 && size <= VIRTQUEUE_SIZE_MOST && (!split || is_power_of_two(size)), 0,
               "ring size %u", size);
    vq->config = *config;
    vq->mask = size - 1;
    place(vq);
    vq->next = calloc(size, sizeof *vq->next);
    vq->request = calloc(size, sizeof *vq->request);
    vq->mark = calloc(size, sizeof *vq->mark);
    vq->shared.avail_ring = split ? calloc(size, sizeof *vq->shared.avail_ring) : NULL;
    vq->shared.used_ring = split ? calloc(size, sizeof *vq->shared.used_ring) : NULL;
    vq->shared.desc = split ? NULL : calloc(size, sizeof *vq->shared.desc);
    if (vq->next == NULL || vq->request == NULL || vq->mark == NULL ||
        (split && (vq->shared.avail_ring == NULL || vq->shared.used_ring == NULL)) ||
        (!split && vq->shared.desc == NULL)) {
        virtqueue_fini(vq);
        return error_set(error, ERROR_SYSTEM, "", "out of memory for a ring of %u descriptors",
                         size);
    }
    for (uint32_t i = 0; i < size; i++) {
        vq->next[i] = (uint16_t)(i + 1);
        vq->request[i].id = (uint16_t)i;
    }
    vq->driver.num_free = size;
    start(vq);
    return true;
}

void virtqueue_fini(struct virtqueue *vq)
{
    free(vq->next);
    free(vq->request);
    free(vq->mark);
    free(vq->shared.avail_ring);
    free(vq->shared.used_ring);
    free(vq->shared.desc);
    memset(vq, 0, sizeof *vq);
}

static inline bool is_split(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED;
}

/* ---- driver: sending ---- */

const struct virtqueue_request *virtqueue_add(struct virtqueue *vq, uint32_t sg, uint64_t table,
                                              uint32_t packet)
{
    struct virtqueue_driver *driver = &vq->driver;
    uint32_t count = table == VIRTQUEUE_DIRECT ? sg : 1;
    struct virtqueue_request *request;
    uint16_t last;

    sim_assert(sg >= 1 && sg <= UINT16_MAX && !driver->unpublished, 0,
               "add of %u buffers, earlier add unpublished: %d", sg, driver->unpublished);
    if (driver->num_free < count) {
        return NULL;
    }
    request = &vq->request[driver->free_head];
    last = request->id;
    for (uint32_t i = 1; i < count; i++) {
        last = vq->next[last];
    }
    request->table = table;
    request->packet = packet;
    request->sg = (uint16_t)sg;
    request->count = (uint16_t)count;
    request->last = last;
    request->stage = VIRTQUEUE_ADDED;
    driver->free_head = vq->next[last];
    driver->num_free -= count;
    driver->outstanding++;
    driver->unpublished = true;
    if (is_split(vq)) {
        virtqueue_split_add(vq, request);
    } else {
        virtqueue_packed_add(vq, request);
    }
    return request;
}

bool virtqueue_publish(struct virtqueue *vq)
{
    sim_assert(vq->driver.unpublished, 0, "publish without an add");
    vq->driver.unpublished = false;
    if (is_split(vq)) {
        return virtqueue_split_publish(vq);
    }
    virtqueue_packed_publish(vq);
    return false;
}

bool virtqueue_kick_prepare(struct virtqueue *vq)
{
    return is_split(vq) ? virtqueue_split_kick_prepare(vq) : virtqueue_packed_kick_prepare(vq);
}

/* ---- driver: completion ---- */

bool virtqueue_more_used(const struct virtqueue *vq)
{
    return is_split(vq) ? vq->shared.used_idx != vq->driver.last_used
                        : virtqueue_packed_is_used(vq, vq->driver.last_used, vq->driver.used_wrap);
}

const struct virtqueue_request *virtqueue_get_buf(struct virtqueue *vq)
{
    struct virtqueue_driver *driver = &vq->driver;
    struct virtqueue_request *request;

    if (is_split(vq)) {
        if (vq->shared.used_idx == driver->last_used) {
            return NULL;
        }
        request = &vq->request[vq->shared.used_ring[driver->last_used & vq->mask]];
        driver->last_used++;
        if (driver->cb_shadow != VIRTQUEUE_FLAG_OFF) {
            vq->shared.used_event = driver->last_used;
        }
    } else {
        request = virtqueue_packed_get(vq);
        if (request == NULL) {
            return NULL;
        }
    }
    sim_assert(request->stage == VIRTQUEUE_USED, 0, "id %u is not outstanding", request->id);
    request->stage = VIRTQUEUE_FREE;
    vq->next[request->last] = driver->free_head;
    driver->free_head = request->id;
    driver->num_free += request->count;
    driver->outstanding--;
    return request;
}

bool virtqueue_disable_cb(struct virtqueue *vq)
{
    return is_split(vq) ? virtqueue_split_disable_cb(vq) : virtqueue_packed_disable_cb(vq);
}

uint16_t virtqueue_enable_cb_prepare(struct virtqueue *vq)
{
    return is_split(vq) ? virtqueue_split_enable_cb_prepare(vq)
                        : virtqueue_packed_enable_cb_prepare(vq);
}

bool virtqueue_enable_cb_poll(const struct virtqueue *vq, uint16_t position)
{
    return is_split(vq) ? vq->shared.used_idx != position
                        : virtqueue_packed_is_used(vq, position & 0x7fff, position >> 15);
}

uint16_t virtqueue_enable_cb_delayed_prepare(struct virtqueue *vq)
{
    return is_split(vq) ? virtqueue_split_enable_cb_delayed_prepare(vq)
                        : virtqueue_packed_enable_cb_delayed_prepare(vq);
}

bool virtqueue_enable_cb_delayed_poll(const struct virtqueue *vq, uint16_t bufs)
{
    return is_split(vq) ? (uint16_t)(vq->shared.used_idx - vq->driver.last_used) > bufs
                        : virtqueue_packed_is_used(vq, vq->driver.last_used, vq->driver.used_wrap);
}

void virtqueue_enable_cb_after(struct virtqueue *vq, uint16_t ahead)
{
    sim_assert(vq->config.event_idx, 0, "a later event needs the event index");
    if (is_split(vq)) {
        virtqueue_split_enable_cb_after(vq, ahead);
    } else {
        virtqueue_packed_enable_cb_after(vq, ahead);
    }
}

/* ---- device: taking ---- */

uint32_t virtqueue_refresh_avail(struct virtqueue *vq)
{
    if (is_split(vq)) {
        vq->device.avail_seen = vq->shared.avail_idx;
        return (uint16_t)(vq->device.avail_seen - vq->device.last_avail);
    }
    return virtqueue_packed_refresh_avail(vq);
}

const struct virtqueue_request *virtqueue_take(struct virtqueue *vq)
{
    struct virtqueue_request *request;

    sim_assert(virtqueue_avail_seen(vq) > 0, 0, "take without an available request");
    request = is_split(vq) ? virtqueue_split_take(vq) : virtqueue_packed_take(vq);
    sim_assert(request->stage == VIRTQUEUE_ADDED, 0, "id %u is not available", request->id);
    request->stage = VIRTQUEUE_TAKEN;
    return request;
}

void virtqueue_untake(struct virtqueue *vq, uint16_t id)
{
    struct virtqueue_request *request = &vq->request[id];

    sim_assert(id < vq->config.size && request->stage == VIRTQUEUE_TAKEN, 0, "id %u is not taken",
               id);
    if (is_split(vq)) {
        virtqueue_split_untake(vq, request);
    } else {
        virtqueue_packed_untake(vq, request);
    }
    request->stage = VIRTQUEUE_ADDED;
}

/* ---- device: completion ---- */

void virtqueue_put_used(struct virtqueue *vq, uint16_t id)
{
    struct virtqueue_request *request = &vq->request[id];

    sim_assert(id < vq->config.size && request->stage == VIRTQUEUE_TAKEN, 0, "id %u is not taken",
               id);
    request->stage = VIRTQUEUE_USED;
    if (is_split(vq)) {
        virtqueue_split_put_used(vq, request);
    } else {
        virtqueue_packed_put_used(vq, request);
    }
}

void virtqueue_publish_used(struct virtqueue *vq)
{
    struct virtqueue_device *device = &vq->device;

    if (device->unpublished == 0) {
        return;
    }
    if (is_split(vq)) {
        vq->shared.used_idx = device->used;
    } else {
        virtqueue_packed_publish_used(vq);
    }
    device->since_call_test += (uint32_t)(device->unpublished - device->decided);
    device->unpublished = device->decided = 0;
}

static bool call_needed(struct virtqueue *vq)
{
    struct virtqueue_device *device = &vq->device;
    bool needed = vq->config.fault != VIRTQUEUE_NO_CALLS &&
                  (is_split(vq) ? virtqueue_split_call_needed(vq) : virtqueue_packed_call_needed(vq));

    device->since_call_test = 0;
    device->signalled_valid = true;
    return needed;
}

bool virtqueue_call_needed(struct virtqueue *vq)
{
    sim_assert(vq->device.unpublished == 0, 0, "call test before the used entries are published");
    return call_needed(vq);
}

bool virtqueue_call_needed_early(struct virtqueue *vq)
{
    vq->device.since_call_test += vq->device.unpublished;
    vq->device.decided = vq->device.unpublished;
    return call_needed(vq);
}

bool virtqueue_disable_notify(struct virtqueue *vq)
{
    return is_split(vq) ? virtqueue_split_disable_notify(vq) : virtqueue_packed_disable_notify(vq);
}

bool virtqueue_enable_notify(struct virtqueue *vq)
{
    return is_split(vq) ? virtqueue_split_enable_notify(vq) : virtqueue_packed_enable_notify(vq);
}

void virtqueue_enable_notify_after(struct virtqueue *vq, uint16_t ahead)
{
    sim_assert(vq->config.event_idx, 0, "a later event needs the event index");
    if (is_split(vq)) {
        virtqueue_split_enable_notify_after(vq, ahead);
    } else {
        virtqueue_packed_enable_notify_after(vq, ahead);
    }
}
