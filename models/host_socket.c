/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/host_socket.h"

#include <inttypes.h>
#include <string.h>

#include "models/host_qdisc.h"
#include "models/nic.h"
#include "models/outside.h"
#include "models/peer.h"
#include "models/receiver.h"
#include "models/vhost_tx.h"
#include "sim/engine/assert.h"

/* A queue of the usual length in front of the card: a batch does not wait for room. */
static const struct param_setting macvtap[] = {
    {.path = "host.qdisc.limit", .text = "1000"},
    {0},
};

static const struct param_choice kinds[] = {
    {"nic", "one in front of the card; costs.vhost.tx_packet is all that is in between", NULL},
    {"tap", "skbs to the host's stack, in batches", NULL},
    {"tap_xdp", "buffers to an XDP program, in batches", NULL},
    {"macvtap", "skbs to the card's driver, in batches", macvtap},
    {"local", "all packets to the local receiver, one by one", NULL},
    {0},
};

static const struct param_choice verdicts[] = {
    {"drop", "XDP_DROP: the buffer is freed", NULL},
    {"redirect", "XDP_REDIRECT: the buffer goes to another device", NULL},
    {0},
};

#define FIELD(member) .offset = offsetof(struct host_socket_config, member)
#define WHEN_KIND(kinds_) .when_path = "host.vhost.socket", .when_value = (kinds_)
#define COST(kinds_, path_, field, fallback_, low_, high_, source_, help_)                         \
    {                                                                                              \
        .path = (path_), .kind = PARAM_COST, FIELD(field), .most = 1e12, .fallback = (fallback_),  \
        .help = (help_), WHEN_KIND(kinds_),                                                        \
        .certificate = {(low_), (high_), PARAM_GUESS, (source_)},                                  \
    }
#define SPLIT "tap|tap_xdp|macvtap"

static const struct param rows[] = {
    {.path = "host.vhost.socket",
     .kind = PARAM_CHOICE,
     FIELD(kind),
     .fallback = "nic",
     .choices = kinds,
     .when_path = "host.backend.type",
     .when_value = "vhost",
     .chooses = true,
     .help = "what vhost sends into"},
    {.path = "host.vhost.xdp_verdict",
     .kind = PARAM_CHOICE,
     FIELD(verdict),
     .fallback = "drop",
     .choices = verdicts,
     WHEN_KIND("tap_xdp"),
     .help = "what the program decides for every packet"},
    {.path = "host.vhost.sndbuf_bytes",
     .kind = PARAM_BYTES,
     FIELD(sndbuf),
     .fallback = "0",
     .when_path = "host.backend.type",
     .when_value = "vhost",
     .help = "of the socket: handed over and not yet freed; 0: no limit, which batches need"},
    {.path = "host.vhost.local_share",
     .kind = PARAM_RATIO,
     FIELD(local_share),
     .most = 1,
     .fallback = "0",
     WHEN_KIND("nic|macvtap"),
     .help = "share of packets that are for a receiver on this host"},
    COST(SPLIT, "costs.socket.fetch", fetch, "20ns", "15ns", "100ns",
         "what the 192 ns of a dropped packet leave", "per packet: taken, translated, checked"),
    COST(SPLIT, "costs.socket.table_fetch", table_fetch, "8ns", "2ns", "40ns",
         "1 to 4 % of about 180 ns in user-space vhost; copied by user access here, prior",
         "further for an indirect table"),
    COST(SPLIT, "costs.socket.call", call, "85ns", "40ns", "150ns",
         "sized on the gain of batches with XDP_DROP, +44.8 %", "per call into the socket"),
    COST("tap_xdp|macvtap", "costs.socket.flush", flush, "25ns", "10ns", "100ns", "prior",
         "end of a call that promises no further packet: redirected buffers, the driver's doorbell"),
    COST("tap|macvtap", "costs.socket.skb_alloc", skb_alloc, "45ns", "20ns", "120ns", "prior",
         "memory of an skb for a packet that is sent by itself"),
    COST("tap", "costs.socket.tap", tap, "677ns", "300ns", "900ns",
         "839 ns per packet of 64 bytes with the worker at 100 %, less the rest",
         "per packet: skb, the host's stack behind it"),
    COST("macvtap", "costs.socket.macvtap", macvtap, "255ns", "150ns", "700ns", "prior",
         "per packet: skb, the card's driver"),
    COST("tap_xdp", "costs.socket.xdp_drop", drop, "25ns", "10ns", "60ns",
         "192 ns per packet with XDP_DROP", "per packet: program, buffer freed"),
    COST("tap_xdp", "costs.socket.xdp_redirect", redirect, "195ns", "60ns", "400ns",
         "XDP on a tap: redirected against dropped, 290 ns, prior",
         "per packet: program, buffer queued to another device"),
};

static void check(const void *config, struct problems *problems)
{
    const struct host_socket_config *s = config;

    if (s->local_share > 0 && s->kind != HOST_SOCKET_NIC && s->kind != HOST_SOCKET_MACVTAP) {
        problems_warning(problems, "host.vhost.local_share",
                         "has no effect unless host.vhost.socket is \"nic\" or \"macvtap\"");
    }
}

const struct param_table host_socket_params =
    PARAM_TABLE("host_socket", struct host_socket_config, rows, check);

void host_socket_init(struct host_socket *s, const struct host_socket_config *config, uint64_t seed,
                      uint32_t replication)
{
    memset(s, 0, sizeof *s);
    s->config = *config;
    if (config->kind == HOST_SOCKET_LOCAL) {
        s->config.local_share = 1;
    } else if (config->kind != HOST_SOCKET_NIC && config->kind != HOST_SOCKET_MACVTAP) {
        s->config.local_share = 0;
    }
    stream_init(&s->local, seed, replication, "socket.local");
}

