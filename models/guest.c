/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/guest.h"

#include <stdlib.h>
#include <string.h>

#include "models/guest_program.h"
#include "sim/engine/assert.h"
#include "sim/engine/law.h"

static const struct param_choice paths[] = {
    {"skb", "socket buffers through start_xmit", NULL},
    {"xsk", "AF_XDP zero copy: always two entries, header and frame", NULL},
    {0},
};

static const struct param_choice headers[] = {
    {"inline", "in the packet's headroom: shares the first entry", NULL},
    {"own", "an entry of its own: cloned head or too little headroom", NULL},
    {0},
};

static const struct param_choice xsk_kicks[] = {
    {"batch", "one suppression test per poll", NULL},
    {"packet", "one per frame", NULL},
    {0},
};

static const struct param_choice reclaim_cpus[] = {
    {"same", "the sender's: all is on one CPU", NULL},
    {"other", "a second one takes the interrupts and runs the polls they raise", NULL},
    {0},
};

static const struct param rows[] = {
    {.path = "guest.path",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct guest_config, path),
     .fallback = "skb",
     .choices = paths,
     .help = "transmit path"},
    {.path = "guest.napi_tx",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct guest_config, napi_tx),
     .fallback = "true",
     .alias = "napi_tx",
     .when_path = "guest.path",
     .when_value = "skb",
     .help = "transmit NAPI: completions interrupt; false: orphan mode, reclaim in start_xmit only"},
    {.path = "guest.header",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct guest_config, header),
     .fallback = "inline",
     .choices = headers,
     .when_path = "guest.path",
     .when_value = "skb",
     .help = "where the virtio-net header of an skb goes"},
    {.path = "guest.max_skb_frags",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct guest_config, max_skb_frags),
     .least = 17,
     .most = 45,
     .fallback = "17",
     .alias = "MAX_SKB_FRAGS",
     .help = "MAX_SKB_FRAGS of the kernel; the queue stops below 2 + this many free descriptors"},
    {.path = "guest.direct_below_percent",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct guest_config, direct_below_percent),
     .most = 100,
     .fallback = "0",
     .unit = "%",
     .when_path = "guest.tx_ring.indirect",
     .when_value = "true",
     .help = "direct descriptors while less than this share of the ring is in use; 0: never"},
    {.path = "guest.xsk.budget",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct guest_config, xsk_budget),
     .least = 1,
     .most = 256,
     .fallback = "64",
     .unit = "frames",
     .when_path = "guest.path",
     .when_value = "xsk",
     .help = "frames per AF_XDP poll"},
    {.path = "guest.xsk.kick",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct guest_config, xsk_kick),
     .fallback = "batch",
     .choices = xsk_kicks,
     .when_path = "guest.path",
     .when_value = "xsk",
     .help = "how often the AF_XDP path tests for a kick"},
    {.path = "guest.reclaim_cpu",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct guest_config, reclaim_cpu),
     .fallback = "same",
     .choices = reclaim_cpus,
     .when_path = "guest.path",
     .when_value = "skb",
     .help = "the CPU of transmit and receive interrupts and of the polls that reclaim"},
    {.path = "guest.full_check_arms",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct guest_config, full_check_arms),
     .fallback = "true",
     .when_path = "guest.napi_tx",
     .when_value = "true",
     .help = "a full ring arms the interrupt; false, up to 6.14: it relies on start_xmit, which does not arm "
             "while more is announced"},
};

const struct param_table guest_params = PARAM_TABLE("guest", struct guest_config, rows, NULL);

static void cpus_init(struct guest *g, const struct guest_settings *settings, uint64_t seed,
                      uint32_t replication)
{
    static const char *const names[GUEST_CPUS] = {"vcpu.0", "vcpu.1"};

    g->cpu_count = guest_cpus(&g->config);
    for (uint32_t i = 0; i < GUEST_CPUS; i++) {
        g->cpus[i].guest = g;
        g->cpus[i].index = (uint8_t)i;
        vcpu_init(&g->cpus[i].vcpu, &settings->vcpu, &settings->idle, g->notify.idle_exit, seed,
                  replication, names[i]);
        g->cpus[i].idle = true;
        g->cpus[i].interrupt_due[GUEST_VECTOR_TX] = SIM_NEVER;
        g->cpus[i].interrupt_due[GUEST_VECTOR_RX] = SIM_NEVER;
        g->cpus[i].interrupt_first = SIM_NEVER;
        g->cpus[i].actor = (struct actor){
            .step = g->cpu_count > 1 ? guest_step_of_two : guest_step, .next = SIM_NEVER};
    }
}

