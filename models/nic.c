/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/nic.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "models/peer.h"
#include "models/vhost_tx.h"
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
    {.path = "host.nic.softirq_cpu",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct nic_config, softirq_cpu),
     .fallback = "own",
     .choices = softirq_cpus,
     WHEN_VHOST,
     .help = "the CPU that takes the card's interrupts and frees packets"},
    COST("costs.nic.interrupt", interrupt, "1.5us", "0.5us", "2.5us", "prior",
         "interrupt and softirq entry, on the softirq's CPU"),
    COST("costs.nic.clean", clean, "0.3us", "0.15us", "0.7us", "prior",
         "freeing one packet that has left"),
};

const struct param_table nic_params = PARAM_TABLE("nic", struct nic_config, rows, NULL);

/* ---- the softirq ---- */

/* It takes the worker's CPU where it has none of its own. */
static sim_time spend(struct nic *nic, sim_time now, sim_time cost)
{
    nic->busy_total += cost;
    nic->busy_until = now + cost;
    if (nic->config.softirq_cpu == NIC_CPU_WORKER) {
        vhost_worker_steal(nic->tx->worker, now, cost);
    }
    return nic->busy_until;
}

/* When the card interrupts next, or somebody lets go of a packet; SIM_NEVER: nothing is to complete. */
static sim_time next_interrupt(const struct nic *nic)
{
    sim_time done = nic->count > 0 ? nic->packet[nic->head].done : SIM_NEVER;

    if (nic->kept_count > 0 && nic->kept[nic->kept_head].due < done) {
        done = nic->kept[nic->kept_head].due;
    }
    return done > nic->interrupt_after ? done : nic->interrupt_after;
}

static sim_time interrupt(struct nic *nic, sim_time now)
{
    nic->interrupts++;
    nic->interrupt_after = now + nic->config.moderation;
    nic->budget_left = nic->config.budget;
    nic->pc = NIC_CLEAN;
    return spend(nic, now, nic->config.interrupt);
}

/* The zerocopy packet is done; its callback is the next step. */
static void complete(struct nic *nic, sim_time now, uint32_t index)
{
    vhost_tx_on_sent(nic->tx, now, index);
    nic->pc = NIC_CALLBACK;
}

/* Whether this zerocopy packet is one of the late ones. */
static bool keeps(struct nic *nic)
{
    return nic->config.slow_every > 0 && ++nic->zerocopy % nic->config.slow_every == 0;
}

static void keep(struct nic *nic, sim_time now, uint32_t index)
{
    nic->kept[(nic->kept_head + nic->kept_count) % UBUF_RING] =
        (struct nic_kept){.due = now + nic->config.slow_by, .index = index};
    nic->kept_count++;
}

/* The oldest packet that has left. */
static uint32_t take(struct nic *nic, struct sim *sim, sim_time now)
{
    uint32_t index = nic->packet[nic->head].index;

    nic->head = nic->head + 1 == nic->config.queue ? 0 : nic->head + 1;
    nic->count--;
    nic->cleaned++;
    if (nic->count == nic->config.queue / 2) {
        vhost_tx_on_writable(nic->tx, sim, now);
    }
    return index;
}

/* A poll that spends its budget is followed by another one; one that does not leaves the rest to the next
 * interrupt. */
static sim_time clean(struct nic *nic, struct sim *sim, sim_time now)
{
    bool let_go = nic->kept_count > 0 && nic->kept[nic->kept_head].due <= now;

    if (!let_go && (nic->count == 0 || nic->packet[nic->head].done > now)) {
        nic->pc = NIC_WAIT;
        return next_interrupt(nic) > now ? next_interrupt(nic) : now;
    }
    if (nic->budget_left == 0) {
        nic->budget_left = nic->config.budget;
        return spend(nic, now, nic->config.interrupt);
    }
    nic->budget_left--;
    if (let_go) {
        complete(nic, now, nic->kept[nic->kept_head].index);
        nic->kept_head = (nic->kept_head + 1) % UBUF_RING;
        nic->kept_count--;
    } else {
        uint32_t index = take(nic, sim, now);

        if (index != NIC_COPIED && keeps(nic)) {
            keep(nic, now, index);
        } else if (index != NIC_COPIED) {
            complete(nic, now, index);
        }
    }
    return spend(nic, now, nic->config.clean);
}

static sim_time step(struct nic *nic, struct sim *sim, sim_time now)
{
    switch (nic->pc) {
    case NIC_WAIT:
        return interrupt(nic, now);
    case NIC_CLEAN:
        return clean(nic, sim, now);
    case NIC_CALLBACK:
        nic->pc = NIC_CLEAN;
        return spend(nic, now, vhost_tx_zerocopy_callback(nic->tx, sim, now));
    }
    __builtin_unreachable();
}

static sim_time nic_step(struct actor *actor, struct sim *sim)
{
    struct nic *nic = container_of(actor, struct nic, actor);
    sim_time next;

    do {
        next = step(nic, sim, sim->now);
    } while (sim_goes_on(sim, next));
    return next;
}

/* ---- the link ---- */

/* Exact in picoseconds up to rounding down: 8e12 bytes of 64 KiB fit 63 bits. */
static sim_time link_time(const struct nic *nic, uint32_t size)
{
    uint64_t bytes = (size < NIC_FRAME_LEAST ? NIC_FRAME_LEAST : size) + NIC_FRAME_GAP;

    return (sim_time)(bytes * 8 * (uint64_t)SIM_S / nic->rate_bps);
}

void nic_send(struct nic *nic, struct sim *sim, sim_time now, uint32_t size, uint32_t index)
{
    sim_time time = link_time(nic, size);
    uint32_t at = nic->head + nic->count;

    sim_assert(nic_has_room(nic), now, "a packet more than the card takes");
    nic->link_free = (nic->link_free > now ? nic->link_free : now) + time;
    nic->link_busy += time;
    nic->packet[at >= nic->config.queue ? at - nic->config.queue : at] =
        (struct nic_packet){.done = nic->link_free + nic->config.latency, .index = index};
    nic->sent++;
    if (nic->count++ == 0 && nic->pc == NIC_WAIT) {
        sim_wake(sim, &nic->actor, next_interrupt(nic));
    }
    /* Replies come in order, so the time at which it has left is as good as that moment itself. */
    peer_on_delivered(nic->peer, sim, nic->link_free);
}

sim_time nic_busy(const struct nic *nic, sim_time now)
{
    return nic->busy_total - (nic->busy_until > now ? nic->busy_until - now : 0);
}

void nic_check(const struct nic *nic, sim_time now)
{
    sim_assert(nic->sent == nic->cleaned + nic->count, now, "%" PRIu32 " packets in the card",
               nic->count);
    sim_assert(nic->count <= nic->config.queue, now, "%" PRIu32 " packets in the card", nic->count);
    sim_assert(nic_busy(nic, now) <= now, now, "softirq busy %" PRId64 " ps", nic->busy_total);
    sim_assert(nic->link_busy <= nic->link_free, now, "link busy %" PRId64 " ps", nic->link_busy);
}

/* ---- life ---- */

bool nic_init(struct nic *nic, const struct nic_config *config, struct error *error)
{
    memset(nic, 0, sizeof *nic);
    nic->config = *config;
    nic->rate_bps = (uint64_t)config->rate_bps;
    nic->actor = (struct actor){.step = nic_step, .next = SIM_NEVER};
    nic->packet = calloc(config->queue, sizeof *nic->packet);
    return nic->packet ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void nic_fini(struct nic *nic)
{
    free(nic->packet);
    memset(nic, 0, sizeof *nic);
}
