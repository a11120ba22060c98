/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters of the receive side.
 */
#include <stdio.h>

#include "models/rx_config.h"

static const struct param_choice traffic[] = {
    {"constant", "packets at a rate, at constant gaps", NULL},
    {"poisson", "packets at a rate, at exponential gaps", NULL},
    {"closed", "connections that send the next request a pause after the reply; one of them: a ping-pong", NULL},
    {0},
};

static const struct param_choice apps[] = {
    {"udp", "one thread reads message after message from a socket", NULL},
    {"epoll", "one thread answers all requests that are ready, then waits", NULL},
    {"xdp", "none: an XDP program drops the packets in the poll", NULL},
    {0},
};

static const struct param_choice modes[] = {
    {"eqe", "the device's period starts at the first packet after an event", NULL},
    {"cqe", "at every completion", NULL},
    {0},
};

#define FIELD(member) .offset = offsetof(struct rx_config, member)
#define RECEIVES      .when_path = "workload.type", .when_value = "receive"
#define OPEN          .when_path = "workload.receive.arrivals", .when_value = "constant|poisson"
#define CLOSED        .when_path = "workload.receive.arrivals", .when_value = "closed"
#define OF_APP(apps_) .when_path = "guest.rx.app", .when_value = (apps_)
#define COST(when_, path_, field, fallback_, low_, high_, source_, help_)                          \
    {                                                                                              \
        .path = (path_), .kind = PARAM_COST, FIELD(field), .most = 1e12, .fallback = (fallback_),  \
        .help = (help_), when_, .certificate = {(low_), (high_), PARAM_GUESS, (source_)},          \
    }

static const struct param profile_rows[] = {
    {.path = "usec",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct rx_profile, usecs),
     .most = 65535,
     .fallback = "0",
     .unit = "us",
     .help = "max_usecs of the profile"},
    {.path = "pkts",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct rx_profile, packets),
     .most = 65535,
     .fallback = "0",
     .unit = "packets",
     .help = "max_packets of the profile"},
};

