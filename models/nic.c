/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/nic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/outside.h"
#include "models/peer.h"
#include "sim/engine/assert.h"

static const struct param_choice softirq_cpus[] = {
    {"own", "a host CPU that does nothing else", NULL},
    {"worker", "the vhost worker's CPU: it stands still meanwhile", NULL},
    {0},
};

#define WHEN_VHOST .when_path = "host.backend.type", .when_value = "vhost"
#define COST(path_, field, fallback_, low_, high_, source_, help_)                                 \
    {                                                                                              \
        .path = (path_), .kind = PARAM_COST, .offset = offsetof(struct nic_config, field),         \
        .most = 1e12, .fallback = (fallback_), .help = (help_), WHEN_VHOST,                        \
        .certificate = {(low_), (high_), PARAM_GUESS, (source_)},                                  \
    }

static const struct param rows[] = {
    {.path = "host.link.speed",
     .kind = PARAM_BPS,
     .offset = offsetof(struct nic_config, rate_bps),
     .least = 1e6,
     .most = 1e12,
     .fallback = "10Gbit/s",
     WHEN_VHOST,
     .help = "of the link behind the network card"},
    {.path = "host.link.mtu",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct nic_config, mtu),
     .most = 65536,
     .fallback = "0",
     .unit = "bytes",
     WHEN_VHOST,
     .help = "longer packets leave in segments, each with headers and gap; 0: a packet is one frame"},
    {.path = "host.link.headers_bytes",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct nic_config, headers),
     .least = 14,
     .most = 256,
     .fallback = "66",
     .unit = "bytes",
     WHEN_VHOST,
     .help = "of each segment's own: 66 with TCP and time stamps, 42 with UDP"},
    {.path = "host.link.loss",
     .kind = PARAM_RATIO,
     .offset = offsetof(struct nic_config, loss),
     .most = 1,
     .fallback = "0",
     WHEN_VHOST,
     .help = "probability that a frame is lost on the link; a packet is lost with any of its frames"},
    {.path = "host.nic.tx_queue_len",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct nic_config, queue),
     .least = 2,
     .most = 65536,
     .fallback = "1024",
     .unit = "packets",
     WHEN_VHOST,
     .help = "handed over and not yet freed at most; then the socket is full until half of it is free"},
    {.path = "host.nic.poll_budget",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct nic_config, budget),
     .least = 1,
     .most = 65536,
     .fallback = "64",
     .unit = "packets",
     WHEN_VHOST,
     .help = "packets that one poll of the softirq frees"},
    {.path = "host.nic.moderation",
     .kind = PARAM_TIME,
     .offset = offsetof(struct nic_config, moderation),
     .most = 1e12,
     .fallback = "10us",
     WHEN_VHOST,
     .help = "between two completion interrupts at least",
     .certificate = {"2us", "130us", PARAM_GUESS, "drivers' settings, prior"}},
    {.path = "host.nic.completion_latency",
     .kind = PARAM_TIME,
     .offset = offsetof(struct nic_config, latency),
     .most = 1e12,
     .fallback = "1us",
     WHEN_VHOST,
     .help = "end of the frame on the link to its completion being visible",
     .certificate = {"0.3us", "3us", PARAM_GUESS, "write back over PCIe, prior"}},
    {.path = "host.nic.slow_every",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct nic_config, slow_every),
     .most = 1e9,
     .fallback = "0",
     .unit = "packets",
     .when_path = "host.vhost.zerocopy",
     .when_value = "true",
     .help = "of so many zerocopy packets one completes late; 0: none"},
    {.path = "host.nic.slow_by",
     .kind = PARAM_TIME,
     .offset = offsetof(struct nic_config, slow_by),
     .most = 1e12,
     .fallback = "1ms",
     .when_path = "host.vhost.zerocopy",
     .when_value = "true",
     .help = "how much later: somebody keeps its pages after it has left"},
    {.path = "host.nic.lost_every",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct nic_config, lost_every),
     .most = 1e9,
     .fallback = "0",
     .unit = "packets",
     .when_path = "host.vhost.zerocopy",
     .when_value = "true",
     .help = "of so many zerocopy packets one never completes; 0: none"},
    {.path = "host.nic.softirq_cpu",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct nic_config, softirq_cpu),
     .fallback = "own",
     .choices = softirq_cpus,
     WHEN_VHOST,
     .help = "the CPU that takes the card's interrupts and frees packets; with two the first of them"},
    {.path = "host.nic.completion_cpus",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct nic_config, completion_cpus),
     .least = 1,
     .most = NIC_SOFTIRQS,
     .fallback = "1",
     .unit = "CPUs",
     WHEN_VHOST,
     .help = "transmit queues of the card, each with a CPU for its completions; packets take them in turn"},
    COST("costs.nic.interrupt", interrupt, "1.5us", "0.5us", "2.5us", "prior",
         "interrupt and softirq entry, on the softirq's CPU"),
    COST("costs.nic.clean", clean, "0.3us", "0.15us", "0.7us", "prior",
         "freeing one packet that has left"),
};

static void check(const void *config, struct problems *problems)
{
    const struct nic_config *n = config;

    if (n->mtu == 0 && n->headers != NIC_HEADERS) {
        problems_warning(problems, "host.link.headers_bytes", "has no effect: host.link.mtu is 0");
    }
    if (n->mtu > 0 && n->mtu + NIC_ETHERNET < 2 * n->headers) {
        problems_error(problems, "host.link.mtu", "must leave room beside %u bytes of headers, got %u",
                       n->headers, n->mtu);
    }
}

const struct param_table nic_params = PARAM_TABLE("nic", struct nic_config, rows, check);

