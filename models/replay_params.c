/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/replay.h"
#include "models/workload.h"

/* A sender that is never idle does not end with the capture. */
static const struct param_setting endless[] = {{.path = "workload.loop", .text = "true"}, {0}};

static const struct param_choice modes[] = {
    {"timing", "packets come when the capture had them (open loop)", NULL},
    {"marks", "sizes, entries and order of the capture; the sender sends when TSQ lets it", endless},
    {0},
};

static const struct param rows[] = {
    {.path = "workload.replay",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct replay_config, mode),
     .fallback = "timing",
     .choices = modes,
     .when_path = "workload.type",
     .when_value = WORKLOAD_TRACES,
     .help = "what of a capture is replayed"},
    {.path = "workload.time_scale",
     .kind = PARAM_RATIO,
     .offset = offsetof(struct replay_config, time_scale),
     .most = 1e6,
     .above_zero = true,
     .fallback = "1",
     .when_path = "workload.replay",
     .when_value = "timing",
     .help = "the capture's gaps times this: 2 is half as fast"},
    {.path = "workload.most_gap",
     .kind = PARAM_TIME,
     .offset = offsetof(struct replay_config, most_gap),
     .most = (double)SIM_TIME_LIMIT,
     .above_zero = true,
     .when_path = "workload.replay",
     .when_value = "timing",
     .help = "longer gaps of the capture become this, before they are scaled"},
    {.path = "workload.loop",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct replay_config, loop),
     .fallback = "false",
     .when_path = "workload.type",
     .when_value = WORKLOAD_TRACES,
     .help = "starts over at the end of the trace; else the source is idle from there on"},
    {.path = "workload.loop_gap",
     .kind = PARAM_TIME,
     .offset = offsetof(struct replay_config, loop_gap),
     .most = (double)SIM_TIME_LIMIT,
     .above_zero = true,
     .when_path = "workload.replay",
     .when_value = "timing",
     .help = "last packet to the first of the next round; the mean gap when left out"},
    {.path = "workload.emulated",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct replay_config, emulated),
     .fallback = "false",
     .when_path = "workload.type",
     .when_value = WORKLOAD_TRACES,
     .help = "the captured machine was emulated: its gaps alone choose no default"},
};

const struct param_table replay_params =
    PARAM_TABLE("replay", struct replay_config, rows, NULL);