bool guest_init(struct guest *g, const struct guest_settings *settings, uint64_t seed,
                uint32_t replication, uint32_t ring_size, struct error *error)
{
    memset(g, 0, sizeof *g);
    g->config = settings->guest;
    g->cost = settings->cost;
    g->kernel = settings->kernel;
    g->notify = settings->notify;
    g->dma = settings->dma;
    g->jitter_cv = settings->jitter_cv;
    g->stop_threshold = 2 + g->config.max_skb_frags;
    stream_init(&g->jitter, seed, replication, "guest.work");
    g->rx_callbacks = true;
    cpus_init(g, settings, seed, replication);
    g->least_free = ring_size;
    batch_means_clear(&g->pace);
    g->pace_due = g->pace.batch_size;
    histogram_clear(&g->in_flight_at_add);
    histogram_clear(&g->latency);
    histogram_clear(&g->reclaim_latency);
    g->packet = calloc(ring_size, sizeof *g->packet);
    g->free_slot = calloc(ring_size, sizeof *g->free_slot);
    g->lock.request_line = calloc(guest_lock_lines(ring_size), 1);
    if (!g->packet || !g->free_slot || !g->lock.request_line) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    g->free_slots = ring_size;
    for (uint32_t i = 0; i < ring_size; i++) {
        g->free_slot[i] = ring_size - 1 - i;
    }
    /* A random phase, so that replications differ from the first step on. */
    g->cpus[0].actor.next = (sim_time)stream_below(&g->jitter, (uint64_t)SIM_US);
    return true;
}

void guest_fini(struct guest *g)
{
    free(g->packet);
    free(g->free_slot);
    free(g->lock.request_line);
    memset(g, 0, sizeof *g);
}

sim_time guest_busy(const struct guest *g, sim_time now)
{
    sim_time sum = guest_cpu_busy(&g->cpus[0], now);

    return g->cpu_count > 1 ? sum + guest_cpu_busy(&g->cpus[1], now) : sum;
}

struct ledger guest_ledger(const struct guest *g)
{
    struct ledger sum = g->cpus[0].ledger;

    for (int i = 0; i < SYMBOL_COUNT && g->cpu_count > 1; i++) {
        sum.time[i] += g->cpus[1].ledger.time[i];
        for (int lines = 0; lines < LEDGER_LINES; lines++) {
            sum.waited[lines][i] += g->cpus[1].ledger.waited[lines][i];
        }
    }
    return sum;
}

void guest_on_call(struct guest *g, struct sim *sim, sim_time now, enum guest_vector vector)
{
    struct guest_cpu *cpu = &g->cpus[g->cpu_count - 1];
    sim_time due = now + g->notify.call_latency + (cpu->idle ? vcpu_wake(&cpu->vcpu, now) : 0);

    if (cpu->interrupt_due[vector] != SIM_NEVER) {
        return; /* still pending: merged */
    }
    cpu->interrupt_due[vector] = due;
    if (due < cpu->interrupt_first) {
        cpu->interrupt_first = due;
    }
    sim_wake(sim, &cpu->actor, due);
}

void guest_on_reply(struct guest *g, struct sim *sim, sim_time now)
{
    g->replies++;
    if (g->rx_callbacks) {
        guest_on_call(g, sim, now, GUEST_VECTOR_RX);
    }
}

void guest_on_delivered(struct guest *g, uint32_t slot, sim_time now)
{
    struct guest_packet *packet = &g->packet[slot];

    g->delivered++;
    g->delivered_bytes += packet->size;
    packet->echo = 0;
    histogram_add(&g->latency, (uint64_t)(now - packet->handed), 1);
}

/* ---- the CPU ---- */