/* ---- the link ---- */

/* Frames that a packet leaves in: each takes so much of it as the headers leave. */
static uint32_t link_frames(const struct nic *nic, uint32_t size)
{
    uint32_t most = nic->one_frame, headers = nic->config.headers;

    return size <= most ? 1 : (size - headers + most - headers - 1) / (most - headers);
}

/* Exact in picoseconds up to rounding down: 8e12 bytes of 64 KiB and its segments' own fit 63 bits. */
static sim_time link_time(const struct nic *nic, uint32_t size, uint32_t frames)
{
    uint64_t bytes = (size < NIC_FRAME_LEAST ? NIC_FRAME_LEAST : size) + NIC_FRAME_GAP +
                     (uint64_t)(frames - 1) * (nic->config.headers + NIC_FRAME_GAP);

    return (sim_time)(bytes * 8 * (uint64_t)SIM_S / nic->rate_bps);
}

/* A packet is lost with any of its frames. */
static bool link_loses(struct nic *nic, uint32_t frames)
{
    bool lost = false;

    for (uint32_t i = 0; nic->config.loss > 0 && i < frames; i++) {
        lost = stream_uniform(&nic->loss) < nic->config.loss || lost;
    }
    return lost;
}

/* On a link that loses packets, or of an answer. */
static __attribute__((noinline)) void arrive_or_not(struct nic *nic, struct sim *sim, uint32_t frames,
                                                    uint32_t echo)
{
    if (link_loses(nic, frames)) {
        nic->lost++;
        outside_on_dropped(nic->outside, echo);
    } else if (echo > 0) {
        outside_on_answer(nic->outside, sim, nic->link_free, echo);
    } else {
        peer_on_delivered(nic->peer, sim, nic->link_free);
    }
}

void nic_send(struct nic *nic, struct sim *sim, sim_time now, uint32_t size, uint32_t index,
              uint32_t echo)
{
    struct nic_softirq *s = &nic->softirq[nic->turn];
    uint32_t frames = link_frames(nic, size);
    sim_time time = link_time(nic, size, frames);
    uint32_t at = s->head + s->count;

    sim_assert(nic_has_room(nic), now, "a packet more than the card takes");
    nic->turn = nic->turn + 1 == nic->config.completion_cpus ? 0 : nic->turn + 1;
    nic->link_free = (nic->link_free > now ? nic->link_free : now) + time;
    nic->link_busy += time;
    s->packet[at >= nic->config.queue ? at - nic->config.queue : at] =
        (struct nic_packet){.done = nic->link_free + nic->config.latency, .index = index, .size = size};
    nic->sent++;
    nic->frames += frames;
    nic->bytes += size;
    nic->count++;
    if (s->count++ == 0 && s->pc == NIC_WAIT) {
        sim_wake(sim, &s->actor, nic_softirq_due(s));
    }
    /* Replies come in order, so the time at which it has left is as good as that moment itself. */
    if (nic->config.loss > 0 || echo > 0) {
        arrive_or_not(nic, sim, frames, echo);
    } else {
        peer_on_delivered(nic->peer, sim, nic->link_free);
    }
}

sim_time nic_busy(const struct nic *nic, sim_time now)
{
    sim_time busy = 0;

    for (uint32_t i = 0; i < nic->config.completion_cpus; i++) {
        const struct nic_softirq *s = &nic->softirq[i];

        busy += s->busy_total - (s->busy_until > now ? s->busy_until - now : 0);
    }
    return busy;
}

void nic_check(const struct nic *nic, sim_time now)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < nic->config.completion_cpus; i++) {
        count += nic->softirq[i].count;
    }
    sim_assert(nic->sent == nic->cleaned + nic->count && nic->count == count, now,
               "%" PRIu32 " packets in the card, %" PRIu32 " in its queues", nic->count, count);
    sim_assert(nic->count <= nic->config.queue, now, "%" PRIu32 " packets in the card", nic->count);
    sim_assert(nic_busy(nic, now) <= now * nic->config.completion_cpus, now,
               "softirq busy %" PRId64 " ps", nic_busy(nic, now));
    sim_assert(nic->link_busy <= nic->link_free, now, "link busy %" PRId64 " ps", nic->link_busy);
}

/* ---- life ---- */

bool nic_init(struct nic *nic, const struct nic_config *config, uint64_t seed, uint32_t replication,
              struct error *error)
{
    memset(nic, 0, sizeof *nic);
    nic->config = *config;
    stream_init(&nic->loss, seed, replication, "nic.loss");
    nic->rate_bps = (uint64_t)config->rate_bps;
    nic->late = config->slow_every > 0 || config->lost_every > 0;
    nic->one_frame = config->mtu == 0 ? UINT32_MAX : config->mtu + NIC_ETHERNET;
    for (uint32_t i = 0; i < config->completion_cpus; i++) {
        struct nic_softirq *s = &nic->softirq[i];

        s->nic = nic;
        s->on_worker = config->softirq_cpu == NIC_CPU_WORKER && i == 0;
        s->callback = config->completion_cpus > 1 ? NIC_COUNT : NIC_CALLBACK;
        s->actor = (struct actor){.step = nic_softirq_step, .next = SIM_NEVER};
        s->packet = calloc(config->queue, sizeof *s->packet);
        if (!s->packet) {
            return error_set(error, ERROR_SYSTEM, "", "out of memory");
        }
    }
    return true;
}

void nic_fini(struct nic *nic)
{
    for (uint32_t i = 0; i < NIC_SOFTIRQS; i++) {
        free(nic->softirq[i].packet);
    }
    memset(nic, 0, sizeof *nic);
}
