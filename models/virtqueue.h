/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   One virtqueue: the shared memory of driver and device, and what each side keeps to itself.
 *        Split and packed layout, direct and indirect descriptors, notification suppression by
 * flags and by event index; indices, flags, lists and conditions are exact. PLACE  Between the
 * guest driver (add, publish, kick_prepare, get_buf) and the backend (take, put_used, publish_used,
 * call_needed). Both call it directly; whoever calls charges the time. LEAVES OUT  Time, costs,
 * chance, the bytes of buffers; a request's size and table are numbers. Also NOTIFY_ON_EMPTY,
 * in-order completion, and the driver's later hint that an interrupt has already disarmed the event
 * index. SOURCE The virtio specification, and the order of operations of the Linux driver (5.15
 * to 6.1) and of vhost; docs/datapath.md.
 *
 * A request goes round through four stages:
 *
 *   add (driver)  ->  take (device)  ->  put_used (device)  ->  get_buf (driver)
 *
 * Writing is apart from publishing on both sides: add() is not seen before publish(), and entries
 * of put_used() are not seen before publish_used(). So each shared access can be a step of its own.
 * Nothing is allocated after init. Each side has three kinds of fields: what the other side can see
 * (`shared`), its own copies of what it wrote there (shadows), and how far it has read.
 *
 * Shared memory has its real layout; virtqueue_addr_*() give byte offsets in it, so that a caller
 * can work out which cache lines an operation reads and writes:
 *
 *   split    descriptors 16 B x N | avail: flags idx ring[N] used_event | used: flags idx ring[N]
 * avail_event packed   descriptors 16 B x N | driver event suppression | device event suppression
 */
#ifndef MODELS_VIRTQUEUE_H
#define MODELS_VIRTQUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/error.h"
#include "sim/engine/param.h"

enum virtqueue_layout { VIRTQUEUE_SPLIT, VIRTQUEUE_PACKED };

/* Mistakes that drivers and devices have made, to see what they stop. */
enum virtqueue_fault {
    VIRTQUEUE_SOUND,
    VIRTQUEUE_NO_CALLS,      /* the device signals no used buffer */
    VIRTQUEUE_CALL_EQUAL,    /* it does when the last entry of a batch is the one asked for, not any of it */
    VIRTQUEUE_KICK_NO_WRAP,  /* the driver compares indices as if they never wrapped */
};

#define VIRTQUEUE_SIZE_MOST  32768
#define VIRTQUEUE_DESC_BYTES 16
#define VIRTQUEUE_ALIGN      64 /* of the used ring, and of the packed suppression structures */
#define VIRTQUEUE_DIRECT     UINT64_MAX /* as table: the request has none */

struct virtqueue_config {
    uint32_t size; /* descriptors; a power of two when split */
    int layout;    /* enum virtqueue_layout */
    bool indirect; /* the feature is negotiated and the queue has no per-buffer context */
    bool event_idx;
    uint32_t start_index; /* of both rings, 0..65535; packed: descriptors, over laps */
    int fault;            /* enum virtqueue_fault */
};

/* Rows guest.tx_ring.*; a configuration that passes them and their check() can be used for init. */
extern const struct param_table virtqueue_params;

enum virtqueue_stage {
    VIRTQUEUE_FREE,  /* the id is on the free list, or a later part of a direct chain */
    VIRTQUEUE_ADDED, /* driver has written it; seen by the device once published */
    VIRTQUEUE_TAKEN, /* device works on it */
    VIRTQUEUE_USED,  /* device has written its used entry; seen by the driver once published */
};

/* One request, at the place of its head descriptor (split) or buffer id (packed). It stands for
 * what both sides know of it: the driver's state and the content of its descriptors. */
struct virtqueue_request {
    uint64_t table;  /* caller's token of the indirect table; VIRTQUEUE_DIRECT: none */
    uint32_t packet; /* caller's token */
    uint16_t sg;     /* buffers; with a table: its length in entries */
    uint16_t count;  /* descriptors taken from the ring: 1 with a table, else sg */
    uint16_t id;     /* head descriptor or buffer id */
    uint16_t last;   /* end of the chain in the free list's order */
    uint8_t stage;   /* enum virtqueue_stage */
};

