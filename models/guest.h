/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The guest CPU and the virtio-net driver on it: one CPU that runs hard interrupts, softirq (NAPI polls)
 *        and one sending task, in this priority. With guest.reclaim_cpu other there is a second one: it takes
 *        the interrupts and runs the polls they raise, beside the task; guest_lock.c says how they meet.
 * PLACE  Between workload and virtqueue on the way out; takes the device's interrupts on the way back.
 *          guest.c          contexts, dispatch, accounts
 *          guest_xmit.c     skb path: start_xmit
 *          guest_xsk.c      AF_XDP path
 *          guest_add.c      what both share: table, add, publish, kick
 *          guest_reclaim.c  completed requests back
 *          guest_napi.c     interrupts, transmit poll, receive poll
 *          guest_rx.c       the receive queue in it, answers to echo requests
 *          guest_lock.c     two CPUs: the queue's lock, who runs the queue above the driver, wake-ups
 * LEAVES OUT  A third CPU, a task that moves, preemption of the task by other tasks, timers. A hard
 *        interrupt waits for the end of the running step (at most one driver step); softirq waits for the end of
 *        start_xmit, which runs with bottom halves disabled, and interrupts the stack at any time.
 * SOURCE docs/datapath.md.
 *
 * The CPU is a program counter: each step does what `pc` names at the present time, charges its cost to a
 * kernel symbol, and is over when the cost has passed.
 */
#ifndef MODELS_GUEST_H
#define MODELS_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include "models/dma.h"
#include "models/guest_cost.h"
#include "models/indirect.h"
#include "models/kernel.h"
#include "models/memory.h"
#include "models/notify.h"
#include "models/qdisc.h"
#include "models/symbol.h"
#include "models/vcpu.h"
#include "models/virtqueue.h"
#include "models/workload.h"
#include "sim/engine/batch_means.h"
#include "sim/engine/histogram.h"
#include "sim/engine/level.h"
#include "sim/engine/param.h"
#include "sim/engine/series.h"
#include "sim/engine/sim.h"
#include "sim/engine/wide.h"

enum guest_path { GUEST_SKB, GUEST_XSK };
enum guest_header { GUEST_HEADER_INLINE, GUEST_HEADER_OWN };
enum guest_xsk_kick { GUEST_XSK_KICK_BATCH, GUEST_XSK_KICK_PACKET };

enum guest_reclaim_cpu { GUEST_RECLAIM_SAME, GUEST_RECLAIM_OTHER };

#define GUEST_CPUS 2u

struct guest_config {
    int path;               /* enum guest_path */
    bool napi_tx;           /* false: orphan mode */
    int header;             /* where the virtio-net header goes, enum guest_header */
    uint32_t max_skb_frags; /* 17..45; the queue stops below 2 + this many free descriptors */
    uint32_t direct_below_percent; /* direct descriptors while the ring is filled less than this */
    uint32_t xsk_budget;    /* frames per poll */
    int xsk_kick;           /* enum guest_xsk_kick */
    int reclaim_cpu;        /* enum guest_reclaim_cpu */
    bool full_check_arms;   /* napi, up to 6.14: a full ring arms the interrupt, even while more is announced */
};

extern const struct param_table guest_params;

/* Guest CPUs that a configuration makes busy: an AF_XDP poll sends and reclaims on one. */
static inline uint32_t guest_cpus(const struct guest_config *config)
{
    return config->reclaim_cpu == GUEST_RECLAIM_OTHER && config->path == GUEST_SKB ? GUEST_CPUS : 1;
}

/* What a guest CPU is made from. */
struct guest_settings {
    struct guest_config guest;
    struct guest_cost_config cost;
    struct kernel_config kernel;
    struct notify_config notify;
    struct dma_config dma;
    struct vcpu_config vcpu;
    struct idle_config idle;
    double jitter_cv;
};

/* A packet on the ring. */
struct guest_packet {
    uint32_t size;
    uint8_t socket;
    bool on_ring;       /* published and not yet reclaimed */
    uint8_t cpu;        /* that transmitted it */
    bool answer;        /* to an echo request */
    uint32_t echo;      /* its mark until the device has sent it, else 0 */
    sim_time handed;    /* to the driver */
    sim_time published; /* avail index moved over it */
};

