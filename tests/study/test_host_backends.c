/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Sockets and backends as a whole, through scenarios: batches into a tap or macvtap, the queueing discipline of the
 * host, segments and loss on the link, receivers on the same host, reads over PCIe. Every run asserts where each
 * packet went.
 */
#include <math.h>

#include "tests/study/outcome.h"

/* A user-space driver: a packet costs it less than any socket takes. */
#define FAST_GUEST                                                                                 \
    "\"workload.type\": \"saturating\", \"guest\": {\"path\": \"xsk\", \"tx_ring.size\": 1024}, " \
    "\"costs.guest\": {\"xsk_xmit\": \"10ns\", \"add_outbuf\": \"10ns\", \"add\": \"10ns\", \"detach\": \"10ns\"}, " \
    "\"guest.virtio_desc_cache_thr\": 4"

#define SLOW_LINK                                                                                  \
    "\"workload\": {\"type\": \"saturating\", \"size\": 1460}, \"guest.stack.packet\": \"2us\", "  \
    "\"host.backend.type\": \"vhost\", \"host.link.speed\": \"1Gbit/s\", \"host.nic.tx_queue_len\": 64"

#define LINK_PPS (1e9 / (8 * (1460 + 24)))

/* Packets per second by a batch of 64 against single ones. */
static double batch_gain(const char *socket)
{
    char members[1024];

    snprintf(members, sizeof members, FAST_GUEST ", \"host.vhost.socket\": %s", socket);
    return run(members, "").metric[METRIC_TX_PPS] /
           run(members, "\"host.vhost.copy_batch\": 1").metric[METRIC_TX_PPS];
}

START_TEST(batches_gain_the_more_the_less_a_packet_costs_beside_its_call)
{
    double drop = batch_gain("\"tap_xdp\""), macvtap = batch_gain("\"macvtap\""), tap = batch_gain("\"tap\"");
    double redirect = batch_gain("\"tap_xdp\", \"host.vhost.xdp_verdict\": \"redirect\"");

    ck_assert_double_gt(drop, redirect);
    ck_assert_double_gt(redirect, macvtap);
    ck_assert_double_gt(macvtap, tap);
    ck_assert_double_gt(tap, 1);
}
END_TEST

START_TEST(a_batch_is_as_full_as_copy_batch_says_and_a_long_frame_goes_alone)
{
    const char *members = FAST_GUEST ", \"host.vhost.socket\": \"tap\"";

    ck_assert_double_eq(run(members, "").metric[METRIC_SEND_BATCH], 64);
    ck_assert_double_eq(run(members, "\"host.vhost.copy_batch\": 16").metric[METRIC_SEND_BATCH], 16);
    ck_assert_double_eq(run(members, "\"workload.size\": 3509").metric[METRIC_SEND_BATCH], 1);
    ck_assert_double_eq(run(members, "\"host.vhost.sndbuf_bytes\": 212992").metric[METRIC_SEND_BATCH], 1);
}
END_TEST

/* What the guest sends is all that vhost takes, so its rate is the worker's and the surplus is lost behind it. */
START_TEST(a_full_qdisc_drops_and_vhost_does_not_notice)
{
    struct outcome o = run(SLOW_LINK, "\"host.qdisc\": {\"limit\": 100, \"on_full\": \"drop\"}");
    double on_link = o.metric[METRIC_TX_PPS] - o.metric[METRIC_HOST_DROPS];

    ck_assert_double_gt(o.metric[METRIC_TX_PPS], 3 * LINK_PPS);
    ck_assert_double_eq_tol(on_link, LINK_PPS, 900);
    ck_assert_double_eq(o.metric[METRIC_SEND_FAILED], 0);
    ck_assert_double_eq(o.metric[METRIC_HUNG], 0);
}
END_TEST

START_TEST(a_qdisc_without_buffers_gives_requests_back_and_nothing_is_lost)
{
    struct outcome o = run(SLOW_LINK, "\"host.qdisc\": {\"limit\": 100, \"on_full\": \"enobufs\"}");

    ck_assert_double_eq_tol(o.metric[METRIC_TX_PPS], LINK_PPS, 900);
    ck_assert_double_eq(o.metric[METRIC_HOST_DROPS], 0);
    ck_assert_double_gt(o.metric[METRIC_SEND_FAILED], 0);
    ck_assert_double_eq(o.metric[METRIC_HUNG], 0);
}
END_TEST

