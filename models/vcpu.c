/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/vcpu.h"

#include <string.h>

#define WHEN(path_, value_) .when_path = (path_), .when_value = (value_)

static const struct param rows[] = {
    {.path = "host.kvm.halt_poll",
     .kind = PARAM_TIME,
     .offset = offsetof(struct vcpu_config, halt_poll),
     .most = 1e12,
     .fallback = "0us",
     .alias = "halt_poll_ns",
     .help = "the longest window for which KVM polls for a halted vCPU; x86 has 200us; 0: none"},
    {.path = "host.kvm.halt_poll_grow",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct vcpu_config, halt_poll_grow),
     .least = 1,
     .most = 1000,
     .fallback = "2",
     .alias = "halt_poll_ns_grow",
     .help = "factor of a window that was too short"},
    {.path = "host.kvm.halt_poll_grow_start",
     .kind = PARAM_TIME,
     .offset = offsetof(struct vcpu_config, halt_poll_grow_start),
     .most = 1e12,
     .fallback = "10us",
     .alias = "halt_poll_ns_grow_start",
     .help = "the first window"},
    {.path = "host.kvm.halt_poll_shrink",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct vcpu_config, halt_poll_shrink),
     .most = 1000,
     .fallback = "2",
     .alias = "halt_poll_ns_shrink",
     .help = "divisor of a window after a longer block; 0: to nothing. Up to 6.8: 0, by 6.12: 2"},
    {.path = "guest.haltpoll",
     .kind = PARAM_TIME,
     .offset = offsetof(struct vcpu_config, haltpoll),
     .most = 1e12,
     .fallback = "0us",
     .alias = "guest_halt_poll_ns",
     .help = "the longest window for which the guest's idle loop polls (cpuidle_haltpoll: 200us); 0: none"},
    {.path = "guest.haltpoll_grow",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct vcpu_config, haltpoll_grow),
     .least = 1,
     .most = 1000,
     .fallback = "2",
     .help = "factor of a window that was too short"},
    {.path = "guest.haltpoll_grow_start",
     .kind = PARAM_TIME,
     .offset = offsetof(struct vcpu_config, haltpoll_start),
     .most = 1e12,
     .fallback = "50us",
     .help = "the first window"},
    {.path = "guest.haltpoll_shrink",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct vcpu_config, haltpoll_shrink),
     .most = 1000,
     .fallback = "2",
     .help = "divisor of a window after a longer block; 0: to nothing"},
    {.path = "costs.vcpu.poll_exit",
     .kind = PARAM_COST,
     .offset = offsetof(struct vcpu_config, poll_exit),
     .most = 1e12,
     .fallback = "0.7us",
     .help = "added to the latency while KVM polls: the guest is entered again",
     .certificate = {"0.2us", "1.5us", PARAM_GUESS, "polling target 0.1 to 0.3 us and an entry, prior"}},
    {.path = "costs.vcpu.guest_poll_exit",
     .kind = PARAM_COST,
     .offset = offsetof(struct vcpu_config, guest_poll_exit),
     .most = 1e12,
     .fallback = "0.2us",
     .help = "added to the latency while the guest's idle loop polls",
     .certificate = {"0.1us", "0.3us", PARAM_GUESS, "polling target, prior"}},
};

const struct param_table vcpu_params = PARAM_TABLE("vcpu", struct vcpu_config, rows, NULL);

void vcpu_init(struct vcpu *v, const struct vcpu_config *config, const struct idle_config *idle,
               sim_time idle_exit, uint64_t seed, uint32_t replication, const char *name)
{
    memset(v, 0, sizeof *v);
    v->config = *config;
    v->idle_exit = idle_exit;
    halt_poll_init(&v->host, &(struct halt_poll_config){.most = config->halt_poll,
                                                        .grow_start = config->halt_poll_grow_start,
                                                        .grow = config->halt_poll_grow,
                                                        .shrink = config->halt_poll_shrink,
                                                        .floor = true});
    halt_poll_init(&v->guest, &(struct halt_poll_config){.most = config->haltpoll,
                                                         .grow_start = config->haltpoll_start,
                                                         .grow = config->haltpoll_grow,
                                                         .shrink = config->haltpoll_shrink});
    idle_init(&v->idle, idle, seed, replication, name);
    v->modelled = config->halt_poll > 0 || config->haltpoll > 0 || v->idle.modelled;
    v->woken = SIM_NEVER;
    if (v->modelled) {
        v->host_exit = idle_enter(&v->idle);
    }
}

void vcpu_begin_idle(struct vcpu *v, sim_time now)
{
    if (!v->modelled) {
        return;
    }
    v->since = now;
    v->woken = SIM_NEVER;
    v->host_exit = idle_enter(&v->idle);
}

/* From where it stands after idling for so long. */
static sim_time way_back(const struct vcpu *v, sim_time block)
{
    if (halt_poll_meets(&v->guest, block)) {
        return v->config.guest_poll_exit;
    }
    block -= v->guest.window; /* the guest halts at its end */
    return halt_poll_meets(&v->host, block) ? v->config.poll_exit : v->idle_exit + v->host_exit;
}

sim_time vcpu_wake(struct vcpu *v, sim_time now)
{
    sim_time block = now - v->since;

    if (!v->modelled) {
        return v->idle_exit;
    }
    if (v->woken != SIM_NEVER) {
        return v->awake > now ? v->awake - now : 0;
    }
    v->woken = now;
    v->awake = now + way_back(v, block);
    return v->awake - now;
}

void vcpu_end_idle(struct vcpu *v, sim_time now)
{
    sim_time block = (v->woken < now ? v->woken : now) - v->since;
    sim_time guest = v->guest.window, host = v->host.window;

    if (!v->modelled) {
        return;
    }
    halt_poll_end(&v->guest, block);
    if (block <= guest && v->config.haltpoll > 0) {
        return;
    }
    block -= guest;
    halt_poll_end(&v->host, block);
    if (block > host) {
        idle_leave(&v->idle, block - host);
    }
}
