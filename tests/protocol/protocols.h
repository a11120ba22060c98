/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The notification protocols of a virtqueue and of a vhost worker, as programs for the machine.
 *
 * All have one shape. A producer hands work over, then reads whether anybody wants to be told, and
 * wakes the consumer only then. A consumer that finds no more work asks to be told, looks once
 * more, and sleeps. Each side stores one variable and loads the other's, so a machine with store
 * buffers can let both loads pass both stores: the producer sees "do not wake me", the consumer
 * sees no work. Between store and load stands the barrier that the options vary.
 *
 *   callback      zerocopy completion (producer) against the vhost worker, whose used_flags say
 *                 whether it is active: the status-gated callback
 *   callback-put  the same with a locked decrement of the reference count in place of the barrier
 *   callback-exit the worker leaves its loop without clearing NO_NOTIFY, as it does at max-pend
 *   vhost         guest, callback and worker together; the worker always looks at avail.idx again,
 *                 and the re-check in question is the scan of the zerocopy entries
 *   kick-flags, kick-event   the guest's kick against vhost_enable_notify
 *   call-flags, call-event   used buffer notification against the driver's enable and re-check,
 *                 with an interrupt that wakes the poll directly
 *   napi          the same with interrupt handler and NAPI state: enable, complete, look again
 *   napi-complete-first  complete, enable, look again
 *   napi-look-first, napi-no-missed  enable, look again, complete: with and without the bit that
 *                 remembers an interrupt that came while the poll was scheduled
 *   refcount-read, refcount-put  two completions of the last two requests under the count rule:
 *                 the count read before the put (3.13), or returned by the decrement
 */
#ifndef TESTS_PROTOCOL_PROTOCOLS_H
#define TESTS_PROTOCOL_PROTOCOLS_H

#include "tests/protocol/machine.h"

/* Variables: work is what is handed over, ask whether to wake (1: do not; or the event index). */
#define WORK 0
#define ASK  1
/* The third, where there is one. */
#define DONE  2
#define REFS  2
#define SCHED 2

/* Locked operations. */
#define DECREMENT       MAP(3, 0, 1, 2)
#define SCHEDULE        MAP(1, 3, 3, 3) /* 0 idle, 1 scheduled, 3 scheduled and missed one */
#define SCHEDULE_FORGET MAP(1, 1, 1, 1)
#define COMPLETE        MAP(0, 0, 0, 1)
#define MISSED          3

static const struct instruction flags_producer[] = {
    [0] = ADD(0, 1),         [1] = STORE_REGISTER(WORK, 0, "hand it over"),
    [2] = BARRIER(),         [3] = LOAD(1, ASK, "is a wake-up wanted?"),
    [4] = IF_EQUAL(1, 1, 6), [5] = WAKE(1, "yes"),
    [6] = IF_MORE(0, 0),     [7] = END(),
};

static const struct instruction flags_consumer[] = {
    [0] = LOAD(1, WORK, "look for work"),
    [1] = MOVE(0, 1),
    [2] = STORE(ASK, 0, "ask for a wake-up"),
    [3] = BARRIER(),
    [4] = UNLESS_RECHECK(7),
    [5] = LOAD(1, WORK, "look again"),
    [6] = IF_DIFFERENT(1, 0, 8),
    [7] = SLEEP("woken"),
    [8] = STORE(ASK, 1, "no more wake-ups"),
    [9] = GOTO(0),
};

static const struct instruction event_producer[] = {
    [0] = ADD(0, 1),          [1] = STORE_REGISTER(WORK, 0, "hand it over"),
    [2] = BARRIER(),          [3] = LOAD(1, ASK, "is this the index asked for?"),
    [4] = UNLESS_EVENT(1, 6), [5] = WAKE(1, "yes"),
    [6] = IF_MORE(0, 0),      [7] = END(),
};

/* Nothing is written to stop wake-ups: an event index that was passed matches no more. */
static const struct instruction event_consumer[] = {
    [0] = LOAD(1, WORK, "look for work"),
    [1] = MOVE(0, 1),
    [2] = STORE_REGISTER(ASK, 0, "ask for the next one"),
    [3] = BARRIER(),
    [4] = UNLESS_RECHECK(7),
    [5] = LOAD(1, WORK, "look again"),
    [6] = IF_DIFFERENT(1, 0, 1),
    [7] = SLEEP("woken"),
    [8] = GOTO(0),
};