static const struct param rows[] = {
    {.path = "workload.receive.arrivals",
     .kind = PARAM_CHOICE,
     FIELD(traffic),
     .fallback = "closed",
     .choices = traffic,
     RECEIVES,
     .help = "what comes to the guest"},
    {.path = "workload.receive.offered",
     .kind = PARAM_PPS,
     FIELD(rate_pps),
     .least = 1,
     .most = 1e9,
     .fallback = "1Mpps",
     OPEN,
     .help = "packets per second"},
    {.path = "workload.receive.connections",
     .kind = PARAM_COUNT,
     FIELD(connections),
     .least = 1,
     .most = 65536,
     .fallback = "64",
     CLOSED,
     .help = "of which each has one request out"},
    {.path = "workload.receive.pause",
     .kind = PARAM_TIME,
     FIELD(pause),
     .most = 1e12,
     .fallback = "60us",
     CLOSED,
     .help = "mean time from a reply to the connection's next request, the network both ways in it"},
    {.path = "workload.receive.pause_exponential",
     .kind = PARAM_RATIO,
     FIELD(pause_ratio),
     .most = 1,
     .fallback = "0.5",
     CLOSED,
     .help = "which part of it is exponential; the rest is constant"},
    {.path = "workload.receive.frame",
     .kind = PARAM_COUNT,
     FIELD(bytes),
     .least = 42,
     .most = 65535,
     .fallback = "98",
     .unit = "bytes",
     RECEIVES,
     .help = "of a frame"},

    {.path = "guest.rx_ring.size",
     .kind = PARAM_COUNT,
     FIELD(ring.size),
     .least = 2,
     .most = VIRTQUEUE_SIZE_MOST,
     .power_of_two = true,
     .fallback = "256",
     .unit = "descriptors",
     RECEIVES,
     .help = "of the receive queue; layout and event index are the device's, as guest.tx_ring has them"},
    {.path = "guest.rx.napi_budget",
     .kind = PARAM_COUNT,
     FIELD(budget),
     .least = 1,
     .most = 32768,
     .fallback = "64",
     .unit = "packets",
     RECEIVES,
     .help = "of a NAPI poll"},
    {.path = "guest.rx.app",
     .kind = PARAM_CHOICE,
     FIELD(app),
     .fallback = "udp",
     .choices = apps,
     RECEIVES,
     .help = "who reads"},
    {.path = "guest.rx.rmem",
     .kind = PARAM_COUNT,
     FIELD(socket_bytes),
     .least = 1,
     .most = 1e9,
     .fallback = "212992",
     .unit = "bytes",
     .alias = "rmem_default",
     OF_APP("udp"),
     .help = "receive buffer of the socket, in truesize"},
    {.path = "guest.rx.truesize",
     .kind = PARAM_COUNT,
     FIELD(truesize),
     .least = 1,
     .most = 1e9,
     .fallback = "768",
     .unit = "bytes",
     OF_APP("udp"),
     .help = "what a packet takes of it"},

    {.path = "guest.coalesce.max_usecs",
     .kind = PARAM_COUNT,
     FIELD(max_usecs),
     .most = 65535,
     .fallback = "0",
     .unit = "us",
     RECEIVES,
     .help = "notification coalescing of the receive queue before any command; either 0: none"},
    {.path = "guest.coalesce.max_packets",
     .kind = PARAM_COUNT,
     FIELD(max_packets),
     .most = 65535,
     .fallback = "0",
     .unit = "packets",
     RECEIVES,
     .help = "the other limit"},
    {.path = "guest.dim.enable",
     .kind = PARAM_BOOL,
     FIELD(dim),
     .fallback = "false",
     .alias = "rx_dim_enabled",
     .help = "dynamic interrupt moderation of the receive queue"},
    {.path = "guest.dim.mode",
     .kind = PARAM_CHOICE,
     FIELD(dim_mode),
     .fallback = "eqe",
     .choices = modes,
     .help = "which of the library's tables"},
    {.path = "guest.dim.profile",
     .kind = PARAM_ARRAY,
     .offset = offsetof(struct rx_config, profile_count),
     .items_offset = offsetof(struct rx_config, profile),
     .item_bytes = sizeof(struct rx_profile),
     .items_most = NET_DIM_PROFILES,
     .item = profile_rows,
     .item_count = sizeof profile_rows / sizeof profile_rows[0],
     .help = "the profiles in the table's place"},
    {.path = "guest.dim.events",
     .kind = PARAM_COUNT,
     FIELD(dim_events),
     .least = 1,
     .most = 65535,
     .fallback = "64",
     .unit = "interrupts",
     .alias = "DIM_NEVENTS",
     .help = "of a window"},
    {.path = "guest.dim.significant",
     .kind = PARAM_COUNT,
     FIELD(dim_significant),
     .most = 1000,
     .fallback = "10",
     .unit = "percent",
     .help = "a difference of rates is more than this"},
    {.path = "host.cvq.command",
     .kind = PARAM_TIME,
     FIELD(cvq),
     .most = 1e12,
     .fallback = "20us",
     .when_path = "guest.dim.enable",
     .when_value = "true",
     .help = "a control-queue command and its answer, for which the driver's worker spins",
     .certificate = {"5us", "500us", PARAM_GUESS, "not identified by any figure"}},

    COST(RECEIVES, "costs.rx.inject", inject, "0.3us", "0us", "1us", "prior", "notification to interrupt entry"),
    COST(RECEIVES, "costs.rx.vcpu_exit", idle_exit, "0.5us", "0us", "2us", "prior",
         "leaving idle for it: latency, not busy time"),
    COST(RECEIVES, "costs.rx.interrupt_entry", pre, "1008ns", "500ns", "1800ns",
         "with exit, poll and sample 1620 ns: fits Redis with dim; 50 to 90 % of it before the poll",
         "interrupt entry to poll"),
    COST(RECEIVES, "costs.rx.interrupt_exit", post, "432ns", "100ns", "1000ns", "the rest of it",
         "end of the poll to interrupt exit"),
    COST(RECEIVES, "costs.rx.poll", poll, "150ns", "50ns", "300ns", "prior", "entering a NAPI poll"),
    COST(RECEIVES, "costs.rx.sample", sample, "30ns", "10ns", "100ns", "prior", "a call of net_dim"),
    COST(RECEIVES, "costs.rx.packet", packet, "900ns", "150ns", "1500ns",
         "TCP 500 to 1500 ns; UDP 330 ns; XDP 150 to 190 ns", "a packet through the stack, in the poll"),
    COST(OF_APP("udp"), "costs.rx.drop", dropped, "200ns", "150ns", "250ns", "0.5 to 0.7 of a packet",
         "instead, where the socket is full"),
    COST(OF_APP("udp|epoll"), "costs.rx.app_wake", wake, "350ns", "100ns", "1000ns", "prior", "waking the application"),
    COST(RECEIVES, "costs.rx.thread_switch", switch_to, "700ns", "300ns", "1500ns", "prior", "to another thread"),
    COST(OF_APP("udp|epoll"), "costs.rx.message", message, "405ns", "0ns", "10000ns",
         "UDP: with the packet 690 to 740 ns; a Redis command 6036, an nginx request 6930 ns",
         "the application: a message, or a request with its reply"),
    COST(OF_APP("epoll"), "costs.rx.epoll_wait", wait, "600ns", "200ns", "1500ns", "prior", "a wait that returns"),
    COST(OF_APP("udp|epoll"), "costs.rx.sleep", sleep, "500ns", "200ns", "1500ns", "prior", "on the way to sleep"),
};

static void check(const void *config, struct problems *problems)
{
    const struct rx_config *c = config;

    if (c->profile_count != 0 && c->profile_count != NET_DIM_PROFILES) {
        problems_error(problems, "guest.dim.profile",
                       "profile needs 5 entries (NET_DIM_PARAMS_NUM_PROFILES), got %u", c->profile_count);
        return;
    }
    for (uint32_t i = 1; i < c->profile_count; i++) {
        if (c->profile[i].usecs <= c->profile[i - 1].usecs) {
            char path[40];

            snprintf(path, sizeof path, "guest.dim.profile[%u]", i - 1);
            problems_warning(problems, path,
                             "profile usec is not increasing: DIM's step right/left assumes it");
            break;
        }
    }
    if (c->app == RX_APP_XDP && c->traffic == RX_CLOSED) {
        problems_error(problems, "guest.rx.app", "xdp drops requests: nobody answers a closed loop");
    }
    if (c->app == RX_APP_UDP && c->truesize > c->socket_bytes) {
        problems_error(problems, "guest.rx.rmem", "no packet of %u bytes ever fits", c->truesize);
    }
}

const struct param_table rx_params = PARAM_TABLE("receive", struct rx_config, rows, check);
