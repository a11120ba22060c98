/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any bytes as a capture: read in order, with entries. FUZZ_FORMAT names the reader, else the first
 * bytes choose. Whatever comes in, packets are in order and within their limits, and a reading that
 * is refused says why.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "sim/study/trace.h"
#include "sim/study/trace_order.h"
#include "sim/study/trace_sg.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void must(int condition)
{
    if (!condition) {
        abort();
    }
}

static int read_all(struct trace_reader *reader, const struct trace_options *options)
{
    const struct trace_shape shape = {0};
    struct trace_order *order = trace_order_new(reader, options);
    struct trace_packet packet;
    sim_time last = INT64_MIN;
    struct trace_sg sg;
    int got;

    trace_sg_init(&sg, &shape);
    while ((got = trace_order_next(order, &packet)) == 1) {
        must(packet.at >= last && packet.size >= 14 && packet.size <= 65550);
        must(packet.sg != TRACE_UNKNOWN || trace_sg_frags(&sg, &packet) <= 17);
        last = packet.at;
    }
    trace_order_free(order);
    return got;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct trace_options options = {.format = getenv("FUZZ_FORMAT")};
    char file[40];
    int fd = memfd_create("capture", 0);
    struct problems problems;
    struct trace_reader *reader;
    int got = -1;

    must(fd >= 0 && write(fd, data, size) == (ssize_t)size);
    snprintf(file, sizeof file, "/proc/self/fd/%d", fd);
    problems_init(&problems);
    reader = trace_open(file, &options, &problems);
    if (reader) {
        got = read_all(reader, &options);
        trace_close(reader);
    }
    must((got == 0) == (problems.errors == 0));
    problems_fini(&problems);
    close(fd);
    return 0;
}
