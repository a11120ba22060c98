/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parameter rows of the whole datapath, and the rules across its parts.
 */
#include "models/datapath.h"
#include "models/datapath_config.h"

static const struct param timing_rows[] = {
    {.path = "jitter",
     .kind = PARAM_RATIO,
     .offset = offsetof(struct timing_config, jitter_cv),
     .most = 0.33,
     .fallback = "0.05",
     .help = "coefficient of variation of stack, frame, backend and reply times"},
};

static const struct param_table timing_params =
    PARAM_TABLE("timing", struct timing_config, timing_rows, NULL);

#define PART(table_, member) {.table = &(table_), .offset = offsetof(struct datapath_config, member)}

const struct param_part datapath_parts[] = {
    PART(kernel_params, kernel),         PART(workload_params, workload),
    PART(replay_params, workload.replay), PART(tsq_params, workload.tsq),
    PART(peer_params, peer),             PART(guest_params, guest),
    PART(virtqueue_params, tx_ring),     PART(indirect_params, indirect),
    PART(desc_cache_params, desc_cache), PART(slab_params, slab),
    PART(dma_params, dma),
    PART(backend_params, backend),       PART(vhost_params, vhost),
    PART(vhost_rx_params, vhost_rx),     PART(rx_ring_params, rx_ring),
    PART(outside_params, outside),
    PART(host_socket_params, host_socket), PART(host_qdisc_params, host_qdisc),
    PART(receiver_params, receiver),
    PART(nic_params, nic),               PART(guest_cost_params, guest_cost),
    PART(memory_params, memory),         PART(notify_params, notify),
    PART(idle_params, idle),             PART(vcpu_params, vcpu),
    PART(rx_params, receive),
    PART(timing_params, timing),
};

const size_t datapath_part_count = sizeof datapath_parts / sizeof datapath_parts[0];

const char *const datapath_not_yet[] = {
    "workload.flow", "workload.connections", NULL,
};

static uint32_t most_sg(const struct datapath_config *c)
{
    if (c->guest.path == GUEST_XSK) {
        return 2;
    }
    return workload_most_frags(&c->workload) + (c->guest.header == GUEST_HEADER_OWN ? 2 : 1);
}

struct indirect_plan datapath_table_plan(const struct datapath_config *c)
{
    return (struct indirect_plan){
        .slab = &c->slab,
        .cache = &c->desc_cache,
        .indirect = &c->indirect,
        .dma = &c->dma,
        .ring_size = c->tx_ring.size,
        .max_skb_frags = c->guest.max_skb_frags,
        .most_sg = most_sg(c),
        .uses_indirect = c->tx_ring.indirect,
        .cpus = guest_cpus(&c->guest),
    };
}

static void check_ring(const struct datapath_config *c, struct problems *problems)
{
    uint32_t size = c->tx_ring.size, threshold = 2 + c->guest.max_skb_frags, sg = most_sg(c);

    if (!c->tx_ring.indirect && sg > size) {
        problems_error(problems, "guest.tx_ring.indirect",
                       "a packet of %u descriptors can never fit a ring of %u without indirect", sg,
                       size);
    } else if (sg > size) {
        problems_error(problems, "guest.tx_ring.size",
                       "a chain of %u descriptors must not exceed the ring size %u", sg, size);
    } else if (size < threshold) {
        problems_warning(problems, "guest.tx_ring.size",
                         "a ring of %u never has the %u free descriptors that restart a stopped queue",
                         size, threshold);
    }
}

static void check_frags(const struct datapath_config *c, struct problems *problems)
{
    uint32_t most = workload_most_frags(&c->workload);

    if (c->guest.path == GUEST_SKB && most > c->guest.max_skb_frags) {
        problems_error(problems,
                       workload_replays(&c->workload)  ? "workload.type"
                       : c->workload.mix_count > 0 ? "workload.mix"
                                                   : "workload.frags",
                       "frags %u above MAX_SKB_FRAGS %u", most, c->guest.max_skb_frags);
    }
}

static void check_speed(const struct datapath_config *c, struct problems *problems)
{
    const struct guest_cost_config *g = &c->guest_cost;
    double size, frags, ns, gbps;

    workload_means(&c->workload, &size, &frags);
    if (c->guest.path == GUEST_XSK) {
        ns = sim_time_ns(g->xsk_run + g->xsk_peek + g->xsk_xmit + g->sg_init + g->add_outbuf +
                         g->add + g->get_buf + g->detach);
    } else {
        ns = sim_time_ns(g->stack_packet + g->start_xmit + g->sg_init + g->add_outbuf + g->add +
                         g->get_buf + g->detach + g->free_skb) +
             sim_time_ns(g->stack_byte) * size + sim_time_ns(g->stack_frag) * frags;
    }
    gbps = size * 8 / ns;
    if (gbps > 100) {
        problems_warning(problems,
                         workload_replays(&c->workload) ? "workload.type" : "workload.size",
                         "%.0f bytes in %.0f ns are %.0f Gbit/s on one core; more than 100 is not "
                         "plausible",
                         size, ns, gbps);
    }
}

