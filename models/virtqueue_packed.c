/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The packed layout: one ring of descriptors that the driver fills and the device overwrites. A
 * position is 0..size-1 with a wrap counter that turns each lap; a descriptor is available, or
 * used, when its two flags say so in the reader's lap. Requests keep their id, so used entries may
 * come in any order; each side moves on by the descriptors that the request had.
 */
#include "models/virtqueue_layout.h"

#include "sim/engine/assert.h"

/* Descriptors that this lap has not reached yet are used ones of the lap before. */
void virtqueue_packed_start(struct virtqueue *vq, uint32_t index)
{
    uint16_t at = (uint16_t)(index % vq->config.size);
    bool wrap = index / vq->config.size % 2 == 0;

    vq->driver.avail = vq->driver.last_used = vq->device.last_avail = vq->device.used = at;
    vq->driver.avail_wrap = vq->driver.used_wrap = wrap;
    vq->device.avail_wrap = vq->device.used_wrap = wrap;
    for (uint32_t i = 0; i < vq->config.size; i++) {
        vq->shared.desc[i].flags = virtqueue_desc_used_flags(i < at ? wrap : !wrap);
    }
    vq->shared.driver_event.off_wrap = vq->shared.device_event.off_wrap =
        virtqueue_off_wrap(at, wrap);
}

/* ---- driver ---- */

void virtqueue_packed_add(struct virtqueue *vq, const struct virtqueue_request *request)
{
    struct virtqueue_driver *driver = &vq->driver;
    struct virtqueue_packed_desc *desc = vq->shared.desc;
    uint16_t more = request->table != VIRTQUEUE_DIRECT ? VIRTQUEUE_DESC_INDIRECT : 0;

    driver->head = driver->avail;
    for (uint32_t left = request->count; left > 0; left--) {
        uint16_t flags = (uint16_t)(virtqueue_desc_avail_flags(driver->avail_wrap) | more |
                                    (left > 1 ? VIRTQUEUE_DESC_NEXT : 0));

        desc[driver->avail].id = request->id;
        if (left == request->count) {
            driver->head_flags = flags;
        } else {
            desc[driver->avail].flags = flags;
        }
        driver->avail = virtqueue_packed_advance(vq, driver->avail, 1, &driver->avail_wrap);
    }
    driver->num_added = (uint16_t)(driver->num_added + request->count);
}

/* The device goes by the head's flags, so they come last. */
void virtqueue_packed_publish(struct virtqueue *vq)
{
    vq->shared.desc[vq->driver.head].flags = vq->driver.head_flags;
}

bool virtqueue_packed_kick_prepare(struct virtqueue *vq)
{
    struct virtqueue_driver *driver = &vq->driver;
    const struct virtqueue_packed_event *event = &vq->shared.device_event;
    uint16_t count = driver->num_added;

    driver->num_added = 0;
    if (event->flags != VIRTQUEUE_FLAG_DESC) {
        return event->flags != VIRTQUEUE_FLAG_OFF;
    }
    if (vq->config.fault == VIRTQUEUE_KICK_NO_WRAP) {
        int asked = event->off_wrap & 0x7fff;

        return asked >= driver->avail - count && asked < driver->avail;
    }
    return virtqueue_packed_need_event(vq->config.size, event->off_wrap & 0x7fff,
                                       event->off_wrap >> 15, driver->avail, driver->avail_wrap,
                                       count);
}

bool virtqueue_packed_is_used(const struct virtqueue *vq, uint16_t position, bool wrap)
{
    return (vq->shared.desc[position].flags & VIRTQUEUE_DESC_STATE) ==
           virtqueue_desc_used_flags(wrap);
}

struct virtqueue_request *virtqueue_packed_get(struct virtqueue *vq)
{
    struct virtqueue_driver *driver = &vq->driver;
    struct virtqueue_request *request;

    if (!virtqueue_packed_is_used(vq, driver->last_used, driver->used_wrap)) {
        return NULL;
    }
    request = &vq->request[vq->shared.desc[driver->last_used].id];
    driver->last_used =
        virtqueue_packed_advance(vq, driver->last_used, request->count, &driver->used_wrap);
    if (driver->cb_shadow == VIRTQUEUE_FLAG_DESC) {
        vq->shared.driver_event.off_wrap = virtqueue_off_wrap(driver->last_used, driver->used_wrap);
    }
    return request;
}

bool virtqueue_packed_disable_cb(struct virtqueue *vq)
{
    if (vq->driver.cb_shadow == VIRTQUEUE_FLAG_OFF) {
        return false;
    }
    vq->driver.cb_shadow = VIRTQUEUE_FLAG_OFF;
    vq->shared.driver_event.flags = VIRTQUEUE_FLAG_OFF;
    return true;
}

/* Only coming from "off" are the flags written: a queue that was never disabled calls always. */
static void enable_cb_at(struct virtqueue *vq, uint32_t ahead)
{
    struct virtqueue_driver *driver = &vq->driver;

    if (vq->config.event_idx) {
        bool wrap = driver->used_wrap;
        uint16_t position = virtqueue_packed_advance(vq, driver->last_used, ahead, &wrap);

        vq->shared.driver_event.off_wrap = virtqueue_off_wrap(position, wrap);
    }
    if (driver->cb_shadow == VIRTQUEUE_FLAG_OFF) {
        driver->cb_shadow = vq->config.event_idx ? VIRTQUEUE_FLAG_DESC : VIRTQUEUE_FLAG_ON;
        vq->shared.driver_event.flags = driver->cb_shadow;
    }
}