static const struct instruction put_callback[] = {
    [0] = ADD(0, 1),
    [1] = STORE_REGISTER(WORK, 0, "hand it over"),
    [2] = RMW(1, REFS, DECREMENT, "put the reference"),
    [3] = LOAD(1, ASK, "is a wake-up wanted?"),
    [4] = IF_EQUAL(1, 1, 6),
    [5] = WAKE(1, "yes"),
    [6] = IF_MORE(0, 0),
    [7] = END(),
};

static const struct instruction exiting_worker[] = {
    [0] = LOAD(1, WORK, "look for work"),
    [1] = MOVE(0, 1),
    [2] = SLEEP("woken"), /* max-pend: NO_NOTIFY stays set */
    [3] = GOTO(0),
};

static const struct instruction vhost_callback[] = {
    [0] = ADD(0, 1),         [1] = STORE_REGISTER(DONE, 0, "mark the entry done"),
    [2] = BARRIER(),         [3] = LOAD(1, ASK, "is a wake-up wanted?"),
    [4] = IF_EQUAL(1, 1, 6), [5] = WAKE(1, "yes"),
    [6] = IF_MORE(0, 0),     [7] = END(),
};

static const struct instruction vhost_worker[] = {
    [0] = LOAD(0, DONE, "scan the entries"),
    [1] = LOAD(1, WORK, "fetch what is available"),
    [2] = STORE(ASK, 0, "clear NO_NOTIFY"),
    [3] = BARRIER(),
    [4] = LOAD(2, WORK, "look at avail.idx again"),
    [5] = IF_DIFFERENT(2, 1, 10),
    [6] = UNLESS_RECHECK(9),
    [7] = LOAD(2, DONE, "scan the entries again"),
    [8] = IF_DIFFERENT(2, 0, 10),
    [9] = SLEEP("woken"),
    [10] = STORE(ASK, 1, "set NO_NOTIFY"),
    [11] = GOTO(0),
};

/* The interrupt handler: no more interrupts, and a poll unless one is scheduled. */
#define INTERRUPT(schedule)                                                                        \
    {                                                                                              \
        [0] = SLEEP("interrupt"), [1] = STORE(ASK, 1, "disable callbacks"),                        \
        [2] = RMW(0, SCHED, schedule, "schedule the poll"), [3] = IF_EQUAL(0, 0, 5),               \
        [4] = GOTO(0), [5] = WAKE(2, "start the poll"), [6] = GOTO(0),                             \
    }

static const struct instruction interrupt[] = INTERRUPT(SCHEDULE);
static const struct instruction interrupt_no_missed[] = INTERRUPT(SCHEDULE_FORGET);

static const struct instruction napi_poll[] = {
    [0] = LOAD(1, WORK, "reclaim what is used"),
    [1] = MOVE(0, 1),
    [2] = STORE(ASK, 0, "enable callbacks"),
    [3] = RMW(1, SCHED, COMPLETE, "complete"),
    [4] = IF_EQUAL(1, MISSED, 13),
    [5] = BARRIER(),
    [6] = UNLESS_RECHECK(12),
    [7] = LOAD(1, WORK, "look again"),
    [8] = IF_DIFFERENT(1, 0, 10),
    [9] = GOTO(12),
    [10] = RMW(1, SCHED, SCHEDULE, "schedule itself"),
    [11] = IF_EQUAL(1, 0, 13),
    [12] = SLEEP("poll starts"),
    [13] = STORE(ASK, 1, "disable callbacks"),
    [14] = GOTO(0),
};

static const struct instruction napi_poll_complete_first[] = {
    [0] = LOAD(1, WORK, "reclaim what is used"),
    [1] = MOVE(0, 1),
    [2] = RMW(1, SCHED, COMPLETE, "complete"),
    [3] = IF_EQUAL(1, MISSED, 13),
    [4] = STORE(ASK, 0, "enable callbacks"),
    [5] = BARRIER(),
    [6] = UNLESS_RECHECK(12),
    [7] = LOAD(1, WORK, "look again"),
    [8] = IF_DIFFERENT(1, 0, 10),
    [9] = GOTO(12),
    [10] = RMW(1, SCHED, SCHEDULE, "schedule itself"),
    [11] = IF_EQUAL(1, 0, 13),
    [12] = SLEEP("poll starts"),
    [13] = STORE(ASK, 1, "disable callbacks"),
    [14] = GOTO(0),
};