sim_time guest_go_idle(struct guest_cpu *cpu, sim_time now)
{
    if (!cpu->idle) {
        cpu->idle = true;
        cpu->busy_total += now - cpu->busy_since;
        if (cpu->vcpu.modelled) {
            vcpu_begin_idle(&cpu->vcpu, now);
        }
    }
    return cpu->interrupt_first;
}

/* Runs the stack for the packet in hand, or what is left of it; softirq may cut in. */
static sim_time run_stack(struct guest_cpu *cpu, sim_time now, sim_time cost)
{
    cpu->pc = GUEST_STACK_END;
    cpu->stack_running = true;
    cpu->busy_until = now + cost;
    return cpu->busy_until < cpu->interrupt_first ? cpu->busy_until : cpu->interrupt_first;
}

static sim_time start_packet(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    const struct guest_cost_config *c = &g->cost;
    sim_time cost = c->stack_packet + c->stack_byte * g->current.size +
                    c->stack_frag * g->current.frags;

    cost = law_jitter(&g->jitter, cost, g->jitter_cv);
    ledger_charge(&cpu->ledger, SYMBOL_STACK, cost);
    return run_stack(cpu, now, cost);
}

static bool queue_runs(struct guest *g, struct guest_cpu *cpu)
{
    return !g->queue_stopped && qdisc_runs(g->qdisc) && guest_may_send(g, cpu);
}

/* What the CPU does next: softirq, then the queue above the driver, then the task. */
static sim_time dispatch(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    bool xsk = g->config.path == GUEST_XSK;

    cpu->pc = GUEST_DISPATCH;
    /* An AF_XDP poll asks for the next one as long as there are frames; polls take turns. */
    if (cpu->tx_poll_pending && !(cpu->rx_poll_pending && cpu->xsk_polled)) {
        cpu->tx_poll_pending = false;
        cpu->xsk_polled = xsk;
        cpu->pc = xsk ? GUEST_XSK_POLL : GUEST_TX_POLL;
        return now;
    }
    if (cpu->rx_poll_pending) {
        cpu->rx_poll_pending = false;
        cpu->xsk_polled = false;
        cpu->pc = GUEST_RX_POLL;
        return now;
    }
    if (xsk) {
        return guest_xsk_dispatch(g, cpu, now);
    }
    if (queue_runs(g, cpu)) {
        cpu->pc = GUEST_XMIT_BEGIN;
        return now;
    }
    if (cpu != &g->cpus[0]) {
        cpu->runs_queue = false;
        return guest_go_idle(cpu, now);
    }
    if (cpu->stack_left > 0) {
        sim_time left = cpu->stack_left;

        cpu->stack_left = 0;
        return run_stack(cpu, now, left);
    }
    if (qdisc_has_room(g->qdisc) && workload_take(g->workload, guest_unreclaimed(g), &g->current)) {
        return start_packet(g, cpu, now);
    }
    return guest_go_idle(cpu, now);
}

/* The vector that is due becomes an interrupt; the program counter stays. */
static __attribute__((noinline)) sim_time hard_interrupt(struct guest *g, struct guest_cpu *cpu,
                                                         sim_time now)
{
    enum guest_vector vector =
        cpu->interrupt_due[GUEST_VECTOR_TX] <= now ? GUEST_VECTOR_TX : GUEST_VECTOR_RX;
    sim_time tx, rx;

    cpu->interrupt_due[vector] = SIM_NEVER;
    tx = cpu->interrupt_due[GUEST_VECTOR_TX];
    rx = cpu->interrupt_due[GUEST_VECTOR_RX];
    cpu->interrupt_first = tx < rx ? tx : rx;
    return guest_interrupt(g, cpu, now, vector);
}

static void stack_end(struct guest *g, struct guest_cpu *cpu)
{
    cpu->stack_running = false;
    qdisc_put(g->qdisc, &g->current);
}