START_TEST(enobufs_that_nobody_follows_up_hangs_and_a_retry_timer_cures_it)
{
    check_hang(SLOW_LINK ", \"host.qdisc\": {\"limit\": 100, \"on_full\": \"enobufs\"}, \"host.vhost.rearm\": false",
               "", "\"host.vhost.retry_delay\": \"50us\"", "without buffers and nobody queued the worker");
    check_hang(SLOW_LINK ", \"host.vhost.rearm\": false", "", "\"host.vhost.retry_delay\": \"50us\"",
               "the socket was full and nobody queued the worker");
}
END_TEST

/* The link is never idle as long as the retry comes before what is queued has left: 64 packets last 760 us. */
START_TEST(a_retry_timer_shorter_than_the_queue_costs_no_rate)
{
    struct outcome o = run(SLOW_LINK, "\"host.vhost\": {\"rearm\": false, \"retry_delay\": \"50us\"}");

    ck_assert_double_eq_tol(o.metric[METRIC_TX_PPS], LINK_PPS, 900);
}
END_TEST

START_TEST(a_limited_send_buffer_holds_so_many_bytes_back)
{
    struct outcome o = run(SLOW_LINK, "\"host.vhost.sndbuf_bytes\": 14600, \"host.vhost.socket\": \"macvtap\"");

    ck_assert_double_eq_tol(o.metric[METRIC_TX_PPS], LINK_PPS, 900);
    ck_assert_double_gt(o.metric[METRIC_SEND_FAILED], 0);
    ck_assert_double_eq(o.metric[METRIC_HOST_DROPS], 0);
}
END_TEST

/* 65160 bytes of data in segments of 1448: 45 frames, each with 66 bytes of headers and its gap. */
START_TEST(segments_take_their_headers_and_gaps_on_the_link)
{
    const char *members = "\"workload\": {\"type\": \"saturating\", \"size\": 65226}, "
                          "\"guest.stack.packet\": \"2us\", \"host.nic.tx_queue_len\": 64, "
                          "\"host.backend.type\": \"vhost\", "
                          "\"costs.vhost.copy_byte\": \"0.06ns\"";
    struct outcome whole = run(members, ""), segments = run(members, "\"host.link.mtu\": 1500");
    double bytes = 65160 + 45 * (66 + 24);

    /* The socket is writable again when half of the card's 64 packets have left. */
    ck_assert_double_eq(whole.metric[METRIC_LINK_FRAMES], 1);
    ck_assert_double_eq(segments.metric[METRIC_LINK_FRAMES], 45);
    ck_assert_double_eq_tol(whole.metric[METRIC_TX_PPS], 10e9 / (8 * (65226 + 24)), 32 / 0.04);
    ck_assert_double_eq_tol(segments.metric[METRIC_TX_PPS], 10e9 / (8 * bytes), 32 / 0.04);
}
END_TEST

/* Inside five standard errors of 1 - (1 - p)^frames. */
static void check_loss(const char *change, double frames)
{
    const char *members = "\"workload\": {\"type\": \"saturating\", \"size\": 6000}, \"guest.stack.packet\": \"2us\", "
                          "\"host.backend.type\": \"vhost\", \"host.link\": {\"speed\": \"100Gbit/s\", \"loss\": 0.01}";
    struct outcome o = run(members, change);
    double p = 1 - pow(0.99, frames), packets = 0.04 * OUTCOME_RUNS * o.metric[METRIC_TX_PPS];

    ck_assert_double_eq(o.metric[METRIC_LINK_FRAMES], frames);
    ck_assert_double_eq_tol(o.metric[METRIC_LINK_LOST] / 100, p, 5 * sqrt(p * (1 - p) / packets));
}

START_TEST(a_packet_is_lost_with_any_of_its_frames)
{
    check_loss("", 1);
    check_loss("\"host.link.mtu\": 1500", 5);
}
END_TEST

