/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The counted receive queue: buffers go round, packets keep their order, both sides' notifications.
 */
#include "models/rx_ring.h"
#include "sim/engine/stream.h"
#include "tests/suite.h"

static struct rx_ring ring;

static void open_ring(uint32_t size, bool event_idx)
{
    struct error error = {0};

    ck_assert(rx_ring_init(&ring, &(struct rx_ring_config){.size = size, .budget = 64}, event_idx, &error));
}

static void fill(uint32_t echo)
{
    rx_ring_fill(&ring, &(struct rx_packet){.size = 98, .echo = echo});
}

static void close_ring(void)
{
    rx_ring_fini(&ring);
}

START_TEST(a_filled_buffer_is_not_visible_before_it_is_published)
{
    struct rx_packet packet;

    open_ring(4, true);
    fill(1);
    ck_assert(!rx_ring_take(&ring, &packet));
    rx_ring_publish(&ring);
    ck_assert(rx_ring_take(&ring, &packet));
    ck_assert_uint_eq(packet.echo, 1);
}
END_TEST

START_TEST(a_buffer_that_the_guest_holds_is_not_posted)
{
    struct rx_packet packet;

    open_ring(2, true);
    fill(1);
    fill(2);
    ck_assert_uint_eq(rx_ring_posted(&ring), 0);
    rx_ring_publish(&ring);
    ck_assert(rx_ring_take(&ring, &packet));
    ck_assert_uint_eq(rx_ring_posted(&ring), 0);
    rx_ring_post(&ring);
    ck_assert_uint_eq(rx_ring_posted(&ring), 1);
}
END_TEST

START_TEST(a_packet_without_a_buffer_aborts)
{
    open_ring(1, true);
    fill(1);
    fill(2);
}
END_TEST

START_TEST(with_the_event_index_one_signal_goes_for_each_request_of_the_guest)
{
    struct rx_packet packet;

    open_ring(8, true);
    fill(1);
    ck_assert(rx_ring_publish(&ring));
    fill(2);
    ck_assert(!rx_ring_publish(&ring));
    ring.wants_call = false;
    while (rx_ring_take(&ring, &packet)) {
    }
    rx_ring_enable_calls(&ring);
    fill(3);
    ck_assert(rx_ring_publish(&ring));
}
END_TEST

START_TEST(with_flags_every_batch_signals_until_the_guest_disables)
{
    open_ring(8, false);
    fill(1);
    ck_assert(rx_ring_publish(&ring));
    fill(2);
    ck_assert(rx_ring_publish(&ring));
    ring.wants_call = false;
    fill(3);
    ck_assert(!rx_ring_publish(&ring));
}
END_TEST

START_TEST(with_the_event_index_one_kick_goes_for_each_request_of_the_device)
{
    open_ring(8, true);
    ck_assert(!rx_ring_kick_needed(&ring));
    ring.wants_kick = true;
    ck_assert(rx_ring_kick_needed(&ring));
    ck_assert(!rx_ring_kick_needed(&ring));
    close_ring();
    open_ring(8, false);
    ring.wants_kick = true;
    ck_assert(rx_ring_kick_needed(&ring));
    ck_assert(rx_ring_kick_needed(&ring));
}
END_TEST

/* Against a queue of numbers: what is taken is what was put, in order, whatever the steps. */
START_TEST(packets_keep_their_order_under_random_steps)
{
    struct stream stream;
    uint32_t put = 0, taken = 0, published = 0;
    struct rx_packet packet;

    stream_init(&stream, 1, (uint32_t)_i, "rx_ring");
    open_ring(1 + (uint32_t)_i * 7, _i % 2 == 0);
    for (int step = 0; step < 20000; step++) {
        switch (stream_below(&stream, 4)) {
        case 0:
            if (rx_ring_posted(&ring) > 0) {
                fill(++put);
            }
            break;
        case 1:
            rx_ring_publish(&ring);
            published = put;
            break;
        case 2:
            if (rx_ring_take(&ring, &packet)) {
                require(packet.echo == ++taken);
            } else {
                require(taken == published);
            }
            break;
        default:
            rx_ring_post(&ring);
        }
        rx_ring_check(&ring, 0);
    }
    ck_assert_uint_gt(taken, 500);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = a_filled_buffer_is_not_visible_before_it_is_published},
        {.test = a_buffer_that_the_guest_holds_is_not_posted},
        {.test = a_packet_without_a_buffer_aborts, .signal = SIGABRT},
        {.test = with_the_event_index_one_signal_goes_for_each_request_of_the_guest},
        {.test = with_flags_every_batch_signals_until_the_guest_disables},
        {.test = with_the_event_index_one_kick_goes_for_each_request_of_the_device},
        {.test = packets_keep_their_order_under_random_steps, .end = 6},
        {0}};

    return suite_run_cases("rx_ring", NULL, close_ring, cases);
}
