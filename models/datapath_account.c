/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The accounts of a run. A broken one is a bug of the model and ends the program.
 */
#include <inttypes.h>
#include <stdio.h>

#include "models/datapath_state.h"
#include "sim/engine/assert.h"

static void account_packets(const struct datapath *dp)
{
    const struct guest_counts *c = &dp->guest.counts;
    const struct guest_cpu *task = &dp->guest.cpus[0];
    uint64_t stack = task->pc == GUEST_STACK_END || task->stack_left > 0 ? 1 : 0;
    uint64_t inside = dp->workload.queue_count + dp->qdisc.count + stack;
    uint64_t answers = dp->guest.rx.answers; /* packets that the workload knows nothing of */
    uint64_t driver = c->handed - c->dropped - c->published; /* between take and publish: 0 or 1 */
    uint64_t device = c->published - dp->guest.delivered;

    sim_assert(dp->workload.offered + answers == dp->workload.dropped + inside + c->handed, dp->end,
               "offered %" PRIu64 ", dropped %" PRIu64 ", waiting %" PRIu64 ", handed %" PRIu64,
               dp->workload.offered + answers, dp->workload.dropped, inside, c->handed);
    sim_assert(driver <= 1, dp->end, "%" PRIu64 " packets in the driver", driver);
    sim_assert(dp->guest.delivered >= c->reclaimed, dp->end, "reclaimed before delivered");
    sim_assert(c->published - c->reclaimed == (uint64_t)dp->guest.in_flight.value, dp->end,
               "in flight %" PRId64 ", published - reclaimed %" PRIu64, dp->guest.in_flight.value,
               c->published - c->reclaimed);
    sim_assert(device <= dp->vq.config.size, dp->end, "%" PRIu64 " packets in the device", device);
}

static void account_time(const struct datapath *dp)
{
    for (uint32_t i = 0; i < dp->guest.cpu_count; i++) {
        const struct guest_cpu *cpu = &dp->guest.cpus[i];
        sim_time busy =
            cpu->busy_total + (cpu->idle ? 0 : cpu->busy_until - cpu->busy_since);
        /* A stack step that softirq cut was charged whole when it began. */
        sim_time charged = ledger_sum(&cpu->ledger) - cpu->stack_left;

        sim_assert(busy == charged, dp->end,
                   "CPU %" PRIu32 ": busy %" PRId64 " ps, charged %" PRId64 " ps", i, busy, charged);
    }
}

/* What symbols waited for lines is part of their time, and the rings' share is what moved. */
static void account_waits(const struct datapath *dp)
{
    struct ledger ledger = guest_ledger(&dp->guest);
    const struct memory_count *moved = &dp->memory.count[MEMORY_RINGS];
    const struct memory_config *c = &dp->config->memory;
    sim_time ring = (sim_time)moved->upgrades[MEMORY_RING] * c->write_ring +
                    (sim_time)moved->guest_fetches * c->read_used + dp->memory.moves.ring_wait;

    for (int i = 0; i < SYMBOL_COUNT; i++) {
        sim_time table = ledger.waited[LEDGER_TABLE_LINES][i];
        sim_time waited = table + ledger.waited[LEDGER_RING_LINES][i];

        sim_assert(waited <= ledger.time[i], dp->end, "%s waited %" PRId64 " ps of %" PRId64 " ps",
                   symbol_name((enum symbol)i), waited, ledger.time[i]);
        ring -= ledger.waited[LEDGER_RING_LINES][i];
    }
    sim_assert(ring == 0, dp->end, "%" PRId64 " ps of waits for ring lines not noted", ring);
}

/* Integral of the level = overlaps of the packets' stays with the window. */
static void account_stays(const struct datapath *dp)
{
    const struct guest *g = &dp->guest;
    sim_wide stays = (sim_wide)g->stays;

    for (uint32_t id = 0; id < dp->vq.config.size; id++) {
        const struct virtqueue_request *request = &dp->vq.request[id];

        if (request->stage != VIRTQUEUE_FREE && g->packet[request->packet].on_ring) {
            sim_time begin = g->packet[request->packet].published;

            stays += dp->end - (begin > dp->start ? begin : dp->start);
        }
    }
    sim_assert(stays == level_area(&g->in_flight, dp->end), dp->end,
               "stays do not add up to the area of packets in flight");
}

/* Delivered by vhost = on the link, waiting for the card, dropped in front of it, with the local receiver, or taken by
 * the host's stack. */
