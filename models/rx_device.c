/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/rx_device.h"

#include <string.h>

#include "models/rx_cpu.h"

/* The condition is met: the driver hears of it if it wants to. What is suppressed is forgotten. */
static void notify(struct rx_device *d, struct sim *sim, sim_time now)
{
    if (virtqueue_call_needed(d->vq)) {
        d->notified++;
        rx_cpu_on_interrupt(d->cpu, sim, now + d->inject);
    }
}

static sim_time timer_step(struct actor *actor, struct sim *sim)
{
    struct rx_device *d = container_of(actor, struct rx_device, timer);

    if (coalesce_due(&d->coalesce) > sim->now) {
        return coalesce_due(&d->coalesce); /* the period that it was set for has ended */
    }
    if (coalesce_on_timer(&d->coalesce, sim->now)) {
        notify(d, sim, sim->now);
    }
    return coalesce_due(&d->coalesce);
}

void rx_device_on_packet(struct rx_device *d, struct sim *sim, sim_time now, uint32_t from)
{
    const struct virtqueue_request *request;

    d->arrived++;
    if (virtqueue_avail_seen(d->vq) == 0 && virtqueue_refresh_avail(d->vq) == 0) {
        d->dropped++;
        return;
    }
    request = virtqueue_take(d->vq);
    d->cpu->packet[request->id] = (struct rx_packet){.from = from, .arrived = now};
    virtqueue_put_used(d->vq, request->id);
    virtqueue_publish_used(d->vq);
    if (coalesce_on_used(&d->coalesce, now)) {
        notify(d, sim, now);
    } else if (d->coalesce.packets == 1) {
        sim_wake(sim, &d->timer, coalesce_due(&d->coalesce));
    }
}

void rx_device_set(struct rx_device *d, struct sim *sim, sim_time now, uint32_t max_usecs,
                   uint32_t max_packets)
{
    if (coalesce_set(&d->coalesce, now, max_usecs, max_packets)) {
        notify(d, sim, now);
    } else if (coalesce_due(&d->coalesce) != SIM_NEVER) {
        sim_wake(sim, &d->timer, coalesce_due(&d->coalesce));
    }
}

void rx_device_init(struct rx_device *d, const struct rx_config *config)
{
    memset(d, 0, sizeof *d);
    d->timer = (struct actor){.step = timer_step, .next = SIM_NEVER};
    d->inject = config->inject;
    coalesce_init(&d->coalesce, NULL);
    coalesce_set(&d->coalesce, 0, config->max_usecs, config->max_packets);
}
