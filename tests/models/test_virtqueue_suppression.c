/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notification suppression: operations in, answers out, a case a row. After every operation all
 * invariants are checked. */
#include <check.h>
#include <stdlib.h>

#include "models/virtqueue.h"
#include "tests/suite.h"

/* libcheck notes every assertion in a file, too slow for long loops: noted when it fails. */
#define expect(condition)                                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            ck_abort_msg("%s", #condition);                                                        \
        }                                                                                          \
    } while (0)

enum op {
    END,
    ADD,      /* one buffer, and publish */
    ADD3,     /* three, direct */
    ADD3I,    /* three, with a table */
    KICK,     /* kick test: counted when true */
    TAKE,     /* look and take one */
    USE,      /* used entry of the oldest taken, published */
    USE_LAST, /* of the latest taken */
    PUT,      /* used entry of the oldest taken, not published */
    PUBLISH,
    CALL, /* call test: counted when true */
    GET,
    CB_OFF, /* counted as a store when it writes */
    CB_ON,  /* prepare and poll: counted as late when the poll is true */
    CB_DELAY,
    NOTIFY_OFF, /* counted as a store when it writes */
    NOTIFY_ON,  /* the same */
    LOOK,       /* refresh only */
};

/* Where a case holds. */
enum mode { FLAGS = 1, EVENT = 2, SPLIT = 4, PACKED = 8, ALL = 15 };

struct answers {
    int kicks, calls, stores, late;
};

static struct virtqueue vq;
static uint16_t taken[64];
static uint32_t taken_first, taken_count;

static void use(bool latest, bool publish)
{
    uint16_t id;

    expect(taken_count > 0);
    id = taken[(taken_first + (latest ? taken_count - 1 : 0)) % 64];
    taken_first += !latest;
    taken_count--;
    virtqueue_put_used(&vq, id);
    if (publish) {
        virtqueue_publish_used(&vq);
    }
}

static void add(uint32_t sg, bool with_table)
{
    expect(virtqueue_add(&vq, sg, with_table ? 0 : VIRTQUEUE_DIRECT, 0) != NULL);
    virtqueue_publish(&vq);
}

static void take(void)
{
    expect(virtqueue_refresh_avail(&vq) > 0);
    taken[(taken_first + taken_count++) % 64] = virtqueue_take(&vq)->id;
}

static void do_op(enum op op, struct answers *got)
{
    switch (op) {
    case END:
        break;
    case ADD:
        add(1, false);
        break;
    case ADD3:
        add(3, false);
        break;
    case ADD3I:
        add(3, true);
        break;
    case KICK:
        got->kicks += virtqueue_kick_prepare(&vq);
        break;
    case TAKE:
        take();
        break;
    case USE:
    case USE_LAST:
    case PUT:
        use(op == USE_LAST, op != PUT);
        break;
    case PUBLISH:
        virtqueue_publish_used(&vq);
        break;
    case CALL:
        got->calls += virtqueue_call_needed(&vq);
        break;
    case GET:
        ck_assert_ptr_nonnull(virtqueue_get_buf(&vq));
        break;
    case CB_OFF:
        got->stores += virtqueue_disable_cb(&vq);
        break;
    case CB_ON:
        got->late += virtqueue_enable_cb_poll(&vq, virtqueue_enable_cb_prepare(&vq));
        break;
    case CB_DELAY:
        got->late +=
            virtqueue_enable_cb_delayed_poll(&vq, virtqueue_enable_cb_delayed_prepare(&vq));
        break;
    case NOTIFY_OFF:
        got->stores += virtqueue_disable_notify(&vq);
        break;
    case NOTIFY_ON:
        got->stores += virtqueue_enable_notify(&vq);
        break;
    case LOOK:
        virtqueue_refresh_avail(&vq);
        break;
    }
}

#define OPS_MOST 40

/* A new ring, `first` (not counted), then `ops`. */
static struct answers run(uint32_t size, int layout, bool event_idx, const enum op *first,
                          const enum op *ops)
{
    struct virtqueue_config config = {
        .size = size, .layout = layout, .indirect = true, .event_idx = event_idx};
    struct error error = {.kind = ERROR_NONE};
    struct answers ignored = {0}, got = {0};

    taken_first = taken_count = 0;
    ck_assert(virtqueue_init(&vq, &config, &error));
    for (; *first != END; first++) {
        do_op(*first, &ignored);
        virtqueue_check(&vq);
    }
    for (; *ops != END; ops++) {
        do_op(*ops, &got);
        virtqueue_check(&vq);
    }
    virtqueue_fini(&vq);
    return got;
}

/* A driver and a device that have talked before: the first call is spent, both suppressions have
 * been set once, callbacks and kicks are off. */