static void account_behind(const struct datapath *dp)
{
    const struct host_socket *s = &dp->vhost.tx.socket;
    uint64_t card = dp->nic.sent + dp->host_qdisc.count + dp->host_qdisc.dropped;
    uint64_t local = dp->receiver.queued + dp->receiver.dropped;

    sim_assert(local == s->counts.local, dp->end, "%" PRIu64 " local packets, %" PRIu64 " known",
               s->counts.local, local);
    sim_assert(card + local + s->counts.taken == dp->guest.delivered, dp->end,
               "%" PRIu64 " packets delivered: %" PRIu64 " to the card, %" PRIu64 " here, %" PRIu64 " taken",
               dp->guest.delivered, card, local, s->counts.taken);
    host_socket_check(s, dp->end);
    host_qdisc_check(&dp->host_qdisc, dp->end);
    receiver_check(&dp->receiver, dp->end);
}

/* Packets behind the ring, and the worker's time. */
static void account_host(const struct datapath *dp)
{
    const struct vhost_tx_counts *c = &dp->vhost.tx.counts;
    const struct ubuf *u = &dp->vhost.tx.ubuf;

    sim_assert(c->copied + c->zerocopy == dp->guest.delivered, dp->end,
               "%" PRIu64 " packets delivered, %" PRIu64 " sent", dp->guest.delivered,
               c->copied + c->zerocopy);
    account_behind(dp);
    sim_assert(c->completions + u->outstanding == u->begun, dp->end,
               "%" PRIu64 " completions of %" PRIu64 " entries", c->completions, u->begun);
    sim_assert(c->polls_useful <= c->polls_first && c->polls_first <= c->polls, dp->end,
               "%" PRIu64 " useful polls of %" PRIu64, c->polls_useful, c->polls);
    vhost_check(&dp->vhost, dp->end);
    nic_check(&dp->nic, dp->end);
}

static uint64_t marked(const struct rx_packet *packet, uint32_t head, uint32_t count, uint32_t size)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < count; i++) {
        sum += packet[(head + i) % size].echo > 0 ? 1 : 0;
    }
    return sum;
}

/* Echo requests and answers wherever they may be: on the way in and back, at the socket and in the handler's hand, in
 * the receive queue, in the guest's hand, above the driver, in it, on the ring, in front of the card. */
static uint64_t requests_inside(const struct datapath *dp)
{
    const struct vhost_rx *rx = &dp->vhost.rx;
    const struct rx_ring *ring = &dp->rx_ring;
    const struct guest *g = &dp->guest;
    uint64_t sum = (uint64_t)dp->outside.in.count + dp->outside.back.count;

    sum += marked(rx->packet, rx->head, rx->count, rx->config.queue);
    sum += rx->filling && rx->current.echo > 0 ? 1 : 0;
    sum += marked(ring->packet, ring->head, ring->visible + ring->filled, ring->config.size);
    sum += g->rx.echo > 0 ? 1 : 0;
    for (uint32_t i = 0; i < dp->qdisc.count; i++) {
        sum += dp->qdisc.packet[(dp->qdisc.head + i) % QDISC_PACKETS].echo > 0 ? 1 : 0;
    }
    sum += g->sending.echo > 0 ? 1 : 0;
    for (uint32_t i = 0; i < dp->host_qdisc.count; i++) {
        const struct host_qdisc *q = &dp->host_qdisc;

        sum += q->packet[(q->head + i) % q->config.limit].echo > 0 ? 1 : 0;
    }
    for (uint32_t slot = 0; slot < dp->vq.config.size; slot++) {
        sum += g->packet[slot].on_ring && g->packet[slot].echo > 0 ? 1 : 0;
    }
    return sum;
}

static void account_outside(const struct datapath *dp)
{
    const struct outside_counts *c = &dp->outside.counts;
    const struct vhost_rx_counts *rx = &dp->vhost.rx.counts;
    const struct rx_ring *ring = &dp->rx_ring;
    bool ping = dp->config->outside.type == OUTSIDE_PING;
    uint64_t inside = requests_inside(dp);

    sim_assert(c->sent == c->arrived + dp->outside.in.count && c->arrived == rx->arrived, dp->end,
               "%" PRIu64 " packets sent to the guest, %" PRIu64 " arrived", c->sent, rx->arrived);
    sim_assert(rx->received == dp->guest.rx.packets + ring->visible + ring->filled, dp->end,
               "%" PRIu64 " packets received, %" PRIu64 " taken", rx->received, dp->guest.rx.packets);
    sim_assert((ping ? c->sent : 0) == c->answered + c->dropped + inside, dp->end,
               "%" PRIu64 " requests sent, %" PRIu64 " answered, %" PRIu64 " dropped, %" PRIu64
               " inside",
               c->sent, c->answered, c->dropped, inside);
}

void datapath_account(const struct datapath *dp)
{
    account_packets(dp);
    account_time(dp);
    account_waits(dp);
    account_stays(dp);
    memory_check(&dp->memory, dp->end);
    indirect_check(&dp->tables, dp->end);
    if (datapath_has_vhost(dp)) {
        account_host(dp);
    }
    if (datapath_has_outside(dp)) {
        account_outside(dp);
    }
    virtqueue_check(&dp->vq);
}

