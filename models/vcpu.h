/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   A guest CPU that has nothing to do, as the host sees it: for how long the guest's idle loop polls, then KVM,
 *        and what a wake-up takes from wherever it stands by then.
 *          guest polls   no exit, no interrupt of another CPU: costs.vcpu.guest_poll_exit
 *          KVM polls     the guest has exited, its thread has not slept: costs.vcpu.poll_exit
 *          blocked       costs.notify.idle_exit, and the host CPU's own way back (models/idle.h)
 * PLACE  Inside a guest CPU (models/guest.h).
 * LEAVES OUT  Sleeps that a timer of the guest ends cost nothing: the task's own.
 * SOURCE docs/host.md.
 *
 * With neither kind of polling and no idle states, which is the default, a wake-up takes costs.notify.idle_exit after
 * any gap.
 */
#ifndef MODELS_VCPU_H
#define MODELS_VCPU_H

#include "models/halt_poll.h"
#include "models/idle.h"
#include "sim/engine/param.h"

struct vcpu_config {
    sim_time halt_poll, halt_poll_grow_start; /* KVM's windows */
    uint32_t halt_poll_grow, halt_poll_shrink;
    sim_time haltpoll, haltpoll_start; /* the guest's */
    uint32_t haltpoll_grow, haltpoll_shrink;
    sim_time poll_exit, guest_poll_exit;
};

extern const struct param_table vcpu_params;

struct vcpu {
    struct vcpu_config config;
    sim_time idle_exit; /* costs.notify.idle_exit */
    bool modelled;      /* not the default */
    struct halt_poll host, guest;
    struct idle idle;

    sim_time since;      /* it has nothing to do */
    sim_time woken;      /* the first event since then; SIM_NEVER: none */
    sim_time awake;      /* when it brings the CPU back */
    sim_time host_exit;  /* what the host CPU will take once it is blocked */
};

void vcpu_init(struct vcpu *v, const struct vcpu_config *config, const struct idle_config *idle,
               sim_time idle_exit, uint64_t seed, uint32_t replication, const char *name);

/* It has nothing to do from now on. */
void vcpu_begin_idle(struct vcpu *v, sim_time now);

/* An event for it at `now`, while it idles: what the way back takes, or, where an earlier one has begun it, what is left
 * of that. */
sim_time vcpu_wake(struct vcpu *v, sim_time now);

/* It runs again. */
void vcpu_end_idle(struct vcpu *v, sim_time now);

/* Time the host spent polling for it, KVM's and the guest's together; finished blocks. */
static inline sim_time vcpu_polled(const struct vcpu *v)
{
    return v->host.spent + v->guest.spent;
}

#endif
