/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   Notification coalescing of one virtqueue, in the device: a used buffer notification is due once
 *        max_packets packets have been used, or max_usecs after the first of them, whichever comes first. With
 *        either of the two at zero it is due after every packet.
 * PLACE  Between the used ring and the suppression test: what is due is sent only if the driver wants it at that
 *        moment, and what was suppressed is not remembered. Whoever calls owns the timer and makes the test.
 * LEAVES OUT  Whose CPU pays for the timer; commands and their way to the device.
 * SOURCE virtio 1.3, notifications coalescing; docs/glossary.md.
 *
 * There is no free-running timer: a period begins with the first packet after the last one ended.
 */
#ifndef MODELS_COALESCE_H
#define MODELS_COALESCE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/time.h"

#define COALESCE_STEPS 16u

/* max_usecs that a device can hold, ascending; it takes the largest one that is not above what it was told, the
 * least one for what is below all. count 0: any. */
struct coalesce_steps {
    uint32_t usecs[COALESCE_STEPS];
    uint32_t count;
};

struct coalesce {
    struct coalesce_steps steps;
    uint32_t max_usecs, max_packets; /* in force */
    uint32_t packets;                /* of this period */
    sim_time first;                  /* when it began; SIM_NEVER: none runs */
};

/* A reset device: both limits 0. `steps` may be NULL. */
void coalesce_init(struct coalesce *c, const struct coalesce_steps *steps);

/* A packet was used. True: a notification is due now. */
bool coalesce_on_used(struct coalesce *c, sim_time now);

/* When the running period ends by itself; SIM_NEVER: it has not begun. The caller steps then, and calls
 * coalesce_on_timer(), which says whether a notification is due: false where the period ended earlier. */
static inline sim_time coalesce_due(const struct coalesce *c)
{
    return c->first == SIM_NEVER ? SIM_NEVER : c->first + (sim_time)c->max_usecs * SIM_US;
}

bool coalesce_on_timer(struct coalesce *c, sim_time now);

/* New limits, in force at once with what the running period has counted. True: by them a notification is due now. */
bool coalesce_set(struct coalesce *c, sim_time now, uint32_t max_usecs, uint32_t max_packets);

#endif
