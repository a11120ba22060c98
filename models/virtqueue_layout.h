/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the two layouts do differently, for virtqueue.c alone: it asks the layout once and goes on
 * in virtqueue_split.c or virtqueue_packed.c. Each function is the operation of the same name in
 * models/virtqueue.h; the free list, the request's fields and stages are common and stay there.
 */
#ifndef MODELS_VIRTQUEUE_LAYOUT_H
#define MODELS_VIRTQUEUE_LAYOUT_H

#include "models/virtqueue.h"

/* Values of avail.flags and used.flags, and of the packed suppression flags. */
#define VIRTQUEUE_FLAG_ON   0
#define VIRTQUEUE_FLAG_OFF  1
#define VIRTQUEUE_FLAG_DESC 2 /* packed: at the position in off_wrap */

/* Flags of a packed descriptor. */
#define VIRTQUEUE_DESC_NEXT     0x0001
#define VIRTQUEUE_DESC_INDIRECT 0x0004
#define VIRTQUEUE_DESC_AVAIL    0x0080
#define VIRTQUEUE_DESC_USED     0x8000

/* Both flags of a descriptor that was made available, or used, in the lap of this wrap counter. */
static inline uint16_t virtqueue_desc_avail_flags(bool wrap)
{
    return wrap ? VIRTQUEUE_DESC_AVAIL : VIRTQUEUE_DESC_USED;
}

static inline uint16_t virtqueue_desc_used_flags(bool wrap)
{
    return wrap ? VIRTQUEUE_DESC_AVAIL | VIRTQUEUE_DESC_USED : 0;
}

#define VIRTQUEUE_DESC_STATE (VIRTQUEUE_DESC_AVAIL | VIRTQUEUE_DESC_USED)

/* Moves a packed position on by `count` <= size descriptors; the wrap counter turns at the end. */
static inline uint16_t virtqueue_packed_advance(const struct virtqueue *vq, uint16_t position,
                                                uint32_t count, bool *wrap)
{
    uint32_t next = position + count;

    if (next >= vq->config.size) {
        next -= vq->config.size;
        *wrap = !*wrap;
    }
    return (uint16_t)next;
}

static inline uint16_t virtqueue_off_wrap(uint16_t position, bool wrap)
{
    return (uint16_t)(position | (wrap ? 0x8000 : 0));
}

/* How far back the call test looks: to the last one, if it is right. */
static inline uint32_t virtqueue_call_steps(const struct virtqueue *vq)
{
    return vq->config.fault == VIRTQUEUE_CALL_EQUAL ? 1 : vq->device.since_call_test;
}

void virtqueue_split_start(struct virtqueue *vq, uint16_t index);
void virtqueue_split_add(struct virtqueue *vq, const struct virtqueue_request *request);
bool virtqueue_split_publish(struct virtqueue *vq);
bool virtqueue_split_kick_prepare(struct virtqueue *vq);
bool virtqueue_split_disable_cb(struct virtqueue *vq);
uint16_t virtqueue_split_enable_cb_prepare(struct virtqueue *vq);
uint16_t virtqueue_split_enable_cb_delayed_prepare(struct virtqueue *vq);
void virtqueue_split_enable_cb_after(struct virtqueue *vq, uint16_t ahead);
struct virtqueue_request *virtqueue_split_take(struct virtqueue *vq);
void virtqueue_split_untake(struct virtqueue *vq, const struct virtqueue_request *request);
void virtqueue_split_put_used(struct virtqueue *vq, const struct virtqueue_request *request);
bool virtqueue_split_call_needed(const struct virtqueue *vq);
bool virtqueue_split_disable_notify(struct virtqueue *vq);
bool virtqueue_split_enable_notify(struct virtqueue *vq);
void virtqueue_split_enable_notify_after(struct virtqueue *vq, uint16_t ahead);

void virtqueue_packed_start(struct virtqueue *vq, uint32_t index);
void virtqueue_packed_add(struct virtqueue *vq, const struct virtqueue_request *request);
void virtqueue_packed_publish(struct virtqueue *vq);
bool virtqueue_packed_kick_prepare(struct virtqueue *vq);
bool virtqueue_packed_is_used(const struct virtqueue *vq, uint16_t position, bool wrap);
struct virtqueue_request *virtqueue_packed_get(struct virtqueue *vq);
bool virtqueue_packed_disable_cb(struct virtqueue *vq);
uint16_t virtqueue_packed_enable_cb_prepare(struct virtqueue *vq);
uint16_t virtqueue_packed_enable_cb_delayed_prepare(struct virtqueue *vq);
void virtqueue_packed_enable_cb_after(struct virtqueue *vq, uint16_t ahead);
uint32_t virtqueue_packed_refresh_avail(struct virtqueue *vq);
struct virtqueue_request *virtqueue_packed_take(struct virtqueue *vq);
void virtqueue_packed_untake(struct virtqueue *vq, const struct virtqueue_request *request);
void virtqueue_packed_put_used(struct virtqueue *vq, const struct virtqueue_request *request);
void virtqueue_packed_publish_used(struct virtqueue *vq);
bool virtqueue_packed_call_needed(const struct virtqueue *vq);
bool virtqueue_packed_disable_notify(struct virtqueue *vq);
bool virtqueue_packed_enable_notify(struct virtqueue *vq);
void virtqueue_packed_enable_notify_after(struct virtqueue *vq, uint16_t ahead);

#endif
