/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/coalesce.h"

#include "sim/engine/assert.h"

void coalesce_init(struct coalesce *c, const struct coalesce_steps *steps)
{
    *c = (struct coalesce){.first = SIM_NEVER};
    if (steps) {
        c->steps = *steps;
    }
}

/* Ends the period when its condition is met. */
static bool is_due(struct coalesce *c, sim_time now)
{
    if (c->packets == 0) {
        return false;
    }
    if (c->max_usecs > 0 && c->max_packets > 0 && c->packets < c->max_packets &&
        now < coalesce_due(c)) {
        return false;
    }
    c->packets = 0;
    c->first = SIM_NEVER;
    return true;
}

bool coalesce_on_used(struct coalesce *c, sim_time now)
{
    if (c->packets++ == 0) {
        c->first = now;
    }
    return is_due(c, now);
}

bool coalesce_on_timer(struct coalesce *c, sim_time now)
{
    return is_due(c, now);
}

static uint32_t held(const struct coalesce_steps *steps, uint32_t usecs)
{
    uint32_t i = steps->count;

    if (i == 0) {
        return usecs;
    }
    while (i > 1 && steps->usecs[i - 1] > usecs) {
        i--;
    }
    return steps->usecs[i - 1];
}

bool coalesce_set(struct coalesce *c, sim_time now, uint32_t max_usecs, uint32_t max_packets)
{
    sim_assert(c->steps.count <= COALESCE_STEPS, now, "too many steps");
    c->max_usecs = held(&c->steps, max_usecs);
    c->max_packets = max_packets;
    return is_due(c, now);
}
