/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the files of the guest CPU share: how a step spends time, and the programs that guest.c runs
 * by its program counter. Nothing outside guest*.c includes this but datapath.c's construction.
 */
#ifndef MODELS_GUEST_PROGRAM_H
#define MODELS_GUEST_PROGRAM_H

#include "models/guest.h"
#include "models/qdisc.h"

/* Of steps that few packets take: a step function of their own leaves the others' registers alone. */
#define GUEST_RARE __attribute__((noinline))

/* Of two CPUs: cold, so that the compiler keeps it out of the way of one. */
#define GUEST_TWO __attribute__((cold))
/* The same, and never inlined: guest_step() must not outgrow the limit up to which the programs are inlined in it. */
#define GUEST_COLD __attribute__((cold, noinline))

/* Charges a symbol; the step is over after the cost. Returns the time of the next step. */
static inline sim_time guest_spend(struct guest_cpu *cpu, sim_time now, enum symbol symbol,
                                   sim_time cost)
{
    ledger_charge(&cpu->ledger, symbol, cost);
    cpu->busy_until = now + cost;
    return now + cost;
}

/* A store to a ring line, a load from one, the wait for the exposed stores: what each costs, noted
 * as a wait of the symbol that it will be charged to. */
static inline sim_time guest_write_ring(struct guest *g, struct guest_cpu *cpu, sim_time now,
                                        enum symbol symbol, uint64_t address)
{
    uint64_t line = address / MEMORY_LINE_BYTES;

    return memory_is_own(g->memory, line)
               ? 0
               : ledger_wait(&cpu->ledger, LEDGER_RING_LINES, symbol,
                             memory_guest_write_ring_line(g->memory, now, line));
}

static inline sim_time guest_read_ring(struct guest *g, struct guest_cpu *cpu, enum symbol symbol,
                                       uint64_t address)
{
    uint64_t line = address / MEMORY_LINE_BYTES;

    return memory_at_hand(g->memory, line)
               ? 0
               : ledger_wait(&cpu->ledger, LEDGER_RING_LINES, symbol,
                             memory_guest_read_lines(g->memory, line, line));
}

static inline sim_time guest_drain(struct guest *g, struct guest_cpu *cpu, sim_time now,
                                   enum symbol symbol)
{
    return ledger_wait(&cpu->ledger, LEDGER_TABLE_LINES, symbol, memory_drain(g->memory, now));
}

actor_step guest_step;                  /* one CPU */
GUEST_TWO actor_step guest_step_of_two; /* guest_lock.c: either of two */

/* The steps of the programs: each does what its place in enum guest_pc names and returns when it is
 * over. */

