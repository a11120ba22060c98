/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameter rows of the workload and the rules across them. */
#include <inttypes.h>

#include "models/workload.h"

#define OPEN_LOOP "constant|poisson|on_off|mmpp"
#define QUEUED    OPEN_LOOP "|" WORKLOAD_TRACES
#define DRAWN     "saturating|ping_pong|" OPEN_LOOP /* not from a capture */

static const struct param_choice types[] = {
    {"saturating", "always has a packet to send", NULL},
    {"constant", "bursts at equal distances", NULL},
    {"poisson", "bursts at exponential distances", NULL},
    {"on_off", "constant rate while on; exponential on and off periods", NULL},
    {"mmpp", "bursts at exponential distances, at one of two rates; exponential periods of each", NULL},
    {"ping_pong", "one packet, then waits for its reply", NULL},
    {"receive", "nothing: the guest receives what workload.receive says", NULL},
    {"trace", "replays a capture, whatever its format", NULL},
    {"pcap", "replays a capture, which must be pcap or pcapng", NULL},
    {"csv", "replays a capture, which must be a table with a line a packet", NULL},
    {"ftrace", "replays a capture, which must be a text of tracefs or trace-cmd report", NULL},
    {"perf_script", "replays a capture, which must be a text of perf script", NULL},
    {0},
};

static const struct param kind_rows[] = {
    {.path = "weight",
     .kind = PARAM_RATIO,
     .offset = offsetof(struct workload_kind, weight),
     .most = 1e9,
     .above_zero = true,
     .fallback = "1",
     .help = "relative frequency"},
    {.path = "size",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_kind, size),
     .least = 14,
     .most = WORKLOAD_SIZE_MOST,
     .required = true,
     .unit = "bytes",
     .help = "frame bytes"},
    {.path = "frags",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_kind, frags),
     .most = 45,
     .fallback = "0",
     .help = "page fragments"},
};

static const struct param rows[] = {
    {.path = "workload.type",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct workload_config, type),
     .required = true,
     .choices = types,
     .help = "how packets come"},
    {.path = "workload.rate",
     .kind = PARAM_PPS,
     .offset = offsetof(struct workload_config, rate_pps),
     .most = 1e9,
     .above_zero = true,
     .fallback = "100kpps",
     .when_path = "workload.type",
     .when_value = OPEN_LOOP,
     .help = "mean rate; on_off, mmpp: rate while on"},
    {.path = "workload.low_rate",
     .kind = PARAM_PPS,
     .offset = offsetof(struct workload_config, low_rate_pps),
     .most = 1e9,
     .fallback = "0pps",
     .when_path = "workload.type",
     .when_value = "mmpp",
     .help = "rate while off"},
    {.path = "workload.on",
     .kind = PARAM_TIME,
     .offset = offsetof(struct workload_config, on_mean),
     .most = 1e12,
     .above_zero = true,
     .fallback = "100us",
     .when_path = "workload.type",
     .when_value = "on_off|mmpp",
     .help = "mean length of an on period"},
    {.path = "workload.off",
     .kind = PARAM_TIME,
     .offset = offsetof(struct workload_config, off_mean),
     .most = 1e12,
     .fallback = "100us",
     .when_path = "workload.type",
     .when_value = "on_off|mmpp",
     .help = "mean length of an off period"},
    {.path = "workload.size",
     .kind = PARAM_DIST,
     .offset = offsetof(struct workload_config, size),
     .least = 14,
     .most = WORKLOAD_SIZE_MOST,
     .fallback = "1514",
     .unit = "bytes",
     .when_path = "workload.type",
     .when_value = DRAWN,
     .help = "frame bytes, virtio-net header not counted"},
    {.path = "workload.frags",
     .kind = PARAM_DIST,
     .offset = offsetof(struct workload_config, frags),
     .most = 45,
     .fallback = "0",
     .when_path = "guest.path",
     .when_value = "skb",
     .unit = "fragments",
     .help = "page fragments of an skb; sg entries = 1 + fragments with the header inline"},
    {.path = "workload.mix",
     .kind = PARAM_ARRAY,
     .offset = offsetof(struct workload_config, mix_count),
     .items_offset = offsetof(struct workload_config, mix),
     .item_bytes = sizeof(struct workload_kind),
     .items_most = WORKLOAD_MIX_MOST,
     .item = kind_rows,
     .item_count = sizeof kind_rows / sizeof kind_rows[0],
     .when_path = "workload.type",
     .when_value = DRAWN,
     .help = "kinds of packets with their sizes and fragments together; replaces size and frags"},
    {.path = "workload.burst",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_config, burst),
     .least = 1,
     .most = 4096,
     .fallback = "1",
     .unit = "packets",
     .when_path = "workload.type",
     .when_value = DRAWN,
     .help = "packets handed over in one list: all but the last announce another"},
    {.path = "workload.window",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_config, window),
     .most = 65535,
     .fallback = "0",
     .unit = "packets",
     .when_path = "workload.type",
     .when_value = "saturating",
     .help = "packets a saturating sender keeps unreclaimed at most (TSQ); 0: no limit"},
    {.path = "workload.queue",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct workload_config, queue),
     .least = 1,
     .most = 65536,
     .fallback = "1000",
     .unit = "packets",
     .when_path = "workload.type",
     .when_value = QUEUED,
     .help = "packets the queue above the driver holds; more are dropped"},
};

static bool is_zero(const struct dist *dist)
{
    return dist->kind == DIST_CONSTANT && dist->bin[0].low == 0;
}

/* A round must take time, or the source never lets any pass. */
static void check_loop(const struct workload_config *w, struct problems *problems)
{
    sim_time least = (sim_time)w->trace->count * SIM_NS;
    sim_time span = replay_span(&w->replay, w->trace, least);

    if (span == 0 && w->replay.loop_gap == 0) {
        problems_error(problems, "workload.loop",
                       "all packets of the trace have one time: set workload.loop_gap");
    } else if (span < least - w->replay.loop_gap) {
        problems_error(problems, "workload.loop",
                       "a round of %" PRIu64 " packets in less than %.3g us is more than 1e9 packets/s",
                       w->trace->count, sim_time_us(least));
    }
}

static void check_replay(const struct workload_config *w, struct problems *problems)
{
    if (!is_zero(&w->frags)) {
        problems_warning(problems, "workload.frags", "has no effect: the capture's are replayed");
    }
    if (w->replay.mode == REPLAY_TIMING && w->replay.loop) {
        check_loop(w, problems);
    }
    if (!w->replay.loop && w->replay.loop_gap > 0) {
        problems_warning(problems, "workload.loop_gap", "has no effect: workload.loop is false");
    }
}

static void check(const void *config, struct problems *problems)
{
    const struct workload_config *w = config;

    if (w->type == WORKLOAD_ON_OFF &&
        sim_time_s(w->on_mean + w->off_mean) * w->rate_pps / w->burst < 1e-4) {
        problems_error(problems, "workload.on",
                       "less than one burst in 10,000 on and off periods at this rate");
    }
    if (w->mix_count > 0 && !is_zero(&w->frags)) {
        problems_warning(problems, "workload.frags", "has no effect: workload.mix is set");
    }
    if (workload_replays(w) && w->trace) {
        check_replay(w, problems);
    }
}

const struct param_table workload_params =
    PARAM_TABLE("workload", struct workload_config, rows, check);
