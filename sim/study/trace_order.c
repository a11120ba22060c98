/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The window is a queue of packets that came in order and a heap of those that came late; the next
 * one is the earlier of their heads. A file that is in order never touches the heap.
 */
#include "sim/study/trace_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/trace_input.h"

struct trace_order {
    struct trace_reader *reader;
    const struct trace_options *options;
    struct trace_order_facts facts;

    /* Both grow up to TRACE_WINDOW_PACKETS; the room is a power of two. */
    struct trace_packet *queue; /* a ring in order of time */
    uint32_t queue_head, queue_count, queue_room;
    struct trace_packet *late; /* a heap, the earliest first */
    uint32_t late_count, late_room;

    bool ended;
    bool any;         /* a packet was taken in */
    sim_time newest;  /* of those taken in */
    sim_time handed;  /* time of the last one handed over */
    uint64_t unsized; /* number and size of the first that was left out for it */
    uint32_t unsized_size;
};

struct trace_order *trace_order_new(struct trace_reader *reader,
                                    const struct trace_options *options)
{
    struct trace_order *order = calloc(1, sizeof *order);

    if (!order) {
        abort();
    }
    order->reader = reader;
    order->options = options;
    return order;
}

void trace_order_free(struct trace_order *order)
{
    if (order) {
        free(order->queue);
        free(order->late);
        free(order);
    }
}

const struct trace_order_facts *trace_order_facts(const struct trace_order *order)
{
    return &order->facts;
}

static bool earlier(const struct trace_packet *a, const struct trace_packet *b)
{
    return a->at < b->at || (a->at == b->at && a->number < b->number);
}

static struct trace_packet *grow(struct trace_packet *list, uint32_t *room)
{
    *room = *room > 0 ? 2 * *room : 256;
    list = realloc(list, *room * sizeof *list);
    if (!list) {
        abort();
    }
    return list;
}

