/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The guest kernel: a row of switches. `kernel` presets the switches of that version; each
 *        switch is a parameter of its own, and one that is set against its row warns.
 * PLACE  Read by the guest driver, the virtqueue's tables and the transmit queue.
 * LEAVES OUT  In-order rings (7.0), per-distribution backports.
 * SOURCE docs/datapath.md, section "Kernel rows".
 */
#ifndef MODELS_KERNEL_H
#define MODELS_KERNEL_H

#include <stdbool.h>

#include "sim/engine/param.h"

struct kernel_config {
    int version;          /* index into the rows; only its preset acts */
    bool xmit_more;       /* the stack promises more packets (since 3.18) */
    bool reclaim_in_xmit; /* start_xmit frees completed buffers (napi mode, up to 6.14) */
    bool arm_after_kick;  /* enable_cb_delayed after the kick decision (since 6.15) */
    bool bql;             /* byte queue limits, napi mode only (since 6.11) */
};

extern const struct param_table kernel_params;

#endif