static bool is_marks(const struct datapath_config *c)
{
    return workload_replays(&c->workload) && c->workload.replay.mode == REPLAY_MARKS;
}

/* A party that is always busy and costs nothing would act for ever at one instant. */
static void check_time(const struct datapath_config *c, struct problems *problems)
{
    const struct guest_cost_config *g = &c->guest_cost;
    sim_time driver = g->sg_init + g->add_outbuf + g->add + g->get_buf + g->detach;

    if (c->guest.path == GUEST_XSK && g->xsk_run == 0) {
        problems_error(problems, "costs.guest.xsk_run",
                       "must be above 0 with guest.path xsk: polling a full ring would take no time");
    } else if ((c->workload.type == WORKLOAD_SATURATING || is_marks(c)) && c->guest.path == GUEST_SKB &&
               g->stack_packet + g->start_xmit + driver == 0) {
        problems_error(problems, "guest.stack.packet",
                       "a saturating sender whose packets cost nothing never lets time pass");
    }
}

static void check_replies(const struct datapath_config *c, struct problems *problems)
{
    if (c->workload.type == WORKLOAD_PING_PONG && c->peer.reply_every != 1) {
        problems_error(problems, "workload.reply.every",
                       "must be 1 with workload.type ping_pong, got %u: the sender waits for the reply",
                       c->peer.reply_every);
    }
    if (c->workload.type == WORKLOAD_SATURATING && c->workload.window >= QDISC_PACKETS &&
        !c->guest.napi_tx && c->guest.path == GUEST_SKB) {
        problems_warning(problems, "workload.window",
                         "has no effect: in orphan mode (guest.napi_tx false) only what waits above the "
                         "driver counts, at most %d packets",
                         QDISC_PACKETS);
    }
}

static void check_outside(const struct datapath_config *c, struct problems *problems)
{
    if (c->outside.type == OUTSIDE_PING && c->guest.path == GUEST_XSK) {
        problems_error(problems, "workload.outside.type",
                       "ping needs guest.path skb: an AF_XDP queue has no stack that answers");
    }
    if (c->outside.type == OUTSIDE_PING && c->host_socket.kind == HOST_SOCKET_TAP_XDP) {
        problems_error(problems, "workload.outside.type",
                       "ping needs a host.vhost.socket that lets answers out, not tap_xdp");
    }
}

static void check_vhost(const struct datapath_config *c, struct problems *problems)
{
    const struct vhost_config *v = &c->vhost;

    if (c->backend.type != BACKEND_VHOST) {
        return;
    }
    if (!v->recheck) {
        problems_warning(problems, "host.vhost.notify_recheck",
                         "without the re-check a packet published in between is never kicked");
    }
    if (v->zerocopy && v->zcopy_cb_gated && !v->zcopy_rescan) {
        problems_warning(problems, "host.vhost.zcopy_cb_gated",
                         "without host.vhost.zcopy_rescan a completion between the last look and the enabling "
                         "may never be returned");
    }
    if (v->zerocopy && (c->host_socket.kind == HOST_SOCKET_TAP || c->host_socket.kind == HOST_SOCKET_TAP_XDP ||
                        c->host_socket.kind == HOST_SOCKET_LOCAL)) {
        problems_warning(problems, "host.vhost.zerocopy",
                         "the stack behind this socket copies every packet: what is tried in vain counts as an error");
    }
    if (v->zerocopy && v->zcopy_callback <= UBUF_AFTER_PUT && v->zcopy_cb_batch > c->tx_ring.size) {
        problems_warning(problems, "host.vhost.zcopy_cb_batch",
                         "batch %u > ring size %u: only the last outstanding completion will ever queue the "
                         "worker",
                         v->zcopy_cb_batch, c->tx_ring.size);
    }
}

void datapath_check(const struct datapath_config *config, struct problems *problems)
{
    struct indirect_plan plan = datapath_table_plan(config);

    check_ring(config, problems);
    check_frags(config, problems);
    check_speed(config, problems);
    check_time(config, problems);
    check_replies(config, problems);
    check_vhost(config, problems);
    check_outside(config, problems);
    indirect_warn(&plan, problems);
}
