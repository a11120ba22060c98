/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/capture_view.h"

#include <string.h>

#include "sim/study/trace_order.h"

bool capture_view_read(struct capture_view *view, const char *file,
                       const struct trace_options *options, const struct trace_shape *shape,
                       struct problems *problems)
{
    struct trace_reader *reader = trace_open(file, options, problems);
    struct trace_order *order;
    struct trace_packet packet;
    int got;

    if (!reader) {
        return false;
    }
    order = trace_order_new(reader, options);
    view->last = 0;
    arrivals_init(&view->arrivals);
    packet_mix_init(&view->mix);
    series_init(&view->bytes, "bytes", 0, SIM_NS);
    trace_sg_init(&view->sg, shape);
    while ((got = trace_order_next(order, &packet)) == 1) {
        arrivals_add(&view->arrivals, packet.at, packet.kick_test == 0);
        packet_mix_add(&view->mix, trace_sg_frags(&view->sg, &packet), packet.size);
        view->last = packet.at - view->arrivals.first;
        series_add(&view->bytes, view->last, packet.size);
    }
    view->format = reader->facts.format;
    trace_order_free(order);
    trace_close(reader);
    return got == 0;
}