/* A descriptor of the packed ring as far as the protocol needs it. */
struct virtqueue_packed_desc {
    uint16_t id;
    uint16_t flags;
};

/* Event suppression of one side of the packed ring. */
struct virtqueue_packed_event {
    uint16_t off_wrap; /* descriptor position, wrap counter in bit 15 */
    uint16_t flags;    /* 0 enable, 1 disable, 2 at the position */
};

/* Split: positions are free-running 16-bit indices, counted in requests, and the wrap fields are
 * not used. Packed: positions are 0..size-1, counted in descriptors. */
struct virtqueue_driver {
    uint32_t num_free;    /* descriptors */
    uint32_t outstanding; /* requests between add and get_buf */
    uint16_t free_head;   /* first of the free list; undefined when num_free is 0 */
    uint16_t num_added;   /* since the last kick_prepare: requests (split), descriptors (packed) */
    uint16_t avail;       /* shadow of avail.idx (split); next free position (packed) */
    uint16_t last_used;   /* how far used entries were read */
    uint16_t cb_shadow;   /* of avail.flags (split) or of the suppression flags (packed) */
    uint16_t head;        /* of the last add: position in the descriptor ring (packed) */
    uint16_t head_flags;  /* its flags, written by publish (packed) */
    bool avail_wrap, used_wrap;
    bool unpublished; /* an add waits for publish */
};

struct virtqueue_device {
    uint32_t since_call_test; /* used entries since the last call_needed, in the position's unit */
    uint16_t last_avail;      /* next request to take */
    uint16_t avail_seen;      /* avail.idx when it was read last (split) */
    uint16_t used;            /* next used entry to write; the shadow of used.idx (split) */
    uint16_t batch;           /* position of the first unpublished used entry (packed) */
    uint16_t batch_flags;     /* its flags, written by publish_used (packed) */
    uint16_t unpublished;     /* used entries that wait for publish_used */
    uint16_t decided;         /* of them: those that a call_needed_early has judged */
    uint16_t
        notify_shadow; /* of used.flags, kept in both modes (split); suppression flags (packed) */
    bool avail_wrap, used_wrap;
    bool seen;            /* the descriptor at last_avail was found available (packed) */
    bool signalled_valid; /* false until the first call_needed: that one always calls */
};

struct virtqueue_shared {
    uint16_t avail_flags, avail_idx, used_event; /* split, written by the driver */
    uint16_t used_flags, used_idx, avail_event;  /* split, written by the device */
    uint16_t *avail_ring;                        /* head ids */
    uint16_t *used_ring;                         /* head ids */
    struct virtqueue_packed_desc *desc;          /* packed */
    struct virtqueue_packed_event driver_event, device_event;
};

struct virtqueue {
    /* set by init */
    struct virtqueue_config config;
    uint32_t mask;      /* size - 1; split only */
    uint32_t driver_at; /* offset of the avail ring, or of the driver's suppression structure */
    uint32_t device_at; /* offset of the used ring, or of the device's suppression structure */
    uint32_t callbacks_at, notify_at; /* what virtqueue_addr_callbacks() and _notify() say */
    uint32_t bytes;     /* of shared memory */

    /* while running */
    struct virtqueue_driver driver;
    struct virtqueue_device device;
    struct virtqueue_shared shared;
    uint16_t *next; /* of each descriptor or id: chain and free list */
    struct virtqueue_request *request;
    uint8_t *mark; /* for virtqueue_check() */
};

/* ---- life ---- */

/* False only when memory runs out. After init both notifications are enabled, as after a reset. */
bool virtqueue_init(struct virtqueue *vq, const struct virtqueue_config *config,
                    struct error *error);
void virtqueue_fini(struct virtqueue *vq);

/* Every invariant of both sides; aborts with text. Costs a pass over the ring: for tests, and for
 * the end of a run. */
void virtqueue_check(const struct virtqueue *vq);

/* ---- driver: sending ---- */

static inline uint32_t virtqueue_free_count(const struct virtqueue *vq)
{
    return vq->driver.num_free;
}