struct guest_counts {
    uint64_t handed;       /* packets the driver took */
    uint64_t dropped;      /* of them, because the add failed */
    uint64_t published;    /* on the ring */
    uint64_t reclaimed;
    uint64_t tables;       /* indirect tables used */
    uint64_t direct_multi; /* packets of several entries that went direct */
    uint64_t multi;        /* packets of several entries */
    uint64_t kicks, kick_tests, forced_kicks;
    uint64_t empty_tests, empty_kicks; /* of them: after an add to an empty ring */
    uint64_t busy_kicks;               /* tests after adds to a ring with packets that kicked */
    uint64_t tx_interrupts, rx_interrupts;
    uint64_t tx_polls, rx_polls;
    uint64_t queue_stops;
    uint64_t arms; /* enable_cb_delayed calls */
};

/* Where the CPU is; the file named runs it. */
enum guest_pc {
    GUEST_DISPATCH,  /* guest.c: choose what to run next */
    GUEST_STACK_END, /* the stack hands the packet over */

    GUEST_XMIT_BEGIN, /* guest_xmit.c */
    GUEST_XMIT_REARM,
    GUEST_FULL,
    GUEST_FULL_RECLAIMED,
    GUEST_ARM,

    GUEST_BUILD, /* guest_add.c */
    GUEST_ADD,
    GUEST_PUBLISH,
    GUEST_KICK,
    GUEST_DOORBELL,

    GUEST_RECLAIM, /* guest_reclaim.c */

    GUEST_TX_POLL, /* guest_napi.c */
    GUEST_TX_POLL_END,
    GUEST_TX_POLL_CHECK,
    GUEST_RX_POLL,
    GUEST_RX_POLL_REARM,
    GUEST_RX_POLL_END,

    GUEST_XSK_POLL, /* guest_xsk.c */
    GUEST_XSK_NEXT,
    GUEST_XSK_AFTER_KICK,
    GUEST_XSK_DECIDE,
    GUEST_XSK_IDLE,

    GUEST_RX_TAKE, /* guest_rx.c */
    GUEST_RX_ANSWER,
    GUEST_RX_REFILL,
    GUEST_RX_KICK,
};

enum guest_vector { GUEST_VECTOR_TX, GUEST_VECTOR_RX, GUEST_VECTORS };

struct backend;
struct outside;
struct qdisc;
struct rx_ring;
struct vhost_rx;

/* One CPU. */
struct guest_cpu {
    struct actor actor; /* first: both have one address, and a step needs one of them */
    struct guest *guest;
    uint8_t index; /* in guest.cpus */
    enum guest_pc pc;
    bool idle;
    sim_time busy_since; /* while not idle */
    sim_time busy_until; /* end of the running step */
    sim_time busy_total; /* of finished busy periods */
    bool stack_running;  /* the running step is the stack's: softirq may cut in */
    sim_time stack_left; /* of a stack step that softirq cut */
    sim_time interrupt_due[GUEST_VECTORS]; /* SIM_NEVER: not pending */
    sim_time interrupt_first;              /* the earlier of them */
    bool tx_poll_pending, rx_poll_pending;
    bool xsk_polled; /* last: a receive poll that waits comes first */
    bool in_tx_poll;    /* from its start to its re-check: one CPU polls at a time */
    bool runs_queue;    /* it woke the driver's queue, so its softirq sends what waits above it */
    bool spinning;      /* for the queue's lock */
    sim_time spin_since;
    struct ledger ledger;
    struct vcpu vcpu; /* how it idles */
};

/* The receive queue's poll, with models/rx_ring.h. */
struct guest_rx {
    uint32_t taken; /* by the present poll */
    uint32_t echo;  /* the request that is being answered; 0: none */
    uint64_t packets, answers, answers_dropped; /* taken in all; put into the queue above the driver, or not */
};

/* The transmit queue's lock and what else two CPUs share; unused with one. */
struct guest_lock {
    struct guest_cpu *holder;  /* NULL: free from free_at on */
    struct guest_cpu *waiter;  /* spins for it and gets it next */
    struct guest_cpu *sender;  /* runs the queue above the driver; NULL: nobody */
    sim_time free_at;
    uint8_t line;              /* holder of its cache line and of the queue's own two, memory_handover() */
    uint8_t *request_line;     /* [ring size / 4, twice]: of four descriptors' bookkeeping */
    bool wake_task;            /* a packet may go on: the task's CPU is to look */
    uint64_t taken, waited, refused; /* refused: the receive poll found it held */
};