static const enum op usual[] = {NOTIFY_OFF, CB_OFF, CB_ON, ADD,    KICK, TAKE,
                                USE,        CALL,   GET,   CB_OFF, END};

static const struct {
    const char *name;
    int modes; /* one of FLAGS, EVENT and one of SPLIT, PACKED at least */
    enum op ops[OPS_MOST];
    struct answers want;
} scripts[] = {
    /* kicks */
    {"kicks_off_stay_off", ALL, {ADD, KICK, ADD, KICK}, {.kicks = 0}},
    {"flags_kick_at_every_publish",
     FLAGS | SPLIT | PACKED,
     {NOTIFY_ON, ADD, KICK, ADD, KICK, ADD, KICK},
     {.kicks = 3, .stores = 1}},
    {"event_kicks_once_per_enable",
     EVENT | SPLIT | PACKED,
     {NOTIFY_ON, ADD, KICK, ADD, KICK, ADD, KICK},
     {.kicks = 1, .stores = 1}},
    {"batch_is_one_kick", ALL, {NOTIFY_ON, ADD, ADD, ADD, KICK}, {.kicks = 1, .stores = 1}},
    {"kick_test_without_an_add_is_no_kick",
     EVENT | SPLIT | PACKED,
     {NOTIFY_ON, KICK, ADD, KICK, KICK},
     {.kicks = 1, .stores = 1}},
    {"split_enabling_again_makes_the_next_add_kick",
     EVENT | SPLIT,
     {NOTIFY_ON, ADD, KICK, TAKE, NOTIFY_OFF, LOOK, NOTIFY_ON, ADD, KICK},
     {.kicks = 2, .stores = 2}},
    {"packed_enabling_again_makes_the_next_add_kick",
     EVENT | PACKED,
     {NOTIFY_ON, ADD, KICK, TAKE, NOTIFY_OFF, LOOK, NOTIFY_ON, ADD, KICK},
     {.kicks = 2, .stores = 3}},
    {"split_event_disable_writes_nothing",
     EVENT | SPLIT,
     {NOTIFY_ON, ADD, TAKE, NOTIFY_OFF, NOTIFY_ON, NOTIFY_OFF},
     {.stores = 2}},
    {"flags_disable_and_enable_write_each",
     FLAGS | SPLIT | PACKED,
     {NOTIFY_ON, NOTIFY_OFF, NOTIFY_ON, NOTIFY_OFF},
     {.stores = 4}},
    {"packed_event_disable_and_enable_write_each",
     EVENT | PACKED,
     {NOTIFY_ON, NOTIFY_OFF, NOTIFY_ON, NOTIFY_OFF},
     {.stores = 4}},
    {"nothing_is_written_twice", ALL, {NOTIFY_OFF, NOTIFY_OFF, CB_OFF, CB_OFF}, {.stores = 0}},
    {"direct_chain_passes_the_event",
     EVENT | SPLIT | PACKED,
     {NOTIFY_ON, ADD3, KICK, ADD3I, KICK},
     {.kicks = 1, .stores = 1}},

    /* calls */
    {"calls_off_stay_off", ALL, {ADD, TAKE, USE, CALL, ADD, TAKE, USE, CALL}, {.calls = 0}},
    {"flags_call_at_every_test",
     FLAGS | SPLIT | PACKED,
     {CB_ON, ADD, ADD, TAKE, TAKE, USE, CALL, USE, CALL},
     {.calls = 2}},
    {"event_calls_once_until_the_driver_moves_on",
     EVENT | SPLIT | PACKED,
     {CB_ON, ADD, ADD, TAKE, TAKE, USE, CALL, USE, CALL},
     {.calls = 1}},
    {"get_moves_the_event_when_callbacks_are_on",
     EVENT | SPLIT | PACKED,
     {CB_ON, ADD, ADD, TAKE, TAKE, USE, CALL, GET, USE, CALL},
     {.calls = 2}},
    {"get_leaves_the_event_when_callbacks_are_off",
     EVENT | SPLIT | PACKED,
     {CB_ON, ADD, ADD, TAKE, TAKE, USE, CALL, CB_OFF, GET, USE, CALL},
     {.calls = 1, .stores = 1}},
    {"batch_of_used_entries_is_one_call",
     ALL,
     {CB_ON, ADD, ADD, ADD, TAKE, TAKE, TAKE, PUT, PUT, PUT, PUBLISH, CALL},
     {.calls = 1}},
    {"event_is_passed_once",
     EVENT | SPLIT | PACKED,
     {CB_ON, ADD, TAKE, USE, CALL, CALL},
     {.calls = 1}},
    {"enable_after_use_is_late", ALL, {ADD, TAKE, USE, CALL, CB_ON}, {.late = 1}},
    {"enable_before_use_is_not_late", ALL, {ADD, TAKE, PUT, CB_ON, PUBLISH, CALL}, {.calls = 1}},
    {"event_set_behind_is_never_called",
     EVENT | SPLIT | PACKED,
     {ADD, ADD, TAKE, TAKE, USE, CALL, CB_ON, USE, CALL},
     {.calls = 0, .late = 1}},

    /* three quarters of what is outstanding: 4 -> bufs 3, so the fourth used entry calls */
    {"delayed_event_waits_for_three_quarters",
     EVENT | SPLIT | PACKED,
     {ADD, ADD, ADD, ADD, CB_DELAY, TAKE, TAKE, TAKE, TAKE, USE, CALL, USE, CALL, USE, CALL},
     {.calls = 0}},
    {"delayed_event_calls_at_the_one_after",
     EVENT | SPLIT | PACKED,
     {ADD, ADD, ADD, ADD, CB_DELAY, TAKE, TAKE, TAKE, TAKE, USE, CALL, USE, CALL, USE, CALL, USE,
      CALL},
     {.calls = 1}},
    {"delay_has_no_effect_on_flags",
     FLAGS | SPLIT | PACKED,
     {ADD, ADD, ADD, ADD, CB_DELAY, TAKE, USE, CALL},
     {.calls = 1}},
    {"split_delay_is_late_only_beyond_three_quarters",
     EVENT | SPLIT,
     {ADD, ADD, ADD, ADD, TAKE, TAKE, TAKE, TAKE, USE, USE, USE, CB_DELAY, USE, CB_DELAY},
     {.late = 1}},
    {"packed_delay_is_late_at_any_used_entry",
     EVENT | PACKED,
     {ADD, ADD, ADD, ADD, TAKE, TAKE, TAKE, TAKE, CB_DELAY, USE, CB_DELAY, USE, CB_DELAY},
     {.late = 2}},
    /* Armed before the add, as start_xmit does: bufs = 0, so the very next completion calls. */
    {"delay_on_a_drained_ring_calls_at_the_next_used_entry",
     EVENT | SPLIT | PACKED,
     {CB_DELAY, ADD, ADD, ADD, TAKE, TAKE, TAKE, USE_LAST, CALL, USE, CALL, USE, CALL},
     {.calls = 1}},
    {"delay_counts_what_was_added_before_it",
     EVENT | SPLIT | PACKED,
     {ADD, ADD, ADD, CB_DELAY, TAKE, TAKE, TAKE, USE, CALL, USE, CALL},
     {.calls = 0}},
};

