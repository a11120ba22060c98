/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The two threads of the CPU: the worker that sends a new profile to the device and spins for the answer, and the
 * application.
 */
#include "models/rx_cpu.h"
#include "models/rx_device.h"
#include "models/rx_source.h"

void rx_app_put(struct rx_cpu *c, struct rx_packet packet)
{
    c->ready[(c->ready_head + c->ready_count++) % c->ready_room] = packet;
}

static struct rx_packet take(struct rx_cpu *c)
{
    struct rx_packet packet = c->ready[c->ready_head];

    c->ready_head = (c->ready_head + 1) % c->ready_room;
    c->ready_count--;
    return packet;
}

bool rx_app_wakes(const struct rx_cpu *c)
{
    return c->config->app != RX_APP_XDP && c->thread[RX_APPLICATION].pc == RX_ASLEEP;
}

/* The next message, request or wait; else on the way to sleep. */
static void go_on(struct rx_cpu *c)
{
    struct rx_thread *app = &c->thread[RX_APPLICATION];
    const struct rx_config *config = c->config;

    if (config->app == RX_APP_UDP && c->ready_count > 0) {
        c->reading = take(c);
        *app = (struct rx_thread){RX_READ, config->message};
    } else if (config->app == RX_APP_EPOLL && c->batch > 0) {
        c->batch--;
        *app = (struct rx_thread){RX_EVENT, config->message};
    } else if (config->app == RX_APP_EPOLL && c->ready_count > 0) {
        *app = (struct rx_thread){RX_WAIT, config->wait};
    } else {
        *app = (struct rx_thread){RX_SLEEP, config->sleep};
    }
}

/* It runs its first segment once the CPU comes to it. */
void rx_app_wake(struct rx_cpu *c)
{
    struct rx_thread *app = &c->thread[RX_APPLICATION];

    if (app->pc == RX_ASLEEP) {
        *app = (struct rx_thread){c->config->app == RX_APP_EPOLL ? RX_WAIT : RX_SLEEP,
                                  c->config->app == RX_APP_EPOLL ? c->config->wait : 0};
    }
}

static void command_done(struct rx_cpu *c, struct sim *sim, sim_time now)
{
    struct rx_profile p = rx_profile(c->config, c->dim.profile);

    c->counts.commands++;
    c->counts.profile_time[c->told] += now - c->told_at;
    c->told = c->dim.profile;
    c->told_at = now;
    c->thread[RX_WORKER].pc = RX_ASLEEP;
    net_dim_applied(&c->dim);
    rx_device_set(c->device, sim, now, p.usecs, p.packets);
}

static void read_by(struct rx_cpu *c, sim_time now, struct rx_packet packet)
{
    c->counts.messages++;
    histogram_add(&c->latency, (uint64_t)(now - packet.arrived), 1);
}

void rx_thread_end_segment(struct rx_cpu *c, struct sim *sim, sim_time now, enum rx_thread_id id)
{
    switch (c->thread[id].pc) {
    case RX_COMMAND:
        command_done(c, sim, now);
        break;
    case RX_READ:
        read_by(c, now, c->reading);
        go_on(c);
        break;
    case RX_WAIT:
        c->batch = c->ready_count;
        go_on(c);
        break;
    case RX_EVENT: {
        struct rx_packet request = take(c);

        read_by(c, now, request);
        rx_source_on_reply(c->source, sim, now, request.from);
        go_on(c);
        break;
    }
    case RX_SLEEP:
        if (c->ready_count > 0) {
            go_on(c);
        } else {
            c->thread[id].pc = RX_ASLEEP;
        }
        break;
    case RX_ASLEEP:
        break;
    }
}
