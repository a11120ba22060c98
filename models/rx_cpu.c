/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/rx_cpu.h"

#include <stdlib.h>
#include <string.h>

#include "sim/engine/assert.h"

void rx_cpu_on_interrupt(struct rx_cpu *c, struct sim *sim, sim_time due)
{
    if (c->interrupt_due != SIM_NEVER) {
        return; /* still pending: merged */
    }
    c->interrupt_due = due + (c->idle ? c->config->idle_exit : 0);
    if (sim->running != &c->actor) { /* its own command may have made the device notify: it sees that itself */
        sim_wake(sim, &c->actor, c->interrupt_due);
    }
}

/* The segment of the running thread, cut where an interrupt comes before its end. */
static sim_time segment_end(const struct rx_cpu *c)
{
    return c->busy_until < c->interrupt_due ? c->busy_until : c->interrupt_due;
}

/* The first thread in order that has something to do; another one than before costs a switch. */
static sim_time dispatch(struct rx_cpu *c, sim_time now)
{
    enum rx_thread_id next = RX_WORKER;

    while (next < RX_NOBODY && c->thread[next].pc == RX_ASLEEP) {
        next++;
    }
    if (next == RX_NOBODY) {
        c->idle = true;
        c->running = RX_NOBODY;
        return c->interrupt_due;
    }
    if (next != c->running) {
        c->thread[next].left += c->config->switch_to;
        c->running = next;
    }
    c->busy_until = now + c->thread[next].left;
    c->busy_total += c->thread[next].left;
    c->thread[next].left = 0;
    return segment_end(c);
}

/* What is left of the running segment waits. */
static void cut(struct rx_cpu *c, sim_time now)
{
    if (c->running != RX_NOBODY && c->busy_until > now) {
        c->thread[c->running].left = c->busy_until - now;
        c->busy_total -= c->busy_until - now;
    }
}

static sim_time threads(struct rx_cpu *c, struct sim *sim, sim_time now)
{
    if (c->interrupt_due <= now) {
        if (c->idle) {
            c->idle = false;
        } else {
            cut(c, now);
        }
        return rx_napi_interrupt(c, now);
    }
    if (c->idle) {
        return c->interrupt_due;
    }
    if (c->running != RX_NOBODY) {
        if (now < c->busy_until) {
            return segment_end(c);
        }
        rx_thread_end_segment(c, sim, now, c->running);
    }
    return dispatch(c, now);
}

static sim_time step(struct rx_cpu *c, struct sim *sim, sim_time now)
{
    if (c->pc == RX_THREADS) {
        return threads(c, sim, now);
    }
    if (now < c->busy_until) {
        return c->busy_until;
    }
    if (c->pc != RX_EXIT) {
        return rx_napi_step(c, now);
    }
    c->pc = RX_THREADS;
    if (c->interrupt_due <= now) {
        return rx_napi_interrupt(c, now);
    }
    return dispatch(c, now);
}

static sim_time cpu_step(struct actor *actor, struct sim *sim)
{
    struct rx_cpu *c = container_of(actor, struct rx_cpu, actor);
    sim_time next;

    do {
        next = step(c, sim, sim->now);
    } while (sim_goes_on(sim, next));
    return next;
}

struct rx_counts rx_cpu_counts(const struct rx_cpu *c, sim_time now)
{
    struct rx_counts counts = c->counts;

    counts.profile_time[c->told] += now - c->told_at;
    return counts;
}

bool rx_cpu_init(struct rx_cpu *c, const struct rx_config *config, struct error *error)
{
    memset(c, 0, sizeof *c);
    c->config = config;
    c->actor = (struct actor){.step = cpu_step, .next = SIM_NEVER};
    c->idle = true;
    c->running = RX_NOBODY;
    c->interrupt_due = SIM_NEVER;
    c->ready_room = config->app == RX_APP_UDP ? config->socket_bytes / config->truesize : config->connections + 1;
    c->packet = calloc(config->ring.size, sizeof *c->packet);
    c->ready = calloc(c->ready_room, sizeof *c->ready);
    net_dim_init(&c->dim, (uint16_t)config->dim_events, config->dim_significant);
    histogram_clear(&c->latency);
    return c->packet && c->ready ? true : error_set(error, ERROR_SYSTEM, "", "out of memory");
}

void rx_cpu_fini(struct rx_cpu *c)
{
    free(c->packet);
    free(c->ready);
    memset(c, 0, sizeof *c);
}