START_TEST(suppression_answers)
{
    for (int layout = VIRTQUEUE_SPLIT; layout <= VIRTQUEUE_PACKED; layout++) {
        for (int event = 0; event < 2; event++) {
            struct answers got;

            if ((scripts[_i].modes & (event ? EVENT : FLAGS)) == 0 ||
                (scripts[_i].modes & (layout == VIRTQUEUE_SPLIT ? SPLIT : PACKED)) == 0) {
                continue;
            }
            got = run(16, layout, event != 0, usual, scripts[_i].ops);
            ck_assert_msg(
                got.kicks == scripts[_i].want.kicks && got.calls == scripts[_i].want.calls &&
                    got.stores == scripts[_i].want.stores && got.late == scripts[_i].want.late,
                "%s, layout %d, event index %d: kicks %d, calls %d, stores %d, late %d",
                scripts[_i].name, layout, event, got.kicks, got.calls, got.stores, got.late);
        }
    }
}
END_TEST

START_TEST(first_call_is_always_sent)
{
    static const enum op none[] = {END};
    static const enum op ops[] = {CB_OFF, ADD,      ADD,  ADD, TAKE, TAKE, TAKE,
                                  USE,    CB_DELAY, CALL, USE, CALL, END};

    ck_assert_int_eq(run(16, VIRTQUEUE_SPLIT, true, none, ops).calls, 1);
    ck_assert_int_eq(run(16, VIRTQUEUE_PACKED, true, none, ops).calls, 1);
}
END_TEST

/* A fresh ring notifies both ways: flags are 0; split event indices stand at the first entry. */
START_TEST(fresh_ring_notifies)
{
    static const enum op none[] = {END};
    static const enum op ops[] = {ADD, KICK, TAKE, USE, CALL, END};

    for (int i = 0; i < 4; i++) {
        struct answers got = run(4, i / 2, i % 2 != 0, none, ops);

        ck_assert_int_eq(got.kicks, 1);
        ck_assert_int_eq(got.calls, 1);
    }
}
END_TEST

static void init(uint32_t size, int mode)
{
    struct virtqueue_config config = {
        .size = size, .layout = mode / 2, .indirect = true, .event_idx = mode % 2 != 0};
    struct error error = {.kind = ERROR_NONE};

    ck_assert(virtqueue_init(&vq, &config, &error));
    taken_first = taken_count = 0;
}

