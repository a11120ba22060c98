/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The datapath while it runs, for datapath*.c only: the parts, and the counts at the beginning of the measured
 * window.
 */
#ifndef MODELS_DATAPATH_STATE_H
#define MODELS_DATAPATH_STATE_H

#include "models/datapath.h"
#include "models/datapath_config.h"
#include "models/qdisc.h"
#include "models/vhost.h"

/* What became of packets behind vhost. */
struct datapath_behind {
    uint64_t calls, called; /* into a socket that takes batches, and packets by them */
    uint64_t failed;        /* sends */
    uint64_t dropped;
    uint64_t linked, frames, lost;
    uint64_t zerocopy_done, zerocopy_failed;
};

/* Everything that only grows; metrics are differences of two of these. */
struct datapath_totals {
    struct guest_counts guest;
    struct ledger ledger;
    uint64_t delivered, delivered_bytes;
    sim_time task_time; /* charged to the task's CPU */
    uint64_t cpu_moves;
    sim_time guest_busy, reclaim_busy, host_busy, host_work;
    uint64_t calls, wakeups, runs, empty_runs;
    sim_time wake_time;   /* vhost: queued to running, of all wake-ups */
    sim_time vcpu_polled; /* for halted guest CPUs */
    struct vhost_counts vhost;
    struct vhost_rx_counts vhost_rx;
    struct outside_counts outside;
    struct datapath_behind behind;
    uint64_t dropped;
    uint64_t tables[INDIRECT_SOURCES];
    uint64_t frees[SLAB_PATHS];
};

/* Of a guest CPU's last step: a symbol that it was busy with. */
struct observed_part {
    enum symbol symbol;
    sim_time from, to;
};

struct observed_cpu {
    enum observer_party party;
    struct observed_part part[SYMBOL_COUNT + 2];
    uint32_t part_count;
};

/* What is watched of a run, and the steps behind the wrappers. */
struct observed {
    const struct observer *observer; /* NULL: nobody watches */
    actor_step *step[OBSERVER_PARTIES];
    struct observed_cpu cpu[GUEST_CPUS];
};

struct datapath {
    const struct datapath_config *config;
    struct sim sim;
    struct virtqueue vq;
    struct memory memory;
    struct indirect tables;
    struct workload workload;
    struct qdisc qdisc;
    struct guest guest;
    struct backend backend;
    struct vhost vhost; /* with host.backend.type vhost, as the card */
    struct nic nic;
    struct rx_ring rx_ring; /* where somebody outside sends */
    struct outside outside;
    struct host_qdisc host_qdisc; /* in front of it */
    struct receiver receiver;     /* for packets that stay on the host */
    struct peer peer;

    sim_time start, end; /* of the measured window */
    struct datapath_totals before; /* at its start */
    bool hung;
    bool release_hung; /* while vhost was closed */
    struct observed observed;
};

static inline bool datapath_has_vhost(const struct datapath *dp)
{
    return dp->config->backend.type == BACKEND_VHOST;
}

static inline bool datapath_has_outside(const struct datapath *dp)
{
    return datapath_has_vhost(dp) && dp->config->outside.type != OUTSIDE_NONE;
}

struct datapath_totals datapath_totals(const struct datapath *dp, sim_time now);

/* Closes vhost where the configuration asks for it; hung when that takes longer than `longest`. */
void datapath_release(struct datapath *dp, sim_time longest, struct run_result *result);

/* Asserts every account at the end of a run. */
void datapath_account(const struct datapath *dp);

/* Fills the result from the window start..end. */
void datapath_measure(const struct datapath *dp, struct run_result *result);

/* Puts the wrappers around the steps, before the actors are added; hands over what is left at the
 * end of the window. */
void datapath_observe(struct datapath *dp, const struct observer *observer);
void datapath_observe_end(struct datapath *dp);

/* Whether it hung, and which party blocks. */
void datapath_judge(const struct datapath *dp, struct run_result *result);

#endif
