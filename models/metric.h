/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   The metrics of a run: name, unit, denominator, meaning, once.
 * PLACE  datapath.c fills them at the end of the measured window; everything that prints, stores or
 *        plots a metric takes its name and unit from here. The names are a contract with scripts.
 * LEAVES OUT  Metrics of parts that do not exist yet are not listed.
 */
#ifndef MODELS_METRIC_H
#define MODELS_METRIC_H

/* X(enum suffix, name, unit, help). NaN where a run does not define it. */
#define METRICS(X)                                                                                 \
    X(TX_PPS, "tx_pps", "packets/s", "packets whose transmission the device completed, per second") \
    X(TX_BPS, "tx_bps", "bit/s", "frame bits of those packets per second")                         \
    X(GUEST_NS, "guest_ns_per_packet", "ns", "busy time of the guest CPUs together per packet sent, or received where nothing is sent") \
    X(DRIVER_NS, "driver_ns_per_packet", "ns",                                                     \
      "the same without the stack: driver, virtqueue, allocator, notifications")                   \
    X(TABLE_NS, "table_ns_per_packet", "ns",                                                       \
      "of it: taking and returning indirect tables (allocator, descriptor cache)")                 \
    X(ALLOCATOR_NS, "allocator_ns_per_packet", "ns",                                               \
      "of table_ns_per_packet: the allocator, without waits for lines")                            \
    X(CACHE_NS, "desc_cache_ns_per_packet", "ns",                                                  \
      "of table_ns_per_packet: the descriptor cache's pop and push, without waits for lines")      \
    X(HIDDEN_NS, "table_lines_hidden_ns_per_packet", "ns",                                         \
      "of table_ns_per_packet: waits for lines of tables that the device has read, mostly in the free") \
    X(EXPOSED_NS, "table_lines_exposed_ns_per_packet", "ns",                                       \
      "the same waits in the add, which a barrier ends: part of virtqueue_add")                    \
    X(RING_LINES_NS, "ring_lines_ns_per_packet", "ns",                                             \
      "of guest_ns_per_packet: waits for lines of the rings")                                      \
    X(GUEST_BUSY, "guest_cpu_busy_percent", "%", "busy shares of the guest CPUs added up")         \
    X(TASK_NS, "task_cpu_ns_per_packet", "ns", "busy time of the CPU that the sending task runs on, per packet sent") \
    X(RECLAIM_BUSY, "reclaim_cpu_busy_percent", "%", "busy share of the guest's second CPU (guest.reclaim_cpu)") \
    X(CPU_MOVES, "cpu_line_moves_per_packet", "1/packet", "cache lines that came from one guest CPU to the other, per packet sent") \
    X(HOST_BUSY, "host_cpu_busy_percent", "%", "busy share of the backend's CPU; a polling one is always busy; vhost: worker and completion softirq added up") \
    X(HOST_WORK, "host_work_percent", "%",                                                         \
      "share of time in which the backend worked on packets; near 100 it is the bottleneck")       \
    X(HOST_IDLE, "host_cpu_idle_percent", "%", "100 less the busy share of the backend's CPU; vhost: of host.cpus, guest and host busy shares and polling for halted guest CPUs taken off") \
    X(KICKS_PER_PACKET, "kicks_per_packet", "1/packet", "doorbells per packet sent")               \
    X(KICKS, "kicks_per_s", "1/s", "doorbells per second")                                         \
    X(KICK_TESTS_PER_PACKET, "kick_prepares_per_packet", "1/packet",                               \
      "suppression tests per packet sent")                                                         \
    X(KICK_EMPTY, "kick_empty_percent", "%",                                                       \
      "of suppression tests after an add to an empty ring: those that kicked")                     \
    X(KICK_BUSY, "kick_busy_percent", "%",                                                         \
      "of suppression tests after an add to a ring with packets: those that kicked")               \
    X(CALLS, "calls_per_s", "1/s", "used buffer notifications the transmit queue's device sent")   \
    X(INTERRUPTS, "interrupts_per_s", "1/s", "interrupts the guest took, transmit and receive")    \
    X(INTERRUPTS_PER_PACKET, "interrupts_per_packet", "1/packet", "the same per packet sent, or received where nothing is sent")      \
    X(TX_INTERRUPTS_PER_PACKET, "tx_interrupts_per_packet", "1/packet",                            \
      "interrupts of the transmit queue per packet sent")                                          \
    X(RX_INTERRUPTS_PER_PACKET, "rx_interrupts_per_packet", "1/packet",                            \
      "interrupts of the receive queue per packet sent")                                           \
    X(WORKER_WAKEUPS, "worker_wakeups_per_s", "1/s", "times the backend was woken from sleep")     \
    X(WORKER_EMPTY_RUNS, "worker_empty_runs_per_s", "1/s", "backend runs that found no packet; vhost: nor a completed one") \
    X(WORKER_RUNS, "worker_runs_per_s", "1/s", "runs of the backend's handler")                    \
    X(WORKER_WAKE, "worker_wake_us", "us", "vhost: mean time from work being queued to the sleeping worker running") \
    X(WORKER_WAKE_P99, "worker_wake_p99_us", "us", "the same, 99 % quantile; only where it may differ from wake-up to wake-up (host.idle)")\
    X(VCPU_POLL, "vcpu_poll_percent", "%", "share of time in which the host polled for a halted guest CPU, or the guest's idle loop did; guest CPUs added up") \
    X(ZEROCOPY, "zerocopy_percent", "%", "vhost: of packets sent, those without a copy")           \
    X(ZEROCOPY_RETURN, "zerocopy_return_p99_us", "us",                                             \
      "vhost: from a zerocopy packet being done until the guest sees it returned, 99 % quantile")  \
    X(ZEROCOPY_FAILED, "zerocopy_failed_percent", "%",                                             \
      "vhost: of zerocopy packets that are done, those which the stack copied after all")          \
    X(HOST_NS, "host_ns_per_packet", "ns", "vhost: busy time of worker and completion softirq per packet sent") \
    X(SEND_BATCH, "packets_per_call", "packets", "vhost with a socket that takes batches: packets per call into it") \
    X(SEND_FAILED, "send_failed_per_s", "1/s", "vhost: sends that failed, the socket being full or without buffers") \
    X(HOST_DROPS, "host_drops_per_s", "1/s", "vhost: packets that the host dropped after vhost had sent them") \
    X(LINK_FRAMES, "link_frames_per_packet", "1/packet", "vhost: frames on the link per packet on it") \
    X(LINK_LOST, "link_lost_percent", "%", "vhost: of packets on the link, those that do not arrive") \
    X(ZEROCOPY_RETURN_P50, "zerocopy_return_p50_us", "us", "vhost: the same, median")             \
    X(ZEROCOPY_RETURN_MAX, "zerocopy_return_max_us", "us", "vhost: the same, the longest")        \
    X(RELEASE, "release_us", "us",                                                                 \
      "vhost: from closing it until its last zerocopy packet has completed, with host.vhost.release")  \
    X(CALLBACK_POLLS, "callback_polls_per_s", "1/s",                                               \
      "vhost: zerocopy completions that queued the worker, per second")                            \
    X(CALLBACK_POLLS_PERCENT, "callback_polls_percent", "%",                                       \
      "vhost: of zerocopy completions, those that queued the worker")                              \
    X(CALLBACK_USEFUL, "callback_polls_useful_percent", "%",                                       \
      "vhost: of those, the ones that began a run which found a packet or a completed one")        \
    X(RX_PPS, "rx_pps", "packets/s", "packets put into the guest's receive queue, per second") \
    X(RX_DROPS, "rx_drops_per_s", "1/s", "packets for the guest that were dropped: without a buffer, or at a full socket, per second") \
    X(RX_BPS, "rx_bps", "bit/s", "frame bits of packets put into the guest's receive queue, per second")                 \
    X(RX_SOCKET_PPS, "rx_socket_pps", "packets/s", "receiving: messages that the application read, or requests it answered, per second") \
    X(REQUESTS, "requests_per_s", "1/s", "receiving: replies to the connections of a closed loop, per second") \
    X(REQUEST_CYCLE, "request_cycle_us", "us", "receiving: mean time from one request of a connection to its next: round trip with the pause in it") \
    X(DIM_SHARE_0, "dim_profile_share_0", "%", "receiving: share of time in which profile 0 was what the device was told last, or none yet") \
    X(DIM_SHARE_1, "dim_profile_share_1", "%", "the same of profile 1")                            \
    X(DIM_SHARE_2, "dim_profile_share_2", "%", "the same of profile 2")                            \
    X(DIM_SHARE_3, "dim_profile_share_3", "%", "the same of profile 3")                            \
    X(DIM_SHARE_4, "dim_profile_share_4", "%", "the same of profile 4")                            \
    X(DIM_COMMANDS, "dim_commands_per_s", "1/s", "receiving: profiles that net_dim sent to the device, per second") \
    X(RX_MISSED, "rx_missed_per_s", "1/s",                                                         \
      "vhost: receive runs that ended although a packet had come while the guest was signalled, per second") \
    X(RX_WAIT_MEAN, "rx_wait_mean_us", "us",                                                       \
      "vhost: from arrival at the socket until the guest can see it, mean")                        \
    X(RX_WAIT_P99, "rx_wait_p99_us", "us", "vhost: the same, 99 % quantile")                       \
    X(PING_MEAN, "ping_mean_us", "us",                                                             \
      "vhost: round trip of echo requests from outside whose answers arrived in the window, mean") \
    X(PING_LEAST, "ping_min_us", "us", "vhost: the shortest of them")                              \
    X(PING_P99, "ping_p99_us", "us", "vhost: the same, 99 % quantile")                             \
    X(PING_MOST, "ping_max_us", "us", "vhost: the longest of them")                                \
    X(PING_LOST, "ping_lost_percent", "%",                                                         \
      "vhost: of requests answered or dropped in the window, those dropped at the socket or above the driver") \
    X(CACHE_HIT, "desc_cache_hit_percent", "%", "of packets that need a table")                    \
    X(CACHE_BYTES, "desc_cache_bytes", "bytes",                                                    \
      "peak since the start of the run of table memory allocated (size classes): all tables in "   \
      "use, without a cache too, and free cache items")                                            \
    X(CACHE_ASKED_BYTES, "desc_cache_asked_bytes", "bytes",                                        \
      "peak since the start of the run of table memory asked for: all tables in use, without a "   \
      "cache too, and free cache items")                                                           \
    X(SLAB_SLOW_FREE, "slab_slow_free_percent", "%", "of table frees that took the slow path")     \
    X(TABLES_PER_PACKET, "tables_per_packet", "1/packet", "indirect tables used per packet sent")  \
    X(DIRECT, "direct_percent", "%",                                                               \
      "of packets with more than one entry that used direct descriptors")                          \
    X(IN_FLIGHT_MEAN, "in_flight_mean", "packets", "packets on the ring not yet reclaimed, over time") \
    X(IN_FLIGHT_P99, "in_flight_p99", "packets", "99 % quantile of the same, seen at each add")    \
    X(IN_FLIGHT_MAX, "in_flight_max", "packets", "most of the same after an add")                  \
    X(LEAST_FREE, "num_free_least", "descriptors", "smallest number of free descriptors before an add") \
    X(QUEUE_STOPS, "queue_stops_per_s", "1/s", "times the driver stopped the transmit queue")      \
    X(DROPS, "drops_per_s", "1/s", "packets dropped before the ring")                              \
    X(LATENCY_P50, "latency_p50_us", "us", "from hand-over to the driver until the device is done, median; receiving: from arrival at the device until read or answered") \
    X(LATENCY_P99, "latency_p99_us", "us", "the same, 99 % quantile")                              \
    X(LATENCY_P999, "latency_p999_us", "us", "the same, 99.9 % quantile")                          \
    X(RECLAIM_P99, "reclaim_p99_us", "us", "from hand-over until the guest reclaimed it, 99 % quantile") \
    X(UNRECLAIMED, "unreclaimed", "packets", "delivered and not reclaimed when the run ended")     \
    X(TRACE_ROUNDS, "trace_rounds", "1",                                                           \
      "times the capture was gone through, warm-up included; 1 without loop: it has ended")        \
    X(HUNG, "hung", "0/1", "1 when a packet can no longer move; the run says which party blocks")

enum metric {
#define X(name, text, unit, help) METRIC_##name,
    METRICS(X)
#undef X
        METRIC_COUNT
};

const char *metric_name(enum metric metric);
const char *metric_unit(enum metric metric);
const char *metric_help(enum metric metric);

/* Index of a metric by name, or -1. */
int metric_find(const char *name);

#endif