void host_socket_start(struct host_socket *s)
{
    s->plain = s->config.kind == HOST_SOCKET_NIC && s->config.local_share == 0 &&
               s->config.sndbuf == 0 && s->qdisc->config.limit == 0;
    s->nic->limited = s->config.sndbuf > 0 || s->qdisc->config.limit > 0;
}

/* ---- costs ---- */

bool host_socket_collects(const struct host_socket *s, uint32_t size)
{
    uint32_t padded = (size + HOST_SOCKET_HEADROOM + HOST_SOCKET_ALIGN - 1) / HOST_SOCKET_ALIGN *
                      HOST_SOCKET_ALIGN;

    return host_socket_is_split(s) && s->config.sndbuf == 0 &&
           padded + HOST_SOCKET_SHARED <= HOST_SOCKET_PAGE;
}

bool host_socket_is_local(struct host_socket *s)
{
    double share = s->config.local_share;

    return share > 0 && (share >= 1 || stream_uniform(&s->local) < share);
}

bool host_socket_orphans(const struct host_socket *s, bool local)
{
    return s->config.kind == HOST_SOCKET_TAP || s->config.kind == HOST_SOCKET_TAP_XDP ||
           (local && s->receiver->config.zerocopy == RECEIVER_ORPHAN);
}

static sim_time packet_cost(const struct host_socket *s)
{
    const struct host_socket_config *c = &s->config;

    switch ((enum host_socket_kind)c->kind) {
    case HOST_SOCKET_TAP:
        return c->tap;
    case HOST_SOCKET_TAP_XDP:
        return c->verdict == HOST_SOCKET_DROP ? c->drop : c->redirect;
    case HOST_SOCKET_MACVTAP:
        return c->macvtap;
    case HOST_SOCKET_NIC:
    case HOST_SOCKET_LOCAL:
        break;
    }
    return 0;
}

sim_time host_socket_call(struct host_socket *s, uint32_t count, bool batch, bool more)
{
    const struct host_socket_config *c = &s->config;
    sim_time cost = c->call + (sim_time)count * packet_cost(s);

    s->counts.calls++;
    *(batch ? &s->counts.batched : &s->counts.single) += count;
    if (!batch && c->kind != HOST_SOCKET_TAP_XDP) {
        cost += c->skb_alloc;
    }
    if (!more) {
        s->counts.flushes++;
        cost += c->kind == HOST_SOCKET_TAP ||
                        (c->kind == HOST_SOCKET_TAP_XDP && c->verdict == HOST_SOCKET_DROP)
                    ? 0
                    : c->flush;
    }
    return cost;
}

/* ---- packets ---- */

enum host_socket_room host_socket_room(struct host_socket *s, bool local)
{
    uint64_t most = s->config.sndbuf;

    if (local || s->config.kind == HOST_SOCKET_TAP || s->config.kind == HOST_SOCKET_TAP_XDP) {
        return HOST_SOCKET_ROOM;
    }
    if ((most > 0 && s->nic->bytes + s->qdisc->bytes >= most) ||
        (s->qdisc->config.limit == 0 && !nic_has_room(s->nic))) {
        s->counts.full++;
        return HOST_SOCKET_FULL;
    }
    if (s->qdisc->config.on_full == HOST_QDISC_ENOBUFS && !host_qdisc_has_room(s->qdisc)) {
        s->counts.no_buffers++;
        return HOST_SOCKET_NO_BUFFERS;
    }
    return HOST_SOCKET_ROOM;
}

/* Nobody reads a zerocopy packet any more: it completes in the call that sends it. */
static sim_time let_go(struct host_socket *s, struct sim *sim, sim_time now, uint32_t index,
                       bool copied)
{
    if (index == NIC_COPIED) {
        return 0;
    }
    s->counts.orphaned += copied ? 1 : 0;
    return vhost_tx_on_let_go(s->tx, sim, now, index, copied);
}

sim_time host_socket_send(struct host_socket *s, struct sim *sim, sim_time now, uint32_t size,
                          uint32_t index, uint32_t echo, bool local)
{
    bool orphans = host_socket_orphans(s, local), gone;
    uint32_t kept = orphans ? NIC_COPIED : index;

    if (local) {
        s->counts.local++;
        gone = !receiver_put(s->receiver, sim, now, size, kept);
    } else if (s->config.kind == HOST_SOCKET_TAP || s->config.kind == HOST_SOCKET_TAP_XDP) {
        s->counts.taken++;
        if (echo > 0) {
            outside_on_answer(s->nic->outside, sim, now, echo);
        } else {
            peer_on_delivered(s->peer, sim, now);
        }
        gone = false;
    } else {
        gone = !host_qdisc_send(s->qdisc, sim, now, size, index, echo);
    }
    return orphans || gone ? let_go(s, sim, now, index, orphans) : 0;
}

void host_socket_check(const struct host_socket *s, sim_time now)
{
    sim_assert(s->counts.flushes <= s->counts.calls, now, "%" PRIu64 " ends of %" PRIu64 " calls",
               s->counts.flushes, s->counts.calls);
    sim_assert(s->counts.calls <= s->counts.batched + s->counts.single, now,
               "%" PRIu64 " calls for %" PRIu64 " packets", s->counts.calls,
               s->counts.batched + s->counts.single);
}
