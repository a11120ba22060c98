/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/kernel.h"

#define SETTING(path_, text_)                                                                      \
    {                                                                                              \
        .path = (path_), .text = (text_)                                                           \
    }

/* Orphan mode only; no xmit_more; the allocator choice of distributions is not switched here. */
static const struct param_setting linux_3_13[] = {
    SETTING("guest.napi_tx", "false"),
    SETTING("guest.xmit_more", "false"),
    SETTING("guest.reclaim_in_xmit", "true"),
    SETTING("guest.arm_after_kick", "false"),
    SETTING("guest.bql", "false"),
    SETTING("guest.bytes_per_sg", "16"),
    {0},
};

/*
 * guest.napi_tx is a module parameter from here on, so no row presets it. Reclaim and re-arm in
 * start_xmit, before the add.
 */
static const struct param_setting linux_5_15[] = {
    SETTING("guest.xmit_more", "true"),       SETTING("guest.reclaim_in_xmit", "true"),
    SETTING("guest.arm_after_kick", "false"), SETTING("guest.bql", "false"),
    SETTING("guest.bytes_per_sg", "16"),      {0},
};

static const struct param_setting linux_6_11[] = {
    SETTING("guest.xmit_more", "true"),       SETTING("guest.reclaim_in_xmit", "true"),
    SETTING("guest.arm_after_kick", "false"), SETTING("guest.bql", "true"),
    SETTING("guest.bytes_per_sg", "16"),      {0},
};

/* A table entry carries its bookkeeping: 32 bytes. */
static const struct param_setting linux_6_13[] = {
    SETTING("guest.xmit_more", "true"),       SETTING("guest.reclaim_in_xmit", "true"),
    SETTING("guest.arm_after_kick", "false"), SETTING("guest.bql", "true"),
    SETTING("guest.bytes_per_sg", "32"),      {0},
};

static const struct param_setting linux_6_15[] = {
    SETTING("guest.xmit_more", "true"),      SETTING("guest.reclaim_in_xmit", "false"),
    SETTING("guest.arm_after_kick", "true"), SETTING("guest.bql", "true"),
    SETTING("guest.bytes_per_sg", "32"),     {0},
};

static const struct param_choice versions[] = {
    {"3.13", "orphan mode only, no xmit_more, 16 bytes per table entry", linux_3_13},
    {"5.15", "napi mode, reclaim and re-arm in start_xmit before the add", linux_5_15},
    {"6.1", "as 5.15", linux_5_15},
    {"6.8", "as 5.15", linux_5_15},
    {"6.10", "as 5.15", linux_5_15},
    {"6.11", "byte queue limits in napi mode", linux_6_11},
    {"6.12", "as 6.11", linux_6_11},
    {"6.13", "32 bytes per table entry", linux_6_13},
    {"6.15", "no reclaim in start_xmit, armed after the kick", linux_6_15},
    {"6.17", "as 6.15", linux_6_15},
    {"6.18", "as 6.15", linux_6_15},
    {0},
};

static const struct param rows[] = {
    {.path = "kernel",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct kernel_config, version),
     .fallback = "6.1",
     .choices = versions,
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
