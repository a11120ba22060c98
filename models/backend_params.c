/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters of the backend and the presets of its types.
 */
#include "models/backend.h"

#define POLLING "polling|vhost_user|dpu"

/* Returns every packet by itself and at once, on its own CPU. */
static const struct param_setting kicked[] = {
    {.path = "host.backend.latency", .text = "0us"},
    {.path = "host.backend.publish", .text = "1"},
    {0},
};

/* A user-space thread: copies, and writes used entries itself, a burst at a time. */
static const struct param_setting vhost_user[] = {
    {.path = "host.backend.latency", .text = "0us"},
    {.path = "costs.host.packet", .text = "100ns"},
    {.path = "costs.host.byte", .text = "0.08ns"},
    {0},
};

/* Reads in flight hide their latency; what is processed becomes visible over PCIe too. */
static const struct param_setting dpu[] = {
    {.path = "host.backend.poll_interval", .text = "600ns"},
    {.path = "host.backend.latency", .text = "6us"},
    {.path = "costs.host.packet", .text = "80ns"},
    {.path = "costs.host.ring_fetch", .text = "0ns"},
    {.path = "costs.host.table_fetch", .text = "2ns"},
    {.path = "costs.host.entry_fetch", .text = "0ns"},
    {0},
};

static const struct param_choice types[] = {
    {"polling", "a DPU or vhost-user: polls, is never kicked", NULL},
    {"kicked", "QEMU-like: sleeps until kicked, asks for kicks when the ring is drained", kicked},
    {"vhost", "vhost-net: a worker in the host's kernel, a network card behind it", NULL},
    {"vhost_user", "polling by a user-space thread that copies packets", vhost_user},
    {"dpu", "polling by a card that reads the guest's memory over PCIe", dpu},
    {0},
};

#define COST_WHEN(when_path_, when_value_, path_, field, fallback_, low_, high_, source_, help_)   \
    {                                                                                              \
        .path = (path_), .kind = PARAM_COST, .offset = offsetof(struct backend_config, field),     \
        .most = 1e12, .fallback = (fallback_), .help = (help_), .when_path = (when_path_),         \
        .when_value = (when_value_), .certificate = {(low_), (high_), PARAM_GUESS, (source_)},     \
    }
#define COST(...)        COST_WHEN("host.backend.type", POLLING "|kicked", __VA_ARGS__)
#define COST_KICKED(...) COST_WHEN("host.backend.type", "kicked", __VA_ARGS__)

static const struct param rows[] = {
    {.path = "host.backend.type",
     .kind = PARAM_CHOICE,
     .offset = offsetof(struct backend_config, type),
     .fallback = "polling",
     .choices = types,
     .help = "the device side of the transmit queue"},
    {.path = "host.backend.poll_interval",
     .kind = PARAM_TIME,
     .offset = offsetof(struct backend_config, poll_interval),
     .least = 1e3,
     .most = 1e9,
     .fallback = "60ns",
     .when_path = "host.backend.type",
     .when_value = POLLING,
     .help = "between two looks at an empty ring",
     .certificate = {"60ns", "6us", PARAM_GUESS,
                     "a spinning thread to one that serves many queues, prior"}},
    {.path = "host.backend.batch",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct backend_config, batch),
     .least = 1,
     .most = 32768,
     .fallback = "32",
     .unit = "packets",
     .when_path = "host.backend.type",
     .when_value = POLLING "|kicked",
     .help = "requests fetched per look at the avail index",
     .certificate = {"8", "64", PARAM_GUESS, "bursts of user-space and hardware backends, prior"}},
    {.path = "host.backend.publish",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct backend_config, publish),
     .least = 1,
     .most = 32768,
     .fallback = "32",
     .unit = "packets",
     .when_path = "host.backend.type",
     .when_value = POLLING "|kicked",
     .help = "packets per move of the used index at most; an empty ring moves it at once",
     .certificate = {"1", "64", PARAM_GUESS, "none to a whole burst, prior"}},
    {.path = "host.backend.latency",
     .kind = PARAM_TIME,
     .offset = offsetof(struct backend_config, latency),
     .most = 1e12,
     .fallback = "12us",
     .when_path = "host.backend.type",
     .when_value = POLLING "|kicked",
     .help = "a burst is processed until its used index is visible; 0: the backend's CPU writes it",
     .certificate = {"6us", "24us", PARAM_GUESS,
                     "the profile of the AF_XDP runs leaves 64 to 128 packets in flight"}},
    {.path = "host.backend.reads_in_flight",
     .kind = PARAM_COUNT,
     .offset = offsetof(struct backend_config, reads),
     .least = 1,
     .most = BACKEND_READS_MOST,
     .fallback = "32",
     .unit = "packets",
     .when_path = "host.backend.type",
     .when_value = "dpu",
     .help = "packets whose descriptors and tables are being read at most",
     .certificate = {"4", "256", PARAM_GUESS, "prior"}},
    {.path = "host.backend.recheck",
     .kind = PARAM_BOOL,
     .offset = offsetof(struct backend_config, recheck),
     .fallback = "true",
     .when_path = "host.backend.type",
     .when_value = "kicked",
     .help = "looks at the ring once more after asking for kicks; without it a kick can be lost"},
    COST_KICKED("costs.host.wake", wake, "2us", "1us", "8us",
                "idle remote thread 1.5 to 3 us, recalled", "from runnable to running"),
    COST_KICKED("costs.host.run", run, "0.3us", "0.1us", "0.6us", "handler set-up, prior",
                "entering a run"),
    COST("costs.host.packet", packet, "150ns", "80ns", "360ns",
         "user-space forwarding about 100 to 200 ns per packet", "per packet"),
    COST("costs.host.byte", byte, "0ns", "0ns", "0.11ns", "DMA; a copying backend 0.06 to 0.11",
         "per frame byte"),
    COST("costs.host.ring_fetch", ring_fetch, "10ns", "0ns", "60ns",
         "avail entry and descriptor, part of the packet cost in most figures",
         "avail entry and descriptor"),
    COST("costs.host.table_fetch", table_fetch, "5ns", "2ns", "7ns",
         "1 to 4 % of about 180 ns in user-space vhost", "dependent read of an indirect table"),
    COST("costs.host.entry_fetch", entry_fetch, "3ns", "0ns", "10ns", "16 B per descriptor, prior",
         "per descriptor after the first"),
    COST_WHEN("host.backend.type", "dpu", "costs.host.pcie_read", read, "550ns", "500ns", "900ns",
              "small read over PCIe 500 to 600 ns, 300 more with an IOMMU miss, recalled",
              "latency of a read of the guest's memory"),
    COST_KICKED("costs.host.enable", enable, "50ns", "20ns", "500ns", "store and barrier, prior",
                "asking for kicks again"),
};

static void check(const void *config, struct problems *problems)
{
    const struct backend_config *b = config;

    if (b->type == BACKEND_KICKED && !b->recheck) {
        problems_warning(problems, "host.backend.recheck",
                         "without the re-check a packet published in between is never kicked");
    }
}

const struct param_table backend_params =
    PARAM_TABLE("backend", struct backend_config, rows, check);