/* What keeps a packet from outside where it is. */
static bool blame_receive(const struct datapath *dp, char *buffer, size_t bytes)
{
    const struct vhost_rx *rx = &dp->vhost.rx;

    if (rx->count > 0 && !rx->watched) {
        snprintf(buffer, bytes,
                 "the vhost worker sleeps with %" PRIu32 " packets at a socket that it does not watch and %" PRIu32
                 " receive buffers posted: the guest's kick was suppressed or lost",
                 rx->count, rx_ring_posted(&dp->rx_ring));
    } else if (dp->rx_ring.visible > 0) {
        snprintf(buffer, bytes, "the guest does not take %" PRIu32 " received packets: no interrupt told it",
                 dp->rx_ring.visible);
    } else {
        return false;
    }
    return true;
}

/* What keeps the worker from moving. */
static bool blame_vhost(const struct datapath *dp, uint64_t on_ring, char *buffer, size_t bytes)
{
    const struct vhost_tx *tx = &dp->vhost.tx;
    uint32_t done = ubuf_returnable(&tx->ubuf), pending = ubuf_pending(&tx->ubuf);

    if (dp->release_hung) {
        snprintf(buffer, bytes,
                 "closing vhost waits for %" PRIu32 " zerocopy packets that do not complete",
                 tx->ubuf.outstanding);
        return true;
    }
    if (dp->vhost.worker.running) {
        return false;
    }
    if (done > 0) {
        snprintf(buffer, bytes,
                 "the vhost worker sleeps with %" PRIu32
                 " completed zerocopy packets not returned: no completion queued it%s",
                 done,
                 tx->last_read_early ? ", the last two read their count before either put" : "");
    } else if (pending > 0 && dp->nic.never > 0) {
        snprintf(buffer, bytes,
                 "the oldest of %" PRIu32 " zerocopy packets never completes: somebody keeps its pages",
                 pending);
    } else if (pending > 0 && dp->nic.count > 0) {
        snprintf(buffer, bytes,
                 "the network card has not completed the oldest of %" PRIu32 " zerocopy packets",
                 pending);
    } else if (pending > 0 && dp->receiver.count > 0) {
        snprintf(buffer, bytes,
                 "the local receiver keeps the oldest of %" PRIu32 " zerocopy packets", pending);
    } else if (on_ring > 0 && tx->again && !tx->waits_socket && !virtqueue_notify_enabled(&dp->vq)) {
        snprintf(buffer, bytes,
                 "the vhost worker sleeps with %" PRIu64
                 " packets available: the socket was %s and nobody queued the worker again",
                 on_ring, tx->socket.counts.no_buffers > 0 ? "without buffers" : "full");
    } else if (on_ring > 0) {
        snprintf(buffer, bytes,
                 "the vhost worker sleeps with %" PRIu64
                 " packets available and notifications %s: the last kick was suppressed or lost",
                 on_ring, virtqueue_notify_enabled(&dp->vq) ? "on" : "off");
    } else {
        return blame_receive(dp, buffer, bytes);
    }
    return true;
}

/* Which party blocks. */
static void blame(const struct datapath *dp, char *buffer, size_t bytes)
{
    const struct guest *g = &dp->guest;
    uint64_t on_ring = g->counts.published - g->delivered;

    if (datapath_has_vhost(dp) && blame_vhost(dp, on_ring, buffer, bytes)) {
        return;
    }
    if (on_ring > 0 && dp->backend.waiting && !datapath_has_vhost(dp)) {
        snprintf(buffer, bytes,
                 "the backend sleeps with %" PRIu64
                 " packets available: the last kick was suppressed or lost",
                 on_ring);
    } else if (g->queue_stopped) {
        snprintf(
            buffer, bytes,
            "the guest's transmit queue is stopped with %u free descriptors of the %u it needs: no "
            "interrupt will wake it",
            virtqueue_free_count(&dp->vq), g->stop_threshold);
    } else if (on_ring == 0 && g->delivered > g->counts.reclaimed && virtqueue_more_used(&dp->vq)) {
        snprintf(buffer, bytes,
                 "the guest does not see %" PRIu64 " returned packets: their interrupt was suppressed or lost",
                 g->delivered - g->counts.reclaimed);
    } else if (dp->qdisc.off) {
        snprintf(buffer, bytes,
                 "the byte queue limit holds the queue and no completion is reclaimed");
    } else if (on_ring > 0) {
        snprintf(buffer, bytes, "the backend does not finish %" PRIu64 " packets", on_ring);
    } else {
        snprintf(buffer, bytes, "the guest CPU does not send what waits above the driver");
    }
}

void datapath_judge(const struct datapath *dp, struct run_result *result)
{
    result->metric[METRIC_HUNG] = dp->hung ? 1 : 0;
    result->hung_why[0] = '\0';
    if (dp->hung) {
        blame(dp, result->hung_why, sizeof result->hung_why);
    }
}
