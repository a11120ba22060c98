/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/notify.h"

#define COST(path_, field, fallback_, low_, high_, source_, help_)                                 \
    {                                                                                              \
        .path = (path_), .kind = PARAM_COST, .offset = offsetof(struct notify_config, field),      \
        .most = 1e12, .fallback = (fallback_), .help = (help_),                                                  \
        .certificate = {(low_), (high_), PARAM_GUESS, (source_)},                                  \
    }

static const struct param rows[] = {
    COST("costs.notify.doorbell", doorbell, "1.2us", "0.7us", "1.55us",
         "fast MMIO exit 0.7 to 1.5 us; least EPT_MISCONFIG of a kvm stat table 1.55 us",
         "doorbell write with its exit, on the guest CPU"),
    COST("costs.notify.kick_latency", kick_latency, "0.5us", "0.2us", "1us",
         "exit half and eventfd signal", "doorbell write to the backend being runnable"),
    COST("costs.notify.call", call, "0.3us", "0.2us", "0.5us", "irqfd signal, recalled",
         "signalling an interrupt, on the backend's CPU"),
    COST("costs.notify.call_latency", call_latency, "0.5us", "0.3us", "0.8us",
         "posted interrupt to a running vCPU, recalled", "signal to interrupt entry"),
    COST("costs.notify.idle_exit", idle_exit, "4us", "1us", "6us",
         "vCPU halted and not polling 3 to 6 us, recalled",
         "added to the latency while the guest CPU idles"),
};

const struct param_table notify_params = PARAM_TABLE("notify", struct notify_config, rows, NULL);
