/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The socket behind vhost by itself: what fits a batch, what a call costs, what it counts.
 */
#include "models/host_socket.h"
#include "tests/suite.h"

/* Costs that tell each other apart. */
static struct host_socket socket_of(enum host_socket_kind kind, uint64_t sndbuf)
{
    struct host_socket_config config = {.kind = (int)kind,
                                        .sndbuf = sndbuf,
                                        .local_share = 0.5,
                                        .call = 1000000,
                                        .flush = 100000,
                                        .skb_alloc = 10000,
                                        .tap = 1000,
                                        .macvtap = 100,
                                        .drop = 10,
                                        .redirect = 1};
    struct host_socket s;

    host_socket_init(&s, &config, 1, 0);
    return s;
}

START_TEST(a_frame_of_3508_bytes_is_the_longest_that_fits_a_page_with_its_shared_info)
{
    struct host_socket s = socket_of(HOST_SOCKET_TAP_XDP, 0);

    ck_assert(host_socket_collects(&s, 60));
    ck_assert(host_socket_collects(&s, 3508));
    ck_assert(!host_socket_collects(&s, 3509));
}
END_TEST

START_TEST(a_limited_send_buffer_or_a_socket_of_another_kind_takes_no_batch)
{
    struct host_socket limited = socket_of(HOST_SOCKET_MACVTAP, 212992);
    struct host_socket nic = socket_of(HOST_SOCKET_NIC, 0), local = socket_of(HOST_SOCKET_LOCAL, 0);

    ck_assert(!host_socket_collects(&limited, 60));
    ck_assert(!host_socket_collects(&nic, 60));
    ck_assert(!host_socket_collects(&local, 60));
}
END_TEST

START_TEST(a_batch_pays_one_call_and_a_single_packet_memory_of_its_own)
{
    struct host_socket s = socket_of(HOST_SOCKET_MACVTAP, 0);

    ck_assert_int_eq(host_socket_call(&s, 64, true, false), 1000000 + 100000 + 64 * 100);
    ck_assert_int_eq(host_socket_call(&s, 1, false, false), 1000000 + 100000 + 10000 + 100);
    ck_assert_uint_eq(s.counts.calls, 2);
    ck_assert_uint_eq(s.counts.batched, 64);
    ck_assert_uint_eq(s.counts.single, 1);
    host_socket_check(&s, 0);
}
END_TEST

START_TEST(a_promise_of_another_packet_spares_the_end_of_the_call)
{
    struct host_socket s = socket_of(HOST_SOCKET_MACVTAP, 0);

    ck_assert_int_eq(host_socket_call(&s, 1, false, true), 1000000 + 10000 + 100);
    ck_assert_uint_eq(s.counts.flushes, 0);
    host_socket_call(&s, 1, false, false);
    ck_assert_uint_eq(s.counts.flushes, 1);
}
END_TEST

START_TEST(a_buffer_that_xdp_drops_needs_no_skb_and_ends_nowhere)
{
    struct host_socket s = socket_of(HOST_SOCKET_TAP_XDP, 0);

    ck_assert_int_eq(host_socket_call(&s, 1, false, false), 1000000 + 10);
    s.config.verdict = HOST_SOCKET_REDIRECT;
    ck_assert_int_eq(host_socket_call(&s, 1, false, false), 1000000 + 100000 + 1);
}
END_TEST

/* Shares are for sockets in front of a card; the local kind has no other receiver. */
START_TEST(all_packets_of_the_local_kind_are_local_and_none_of_a_tap)
{
    struct host_socket local = socket_of(HOST_SOCKET_LOCAL, 0), tap = socket_of(HOST_SOCKET_TAP, 0);
    struct host_socket nic = socket_of(HOST_SOCKET_NIC, 0);
    int share = 0;

    for (int i = 0; i < 10000; i++) {
        ck_assert(host_socket_is_local(&local));
        ck_assert(!host_socket_is_local(&tap));
        share += host_socket_is_local(&nic) ? 1 : 0;
    }
    ck_assert_int_ge(share, 5000 - 5 * 50); /* 5 standard errors */
    ck_assert_int_le(share, 5000 + 5 * 50);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {a_frame_of_3508_bytes_is_the_longest_that_fits_a_page_with_its_shared_info,
                            a_limited_send_buffer_or_a_socket_of_another_kind_takes_no_batch,
                            a_batch_pays_one_call_and_a_single_packet_memory_of_its_own,
                            a_promise_of_another_packet_spares_the_end_of_the_call,
                            a_buffer_that_xdp_drops_needs_no_skb_and_ends_nowhere,
                            all_packets_of_the_local_kind_are_local_and_none_of_a_tap,
                            NULL};

    return suite_run("host_socket", cases);
}
