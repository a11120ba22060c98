/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The window for which a halted vCPU is polled before it really blocks, and how it grows and shrinks with the
 *        blocks that are seen: KVM's on the host, and that of the guest's own idle loop (haltpoll).
 * PLACE  Inside a vCPU (models/vcpu.h), which says how long each block was.
 * LEAVES OUT  The end of polling when another thread wants the CPU.
 * SOURCE docs/host.md.
 *
 *   block                    KVM                                       guest
 *   up to the window         woken while polling; window kept          the same
 *   up to the longest one    max(grow_start, window x grow)            grow_start if it was 0, else window x grow
 *   longer                   window / shrink (0: to 0); below          window / shrink (0: to 0), if it may shrink
 *                            grow_start: 0
 */
#ifndef MODELS_HALT_POLL_H
#define MODELS_HALT_POLL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/time.h"

struct halt_poll_config {
    sim_time most;       /* the longest window; 0: no polling */
    sim_time grow_start; /* the first one */
    uint32_t grow, shrink;
    bool floor; /* a window that shrinks below grow_start is 0: KVM's */
};

struct halt_poll {
    struct halt_poll_config config;
    sim_time window;
    uint64_t polled, blocked; /* blocks that ended while polling, and later */
    sim_time spent;           /* polling */
};

void halt_poll_init(struct halt_poll *p, const struct halt_poll_config *config);

/* Whether a block of this length ends while polling. */
static inline bool halt_poll_meets(const struct halt_poll *p, sim_time block)
{
    return p->config.most > 0 && block <= p->window;
}

/* A block was this long: counts it and sets the next window. */
void halt_poll_end(struct halt_poll *p, sim_time block);

#endif
