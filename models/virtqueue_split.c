/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The split layout. All positions are free-running 16-bit indices; entry i lies at i modulo size.
 */
#include "models/virtqueue_layout.h"

#include "sim/engine/assert.h"

void virtqueue_split_start(struct virtqueue *vq, uint16_t index)
{
    vq->driver.avail = vq->driver.last_used = index;
    vq->device.avail_seen = vq->device.last_avail = vq->device.used = index;
    vq->shared.avail_idx = vq->shared.used_idx = index;
    vq->shared.avail_event = vq->shared.used_event = index;
}

/* ---- driver ---- */

void virtqueue_split_add(struct virtqueue *vq, const struct virtqueue_request *request)
{
    struct virtqueue_driver *driver = &vq->driver;

    vq->shared.avail_ring[driver->avail & vq->mask] = request->id;
    driver->avail++;
    driver->num_added++; /* one per request, whatever its descriptors */
}

/* The kick decision works on 16-bit differences: the driver must not let 65536 adds pass undecided.
 */
bool virtqueue_split_publish(struct virtqueue *vq)
{
    vq->shared.avail_idx = vq->driver.avail;
    return vq->driver.num_added == UINT16_MAX;
}

bool virtqueue_split_kick_prepare(struct virtqueue *vq)
{
    struct virtqueue_driver *driver = &vq->driver;
    uint16_t old_idx = (uint16_t)(driver->avail - driver->num_added);

    driver->num_added = 0;
    if (vq->config.event_idx) {
        if (vq->config.fault == VIRTQUEUE_KICK_NO_WRAP) {
            return vq->shared.avail_event >= old_idx && vq->shared.avail_event < driver->avail;
        }
        return virtqueue_need_event(vq->shared.avail_event, driver->avail, old_idx);
    }
    return (vq->shared.used_flags & VIRTQUEUE_FLAG_OFF) == 0;
}

/* With event index the flag stays 0, and a stale event stands for "off": it is reached again only
 * after 65536 used entries. */
bool virtqueue_split_disable_cb(struct virtqueue *vq)
{
    if (vq->driver.cb_shadow == VIRTQUEUE_FLAG_OFF) {
        return false;
    }
    vq->driver.cb_shadow = VIRTQUEUE_FLAG_OFF;
    if (vq->config.event_idx) {
        vq->shared.used_event = 0;
    } else {
        vq->shared.avail_flags = VIRTQUEUE_FLAG_OFF;
    }
    return true;
}

static void enable_cb_at(struct virtqueue *vq, uint16_t event)
{
    if (vq->driver.cb_shadow == VIRTQUEUE_FLAG_OFF) {
        vq->driver.cb_shadow = VIRTQUEUE_FLAG_ON;
        if (!vq->config.event_idx) {
            vq->shared.avail_flags = VIRTQUEUE_FLAG_ON;
        }
    }
    vq->shared.used_event = event; /* in both modes; without event index nobody reads it */
}

uint16_t virtqueue_split_enable_cb_prepare(struct virtqueue *vq)
{
    enable_cb_at(vq, vq->driver.last_used);
    return vq->driver.last_used;
}

uint16_t virtqueue_split_enable_cb_delayed_prepare(struct virtqueue *vq)
{
    struct virtqueue_driver *driver = &vq->driver;
    uint32_t bufs = (uint32_t)(uint16_t)(driver->avail - driver->last_used) * 3 / 4;

    enable_cb_at(vq, (uint16_t)(driver->last_used + bufs));
    return (uint16_t)bufs;
}

void virtqueue_split_enable_cb_after(struct virtqueue *vq, uint16_t ahead)
{
    enable_cb_at(vq, (uint16_t)(vq->driver.last_used + ahead));
}

/* ---- device ---- */

struct virtqueue_request *virtqueue_split_take(struct virtqueue *vq)
{
    return &vq->request[vq->shared.avail_ring[vq->device.last_avail++ & vq->mask]];
}

void virtqueue_split_untake(struct virtqueue *vq, const struct virtqueue_request *request)
{
    vq->device.last_avail--;
    sim_assert(vq->shared.avail_ring[vq->device.last_avail & vq->mask] == request->id, 0,
               "id %u was not the last one taken", request->id);
}

void virtqueue_split_put_used(struct virtqueue *vq, const struct virtqueue_request *request)
{
    vq->shared.used_ring[vq->device.used & vq->mask] = request->id;
    vq->device.used++;
    vq->device.unpublished++;
}

/* Once the used index has gone a whole lap of 65536 without a decision, differences mean nothing
 * and the decision counts as a first one. */
bool virtqueue_split_call_needed(const struct virtqueue *vq)
{
    const struct virtqueue_device *device = &vq->device;

    if (!vq->config.event_idx) {
        return (vq->shared.avail_flags & VIRTQUEUE_FLAG_OFF) == 0;
    }
    if (!device->signalled_valid || device->since_call_test > UINT16_MAX) {
        return true;
    }
    return virtqueue_need_event(vq->shared.used_event, device->used,
                                (uint16_t)(device->used - virtqueue_call_steps(vq)));
}

/* The shadow changes in both modes; with event index nothing is written, since the event that was
 * passed stays behind. */
bool virtqueue_split_disable_notify(struct virtqueue *vq)
{
    if (vq->device.notify_shadow == VIRTQUEUE_FLAG_OFF) {
        return false;
    }
    vq->device.notify_shadow = VIRTQUEUE_FLAG_OFF;
    if (vq->config.event_idx) {
        return false;
    }
    vq->shared.used_flags = VIRTQUEUE_FLAG_OFF;
    return true;
}

bool virtqueue_split_enable_notify(struct virtqueue *vq)
{
    if (vq->device.notify_shadow == VIRTQUEUE_FLAG_ON) {
        return false;
    }
    vq->device.notify_shadow = VIRTQUEUE_FLAG_ON;
    if (vq->config.event_idx) {
        vq->shared.avail_event = vq->device.avail_seen;
    } else {
        vq->shared.used_flags = VIRTQUEUE_FLAG_ON;
    }
    return true;
}

void virtqueue_split_enable_notify_after(struct virtqueue *vq, uint16_t ahead)
{
    vq->device.notify_shadow = VIRTQUEUE_FLAG_ON;
    vq->shared.avail_event = (uint16_t)(vq->device.avail_seen + ahead);
}
