/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "models/guest_cost.h"

#define PROFILE "perf profile of the AF_XDP run without cache, 2021 series"
#define BUDGET  "budget split of a small UDP send, recalled"

#define COST_WHEN(when_path_, when_value_, path_, field, fallback_, low_, high_, status_, source_, \
                  help_)                                                                           \
    {                                                                                              \
        .path = (path_), .kind = PARAM_COST, .offset = offsetof(struct guest_cost_config, field),  \
        .most = 1e12, .fallback = (fallback_), .help = (help_), .when_path = (when_path_),         \
        .when_value = (when_value_), .certificate = {(low_), (high_), (status_), (source_)},       \
    }
#define COST(...)     COST_WHEN(NULL, NULL, __VA_ARGS__)
#define COST_SKB(...) COST_WHEN("guest.path", "skb", __VA_ARGS__)
#define COST_XSK(...) COST_WHEN("guest.path", "xsk", __VA_ARGS__)

static const struct param rows[] = {
    COST_SKB("guest.stack.packet", stack_packet, "1450ns", "1000ns", "3000ns", PARAM_GUESS,
             "bare-metal UDP send of 1470 B less the copy; cost tables set it per path",
             "stack time per packet above the driver"),
    COST_SKB("guest.stack.per_byte", stack_byte, "0.1ns", "0.06ns", "0.115ns", PARAM_MEASURED,
             "copy slope of AF_XDP copy mode and of UDP sends of 600 to 4000 B",
             "stack time per frame byte (copy, checksum)"),
    COST_SKB("guest.stack.per_frag", stack_frag, "30ns", "0ns", "100ns", PARAM_GUESS,
             "recalled 30 to 60 ns; upper bound from sendfile of 64 KiB",
             "stack time per page fragment"),

    COST_SKB("costs.guest.start_xmit", start_xmit, "80ns", "40ns", "150ns", PARAM_GUESS, BUDGET,
             "skb path: header, queue checks"),
    COST_SKB("costs.guest.free_skb", free_skb, "100ns", "80ns", "120ns", PARAM_GUESS, BUDGET,
             "skb path: free of a completed packet"),
    {.path = "costs.guest.skb_other",
     .kind = PARAM_COST,
     .offset = offsetof(struct guest_cost_config, skb_other),
     .most = 1e12,
     .fallback = "100ns",
     .when_path = "guest.reclaim_cpu",
     .when_value = "other",
     .help = "skb path: further, to transmit or free an skb that another CPU had",
     .certificate = {"0ns", "400ns", PARAM_GUESS,
                     "two lines, of four or more, of the skb and the socket's account; depends on "
                     "guest.reclaim_placement"}},
    COST_XSK("costs.guest.xsk_run", xsk_run, "21ns", "2.8ns", "21ns", PARAM_CALIBRATED,
             PROFILE ": 0.76 %, apic write 0.53 % and the 4.33 % that it does not name",
             "AF_XDP: loop, per packet"),
    COST_XSK("costs.guest.xsk_peek", xsk_peek, "8.3ns", "7ns", "10ns", PARAM_CALIBRATED,
             PROFILE ": 2.22 %", "AF_XDP: next frame"),
    COST_XSK("costs.guest.xsk_xmit", xsk_xmit, "61.6ns", "50ns", "65ns", PARAM_CALIBRATED,
             PROFILE ": 16.51 %", "AF_XDP: header and set-up of one frame"),
    COST_XSK("costs.guest.free_frame", free_frame, "2.3ns", "1ns", "5ns", PARAM_CALIBRATED,
             PROFILE ": 0.62 %", "AF_XDP: completion of one frame"),

    COST("costs.guest.sg_init", sg_init, "9.4ns", "5ns", "12ns", PARAM_CALIBRATED,
         PROFILE ": memset 2.08 % and sg_init_table 0.43 %", "sg array of two entries"),
    COST("costs.guest.sg_init_entry", sg_init_entry, "0.5ns", "0.3ns", "2ns", PARAM_GUESS,
         "32 B per entry at 64 B/ns", "per sg entry beyond two"),
    COST("costs.guest.add_outbuf", add_outbuf, "56.3ns", "45ns", "60ns", PARAM_CALIBRATED,
         PROFILE ": 14.04 %, map_one_sg 0.60 %, sg_next 0.46 %", "entry of the add, mapping"),
    COST("costs.guest.add", add, "43ns", "30ns", "102ns", PARAM_CALIBRATED,
         PROFILE ": 27.46 % less the line costs of the run", "virtqueue_add of two entries"),
    COST("costs.guest.add_entry", add_entry, "6ns", "2ns", "12ns", PARAM_GUESS,
         "mapping and 16 B written per entry", "per sg entry beyond two"),
    COST("costs.guest.get_buf", get_buf, "1ns", "0.5ns", "11ns", PARAM_CALIBRATED,
         PROFILE ": 2.80 % less the line costs of the run", "used ring entry of one completion"),
    COST("costs.guest.detach", detach, "62.1ns", "50ns", "65ns", PARAM_CALIBRATED,
         PROFILE ": 16.66 %", "descriptors of one completion returned"),
    COST("costs.guest.detach_entry", detach_entry, "2ns", "0ns", "6ns", PARAM_GUESS,
         "one load and store per direct descriptor", "per direct descriptor beyond the first"),
    COST("costs.guest.kick_prepare", kick_prepare, "3ns", "2ns", "25ns", PARAM_CALIBRATED,
         PROFILE ": 0.83 % (per packet)", "suppression test"),
    COST("costs.guest.barrier", barrier, "8ns", "2ns", "25ns", PARAM_GUESS,
         "locked instruction on current x86", "full barrier that arming a notification needs"),
    COST("costs.guest.disable_cb", disable_cb, "1ns", "0.5ns", "5ns", PARAM_GUESS,
         "a store to a line that only the guest writes", "disabling used buffer notifications"),
    COST("costs.guest.enable_cb", enable_cb, "4ns", "1ns", "10ns", PARAM_GUESS,
         "store and re-read; the barrier is charged apart", "enabling or delaying them"),
    COST("costs.guest.hardirq", hardirq, "700ns", "300ns", "1500ns", PARAM_GUESS,
         "external interrupt handler 0.47 to 0.71 us on Skylake; posted 0.3 to 0.8 us",
         "interrupt entry, handler, exit"),
    COST("costs.guest.napi", napi, "300ns", "100ns", "600ns", PARAM_GUESS,
         "recalled softirq entry and poll", "entering and leaving a NAPI poll"),
    COST("costs.guest.napi_reply", napi_reply, "1000ns", "300ns", "2500ns", PARAM_GUESS,
         "recalled receive cost of a small segment", "receive processing of one reply"),
    {.path = "costs.guest.echo",
     .kind = PARAM_COST,
     .offset = offsetof(struct guest_cost_config, echo),
     .most = 1e12,
     .fallback = "1000ns",
     .when_path = "workload.outside.type",
     .when_value = "ping",
     .help = "further, for an echo request: its answer, down to the queue above the driver",
     .certificate = {"500ns", "3000ns", PARAM_GUESS, "a small send without the system call, prior"}},
};

const struct param_table guest_cost_params =
    PARAM_TABLE("guest cost", struct guest_cost_config, rows, NULL);
