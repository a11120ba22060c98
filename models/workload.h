/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   What the guest wants to send: when packets arrive, how large they are, how many page
 *        fragments they have.
 * PLACE  First part of the path: fills the transmit queue of the guest (open loop) or answers the
 *        guest CPU that asks for the next packet (saturating, ping-pong).
 * LEAVES OUT  Closed loops of many connections and Pareto arrivals: later.
 *        Retransmissions and congestion control: no loss is modelled on the transmit side.
 * SOURCE docs/workloads.md: counts and shapes of a real virtio-net driver's traffic.
 *
 * Open loop: `constant`, `poisson`, `on_off` (both periods exponential, constant rate while on) and
 * `mmpp` (a Poisson source whose rate is that of one of two states, of exponential length: a Markov
 * modulated Poisson process) put bursts of `burst` packets into a queue of `queue` packets; what
 * does not fit is dropped.
 * Closed: `saturating` always has a packet, limited by `window` packets not yet reclaimed;
 * `ping_pong` sends one and waits for its reply. The types of a capture replay a trace: open loop by
 * its timing, closed by its marks (replay.h, tsq.h).
 */
#ifndef MODELS_WORKLOAD_H
#define MODELS_WORKLOAD_H

#include <stdbool.h>
#include <stdint.h>

#include "models/packet_trace.h"
#include "models/replay.h"
#include "models/tsq.h"
#include "sim/engine/dist.h"
#include "sim/engine/param.h"
#include "sim/engine/sim.h"

enum workload_type {
    WORKLOAD_SATURATING,
    WORKLOAD_CONSTANT,
    WORKLOAD_POISSON,
    WORKLOAD_ON_OFF,
    WORKLOAD_MMPP,
    WORKLOAD_PING_PONG,
    WORKLOAD_RECEIVE, /* nothing: the guest receives (receive.h) */
    WORKLOAD_TRACE, /* the format of the file by its first bytes */
    WORKLOAD_PCAP,  /* from here on: only a file of this format */
    WORKLOAD_CSV,
    WORKLOAD_FTRACE,
    WORKLOAD_PERF_SCRIPT,
};

/* The types of a capture, for conditions of rows. */
#define WORKLOAD_TRACES "trace|pcap|csv|ftrace|perf_script"

#define WORKLOAD_MIX_MOST  32
#define WORKLOAD_SIZE_MOST 65550 /* frame bytes: 64 KiB and headers */

/* One kind of packet of a mixture. */
struct workload_kind {
    double weight;
    uint32_t size;  /* frame bytes */
    uint32_t frags; /* page fragments */
};

struct workload_config {
    int type;
    double rate_pps;     /* open loop: mean rate; on_off, mmpp: rate while on */
    double low_rate_pps; /* mmpp: rate while off */
    sim_time on_mean, off_mean;
    struct dist size;  /* frame bytes, virtio-net header not counted */
    struct dist frags; /* page fragments of an skb */
    uint32_t mix_count;
    struct workload_kind mix[WORKLOAD_MIX_MOST]; /* replaces size and frags when mix_count > 0 */
    uint32_t burst;  /* packets handed over in one list: all but the last with xmit_more */
    uint32_t window; /* packets a saturating sender keeps not reclaimed at most; 0: no limit */
    uint32_t queue;  /* packets the transmit queue above the driver holds */
    struct replay_config replay;
    struct tsq_config tsq;
    const struct packet_trace *trace; /* set by the study, no row; outlives the run; NULL: none */
};

extern const struct param_table workload_params;

/* What is known of a packet before the driver sees it. */
struct workload_packet {
    uint32_t size;
    uint16_t frags;
    bool more;      /* another packet of the same list follows */
    uint8_t socket; /* that it counts for, where small queues are modelled */
    uint32_t echo;  /* answer to an echo request: its mark, models/outside.h; 0: the sender's own */
};

struct workload {
    struct workload_config config;
    struct actor actor; /* arrivals; waits for ever when closed */

    /* chance */
    struct stream arrivals, sizes, fragments;
    struct dist_sampler size, frags;
    struct law_alias mix;
    bool alike;   /* nothing is drawn: every packet is as `model` */
    bool endless; /* and there is always one more, on its own */
    struct workload_packet model;

    /* while running */
    sim_time on_until; /* mmpp: end of the present state */
    bool low;          /* mmpp: the state is off */
    uint32_t burst_left; /* of the list that a closed sender hands over */
    uint32_t credit;     /* packets a ping-pong sender may send */
    struct replay replay;
    struct tsq tsq;
    bool in_list; /* the last packet taken promised another */
    struct workload_packet *queue; /* [config.queue], a ring */
    uint32_t queue_head, queue_count;
    struct actor *consumer; /* woken when the queue gets its first packet */

    uint64_t offered, dropped;
};

bool workload_init(struct workload *workload, const struct workload_config *config, uint64_t seed,
                   uint32_t replication, struct error *error);
void workload_fini(struct workload *workload);

bool workload_open_loop(const struct workload_config *config);

/* Whether the type is one of a capture; config->trace is set then. */
static inline bool workload_replays(const struct workload_config *config)
{
    return config->type >= WORKLOAD_TRACE;
}

/* Mean frame bytes and fragments of the configured packets. */
void workload_means(const struct workload_config *config, double *size_bytes, double *frags);
uint32_t workload_most_frags(const struct workload_config *config);

/* The longest frame; of a capture the longest there can be. */
uint32_t workload_most_size(const struct workload_config *config);

/* The next packet to send, given how many of ours are not yet reclaimed; false: none now. */
bool workload_take_next(struct workload *workload, uint32_t unreclaimed,
                        struct workload_packet *packet);

static inline bool workload_take(struct workload *workload, uint32_t unreclaimed,
                                 struct workload_packet *packet)
{
    if (workload->endless) {
        workload->offered++;
        *packet = workload->model;
        return true;
    }
    return workload_take_next(workload, unreclaimed, packet);
}

/* Whether workload_take() would give a packet. */
bool workload_waiting(const struct workload *workload, uint32_t unreclaimed);

/* A packet that was taken is freed: reclaimed, orphaned when sent, or dropped. */
static inline void workload_on_freed(struct workload *workload, const struct workload_packet *packet)
{
    if (workload->tsq.counts && packet->echo == 0) {
        tsq_free(&workload->tsq, packet->socket, packet->size);
    }
}

/* A reply reached the application: a ping-pong sender may send again. */
void workload_on_reply(struct workload *workload);

#endif
