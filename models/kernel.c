/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/kernel.h"

/* One row of switches: what a kernel has, as the text of a scenario. */
#define ROW(name, more, reclaim, after_kick, limits, bytes, partial)                               \
    static const struct param_setting name[] = {                                                   \
        {.path = "guest.xmit_more", .text = (more)},                                               \
        {.path = "guest.reclaim_in_xmit", .text = (reclaim)},                                      \
        {.path = "guest.arm_after_kick", .text = (after_kick)},                                    \
        {.path = "guest.bql", .text = (limits)},                                                   \
        {.path = "guest.bytes_per_sg", .text = (bytes)},                                           \
        {.path = "guest.slab.partial_count", .text = (partial)},                                   \
        {0},                                                                                       \
    }

/*                xmit_more  reclaim  arm after kick  BQL     bytes  CPU partial list counts */
ROW(linux_5_15, "true", "true", "false", "false", "16", "objects");
ROW(linux_6_1, "true", "true", "false", "false", "16", "slabs");
ROW(linux_6_11, "true", "true", "false", "true", "16", "slabs");
ROW(linux_6_13, "true", "true", "false", "true", "32", "slabs");
ROW(linux_6_15, "true", "false", "true", "true", "32", "slabs");

static const struct param_setting linux_7_0[] = {
    {.path = "guest.xmit_more", .text = "true"},
    {.path = "guest.reclaim_in_xmit", .text = "false"},
    {.path = "guest.arm_after_kick", .text = "true"},
    {.path = "guest.bql", .text = "true"},
    {.path = "guest.bytes_per_sg", .text = "32"},
    {.path = "guest.slab.model", .text = "sheaves"},
    {0},
};

/* Orphan mode only. guest.napi_tx is a module parameter of later kernels, so no other row presets
 * it. */
static const struct param_setting linux_3_13[] = {
    {.path = "guest.napi_tx", .text = "false"},
    {.path = "guest.xmit_more", .text = "false"},
    {.path = "guest.reclaim_in_xmit", .text = "true"},
    {.path = "guest.arm_after_kick", .text = "false"},
    {.path = "guest.bql", .text = "false"},
    {.path = "guest.bytes_per_sg", .text = "16"},
    {.path = "guest.slab.partial_count", .text = "objects"},
    {0},
};

static const struct param_choice versions[] = {
    {"3.13", "orphan mode only, no xmit_more, 16 bytes per table entry", linux_3_13},
    {"5.10", "as 5.15", linux_5_15},
    {"5.15", "napi mode, reclaim and re-arm in start_xmit before the add", linux_5_15},
    {"6.1", "as 5.15; partial slabs counted as slabs", linux_6_1},
    {"6.6", "as 6.1", linux_6_1},
    {"6.8", "as 6.1", linux_6_1},
    {"6.10", "as 6.1", linux_6_1},
    {"6.11", "byte queue limits in napi mode", linux_6_11},
    {"6.12", "as 6.11", linux_6_11},
    {"6.13", "32 bytes per table entry", linux_6_13},
    {"6.14", "as 6.13", linux_6_13},
    {"6.15", "no reclaim in start_xmit, armed after the kick", linux_6_15},
    {"6.16", "as 6.15", linux_6_15},
    {"6.17", "as 6.15", linux_6_15},
    {"6.18", "as 6.15", linux_6_15},
    {"7.0", "as 6.15; sheaves for every size class; its in-order rings are not modelled",
     linux_7_0},
    {0},
};

static const struct param rows[] = {
    {.path = "kernel",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct kernel_config, version),
     .fallback = "6.1",
     .choices = versions,
     .mixing_warns = true,
     .help = "guest kernel: presets the switches below"},
    {.path = "guest.xmit_more",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct kernel_config, xmit_more),
     .fallback = "true",
     .help = "the stack announces further packets, so that only the last of a list kicks"},
    {.path = "guest.reclaim_in_xmit",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct kernel_config, reclaim_in_xmit),
     .fallback = "true",
     .help = "start_xmit frees completed buffers in napi mode; orphan mode always does"},
    {.path = "guest.arm_after_kick",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct kernel_config, arm_after_kick),
     .fallback = "false",
     .when_path = "guest.napi_tx",
     .when_value = "true",
     .help = "enable_cb_delayed after the kick decision instead of before the add"},
    {.path = "guest.bql",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct kernel_config, bql),
     .fallback = "false",
     .when_path = "guest.napi_tx",
     .when_value = "true",
     .help = "byte queue limits between the qdisc and the transmit queue"},
};

const struct param_table kernel_params = PARAM_TABLE("kernel", struct kernel_config, rows, NULL);
