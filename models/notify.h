/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   What a notification costs and how long it takes: the doorbell (kick) and the interrupt (call).
 * PLACE  Between guest CPU and backend, both directions. Merging: an interrupt that is raised while the
 *        same vector is still pending is one interrupt.
 * LEAVES OUT  What an idle CPU adds by how long it has idled (models/vcpu.h, models/idle.h).
 */
#ifndef MODELS_NOTIFY_H
#define MODELS_NOTIFY_H

#include "sim/engine/param.h"

struct notify_config {
    sim_time doorbell;     /* guest CPU: write, exit, signal, entry */
    sim_time kick_latency; /* doorbell write to the backend being runnable */
    sim_time call;         /* backend: signalling an interrupt */
    sim_time call_latency; /* signal to interrupt entry in the guest */
    sim_time idle_exit;    /* guest CPU: leaving idle, added to the latency when it idles */
};

extern const struct param_table notify_params;

#endif