static const struct instruction napi_poll_look_first[] = {
    [0] = LOAD(1, WORK, "reclaim what is used"),
    [1] = MOVE(0, 1),
    [2] = STORE(ASK, 0, "enable callbacks"),
    [3] = BARRIER(),
    [4] = UNLESS_RECHECK(7),
    [5] = LOAD(1, WORK, "look again"),
    [6] = IF_DIFFERENT(1, 0, 10),
    [7] = RMW(1, SCHED, COMPLETE, "complete"),
    [8] = IF_EQUAL(1, MISSED, 10),
    [9] = SLEEP("poll starts"),
    [10] = STORE(ASK, 1, "disable callbacks"),
    [11] = GOTO(0),
};

/* The count rule without its every 16th: queue when this was the last but one, or the last. */
#define REFCOUNT_READ(entry)                                                                       \
    {                                                                                              \
        [0] = LOAD(0, REFS, "read the count"), [1] = STORE(entry, 1, "mark the entry done"),       \
        [2] = RMW(1, REFS, DECREMENT, "put the reference"), [3] = IF_EQUAL(0, 3, 5),               \
        [4] = WAKE(1, "count <= 2"), [5] = END(),                                                  \
    }
#define REFCOUNT_PUT(entry)                                                                        \
    {                                                                                              \
        [0] = STORE(entry, 1, "mark the entry done"),                                              \
        [1] = RMW(0, REFS, DECREMENT, "put the reference, take the count"),                        \
        [2] = IF_EQUAL(0, 3, 4), [3] = WAKE(1, "count <= 1 after it"), [4] = END(),                \
    }

static const struct instruction refcount_read_first[] = REFCOUNT_READ(0);
static const struct instruction refcount_read_second[] = REFCOUNT_READ(1);
static const struct instruction refcount_put_first[] = REFCOUNT_PUT(0);
static const struct instruction refcount_put_second[] = REFCOUNT_PUT(1);

static const struct instruction refcount_worker[] = {
    [0] = SLEEP("woken"),
    [1] = LOAD(0, 0, "scan the first entry"),
    [2] = LOAD(1, 1, "scan the second entry"),
    [3] = GOTO(0),
};

#define SEEN_BY(p) .goals = {{.var = WORK, .party = (p), .reg = 0}}, .goal_count = 1