static sim_time run(struct guest *g, struct guest_cpu *cpu, struct sim *sim, sim_time now)
{
    switch (cpu->pc) {
    case GUEST_STACK_END:
        stack_end(g, cpu);
        /* fall through */
    case GUEST_DISPATCH:
        return dispatch(g, cpu, now);
    case GUEST_XMIT_BEGIN:
        return guest_xmit_begin(g, cpu, now);
    case GUEST_XMIT_REARM:
        return guest_xmit_rearm(g, cpu, now);
    case GUEST_FULL:
        return guest_full_check(g, cpu, now);
    case GUEST_FULL_RECLAIMED:
        return guest_full_reclaimed(g, cpu, now);
    case GUEST_ARM:
        return guest_arm(g, cpu, now);
    case GUEST_BUILD:
        return guest_build(g, cpu, now);
    case GUEST_ADD:
        return guest_add(g, cpu, now);
    case GUEST_PUBLISH:
        return guest_publish(g, cpu, sim, now);
    case GUEST_KICK:
        return guest_kick(g, cpu, now);
    case GUEST_DOORBELL:
        return guest_doorbell(g, cpu, sim, now);
    case GUEST_RECLAIM:
        return guest_reclaim_next(g, cpu, now);
    case GUEST_TX_POLL:
        return guest_tx_poll(g, cpu, now);
    case GUEST_TX_POLL_END:
        return guest_tx_poll_end(g, cpu, now);
    case GUEST_TX_POLL_CHECK:
        return guest_tx_poll_check(g, cpu, now);
    case GUEST_RX_POLL:
        return guest_rx_poll(g, cpu, now);
    case GUEST_RX_POLL_REARM:
        return guest_rx_poll_rearm(g, cpu, now);
    case GUEST_RX_POLL_END:
        return guest_rx_poll_end(g, cpu, now);
    case GUEST_XSK_POLL:
        return guest_xsk_poll(g, cpu, now);
    case GUEST_XSK_NEXT:
        return guest_xsk_next(g, cpu, now);
    case GUEST_XSK_AFTER_KICK:
        return guest_xsk_after_kick(g, cpu, now);
    case GUEST_XSK_DECIDE:
        return guest_xsk_decide(g, cpu, now);
    case GUEST_XSK_IDLE:
        return guest_xsk_idle(g, cpu, now);
    case GUEST_RX_TAKE:
        return guest_rx_take(g, cpu, now);
    case GUEST_RX_ANSWER:
        return guest_rx_answer(g, cpu, now);
    case GUEST_RX_REFILL:
        return guest_rx_refill(g, cpu, now);
    case GUEST_RX_KICK:
        return guest_rx_kick(g, cpu, sim, now);
    }
    __builtin_unreachable();
}

/* A step while the stack runs: only an interrupt that is due cuts it. */
static bool cut_stack(struct guest_cpu *cpu, sim_time now)
{
    if (!cpu->stack_running || cpu->interrupt_first > now) {
        return false;
    }
    cpu->stack_running = false;
    cpu->stack_left = cpu->busy_until - now;
    cpu->busy_until = now;
    cpu->pc = GUEST_DISPATCH;
    return true;
}

/* What comes before the program's step: the running step goes on, or an interrupt is taken. *now is
 * then when the next step is due. False: nothing, the program runs at *now. */
static bool attend(struct guest *g, struct guest_cpu *cpu, sim_time *now)
{
    if (*now < cpu->busy_until && !cut_stack(cpu, *now)) {
        sim_time end = cpu->busy_until;

        *now = cpu->stack_running && cpu->interrupt_first < end ? cpu->interrupt_first : end;
        return true;
    }
    if (cpu->idle) {
        cpu->idle = false;
        cpu->busy_since = *now;
        if (cpu->vcpu.modelled) {
            vcpu_end_idle(&cpu->vcpu, *now);
        }
    }
    cpu->stack_running = false;
    if (cpu->interrupt_first <= *now && !cpu->spinning) {
        *now = hard_interrupt(g, cpu, *now);
        return true;
    }
    return false;
}

/* A CPU that goes on by itself was busy until now, and nobody has raised an interrupt since. */
sim_time guest_step(struct actor *actor, struct sim *sim)
{
    struct guest_cpu *cpu = container_of(actor, struct guest_cpu, actor);
    struct guest *g = cpu->guest;
    sim_time next = sim->now;
    bool attended = attend(g, cpu, &next);

    for (;;) {
        if (!attended) {
            next = run(g, cpu, sim, next);
        }
        if (!sim_goes_on(sim, next)) {
            return next;
        }
        attended = next >= cpu->interrupt_first && attend(g, cpu, &next);
    }
}
