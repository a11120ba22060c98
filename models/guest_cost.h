/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   What each step of the guest costs, by kernel symbol, and the whole-packet budget of the path above
 *        the driver. Every value has a certificate: plausible range, status, source.
 * PLACE  Read by the guest's transmit, reclaim and interrupt programs.
 * SOURCE docs/evidence.md. The AF_XDP figures are shares of the published profile of 372.9 ns per packet less
 *        the line costs that models/memory.h charges by itself; skb figures are priors.
 */
#ifndef MODELS_GUEST_COST_H
#define MODELS_GUEST_COST_H

#include "sim/engine/param.h"

struct guest_cost_config {
    /* above the driver: charged to "stack" */
    sim_time stack_packet, stack_byte, stack_frag;

    /* skb path */
    sim_time start_xmit, free_skb;
    sim_time skb_other; /* further: another CPU had the skb */
    /* AF_XDP path */
    sim_time xsk_run, xsk_peek, xsk_xmit, free_frame;
    /* both */
    sim_time sg_init, sg_init_entry; /* entry: per sg entry beyond two */
    sim_time add_outbuf, add, add_entry;
    sim_time get_buf, detach, detach_entry;
    sim_time kick_prepare, barrier;
    sim_time disable_cb, enable_cb;
    sim_time hardirq, napi, napi_reply;
    sim_time echo; /* further, for an echo request: its answer, down to the queue above the driver */
};

extern const struct param_table guest_cost_params;

#endif
