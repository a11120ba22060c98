/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The yardstick for the simulator's speed: the same kind of pipeline on a textbook event loop, a
 * 4-ary heap on (time, order) whose entries hold a function pointer, with no models behind it.
 *
 *   guest CPU, 100 ns a packet -> ring of 256 -> host thread, batches of up to 64 -> completion
 *
 * Each packet is an event of the guest and one of the host; the completion of a batch, about twenty
 * packets, is one more: 2.05 events a packet, three of them pending at a time. Prints packets,
 * events, seconds of CPU time and a checksum.
 *
 *   bench_engine PACKETS
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ARITY 4u
#define ROOM  1024u
#define RING  256u
#define BATCH 64u

/* ps, as in the simulator */
#define GUEST_PACKET INT64_C(100000)
#define HOST_BATCH   INT64_C(1000000)
#define HOST_PACKET  INT64_C(50000)
#define HOST_POLL    INT64_C(100000)
#define COMPLETION   INT64_C(500000)

struct pipeline;

typedef void event_handler(struct pipeline *p);

struct event {
    int64_t time;
    uint64_t order;
    event_handler *handler;
};

struct pipeline {
    struct event heap[ROOM];
    uint32_t count;
    int64_t now;
    uint64_t order, events;

    uint64_t wanted, sent, taken, completed;
    uint64_t batch, batch_left; /* of the host */
    uint64_t completing;        /* the batch whose completion is on its way */
    bool guest_waits;           /* for a place on the ring */
    uint64_t checksum;
};

static bool before(const struct event *a, const struct event *b)
{
    return a->time < b->time || (a->time == b->time && a->order < b->order);
}

static void schedule(struct pipeline *p, int64_t time, event_handler *handler)
{
    struct event event = {time, p->order++, handler};
    uint32_t slot = p->count++;

    if (p->count > ROOM) {
        abort();
    }
    while (slot > 0 && before(&event, &p->heap[(slot - 1) / ARITY])) {
        p->heap[slot] = p->heap[(slot - 1) / ARITY];
        slot = (slot - 1) / ARITY;
    }
    p->heap[slot] = event;
}

static struct event take_first(struct pipeline *p)
{
    struct event first = p->heap[0], last = p->heap[--p->count];
    uint32_t slot = 0;

    for (;;) {
        uint32_t child = ARITY * slot + 1, least = child;
        uint32_t end = child + ARITY < p->count ? child + ARITY : p->count;

        if (child >= p->count) {
            break;
        }
        for (uint32_t i = child + 1; i < end; i++) {
            if (before(&p->heap[i], &p->heap[least])) {
                least = i;
            }
        }
        if (!before(&p->heap[least], &last)) {
            break;
        }
        p->heap[slot] = p->heap[least];
        slot = least;
    }
    p->heap[slot] = last;
    return first;
}

static void guest_on_packet(struct pipeline *p)
{
    if (p->sent - p->completed == RING) {
        p->guest_waits = true;
        return;
    }
    p->sent++;
    if (p->sent < p->wanted) {
        schedule(p, p->now + GUEST_PACKET, guest_on_packet);
    }
}

static void completion_on_batch(struct pipeline *p)
{
    p->completed += p->completing;
    p->checksum = (p->checksum ^ (uint64_t)p->now) * UINT64_C(1099511628211);
    if (p->guest_waits) {
        p->guest_waits = false;
        schedule(p, p->now, guest_on_packet);
    }
}

static void host_on_packet(struct pipeline *p);

static void host_on_look(struct pipeline *p)
{
    uint64_t there = p->sent - p->taken;

    p->batch = there < BATCH ? there : BATCH;
    p->batch_left = p->batch;
    p->taken += p->batch;
    if (p->batch > 0) {
        schedule(p, p->now + HOST_BATCH + HOST_PACKET, host_on_packet);
    } else if (p->taken < p->wanted) {
        schedule(p, p->now + HOST_POLL, host_on_look);
    }
}

/* A packet is done; the last of a batch hands it over and looks for more at once. */
static void host_on_packet(struct pipeline *p)
{
    if (--p->batch_left > 0) {
        schedule(p, p->now + HOST_PACKET, host_on_packet);
        return;
    }
    p->completing = p->batch;
    schedule(p, p->now + COMPLETION, completion_on_batch);
    host_on_look(p);
}

static double cpu_seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    static struct pipeline pipeline;
    double begin;

    pipeline.wanted = argc == 2 ? strtoull(argv[1], NULL, 10) : 0;
    if (pipeline.wanted == 0) {
        fprintf(stderr, "usage: bench_engine PACKETS\n");
        return 2;
    }
    begin = cpu_seconds();
    schedule(&pipeline, GUEST_PACKET, guest_on_packet);
    schedule(&pipeline, 0, host_on_look);
    while (pipeline.count > 0) {
        struct event event = take_first(&pipeline);

        pipeline.now = event.time;
        pipeline.events++;
        event.handler(&pipeline);
    }
    printf("%" PRIu64 " %" PRIu64 " %.6f %016" PRIx64 "\n", pipeline.completed, pipeline.events,
           cpu_seconds() - begin, pipeline.checksum);
    return 0;
}