/* Whoever copies a zerocopy packet on delivery counts against zerocopy: one try in 64. */
START_TEST(zerocopy_to_a_tap_or_a_local_receiver_always_fails_and_is_tried_once_in_64_packets)
{
    static const char *const sockets[] = {"tap", "tap_xdp", "local"};

    for (int i = 0; i < 3; i++) {
        char change[200];
        struct outcome o;

        snprintf(change, sizeof change, "\"host.vhost\": {\"socket\": \"%s\", \"zerocopy\": true}", sockets[i]);
        o = run("\"workload\": {\"type\": \"saturating\", \"size\": 1460}, \"guest.stack.packet\": \"2us\"", change);
        ck_assert_double_eq(o.metric[METRIC_ZEROCOPY_FAILED], 100);
        ck_assert_double_eq_tol(o.metric[METRIC_ZEROCOPY], 100.0 / 64, 0.4);
        ck_assert_double_eq(o.metric[METRIC_HUNG], 0);
    }
}
END_TEST

/* One error rules out 64 packets, so a small share of local traffic takes zerocopy from most of the rest. */
START_TEST(a_small_share_of_local_traffic_rules_zerocopy_out_for_most_packets)
{
    const char *members = "\"workload\": {\"type\": \"saturating\", \"size\": 1460}, \"guest.stack.packet\": \"2us\", "
                          "\"host.vhost.zerocopy\": true";
    double last = 101;

    for (int i = 0; i < 4; i++) {
        static const char *const share[] = {"0", "0.01", "0.1", "0.5"};
        char change[100];
        double percent;

        snprintf(change, sizeof change, "\"host.vhost.local_share\": %s", share[i]);
        percent = run(members, change).metric[METRIC_ZEROCOPY];
        ck_assert_double_lt(percent, last);
        last = percent;
    }
    ck_assert_double_lt(last, 5);
}
END_TEST

/* It reads a packet in 20 us, and its queue never ends. */
START_TEST(a_receiver_that_keeps_pages_holds_the_ring_and_the_newer_limit_copies)
{
    const char *members = "\"workload\": {\"type\": \"saturating\", \"size\": 1460}, \"guest.stack.packet\": \"2us\", "
                          "\"guest.napi_tx\": false, \"host.vhost\": {\"era\": \"3.14\", \"socket\": \"local\"}, "
                          "\"host.receiver\": {\"zerocopy\": \"keep\", \"queue\": 4096}, \"costs.receiver\": {\"read\": "
                          "\"20us\", \"read_byte\": \"0ns\"}";
    struct outcome equal = run(members, "");
    struct outcome above = run(members, "\"host.vhost.zcopy_limit\": \"above\"");

    /* Packets are handed over by bursts of most of a ring. */
    ck_assert_double_eq_tol(equal.metric[METRIC_TX_PPS], 50e3, 238 / 0.04);
    ck_assert_double_eq(equal.metric[METRIC_ZEROCOPY_FAILED], 0);
    ck_assert_double_eq(equal.metric[METRIC_IN_FLIGHT_MAX], 238);
    ck_assert_double_gt(above.metric[METRIC_TX_PPS], 5 * 50e3);
    ck_assert_double_gt(above.metric[METRIC_HOST_DROPS], 0);
}
END_TEST

/* As many packets as have their reads in flight, each for two latencies: descriptor, then table. */
START_TEST(reads_over_pcie_cost_rate_only_where_too_few_are_in_flight)
{
    const char *members = FAST_GUEST ", \"jitter\": 0, \"host.backend.type\": \"dpu\"";
    double one = run(members, "\"host.backend.reads_in_flight\": 1").metric[METRIC_TX_PPS];
    double two = run(members, "\"host.backend.reads_in_flight\": 2").metric[METRIC_TX_PPS];
    double at_once = 1 / 550e-9;
    struct outcome direct = run(members, "\"host.backend.reads_in_flight\": 1, \"guest.tx_ring.indirect\": false");
    struct outcome many = run(members, "\"host.backend.reads_in_flight\": 64");
    struct outcome slower =
        run(members, "\"host.backend.reads_in_flight\": 64, \"costs.host.pcie_read\": \"900ns\"");

    ck_assert_double_eq_tol(one, at_once / 2, 0.01 * at_once);
    ck_assert_double_eq_tol(two, at_once, 0.01 * at_once);
    ck_assert_double_eq_tol(direct.metric[METRIC_TX_PPS], at_once, 0.01 * at_once);
    ck_assert_double_gt(many.metric[METRIC_TX_PPS], 4e6);
    /* The card's own time per packet does not depend on the latency. */
    ck_assert_double_eq_tol(slower.metric[METRIC_HOST_WORK] / slower.metric[METRIC_TX_PPS],
                            many.metric[METRIC_HOST_WORK] / many.metric[METRIC_TX_PPS],
                            0.01 * many.metric[METRIC_HOST_WORK] / many.metric[METRIC_TX_PPS]);
}
END_TEST