/* guest_add.c */
sim_time guest_build(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_add(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_publish(struct guest *g, struct guest_cpu *cpu, struct sim *sim,
                       sim_time now);
sim_time guest_kick(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_doorbell(struct guest *g, struct guest_cpu *cpu, struct sim *sim,
                        sim_time now);

/* guest_xmit.c */
sim_time guest_xmit_begin(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_xmit_rearm(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_full_check(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_full_reclaimed(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_arm(struct guest *g, struct guest_cpu *cpu, sim_time now);

/* guest_napi.c */
GUEST_RARE sim_time guest_tx_poll(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_tx_poll_end(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_tx_poll_check(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_rx_poll(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_rx_poll_rearm(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_RARE sim_time guest_rx_poll_end(struct guest *g, struct guest_cpu *cpu, sim_time now);

/* guest_rx.c: cold, since most runs have nobody outside */
GUEST_COLD sim_time guest_rx_take(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_COLD sim_time guest_rx_answer(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_COLD sim_time guest_rx_refill(struct guest *g, struct guest_cpu *cpu, sim_time now);
GUEST_COLD sim_time guest_rx_kick(struct guest *g, struct guest_cpu *cpu, struct sim *sim, sim_time now);

/* Goes on with the receive queue; false: it is empty, and interrupts are enabled. */
GUEST_COLD bool guest_rx_begin(struct guest *g, struct guest_cpu *cpu);

/* guest_xsk.c */
sim_time guest_xsk_poll(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_xsk_next(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_xsk_idle(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_xsk_after_kick(struct guest *g, struct guest_cpu *cpu, sim_time now);
sim_time guest_xsk_decide(struct guest *g, struct guest_cpu *cpu, sim_time now);

/* guest_reclaim.c */
sim_time guest_reclaim_next(struct guest *g, struct guest_cpu *cpu, sim_time now);

/* guest_lock.c: what two CPUs have to see to. The inline halves answer for one CPU, where all is true, 0
 * or nothing. */
GUEST_TWO bool guest_lock_take_of_two(struct guest *g, struct guest_cpu *cpu, sim_time *now);
GUEST_TWO bool guest_lock_try_of_two(struct guest *g, struct guest_cpu *cpu, sim_time *now);
GUEST_TWO bool guest_may_send_of_two(struct guest *g, struct guest_cpu *cpu);
GUEST_TWO sim_time guest_touch_request_of_two(struct guest *g,
                                              const struct virtqueue_request *request);

/* Bytes that say who has the lines of the descriptors' bookkeeping. */
size_t guest_lock_lines(uint32_t ring_size);

/* Takes the transmit queue's lock; *now moves on by what that costs. False: it is not to be had yet,
 * the step is to be tried again at *now (SIM_NEVER: when it is released). */
static inline bool guest_lock_take(struct guest *g, struct guest_cpu *cpu, sim_time *now)
{
    return g->cpu_count == 1 || guest_lock_take_of_two(g, cpu, now);
}

/* The same without waiting. */
static inline bool guest_lock_try(struct guest *g, struct guest_cpu *cpu, sim_time *now)
{
    return g->cpu_count == 1 || guest_lock_try_of_two(g, cpu, now);
}

/* Whether this CPU may send what waits above the driver; it is the one that does, then. */
static inline bool guest_may_send(struct guest *g, struct guest_cpu *cpu)
{
    return g->cpu_count == 1 || guest_may_send_of_two(g, cpu);
}

/* Schedules the transmit poll on this CPU, unless another one has it. */
void guest_schedule_tx_poll(struct guest *g, struct guest_cpu *cpu);

/* The bookkeeping of a request's descriptors comes from the CPU that had it last. */
static inline sim_time guest_touch_request(struct guest *g, const struct virtqueue_request *request)
{
    return g->cpu_count == 1 ? 0 : guest_touch_request_of_two(g, request);
}

/* An skb that another CPU had before. */
static inline sim_time guest_touch_skb(const struct guest *g, const struct guest_cpu *cpu,
                                       uint8_t before)
{
    return cpu != &g->cpus[before] ? g->cost.skb_other : 0;
}

/* The AF_XDP side of the dispatcher: polls when there are frames, else idles. */
sim_time guest_xsk_dispatch(struct guest *g, struct guest_cpu *cpu, sim_time now);

/* The hard interrupt of a vector. */
sim_time guest_interrupt(struct guest *g, struct guest_cpu *cpu, sim_time now,
                         enum guest_vector vector);

/* The CPU has nothing to do until it is woken; returns when the next interrupt is due. */
sim_time guest_go_idle(struct guest_cpu *cpu, sim_time now);

/* Starts reclaiming; the program goes on at `then` when nothing more is used. */
sim_time guest_reclaim(struct guest *g, struct guest_cpu *cpu, sim_time now, enum guest_pc then);

/* The driver's queue runs again when enough descriptors are free. */
void guest_wake_queue(struct guest *g, struct guest_cpu *cpu);

/* Callback suppression with its line and barrier costs; all charge "virtqueue_enable_cb" through *cost. */
void guest_disable_cb(struct guest *g, struct guest_cpu *cpu, sim_time now, sim_time *cost);
bool guest_enable_cb_delayed(struct guest *g, struct guest_cpu *cpu, sim_time now, sim_time *cost);

/* What the buffers of a completed packet cost to unmap; AF_XDP frames stay mapped. */
static inline sim_time guest_unmap_cost(const struct guest *g, uint32_t count)
{
    return g->config.path == GUEST_XSK ? 0 : dma_unmap_cost(&g->dma, count);
}

/* Packets that the stack still counts as its own. */
static inline uint32_t guest_unreclaimed(const struct guest *g)
{
    return g->qdisc->count + (g->config.napi_tx ? virtqueue_outstanding(g->vq) : 0);
}

#endif
