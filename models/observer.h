/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   A view of a run while it happens: what each party does and for how long, and where each
 *        packet is.
 * PLACE  Beside the datapath: named in struct run_id, NULL for a run that nobody watches. Not part
 *        of what a run is: its result is that of the unobserved run, bit for bit.
 * LEAVES OUT  Changing anything. A party's single accesses to memory.
 *
 * An observed run has a wrapper around each party's step and uses the plain engine, where a call is
 * a step; an unobserved one has neither, so watching costs nothing when nobody does.
 */
#ifndef MODELS_OBSERVER_H
#define MODELS_OBSERVER_H

#include <stdint.h>

#include "sim/engine/time.h"

enum observer_party {
    OBSERVER_WORKLOAD,
    OBSERVER_GUEST,       /* the task's CPU */
    OBSERVER_GUEST_OTHER, /* the interrupts', where they have one of their own */
    OBSERVER_BACKEND,
    OBSERVER_DEVICE, /* makes used entries visible, where the backend's CPU does not */
    OBSERVER_PEER,
    OBSERVER_SOFTIRQ, /* the host CPU that frees sent packets, with vhost */
    OBSERVER_SOFTIRQ_OTHER, /* the second one, where there is one */
    OBSERVER_PARTIES
};

const char *observer_party_name(enum observer_party party);

enum observer_point {
    OBSERVER_PUBLISHED, /* the guest made it available */
    OBSERVER_SENT,      /* the backend is done with it: it is on the wire */
    OBSERVER_RECLAIMED  /* the guest took it back */
};

struct observer {
    void *context;
    /* A party was busy with `what` (a literal): for the guest a kernel symbol, and within one step
     * the symbols in the order of their table. from = to: it took no time. NULL: not asked. */
    void (*on_work)(void *context, enum observer_party party, const char *what, sim_time from,
                    sim_time to);
    /* A packet passed a point, moved by `party`; packets count from 1 in the order of publishing,
     * which they keep. size: frame bytes. NULL: not asked. */
    void (*on_packet)(void *context, enum observer_party party, enum observer_point point,
                      uint64_t packet, uint32_t size, sim_time now);
};

#endif
