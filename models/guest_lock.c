/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Two guest CPUs on one transmit queue. The first runs the sending task, the second takes the interrupts and
 * runs the polls they raise. They run in parallel and meet at four places:
 *
 *   the queue's lock    start_xmit and the transmit poll hold it and wait for each other; the receive poll only
 *                       tries, and leaves the reclaim when it is held. A hold ends with the program's last step
 *   the queue above     one CPU at a time takes packets from it: the task's, or the one that woke the driver's
 *                       queue, whose softirq then sends what waits there
 *   the transmit poll   runs on the CPU that scheduled it, on one at a time
 *   the task            is woken on its CPU when a poll made room or brought replies
 *
 * What the lock protects is written by both: its line and two of the queue's own (free head, counts, list of
 * free cache items) cross with each hold by the other CPU, a line for four descriptors' bookkeeping when a
 * descriptor is added by one and reclaimed by the other.
 */
#include "models/guest_program.h"
#include "sim/engine/assert.h"

#define LOCK_LINES             3u /* the lock, and two of the queue's own */
#define DESCRIPTORS_OF_A_LINE  4u /* 16 bytes each, in two arrays */

size_t guest_lock_lines(uint32_t ring_size)
{
    return 2 * (size_t)(ring_size / DESCRIPTORS_OF_A_LINE + 1);
}

static sim_time hold(struct guest *g, struct guest_cpu *cpu, sim_time now)
{
    struct guest_lock *lock = &g->lock;
    sim_time each = g->memory->config.cpu_read;

    lock->holder = cpu;
    lock->taken++;
    return guest_spend(cpu, now, SYMBOL_TX_LOCK,
                       memory_handover(g->memory, &lock->line, LOCK_LINES, each));
}

bool guest_lock_take_of_two(struct guest *g, struct guest_cpu *cpu, sim_time *now)
{
    struct guest_lock *lock = &g->lock;

    if (lock->holder || *now < lock->free_at || (lock->waiter && lock->waiter != cpu)) {
        sim_assert(lock->holder != cpu, *now, "a CPU waits for a lock that it holds");
        if (!cpu->spinning) {
            cpu->busy_until = *now > cpu->busy_until ? *now : cpu->busy_until; /* idle */
            cpu->spinning = true;
            cpu->spin_since = *now;
            lock->waiter = lock->waiter ? lock->waiter : cpu;
            lock->waited++;
        }
        *now = lock->holder || lock->waiter != cpu ? SIM_NEVER : lock->free_at;
        return false;
    }
    if (cpu->spinning) {
        struct guest_cpu *other = cpu == g->cpus ? cpu + 1 : g->cpus;

        cpu->spinning = false;
        lock->waiter = other->spinning ? other : NULL;
        guest_spend(cpu, cpu->spin_since, SYMBOL_TX_LOCK, *now - cpu->spin_since);
    }
    *now = hold(g, cpu, *now);
    return true;
}

bool guest_lock_try_of_two(struct guest *g, struct guest_cpu *cpu, sim_time *now)
{
    struct guest_lock *lock = &g->lock;

    if (lock->holder || lock->waiter || *now < lock->free_at) {
        lock->refused++;
        return false;
    }
    *now = hold(g, cpu, *now);
    return true;
}

bool guest_may_send_of_two(struct guest *g, struct guest_cpu *cpu)
{
    struct guest_lock *lock = &g->lock;

    if (lock->sender || !(cpu == &g->cpus[0] || cpu->runs_queue)) {
        return false;
    }
    lock->sender = cpu;
    return true;
}

/* A poll that is pending or running on the other CPU is told to run once more. */
void guest_schedule_tx_poll(struct guest *g, struct guest_cpu *cpu)
{
    for (uint32_t i = 0; i < g->cpu_count; i++) {
        if (g->cpus[i].tx_poll_pending || g->cpus[i].in_tx_poll) {
            cpu = &g->cpus[i];
        }
    }
    cpu->tx_poll_pending = true;
}

/* A direct chain is taken as consecutive, as it is on a ring that nobody has shuffled. */
sim_time guest_touch_request_of_two(struct guest *g, const struct virtqueue_request *request)
{
    struct memory *memory = g->memory;
    uint32_t half = g->vq->config.size / DESCRIPTORS_OF_A_LINE + 1;
    uint8_t *chain = g->lock.request_line + half;
    uint32_t id = request->id;
    sim_time cost;

    cost = memory_handover(memory, &g->lock.request_line[id / DESCRIPTORS_OF_A_LINE], 1,
                           memory->config.cpu_read);
    for (uint32_t i = 0; i < request->count; i++) {
        uint32_t at = (id + i) % g->vq->config.size;

        cost += memory_handover(memory, &chain[at / DESCRIPTORS_OF_A_LINE], 1,
                                memory->config.cpu_read);
    }
    return cost;
}

/* Whether a program that is there holds the lock no longer. */
static bool is_outside(enum guest_pc pc)
{
    return pc == GUEST_DISPATCH || pc == GUEST_TX_POLL_CHECK || pc == GUEST_RX_POLL_END;
}

/* A packet is through: the queue above the driver is anybody's again. */
static void before_step(struct guest *g, struct guest_cpu *cpu)
{
    if (g->lock.sender == cpu && cpu->pc == GUEST_DISPATCH) {
        g->lock.sender = NULL;
    }
}

/* The lock goes at the end of the step, and the other CPU hears of it. */
static void after_step(struct guest *g, struct guest_cpu *cpu, struct sim *sim, sim_time end)
{
    struct guest_lock *lock = &g->lock;
    struct guest_cpu *task = &g->cpus[0];

    if (lock->holder == cpu && is_outside(cpu->pc)) {
        lock->holder = NULL;
        lock->free_at = cpu->busy_until > sim->now ? cpu->busy_until : sim->now;
        if (lock->waiter) {
            sim_wake(sim, &lock->waiter->actor, lock->free_at);
        }
    }
    if (lock->wake_task && cpu != task) {
        sim_time seen = end == SIM_NEVER ? sim->now : end;

        if (task->idle) {
            sim_wake(sim, &task->actor, seen + vcpu_wake(&task->vcpu, seen));
        }
    }
    lock->wake_task = false;
}

/* Around each step there is something to see to, so none goes on by itself. */
sim_time guest_step_of_two(struct actor *actor, struct sim *sim)
{
    struct guest_cpu *cpu = container_of(actor, struct guest_cpu, actor);
    sim_time next;

    memory_switch_cpu(cpu->guest->memory, cpu->index);
    before_step(cpu->guest, cpu);
    sim_comes_back(sim);
    next = guest_step(actor, sim);
    after_step(cpu->guest, cpu, sim, next);
    return next;
}