static const struct protocol protocols[] = {
    {
        .name = "callback",
        .title = "zerocopy completion against a vhost worker that is about to sleep",
        .variables = {"done", "no_notify"},
        .initial = {0, 1},
        .parties = {{"callback", flags_producer}, {"worker", flags_consumer}},
        .party_count = 2,
        .consumer = 1,
        SEEN_BY(1),
    },
    {
        .name = "callback-put",
        .title = "the same, a locked decrement in the place of the callback's barrier",
        .variables = {"done", "no_notify", "refs"},
        .initial = {0, 1, 3},
        .parties = {{"callback", put_callback}, {"worker", flags_consumer}},
        .party_count = 2,
        .consumer = 1,
        SEEN_BY(1),
    },
    {
        .name = "callback-exit",
        .title = "the same, a worker that leaves with NO_NOTIFY set",
        .variables = {"done", "no_notify"},
        .initial = {0, 1},
        .parties = {{"callback", flags_producer}, {"worker", exiting_worker}},
        .party_count = 2,
        .consumer = 1,
        SEEN_BY(1),
    },
    {
        .name = "vhost",
        .title = "guest, callback and worker; the worker always looks at avail.idx again",
        .variables = {"avail", "no_notify", "done"},
        .initial = {0, 1, 0},
        .parties = {{"guest", flags_producer},
                    {"worker", vhost_worker},
                    {"callback", vhost_callback}},
        .party_count = 3,
        .producer = 2,
        .consumer = 1,
        .goals = {{.var = WORK, .party = 1, .reg = 1}, {.var = DONE, .party = 1, .reg = 0}},
        .goal_count = 2,
    },
    {
        .name = "kick-flags",
        .title = "guest's kick against vhost_enable_notify, used.flags",
        .variables = {"avail", "no_notify"},
        .initial = {0, 1},
        .parties = {{"guest", flags_producer}, {"worker", flags_consumer}},
        .party_count = 2,
        .consumer = 1,
        SEEN_BY(1),
    },
    {
        .name = "kick-event",
        .title = "guest's kick against vhost_enable_notify, event index",
        .variables = {"avail", "avail_event"},
        .initial = {0, 3},
        .parties = {{"guest", event_producer}, {"worker", event_consumer}},
        .party_count = 2,
        .consumer = 1,
        SEEN_BY(1),
    },
    {
        .name = "call-flags",
        .title = "used buffer notification against the driver's poll, avail.flags",
        .variables = {"used", "no_interrupt"},
        .initial = {0, 1},
        .parties = {{"device", flags_producer}, {"driver", flags_consumer}},
        .party_count = 2,
        .consumer = 1,
        SEEN_BY(1),
    },
    {
        .name = "call-event",
        .title = "used buffer notification against the driver's poll, event index",
        .variables = {"used", "used_event"},
        .initial = {0, 3},
        .parties = {{"device", event_producer}, {"driver", event_consumer}},
        .party_count = 2,
        .consumer = 1,
        SEEN_BY(1),
    },
    {
        .name = "napi",
        .title = "device, interrupt handler and NAPI: enable, complete, look again",
        .variables = {"used", "no_interrupt", "napi_state"},
        .initial = {0, 1, 1},
        .parties = {{"device", flags_producer}, {"interrupt", interrupt}, {"napi", napi_poll}},
        .party_count = 3,
        .consumer = 2,
        SEEN_BY(2),
    },
    {
        .name = "napi-complete-first",
        .title = "the same, complete before enable",
        .variables = {"used", "no_interrupt", "napi_state"},
        .initial = {0, 1, 1},
        .parties = {{"device", flags_producer},
                    {"interrupt", interrupt},
                    {"napi", napi_poll_complete_first}},
        .party_count = 3,
        .consumer = 2,
        SEEN_BY(2),
    },
    {
        .name = "napi-look-first",
        .title = "the same, the second look before complete",
        .variables = {"used", "no_interrupt", "napi_state"},
        .initial = {0, 1, 1},
        .parties = {{"device", flags_producer},
                    {"interrupt", interrupt},
                    {"napi", napi_poll_look_first}},
        .party_count = 3,
        .consumer = 2,
        SEEN_BY(2),
    },
    {
        .name = "napi-no-missed",
        .title = "the second look before complete, and nothing remembers a missed interrupt",
        .variables = {"used", "no_interrupt", "napi_state"},
        .initial = {0, 1, 1},
        .parties = {{"device", flags_producer},
                    {"interrupt", interrupt_no_missed},
                    {"napi", napi_poll_look_first}},
        .party_count = 3,
        .consumer = 2,
        SEEN_BY(2),
    },
    {
        .name = "refcount-read",
        .title = "two last completions, the count read before the put",
        .variables = {"done_1", "done_2", "refs"},
        .initial = {0, 0, 3},
        .parties = {{"first", refcount_read_first},
                    {"worker", refcount_worker},
                    {"second", refcount_read_second}},
        .party_count = 3,
        .consumer = 1,
        .goals = {{.var = 0, .party = 1, .reg = 0}, {.var = 1, .party = 1, .reg = 1}},
        .goal_count = 2,
    },
    {
        .name = "refcount-put",
        .title = "two last completions, the count returned by the decrement",
        .variables = {"done_1", "done_2", "refs"},
        .initial = {0, 0, 3},
        .parties = {{"first", refcount_put_first},
                    {"worker", refcount_worker},
                    {"second", refcount_put_second}},
        .party_count = 3,
        .consumer = 1,
        .goals = {{.var = 0, .party = 1, .reg = 0}, {.var = 1, .party = 1, .reg = 1}},
        .goal_count = 2,
    },
};

#define PROTOCOL_COUNT (sizeof(protocols) / sizeof(protocols[0]))

/* The protocol of that name, or NULL. */
static inline const struct protocol *protocol_find(const char *name)
{
    for (size_t i = 0; i < PROTOCOL_COUNT; i++) {
        if (strcmp(protocols[i].name, name) == 0) {
            return &protocols[i];
        }
    }
    return NULL;
}

/* Whether the party's program has a place for a barrier, or for the re-check. */
static inline bool protocol_has(const struct protocol *protocol, uint32_t party, enum op op)
{
    const struct instruction *i = protocol->parties[party].program;
    uint8_t last = 0;

    /* Ends at END, or at a jump back that no target reaches beyond. */
    for (uint8_t at = 0;; at++) {
        if (i[at].op == op) {
            return true;
        }
        last = i[at].target > last ? i[at].target : last;
        if (i[at].op == OP_END || (i[at].op == OP_GOTO && last <= at)) {
            return false;
        }
    }
}

static inline struct machine_options protocol_options(const struct protocol *protocol,
                                                      enum barrier producer, enum barrier consumer,
                                                      bool recheck)
{
    struct machine_options options = {.recheck = recheck, .depth = 1, .rounds = 1};

    for (uint32_t i = 0; i < MACHINE_PARTIES; i++) {
        options.barriers[i] = BARRIER_FULL;
    }
    options.barriers[protocol->producer] = producer;
    options.barriers[protocol->consumer] = consumer;
    return options;
}

#endif