/* Requests between add and get_buf. */
static inline uint32_t virtqueue_outstanding(const struct virtqueue *vq)
{
    return vq->driver.outstanding;
}

/* Whether a request of sg buffers gets a table: to be asked, and the table to be allocated, before
 * the space check. One free descriptor is enough for the choice; no fill level enters it. */
static inline bool virtqueue_wants_table(const struct virtqueue *vq, uint32_t sg)
{
    return vq->config.indirect && sg > 1 && vq->driver.num_free > 0;
}

/* The space check of add: one descriptor with a table, sg without. */
static inline bool virtqueue_has_room(const struct virtqueue *vq, uint32_t sg, bool with_table)
{
    return vq->driver.num_free >= (with_table ? 1 : sg);
}

/* Whether a failed add of a request that the device reads notifies at once, whatever the
 * suppression says: split does, packed does not. */
static inline bool virtqueue_full_kicks(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED;
}

/* Writes descriptors and, when split, the avail ring entry; nothing is visible before publish,
 * which must follow before the next add. table: VIRTQUEUE_DIRECT for none. NULL: no room. The
 * request stays the queue's, valid until get_buf has returned it and the next add is made. */
const struct virtqueue_request *virtqueue_add(struct virtqueue *vq, uint32_t sg, uint64_t table,
                                              uint32_t packet);

/* Makes the last add visible: avail.idx (split) or the head's flags (packed). True: num_added has
 * reached its limit and the driver must kick (prepare, then notify) before it goes on. */
bool virtqueue_publish(struct virtqueue *vq);

/* The kick decision; num_added starts over. True: notify the device. The caller accounts for the
 * full barrier before it. */
bool virtqueue_kick_prepare(struct virtqueue *vq);

/* ---- driver: completion ---- */

/* Whether a used entry waits: one read of what the device writes. */
bool virtqueue_more_used(const struct virtqueue *vq);

/* The next used request, its descriptors back on the free list; NULL: none. With callbacks enabled
 * it also moves the event to the entry after it, see virtqueue_get_stores(). */
const struct virtqueue_request *virtqueue_get_buf(struct virtqueue *vq);

/* Asks for no calls. True: it wrote shared memory (at addr_callbacks); false: already so. */
bool virtqueue_disable_cb(struct virtqueue *vq);

/* Asks for a call at the next used entry; returns where that is, for enable_cb_poll. */
uint16_t virtqueue_enable_cb_prepare(struct virtqueue *vq);

/* The re-check that must follow enabling: true when the entry at `position` is used already, that
 * is when a completion may have gone by without a call. */
bool virtqueue_enable_cb_poll(const struct virtqueue *vq, uint16_t position);

/* Asks for a call when three quarters of what is outstanding are used; returns the re-check's
 * operand. Without event index: at the next used entry. */
uint16_t virtqueue_enable_cb_delayed_prepare(struct virtqueue *vq);

/* Re-check of the above; true: so much (split) or anything (packed) is used already, so reclaim and
 * try again. The kernel's virtqueue_enable_cb_delayed() is the negation of prepare and this. */
bool virtqueue_enable_cb_delayed_poll(const struct virtqueue *vq, uint16_t bufs);

/* Asks for a call at the used entry `ahead` entries after the next one (0: the next). Event index
 * only. */
void virtqueue_enable_cb_after(struct virtqueue *vq, uint16_t ahead);

static inline bool virtqueue_cb_enabled(const struct virtqueue *vq)
{
    return vq->driver.cb_shadow != 1;
}

/* Whether get_buf writes the event (at addr_used_event), which costs it a full barrier. */
static inline bool virtqueue_get_stores(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED ? vq->driver.cb_shadow != 1
                                                : vq->driver.cb_shadow == 2;
}

/* ---- device: taking ---- */

/* Requests that can be taken without reading shared memory again. */
static inline uint32_t virtqueue_avail_seen(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED
               ? (uint16_t)(vq->device.avail_seen - vq->device.last_avail)
               : vq->device.seen;
}

/* Reads avail.idx (split) or the next descriptor (packed: 0 or 1); returns avail_seen() after it.
 */
uint32_t virtqueue_refresh_avail(struct virtqueue *vq);

