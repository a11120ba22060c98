/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random operations on both sides of a ring, out of order, in batches, over index wraps, beside a
 * plain account of what should be where. After every operation all invariants are checked and every
 * answer is compared: which request comes, whether there is room, and both notification decisions,
 * which the account takes from 64-bit counters that never wrap.
 */
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "models/virtqueue.h"
#include "tests/suite.h"

#define MOST 1024

/* libcheck notes every assertion in a file, too slow for millions: these are noted when they fail.
 */
#define expect(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg("%s", #condition);                                                        \
        }                                                                                          \
    } while (0)
#define expect_eq(a, b)                                                                            \
    do {                                                                                           \
        unsigned long long got_ = (a), want_ = (b);                                                \
        if (got_ != want_) {                                                                       \
            ck_abort_msg("%s is %llu, not %s = %llu", #a, got_, #b, want_);                        \
        }                                                                                          \
    } while (0)

/* A list of tokens; put at the end, taken anywhere. */
struct list {
    uint32_t token[MOST];
    uint32_t count;
};

/* What the event index stands for, in counts that do not wrap. */
struct event {
    uint64_t at; /* the entry (split) or descriptor (packed) */
    enum { ALWAYS, NEVER, EVENT } state;
    bool on; /* the side that asks has enabled it */
};

static struct {
    struct virtqueue vq;
    uint64_t random;
    uint32_t packets;
    struct {
        uint32_t sg, count;
        uint64_t table;
    } packet[MOST * 4]; /* by token modulo */
    struct list avail, taken, used;
    uint32_t used_hidden; /* at the end of `used`, not published */
    uint32_t free;
    uint64_t added, kick_from; /* positions as the event counts them */
    uint64_t used_total, call_from;
    uint64_t got, seen, begun; /* positions of the driver's and the device's reading */
    bool called;
    struct event kick, call;
    uint64_t kicks, calls, refused;
} t;

static uint32_t draw(uint32_t below)
{
    t.random ^= t.random << 13;
    t.random ^= t.random >> 7;
    t.random ^= t.random << 17;
    return (uint32_t)((t.random >> 11) % below);
}

static bool split(void)
{
    return t.vq.config.layout == VIRTQUEUE_SPLIT;
}

static uint32_t list_remove(struct list *list, uint32_t i)
{
    uint32_t token = list->token[i];

    list->count--;
    memmove(&list->token[i], &list->token[i + 1], (list->count - i) * sizeof list->token[0]);
    return token;
}

/* An event is met again each time its representation comes round: 2^16, or two laps when packed. */
static bool passed(const struct event *event, uint64_t from, uint64_t to)
{
    uint64_t period = split() ? 65536 : 2 * (uint64_t)t.vq.config.size;

    for (uint64_t at = from; at < to; at++) {
        if (at % period == event->at % period) {
            return true;
        }
    }
    return false;
}

static bool expected(const struct event *event, uint64_t from, uint64_t to)
{
    return event->state == ALWAYS || (event->state == EVENT && passed(event, from, to));
}

static void op_kick(void)
{
    bool want = expected(&t.kick, t.kick_from, t.added);

    expect_eq(virtqueue_kick_prepare(&t.vq), want);
    t.kick_from = t.added;
    t.kicks += want;
}

static void op_add(void)
{
    uint32_t sg = 1 + draw(draw(4) == 0 ? 20 : 3), slot = t.packets % (MOST * 4);
    bool with_table = virtqueue_wants_table(&t.vq, sg) && draw(5) > 0;
    uint64_t table = with_table ? t.packets * 16u : VIRTQUEUE_DIRECT;
    uint32_t count = with_table ? 1 : sg;
    const struct virtqueue_request *request;

    /* A packed ring's decision looks back one lap at most. */
    if (!split() && t.added - t.kick_from + count > t.vq.config.size) {
        op_kick();
    }
    request = virtqueue_add(&t.vq, sg, table, t.packets);
    expect_eq(request != NULL, t.free >= count);
    if (request == NULL) {
        t.refused++;
        return;
    }
    virtqueue_check(&t.vq);
    if (virtqueue_publish(&t.vq)) {
        op_kick();
    }
    t.packet[slot].sg = sg;
    t.packet[slot].count = count;
    t.packet[slot].table = table;
    t.avail.token[t.avail.count++] = t.packets++;
    t.free -= count;
    t.added += split() ? 1 : count;
}

static void op_take(void)
{
    const struct virtqueue_request *request;
    uint32_t n = virtqueue_refresh_avail(&t.vq);

    t.seen = t.added;
    expect_eq(n, split() ? t.avail.count : t.avail.count > 0);
    if (n == 0) {
        return;
    }
    request = virtqueue_take(&t.vq);
    expect_eq(request->packet, t.avail.token[0]);
    expect_eq(request->sg, t.packet[request->packet % (MOST * 4)].sg);
    expect_eq(request->count, t.packet[request->packet % (MOST * 4)].count);
    expect_eq(request->table, t.packet[request->packet % (MOST * 4)].table);
    if (draw(16) == 0) {
        virtqueue_check(&t.vq);
        virtqueue_untake(&t.vq, request->id);
        return;
    }
    /* The id is found again by the packet, so the list can hold ids. */
    t.taken.token[t.taken.count++] = request->id;
    t.begun += request->count;
    list_remove(&t.avail, 0);
}

static void op_call(void)
{
    uint32_t lap = split() ? 65535 : t.vq.config.size;
    bool want;

    if (t.used_hidden > 0) {
        return;
    }
    want = expected(&t.call, t.call_from, t.used_total);
    if (t.call.state == EVENT && (!t.called || t.used_total - t.call_from > lap)) {
        want = true;
    }
    expect_eq(virtqueue_call_needed(&t.vq), want);
    t.called = true;
    t.call_from = t.used_total;
    t.calls += want;
}

static void op_publish(void)
{
    virtqueue_publish_used(&t.vq);
    for (; t.used_hidden > 0; t.used_hidden--) {
        uint32_t packet = t.used.token[t.used.count - t.used_hidden];

        t.used_total += split() ? 1 : t.packet[packet % (MOST * 4)].count;
    }
}

static void op_put(void)
{
    uint32_t id;

    if (t.taken.count == 0) {
        return;
    }
    id = list_remove(&t.taken, draw(3) > 0 ? 0 : draw(t.taken.count));
    t.used.token[t.used.count++] = t.vq.request[id].packet;
    t.used_hidden++;
    virtqueue_put_used(&t.vq, (uint16_t)id);
    if (draw(3) > 0) {
        virtqueue_check(&t.vq);
        op_publish();
    }
}

static void op_get(void)
{
    const struct virtqueue_request *request;
    bool visible = t.used.count > t.used_hidden;

    expect_eq(virtqueue_more_used(&t.vq), visible);
    request = virtqueue_get_buf(&t.vq);
    expect_eq(request != NULL, visible);
    if (request == NULL) {
        return;
    }
    expect_eq(request->packet, list_remove(&t.used, 0));
    expect_eq(request->table, t.packet[request->packet % (MOST * 4)].table);
    t.free += request->count;
    t.got += split() ? 1 : request->count;
    if (t.call.on) {
        t.call.at = t.got;
    }
}

static void op_callbacks(void)
{
    uint32_t out = t.avail.count + t.taken.count + t.used.count;
    bool visible = t.used.count > t.used_hidden, event = t.vq.config.event_idx;
    uint64_t bufs = (split() ? out : t.vq.config.size - t.free) * 3 / 4;
    uint32_t what = draw(3);

    if (what == 0) {
        expect_eq(virtqueue_disable_cb(&t.vq), t.call.on);
        if (t.call.on && split() && event) {
            t.call.at = 0;
        } else if (t.call.on) {
            t.call.state = NEVER;
        }
        t.call.on = false;
        return;
    }
    if (what == 1) {
        bufs = 0;
        expect_eq(virtqueue_enable_cb_poll(&t.vq, virtqueue_enable_cb_prepare(&t.vq)), visible);
    } else {
        expect_eq(virtqueue_enable_cb_delayed_prepare(&t.vq), bufs);
        expect_eq(virtqueue_enable_cb_delayed_poll(&t.vq, (uint16_t)bufs),
                  split() ? t.used.count - t.used_hidden > bufs : visible);
    }
    t.call.at = t.got + bufs;
    if (!t.call.on) {
        t.call.state = event ? EVENT : ALWAYS;
    }
    t.call.on = true;
}

static void op_notify(void)
{
    bool event = t.vq.config.event_idx;
    uint32_t what = draw(3);

    if (what == 0) {
        expect_eq(virtqueue_disable_notify(&t.vq), t.kick.on && !(split() && event));
        t.kick.on = false;
        if (!(split() && event)) {
            t.kick.state = NEVER;
        }
    } else if (what == 1 || !event) {
        expect_eq(virtqueue_enable_notify(&t.vq), !t.kick.on);
        if (!t.kick.on) {
            t.kick.at = split() ? t.seen : t.begun;
            t.kick.state = event ? EVENT : ALWAYS;
        }
        t.kick.on = true;
    } else {
        uint32_t ahead = draw(t.vq.config.size);

        virtqueue_enable_notify_after(&t.vq, (uint16_t)ahead);
        t.kick.at = (split() ? t.seen : t.begun) + ahead;
        t.kick.state = EVENT;
        t.kick.on = true;
    }
}

static void start(uint32_t size, int layout, bool indirect, bool event_idx)
{
    /* Large rings begin near the wrap, small ones come to it. */
    uint32_t begin = size >= 256 || layout == VIRTQUEUE_PACKED ? 65536 - size / 2 : 0;
    struct virtqueue_config config = {.size = size, .layout = layout, .indirect = indirect,
                                      .event_idx = event_idx, .start_index = begin};
    struct error error = {.kind = ERROR_NONE};
    bool by_event = layout == VIRTQUEUE_SPLIT && event_idx;

    memset(&t, 0, sizeof t);
    t.random = 0x9e3779b97f4a7c15u + size;
    t.free = size;
    t.added = t.used_total = t.got = t.seen = t.begun = begin;
    t.kick_from = t.call_from = t.kick.at = t.call.at = begin;
    t.kick.on = t.call.on = true;
    t.kick.state = t.call.state = by_event ? EVENT : ALWAYS;
    expect(virtqueue_init(&t.vq, &config, &error));
}

static void compare(void)
{
    virtqueue_check(&t.vq);
    expect_eq(virtqueue_free_count(&t.vq), t.free);
    expect_eq(virtqueue_outstanding(&t.vq), t.avail.count + t.taken.count + t.used.count);
    expect_eq(virtqueue_cb_enabled(&t.vq), t.call.on);
    expect_eq(virtqueue_notify_enabled(&t.vq), t.kick.on);
}

/* The mixture leans to one side for a while and then to the other, so that the ring is full, empty
 * and in between. */
static void one_op(uint64_t step)
{
    static void (*const filling[])(void) = {op_add, op_add, op_add, op_kick, op_take, op_put};
    static void (*const emptying[])(void) = {op_take, op_put, op_publish, op_get, op_get, op_call};
    static void (*const either[])(void) = {op_add,  op_kick, op_take,      op_put,   op_publish,
                                           op_call, op_get,  op_callbacks, op_notify};
    uint32_t lean = (uint32_t)(step / (4 * (uint64_t)t.vq.config.size)) % 3;

    if (lean == 2 || draw(3) == 0) {
        either[draw(sizeof either / sizeof either[0])]();
    } else if (lean == 0) {
        filling[draw(sizeof filling / sizeof filling[0])]();
    } else {
        emptying[draw(sizeof emptying / sizeof emptying[0])]();
    }
}

static const struct {
    uint32_t size;
    int layout;
    uint64_t steps;
} rings[] = {
    {2, VIRTQUEUE_SPLIT, 2400000},   {4, VIRTQUEUE_SPLIT, 2400000},
    {16, VIRTQUEUE_SPLIT, 2400000},  {256, VIRTQUEUE_SPLIT, 40000},
    {1024, VIRTQUEUE_SPLIT, 30000},  {2, VIRTQUEUE_PACKED, 300000},
    {3, VIRTQUEUE_PACKED, 300000},   {7, VIRTQUEUE_PACKED, 300000},
    {16, VIRTQUEUE_PACKED, 300000},  {100, VIRTQUEUE_PACKED, 100000},
    {1000, VIRTQUEUE_PACKED, 30000}, {1024, VIRTQUEUE_PACKED, 30000},
};

START_TEST(random_operations_keep_every_invariant)
{
    uint32_t size = rings[_i / 4].size;

    start(size, rings[_i / 4].layout, _i % 2 != 0, _i / 2 % 2 != 0);
    for (uint64_t step = 0; step < rings[_i / 4].steps; step++) {
        one_op(step);
        compare();
    }
    /* What the run has covered, so that no answer was right for want of questions. */
    ck_assert_uint_gt(t.kicks, 10);
    ck_assert_uint_gt(t.calls, 10);
    ck_assert_uint_gt(t.refused, 10);
    if (split()) {
        ck_assert_uint_gt(t.added, 65536);
        ck_assert_uint_gt(t.used_total, 65536);
    }
    virtqueue_fini(&t.vq);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = random_operations_keep_every_invariant,
         .end = 4 * (int)(sizeof rings / sizeof rings[0])},
        {0},
    };

    return suite_run_cases("virtqueue_random", NULL, NULL, cases);
}