static void late_push(struct trace_order *order, const struct trace_packet *packet)
{
    uint32_t at;

    if (order->late_count == order->late_room) {
        order->late = grow(order->late, &order->late_room);
    }
    at = order->late_count++;

    while (at > 0 && earlier(packet, &order->late[(at - 1) / 2])) {
        order->late[at] = order->late[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    order->late[at] = *packet;
}

static void late_pop(struct trace_order *order, struct trace_packet *packet)
{
    const struct trace_packet *last = &order->late[--order->late_count];
    uint32_t at = 0, child;

    *packet = order->late[0];
    while ((child = 2 * at + 1) < order->late_count) {
        if (child + 1 < order->late_count &&
            earlier(&order->late[child + 1], &order->late[child])) {
            child++;
        }
        if (!earlier(&order->late[child], last)) {
            break;
        }
        order->late[at] = order->late[child];
        at = child;
    }
    order->late[at] = *last;
}

static struct trace_packet *queue_at(struct trace_order *order, uint32_t n)
{
    return &order->queue[(order->queue_head + n) & (order->queue_room - 1)];
}

static void queue_grow(struct trace_order *order)
{
    const uint32_t before = order->queue_room;

    order->queue = grow(order->queue, &order->queue_room);
    /* What had wrapped round goes behind the rest again. */
    memcpy(order->queue + before, order->queue, order->queue_head * sizeof *order->queue);
}

static void take_in(struct trace_order *order, const struct trace_packet *packet)
{
    if (order->queue_count > 0 && packet->at < queue_at(order, order->queue_count - 1)->at) {
        late_push(order, packet);
    } else {
        if (order->queue_count == order->queue_room) {
            queue_grow(order);
        }
        *queue_at(order, order->queue_count++) = *packet;
    }
}

/* The earliest packet of the window; NULL: it is empty. */
static const struct trace_packet *first(struct trace_order *order)
{
    const struct trace_packet *queued = order->queue_count > 0 ? queue_at(order, 0) : NULL;
    const struct trace_packet *late = order->late_count > 0 ? &order->late[0] : NULL;

    return !late || (queued && earlier(queued, late)) ? queued : late;
}

static void give_out(struct trace_order *order, struct trace_packet *packet)
{
    const struct trace_packet *next = first(order);

    if (order->late_count > 0 && next == &order->late[0]) {
        late_pop(order, packet);
    } else {
        *packet = *next;
        order->queue_head = (order->queue_head + 1) & (order->queue_room - 1);
        order->queue_count--;
    }
}

/* Whether the packet has a size that can be sent, or none and may. */
static bool sized(struct trace_order *order, struct trace_packet *packet)
{
    if (packet->size == TRACE_UNKNOWN && order->options->size > 0) {
        packet->size = order->options->size;
    }
    if (packet->size == TRACE_UNKNOWN) {
        order->facts.size_unknown++;
        return order->options->unknown_size_too;
    }
    if (packet->size < TRACE_SIZE_LEAST || packet->size > TRACE_SIZE_MOST) {
        if (order->facts.unsized++ == 0) {
            order->unsized = packet->number;
            order->unsized_size = packet->size;
        }
        return false;
    }
    return true;
}

static bool wanted(struct trace_order *order, struct trace_packet *packet)
{
    const struct trace_options *options = order->options;

    if (options->direction == TRACE_DIRECTION_UNKNOWN && !options->received_too &&
        packet->direction == TRACE_RECEIVED) {
        order->facts.received++;
        return false;
    }
    if ((options->direction != TRACE_DIRECTION_UNKNOWN &&
         packet->direction != options->direction) ||
        (options->one_queue && packet->queue != options->queue)) {
        order->facts.other++;
        return false;
    }
    return sized(order, packet);
}

static int refuse(struct trace_order *order, const struct trace_packet *packet, const char *format,
                  unsigned long long a, unsigned long long b)
{
    const bool binary = order->reader->ops->binary;
    char text[120];

    snprintf(text, sizeof text, format, a, b);
    trace_input_error(order->reader->input, binary ? 0 : packet->number, 0, "%s %llu: %s",
                      binary ? "packet" : "line", (unsigned long long)packet->number, text);
    return -1;
}

/* Reads on to the next packet that is wanted; as trace_order_next. */
static int pull(struct trace_order *order, struct trace_packet *packet)
{
    int got;

    do {
        got = trace_next(order->reader, packet);
        if (got != 1) {
            order->ended = got == 0;
            return got;
        }
        if (order->options->queues > 0 && packet->queue != TRACE_UNKNOWN &&
            packet->queue >= order->options->queues) {
            return refuse(order, packet, "queue %llu of %llu", packet->queue,
                          order->options->queues);
        }
    } while (!wanted(order, packet));
    if (order->any && packet->at < order->newest) {
        order->facts.out_of_order++;
        if (order->options->ordering == TRACE_ORDER_REJECT) {
            return refuse(order, packet, "goes back %llu.%06llu us",
                          (unsigned long long)(order->newest - packet->at) / 1000000,
                          (unsigned long long)(order->newest - packet->at) % 1000000);
        }
    } else {
        order->newest = packet->at;
    }
    order->any = true;
    return 1;
}

/* Fills the window; -1: refused. */
static int fill(struct trace_order *order)
{
    while (!order->ended && order->queue_count + order->late_count < TRACE_WINDOW_PACKETS) {
        const struct trace_packet *oldest = first(order);
        struct trace_packet packet;
        int got;

        if (oldest && order->newest - oldest->at > TRACE_WINDOW) {
            break;
        }
        got = pull(order, &packet);
        if (got < 0) {
            return -1;
        }
        if (got == 1) {
            take_in(order, &packet);
        }
    }
    return 0;
}

static void warn_end(struct trace_order *order)
{
    const struct trace_order_facts *facts = &order->facts;
    struct trace_input *input = order->reader->input;
    const bool sorted = order->options->ordering == TRACE_ORDER_SORT;

    if (facts->out_of_order > 0) {
        char moved[100] = "";

        if (facts->moved > 0) {
            snprintf(moved, sizeof moved, "; %llu got the time of the packet before",
                     (unsigned long long)facts->moved);
        }
        trace_input_warning(input, 0, 0, "packets that are not in order of time: %llu%s%s",
                            (unsigned long long)facts->out_of_order, sorted ? "; sorted" : "",
                            moved);
    }
    if (facts->unsized > 0) {
        trace_input_warning(input, 0, 0,
                            "packets left out that are not %u..%u bytes long: %llu (the first: "
                            "%s %llu, %u bytes)",
                            TRACE_SIZE_LEAST, TRACE_SIZE_MOST, (unsigned long long)facts->unsized,
                            order->reader->ops->binary ? "packet" : "line",
                            (unsigned long long)order->unsized, order->unsized_size);
    }
    if (facts->size_unknown > 0 && !order->options->unknown_size_too) {
        trace_input_warning(input, 0, 0,
                            "packets left out whose size is not recorded: %llu; --size, in a "
                            "scenario workload.unrecorded_size, says it",
                            (unsigned long long)facts->size_unknown);
    }
    if (facts->packets == 0 && facts->received > 0) {
        trace_input_warning(input, 0, 0, "all packets are received ones: %llu",
                            (unsigned long long)facts->received);
    }
}

int trace_order_next(struct trace_order *order, struct trace_packet *packet)
{
    if (order->options->ordering == TRACE_ORDER_SORT) {
        if (fill(order) < 0) {
            return -1;
        }
        if (!first(order)) {
            warn_end(order);
            return 0;
        }
        give_out(order, packet);
    } else {
        int got = order->ended ? 0 : pull(order, packet);

        if (got == 0) {
            warn_end(order);
        }
        if (got != 1) {
            return got;
        }
    }
    if (order->facts.packets++ > 0 && packet->at < order->handed) {
        packet->at = order->handed;
        order->facts.moved++;
    }
    order->handed = packet->at;
    return 1;
}