/* Six accesses for a packet and a few for a batch. */
START_TEST(user_access_to_metadata_costs_by_the_access)
{
    const char *members = FAST_GUEST ", \"host.vhost\": {\"socket\": \"tap_xdp\"}";
    struct outcome mapping = run(members, "");
    struct outcome user = run(members, "\"host.vhost.metadata\": \"uaccess\"");
    double further = user.metric[METRIC_HOST_NS] - mapping.metric[METRIC_HOST_NS];

    ck_assert_double_gt(further, 3 * 15.0);
    ck_assert_double_lt(further, 4 * 15.0);
}
END_TEST

START_TEST(fast_and_plain_are_the_same_to_the_bit_for_every_socket_and_backend)
{
    static const char *const changes[] = {
        "\"host.vhost.socket\": \"tap\"",
        "\"host.vhost.socket\": \"tap_xdp\"",
        "\"host.vhost.socket\": \"macvtap\", \"host.vhost.metadata\": \"uaccess\"",
        "\"host.vhost\": {\"socket\": \"macvtap\", \"zerocopy\": true, \"local_share\": 0.2}",
        "\"host.vhost\": {\"socket\": \"local\", \"zerocopy\": true}, \"host.receiver.zerocopy\": \"keep\"",
        "\"host.vhost\": {\"zerocopy\": true, \"local_share\": 0.3}, \"host.receiver.queue\": 4",
        "\"host.vhost.retry_delay\": \"7us\", \"host.qdisc\": {\"limit\": 5, \"on_full\": \"enobufs\"}, "
        "\"host.nic.tx_queue_len\": 4, \"host.link.speed\": \"2Gbit/s\"",
        "\"host.vhost\": {\"zerocopy\": true}, \"host.qdisc.limit\": 5, \"host.nic.tx_queue_len\": 4, "
        "\"host.link\": {\"speed\": \"2Gbit/s\", \"loss\": 0.1, \"mtu\": 500}",
        "\"host.vhost\": {\"socket\": \"macvtap\", \"sndbuf_bytes\": 6000}, \"host.link.speed\": \"2Gbit/s\"",
        "\"host.backend.type\": \"vhost_user\"",
        "\"host.backend.type\": \"dpu\", \"host.backend.reads_in_flight\": 2",
    };
    const char *members = "\"workload\": {\"type\": \"poisson\", \"rate\": \"250kpps\", \"size\": "
                          "{\"uniform\": [60, 5000]}}, \"guest.napi_tx\": false";

    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        struct outcome fast = run_of(members, changes[i], SIM_FAST);
        struct outcome slow = run_of(members, changes[i], SIM_PLAIN);

        ck_assert_msg(fast.fingerprint == slow.fingerprint, "%s", changes[i]);
        ck_assert_double_eq(fast.metric[METRIC_HUNG], 0);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        batches_gain_the_more_the_less_a_packet_costs_beside_its_call,
        a_batch_is_as_full_as_copy_batch_says_and_a_long_frame_goes_alone,
        a_full_qdisc_drops_and_vhost_does_not_notice,
        a_qdisc_without_buffers_gives_requests_back_and_nothing_is_lost,
        enobufs_that_nobody_follows_up_hangs_and_a_retry_timer_cures_it,
        a_retry_timer_shorter_than_the_queue_costs_no_rate,
        a_limited_send_buffer_holds_so_many_bytes_back,
        segments_take_their_headers_and_gaps_on_the_link,
        a_packet_is_lost_with_any_of_its_frames,
        zerocopy_to_a_tap_or_a_local_receiver_always_fails_and_is_tried_once_in_64_packets,
        a_small_share_of_local_traffic_rules_zerocopy_out_for_most_packets,
        a_receiver_that_keeps_pages_holds_the_ring_and_the_newer_limit_copies,
        reads_over_pcie_cost_rate_only_where_too_few_are_in_flight,
        user_access_to_metadata_costs_by_the_access,
        fast_and_plain_are_the_same_to_the_bit_for_every_socket_and_backend,
        NULL};

    return suite_run("host_backends", cases);
}