struct guest {
    /* set by guest_init() */
    struct guest_config config;
    struct guest_cost_config cost;
    struct kernel_config kernel;
    struct notify_config notify;
    struct dma_config dma;
    double jitter_cv;
    struct stream jitter;
    uint32_t stop_threshold; /* 2 + MAX_SKB_FRAGS */

    /* neighbours, set by datapath.c */
    struct virtqueue *vq;
    struct memory *memory;
    struct indirect *tables;
    struct workload *workload;
    struct qdisc *qdisc;
    struct backend *backend;
    struct rx_ring *rx_ring; /* NULL: nothing comes but the peer's replies; so the next two */
    struct vhost_rx *vhost_rx;
    struct outside *outside;

    /* the CPUs */
    struct guest_cpu cpus[GUEST_CPUS]; /* 0: the task's; 1, if there is one: the interrupts' */
    uint32_t cpu_count;
    struct guest_lock lock;
    enum guest_pc after_reclaim;

    /* the driver */
    bool queue_stopped;
    struct workload_packet current; /* in the stack */
    struct workload_packet sending; /* in the driver */
    uint16_t sg;                    /* its entries */
    sim_time handed;                /* when the driver got it */
    uint64_t table;                 /* its table while it is not on the ring; MEMORY_NONE: none */
    uint32_t slot;                  /* its place in packet[], once added */
    bool to_empty;                  /* an add since the last suppression test found an empty ring */
    bool must_kick;                 /* num_added is at its limit: no announcement delays the kick */
    bool kick_tested;               /* this start_xmit came to the kick decision */
    uint16_t cb_position;           /* operand of the re-check after enabling callbacks */
    uint32_t xsk_sent; /* of this poll */
    uint32_t replies;  /* waiting in the receive queue */
    bool rx_callbacks; /* receive interrupts enabled */
    struct guest_rx rx;
    uint64_t sweep_bytes;  /* reclaimed in this sweep, for the byte queue limit */
    uint32_t sweep_packets;

    /* packets on the ring */
    struct guest_packet *packet; /* [ring size] */
    uint32_t *free_slot;         /* [ring size], a stack */
    uint32_t free_slots;

    /* what it saw */
    struct guest_counts counts;
    struct level in_flight;
    sim_wide_unsigned stays; /* of reclaimed packets, in the window */
    struct histogram in_flight_at_add, latency, reclaim_latency;
    uint32_t least_free;
    struct series over_time; /* packets in flight at every 16th add of the window */
    struct batch_means pace; /* busy time between two packets, from the first on */
    uint64_t pace_due;       /* the packet that fills a batch of it */
    sim_time paced;          /* busy time at the packet that filled the last one */
    uint64_t delivered;
    uint64_t delivered_bytes;
};

/* The neighbours must be set before the first step. */
bool guest_init(struct guest *g, const struct guest_settings *settings, uint64_t seed,
                uint32_t replication, uint32_t ring_size, struct error *error);
void guest_fini(struct guest *g);

/* Busy time of a CPU up to now, its running step in part. */
static inline sim_time guest_cpu_busy(const struct guest_cpu *cpu, sim_time now)
{
    sim_time end = now < cpu->busy_until ? now : cpu->busy_until;

    return cpu->busy_total + (cpu->idle ? 0 : end - cpu->busy_since);
}

/* Busy time of the CPUs together up to now, the running steps in part. */
sim_time guest_busy(const struct guest *g, sim_time now);

/* Time by symbol of both CPUs. */
struct ledger guest_ledger(const struct guest *g);

/* The device signals a used buffer notification, or a reply arrives. */
void guest_on_call(struct guest *g, struct sim *sim, sim_time now, enum guest_vector vector);
void guest_on_reply(struct guest *g, struct sim *sim, sim_time now);

/* The device is done with the packet in this slot. */
void guest_on_delivered(struct guest *g, uint32_t slot, sim_time now);

#endif
