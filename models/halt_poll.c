/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/halt_poll.h"

void halt_poll_init(struct halt_poll *p, const struct halt_poll_config *config)
{
    *p = (struct halt_poll){.config = *config};
}

static void grow(struct halt_poll *p)
{
    const struct halt_poll_config *c = &p->config;

    p->window = p->window * c->grow;
    p->window = p->window < c->grow_start ? c->grow_start : p->window;
    p->window = p->window > c->most ? c->most : p->window;
}

static void shrink(struct halt_poll *p)
{
    const struct halt_poll_config *c = &p->config;

    p->window = c->shrink > 0 ? p->window / c->shrink : 0;
    if (c->floor && p->window < c->grow_start) {
        p->window = 0;
    }
}

void halt_poll_end(struct halt_poll *p, sim_time block)
{
    if (p->config.most == 0) {
        return;
    }
    p->spent += block < p->window ? block : p->window;
    if (halt_poll_meets(p, block)) {
        p->polled++;
        return;
    }
    p->blocked++;
    if (block < p->config.most) {
        grow(p);
    } else {
        shrink(p);
    }
}