/* The next request; avail_seen() must not be 0. It stays the queue's, valid until it is used. */
const struct virtqueue_request *virtqueue_take(struct virtqueue *vq);

/* Undoes the last take, which must be that of `id`, as a device does that cannot send now. */
void virtqueue_untake(struct virtqueue *vq, uint16_t id);

/* ---- device: completion ---- */

/* Writes the used entry of a taken request, in any order. */
void virtqueue_put_used(struct virtqueue *vq, uint16_t id);

/* Makes all entries written so far visible: used.idx (split) or the flags of the first of them
 * (packed). Without any it does nothing. */
void virtqueue_publish_used(struct virtqueue *vq);

/* The call decision, over the entries since the last one. The first is always true. */
bool virtqueue_call_needed(struct virtqueue *vq);

/* The same as a device must not do it: before the entries it is about are published. */
bool virtqueue_call_needed_early(struct virtqueue *vq);

/* Asks for no kicks. True: it wrote shared memory (at addr_notify); split with event index never
 * does, and nothing is written when it is so already. */
bool virtqueue_disable_notify(struct virtqueue *vq);

/* Asks for a kick at the next request after those seen. True: it wrote shared memory; false:
 * already enabled. The re-check (refresh_avail, after a full barrier) is the caller's. */
bool virtqueue_enable_notify(struct virtqueue *vq);

/* Asks for a kick at the request `ahead` requests (packed: descriptors) after the next unseen one.
 * Event index only; writes always. */
void virtqueue_enable_notify_after(struct virtqueue *vq, uint16_t ahead);

/* Whether the device wants kicks, by its own shadow (what vhost keeps as used_flags). */
static inline bool virtqueue_notify_enabled(const struct virtqueue *vq)
{
    return vq->device.notify_shadow != 1;
}

/* ---- the conditions themselves ---- */

/* True when the step old -> new (16-bit indices) has passed `event`. */
static inline bool virtqueue_need_event(uint16_t event, uint16_t new_idx, uint16_t old_idx)
{
    return (uint16_t)(new_idx - event - 1) < (uint16_t)(new_idx - old_idx);
}

/* The same for a packed ring: the step is `count` descriptors and ends at new_idx with wrap counter
 * `wrap`; an event with the other wrap counter lies one lap behind. */
static inline bool virtqueue_packed_need_event(uint32_t size, uint16_t event_off, bool event_wrap,
                                               uint16_t new_idx, bool wrap, uint16_t count)
{
    uint16_t event = event_wrap == wrap ? event_off : (uint16_t)(event_off - size);

    return virtqueue_need_event(event, new_idx, (uint16_t)(new_idx - count));
}

/* ---- where things lie: byte offsets in shared memory ---- */

static inline uint32_t virtqueue_bytes(const struct virtqueue *vq)
{
    return vq->bytes;
}

/* Descriptor i < size. */
static inline uint32_t virtqueue_addr_desc(const struct virtqueue *vq, uint32_t i)
{
    (void)vq;
    return VIRTQUEUE_DESC_BYTES * i;
}

/* The descriptor after i in the chain of a direct request (count - 1 times at most); it starts at
 * addr_added() / 16 for the driver, and for the device at its id (split) or addr_take() / 16. */
static inline uint16_t virtqueue_chain_next(const struct virtqueue *vq, uint16_t i)
{
    if (vq->config.layout != VIRTQUEUE_PACKED) {
        return vq->next[i];
    }
    return (uint16_t)(i + 1u == vq->config.size ? 0 : i + 1);
}

/* The first descriptor of the request that take returned last. */
static inline uint16_t virtqueue_taken_head(const struct virtqueue *vq,
                                            const struct virtqueue_request *request)
{
    uint32_t size = vq->config.size;

    return vq->config.layout != VIRTQUEUE_PACKED
               ? request->id
               : (uint16_t)((vq->device.last_avail + size - request->count) % size);
}

/* Split only: fields and entries of the two rings; idx is free-running. */
static inline uint32_t virtqueue_addr_avail_flags(const struct virtqueue *vq)
{
    return vq->driver_at;
}