uint16_t virtqueue_packed_enable_cb_prepare(struct virtqueue *vq)
{
    enable_cb_at(vq, 0);
    return virtqueue_off_wrap(vq->driver.last_used, vq->driver.used_wrap);
}

uint16_t virtqueue_packed_enable_cb_delayed_prepare(struct virtqueue *vq)
{
    uint32_t bufs = (vq->config.size - vq->driver.num_free) * 3 / 4;

    enable_cb_at(vq, bufs);
    return (uint16_t)bufs;
}

void virtqueue_packed_enable_cb_after(struct virtqueue *vq, uint16_t ahead)
{
    sim_assert(ahead < vq->config.size, 0, "event %u entries ahead", ahead);
    enable_cb_at(vq, ahead);
}

/* ---- device ---- */

uint32_t virtqueue_packed_refresh_avail(struct virtqueue *vq)
{
    struct virtqueue_device *device = &vq->device;

    device->seen = (vq->shared.desc[device->last_avail].flags & VIRTQUEUE_DESC_STATE) ==
                   virtqueue_desc_avail_flags(device->avail_wrap);
    return device->seen;
}

struct virtqueue_request *virtqueue_packed_take(struct virtqueue *vq)
{
    struct virtqueue_device *device = &vq->device;
    struct virtqueue_request *request = &vq->request[vq->shared.desc[device->last_avail].id];

    device->last_avail =
        virtqueue_packed_advance(vq, device->last_avail, request->count, &device->avail_wrap);
    device->seen = false;
    return request;
}

void virtqueue_packed_untake(struct virtqueue *vq, const struct virtqueue_request *request)
{
    struct virtqueue_device *device = &vq->device;
    bool wrap = device->avail_wrap;
    uint16_t position =
        virtqueue_packed_advance(vq, device->last_avail, vq->config.size - request->count, &wrap);

    /* Forward by size - count is back by count one lap later; the other lap's counter is right. */
    device->last_avail = position;
    device->avail_wrap = !wrap;
    sim_assert(vq->shared.desc[position].id == request->id, 0, "id %u was not the last one taken",
               request->id);
    device->seen = true;
}

void virtqueue_packed_put_used(struct virtqueue *vq, const struct virtqueue_request *request)
{
    struct virtqueue_device *device = &vq->device;
    struct virtqueue_packed_desc *desc = &vq->shared.desc[device->used];
    uint16_t flags = virtqueue_desc_used_flags(device->used_wrap);

    desc->id = request->id;
    if (device->unpublished == 0) {
        device->batch = device->used;
        device->batch_flags = flags;
    } else {
        desc->flags = flags;
    }
    device->used = virtqueue_packed_advance(vq, device->used, request->count, &device->used_wrap);
    device->unpublished = (uint16_t)(device->unpublished + request->count);
}

/* The driver reads used entries in ring order, so the first of a batch holds back all of it. */
void virtqueue_packed_publish_used(struct virtqueue *vq)
{
    vq->shared.desc[vq->device.batch].flags = vq->device.batch_flags;
}

/* More than a lap undecided leaves no event to compare with. */
bool virtqueue_packed_call_needed(const struct virtqueue *vq)
{
    const struct virtqueue_device *device = &vq->device;
    const struct virtqueue_packed_event *event = &vq->shared.driver_event;

    if (event->flags != VIRTQUEUE_FLAG_DESC) {
        return event->flags != VIRTQUEUE_FLAG_OFF;
    }
    if (!device->signalled_valid || device->since_call_test > vq->config.size) {
        return true;
    }
    return virtqueue_packed_need_event(vq->config.size, event->off_wrap & 0x7fff,
                                       event->off_wrap >> 15, device->used, device->used_wrap,
                                       (uint16_t)virtqueue_call_steps(vq));
}

bool virtqueue_packed_disable_notify(struct virtqueue *vq)
{
    if (vq->device.notify_shadow == VIRTQUEUE_FLAG_OFF) {
        return false;
    }
    vq->device.notify_shadow = VIRTQUEUE_FLAG_OFF;
    vq->shared.device_event.flags = VIRTQUEUE_FLAG_OFF;
    return true;
}

static void enable_notify_at(struct virtqueue *vq, uint32_t ahead)
{
    struct virtqueue_device *device = &vq->device;

    if (vq->config.event_idx) {
        bool wrap = device->avail_wrap;
        uint16_t position = virtqueue_packed_advance(vq, device->last_avail, ahead, &wrap);

        vq->shared.device_event.off_wrap = virtqueue_off_wrap(position, wrap);
    }
    device->notify_shadow = vq->config.event_idx ? VIRTQUEUE_FLAG_DESC : VIRTQUEUE_FLAG_ON;
    vq->shared.device_event.flags = device->notify_shadow;
}

bool virtqueue_packed_enable_notify(struct virtqueue *vq)
{
    if (vq->device.notify_shadow != VIRTQUEUE_FLAG_OFF) {
        return false;
    }
    enable_notify_at(vq, 0);
    return true;
}

void virtqueue_packed_enable_notify_after(struct virtqueue *vq, uint16_t ahead)
{
    sim_assert(ahead < vq->config.size, 0, "event %u descriptors ahead", ahead);
    enable_notify_at(vq, ahead);
}
