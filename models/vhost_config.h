/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters of vhost-net: worker and handlers, with the presets of the eras (vhost_params.c).
 */
#ifndef MODELS_VHOST_CONFIG_H
#define MODELS_VHOST_CONFIG_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/param.h"

/* How the worker reads and writes the ring's metadata. */
enum vhost_metadata { VHOST_METADATA_MAPPING, VHOST_METADATA_UACCESS };

/* What waits when the ring is empty, packets of a batch and used entries, against asking for kicks. */
enum vhost_flush { VHOST_FLUSH_BEFORE_ENABLE, VHOST_FLUSH_AFTER_ENABLE };

struct vhost_config {
    int era;                 /* only its preset acts */
    bool zerocopy;           /* experimental_zcopytx */
    uint32_t goodcopy_bytes; /* shorter packets are copied */
    int zcopy_limit;         /* enum ubuf_limit; the older one ends the run, the newer one copies */
    int zcopy_callback;      /* enum ubuf_rule */
    uint32_t zcopy_cb_batch; /* the rule's modulus */
    bool zcopy_cb_gated;     /* fires only while notifications are enabled: nobody is looking */
    bool zcopy_rescan;       /* looks for completed entries once more after enabling notifications */
    double zcopy_failure;    /* probability that the stack copies a zerocopy packet */
    uint32_t batch;          /* used entries per signal, without zerocopy */
    uint64_t weight_bytes;   /* of a run; 0: no limit */
    uint32_t header_bytes;   /* that each packet counts further against it */
    uint32_t weight_packets; /* of a run; 0: no limit */
    int flush_order;         /* enum vhost_flush: of a batch that waits, copied packets only */
    bool recheck;            /* looks at the avail index once more after enabling notifications */
    bool release;            /* closed after the window */
    bool rearm;              /* waits for the socket after it was full */
    sim_time call_window;    /* copied: decides about a signal so long before the used index moves */
    sim_time retry;          /* queues itself so long after a send that failed; 0: not */
    int metadata;            /* enum vhost_metadata */
    sim_time busyloop;       /* spins so long on an empty ring before it asks for kicks */
    uint32_t cpus;           /* of the host, for the idle share */
    sim_time descheduled_every, descheduled_for; /* another thread takes the CPU; either 0: never */

    sim_time wake;       /* queued to running, when asleep */
    sim_time switch_to;  /* on the worker's CPU: in and out of sleep */
    sim_time run;        /* entering the handler */
    sim_time enable;     /* asking for kicks: half to the store, half its barrier */
    sim_time packet;     /* per packet: descriptor, socket, card */
    sim_time copy;       /* per copied packet */
    sim_time copy_byte;  /* per byte of it */
    sim_time pin;        /* per zerocopy packet: pinning its pages */
    sim_time used_entry; /* returning one request */
    sim_time callback;   /* the callback of a completion, on the softirq's CPU */
    sim_time callback_gap; /* before it, on two CPUs: from the count being read to the put */
    sim_time uaccess;    /* per access to metadata, by user access */
    sim_time queue;      /* further, when it queues work */
    sim_time wake_up;    /* further, when that wakes the worker */
};

extern const struct param_table vhost_params;

#endif