static inline uint32_t virtqueue_addr_avail_idx(const struct virtqueue *vq)
{
    return vq->driver_at + 2;
}

static inline uint32_t virtqueue_addr_avail_entry(const struct virtqueue *vq, uint16_t idx)
{
    return vq->driver_at + 4 + 2 * (idx & vq->mask);
}

static inline uint32_t virtqueue_addr_used_event(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED ? vq->driver_at + 4 + 2 * vq->config.size
                                                : vq->driver_at;
}

static inline uint32_t virtqueue_addr_used_flags(const struct virtqueue *vq)
{
    return vq->device_at;
}

static inline uint32_t virtqueue_addr_used_idx(const struct virtqueue *vq)
{
    return vq->device_at + 2;
}

static inline uint32_t virtqueue_addr_used_entry(const struct virtqueue *vq, uint16_t idx)
{
    return vq->device_at + 4 + 8 * (idx & vq->mask);
}

static inline uint32_t virtqueue_addr_avail_event(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED ? vq->device_at + 4 + 8 * vq->config.size
                                                : vq->device_at;
}

/* Both layouts: what the named operation reads or writes, besides descriptors of a direct chain. */

/* disable_cb and enable_cb_* write, call_needed reads. (Split without event index: enabling writes
 * used_event as well, and get_buf writes only that.) */
static inline uint32_t virtqueue_addr_callbacks(const struct virtqueue *vq)
{
    return vq->callbacks_at;
}

/* enable_notify and disable_notify write, kick_prepare reads. */
static inline uint32_t virtqueue_addr_notify(const struct virtqueue *vq)
{
    return vq->notify_at;
}

/* The head descriptor that the last add wrote. */
static inline uint32_t virtqueue_addr_added(const struct virtqueue *vq,
                                            const struct virtqueue_request *request)
{
    return VIRTQUEUE_DESC_BYTES *
           (uint32_t)(vq->config.layout != VIRTQUEUE_PACKED ? request->id : vq->driver.head);
}

/* The avail ring entry of the last add, written by it; packed has none: its head descriptor. */
static inline uint32_t virtqueue_addr_added_entry(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED
               ? virtqueue_addr_avail_entry(vq, (uint16_t)(vq->driver.avail - 1))
               : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->driver.head;
}

/* publish writes: avail.idx, or the head's flags. */
static inline uint32_t virtqueue_addr_publish(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED ? virtqueue_addr_avail_idx(vq)
                                                : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->driver.head;
}

/* refresh_avail reads: avail.idx, or the next descriptor. */
static inline uint32_t virtqueue_addr_refresh(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED
               ? virtqueue_addr_avail_idx(vq)
               : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->device.last_avail;
}

/* The next take reads: the avail ring entry, or the next descriptor. Split then reads the head
 * descriptor, addr_desc(id). */
static inline uint32_t virtqueue_addr_take(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED
               ? virtqueue_addr_avail_entry(vq, vq->device.last_avail)
               : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->device.last_avail;
}

/* The next put_used writes: the used ring entry, or the descriptor at the used position. */
static inline uint32_t virtqueue_addr_put_used(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED ? virtqueue_addr_used_entry(vq, vq->device.used)
                                                : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->device.used;
}

/* publish_used writes: used.idx, or the first descriptor of the batch. To be asked before it. */
static inline uint32_t virtqueue_addr_publish_used(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED ? virtqueue_addr_used_idx(vq)
                                                : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->device.batch;
}

/* more_used reads: used.idx, or the next used descriptor. */
static inline uint32_t virtqueue_addr_more_used(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED
               ? virtqueue_addr_used_idx(vq)
               : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->driver.last_used;
}

/* The next get_buf reads, besides the above: the used ring entry, or the same descriptor. Split
 * then walks the descriptors it returns, addr_desc(id) first. */
static inline uint32_t virtqueue_addr_get_buf(const struct virtqueue *vq)
{
    return vq->config.layout != VIRTQUEUE_PACKED
               ? virtqueue_addr_used_entry(vq, vq->driver.last_used)
               : VIRTQUEUE_DESC_BYTES * (uint32_t)vq->driver.last_used;
}

#endif