/* Through all index values and many laps: a device that enables notifications whenever it has
 * drained the ring is kicked for each packet that is added to the empty ring. */
START_TEST(packet_added_to_a_drained_ring_always_kicks)
{
    init(8, _i);
    virtqueue_disable_notify(&vq);
    for (uint32_t i = 0; i < 140000; i++) {
        expect(virtqueue_refresh_avail(&vq) == 0);
        virtqueue_enable_notify(&vq);
        expect(virtqueue_refresh_avail(&vq) == 0);
        add(1 + i % 3, i % 2 != 0);
        expect(virtqueue_kick_prepare(&vq));
        virtqueue_disable_notify(&vq);
        take();
        use(false, true);
        expect(virtqueue_get_buf(&vq) != NULL);
        if (i % 1000 == 0 || i > 139900) {
            virtqueue_check(&vq);
        }
    }
    virtqueue_fini(&vq);
}
END_TEST

/* bufs for k outstanding requests, by integer division; the call comes with used entry bufs + 1. */
START_TEST(delay_is_three_quarters_rounded_down)
{
    static const uint16_t want[] = {0, 0, 1, 2, 3, 3, 4, 5, 6, 6, 7, 8, 9};

    for (uint32_t k = 0; k < sizeof want / sizeof want[0]; k++) {
        uint32_t used = 0;

        init(16, _i);
        virtqueue_call_needed(&vq); /* the first */
        virtqueue_disable_cb(&vq);
        for (uint32_t i = 0; i < k; i++) {
            add(1, false);
        }
        ck_assert_uint_eq(virtqueue_enable_cb_delayed_prepare(&vq), want[k]);
        if (k == 0) {
            add(1, false);
        }
        do {
            take();
            use(false, true);
            used++;
            ck_assert_uint_le(used, k + 1);
        } while (!virtqueue_call_needed(&vq));
        ck_assert_uint_eq(used, want[k] + 1u);
        virtqueue_fini(&vq);
    }
}
END_TEST

/* An event set ahead is passed by the step that reaches it, for each distance, lap after lap. */
START_TEST(events_set_ahead_fire_at_their_distance)
{
    init(_i % 2 != 0 ? 16 : 13, _i < 2 ? 1 : 3);
    virtqueue_call_needed(&vq);
    for (uint32_t round = 0; round < 20000; round++) {
        uint16_t ahead = (uint16_t)(round % 11);

        virtqueue_disable_cb(&vq);
        virtqueue_enable_notify_after(&vq, ahead);
        virtqueue_enable_cb_after(&vq, ahead);
        for (uint32_t i = 0; i <= ahead; i++) {
            add(1, false);
            expect(virtqueue_kick_prepare(&vq) == (i == ahead));
        }
        for (uint32_t i = 0; i <= ahead; i++) {
            take();
            use(false, true);
            expect(virtqueue_call_needed(&vq) == (i == ahead));
        }
        virtqueue_disable_cb(&vq);
        while (virtqueue_get_buf(&vq) != NULL) {
        }
    }
    virtqueue_check(&vq);
    virtqueue_fini(&vq);
}
END_TEST

/* Callbacks are off throughout, so only the lost count can make the device call. */
START_TEST(call_is_sent_after_a_lap_without_decision)
{
    init(4, 1);
    virtqueue_call_needed(&vq);
    for (uint32_t lap = 0; lap < 2; lap++) {
        uint32_t count = lap == 0 ? 65534 : 65536;

        for (uint32_t i = 0; i < count; i++) {
            add(1, false);
            take();
            use(false, true);
            virtqueue_get_buf(&vq);
            virtqueue_disable_cb(&vq);
        }
        vq.shared.used_event = (uint16_t)(vq.device.used + 1); /* not among the last 65534 */
        ck_assert_int_eq(virtqueue_call_needed(&vq), lap == 1);
    }
    virtqueue_fini(&vq);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = suppression_answers, .end = (int)(sizeof scripts / sizeof scripts[0])},
        {.test = first_call_is_always_sent},
        {.test = fresh_ring_notifies},
        {.test = packet_added_to_a_drained_ring_always_kicks, .end = 4},
        {.test = call_is_sent_after_a_lap_without_decision},
        {.test = events_set_ahead_fire_at_their_distance, .begin = 1, .end = 4},
        {.test = delay_is_three_quarters_rounded_down, .begin = 1, .end = 2},
        {.test = delay_is_three_quarters_rounded_down, .begin = 3, .end = 4},
        {0},
    };

    return suite_run_cases("virtqueue_suppression", NULL, NULL, cases);
}
