/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ring by itself: life, space, order, addresses, parameters. Every operation is followed by
 * virtqueue_check(). Suppression: test_virtqueue_suppression.c. */
#include <check.h>
#include <signal.h>
#include <stdlib.h>

#include "models/virtqueue.h"
#include "tests/suite.h"

static struct virtqueue vq;

static void ring(uint32_t size, int layout, bool indirect, bool event_idx)
{
    struct virtqueue_config config = {
        .size = size, .layout = layout, .indirect = indirect, .event_idx = event_idx};
    struct error error = {.kind = ERROR_NONE};

    ck_assert(virtqueue_init(&vq, &config, &error));
    virtqueue_check(&vq);
}

static void teardown(void)
{
    virtqueue_fini(&vq);
}

static const struct virtqueue_request *add(uint32_t sg, uint64_t table, uint32_t packet)
{
    const struct virtqueue_request *request = virtqueue_add(&vq, sg, table, packet);

    virtqueue_check(&vq);
    if (request != NULL) {
        ck_assert(!virtqueue_publish(&vq));
        virtqueue_check(&vq);
    }
    return request;
}

static uint16_t take(uint32_t packet)
{
    const struct virtqueue_request *request;

    ck_assert_uint_ge(virtqueue_refresh_avail(&vq), 1);
    request = virtqueue_take(&vq);
    virtqueue_check(&vq);
    ck_assert_uint_eq(request->packet, packet);
    return request->id;
}

static void use(uint16_t id)
{
    virtqueue_put_used(&vq, id);
    virtqueue_check(&vq);
    virtqueue_publish_used(&vq);
    virtqueue_check(&vq);
}

static void get(uint32_t packet)
{
    const struct virtqueue_request *request;

    ck_assert(virtqueue_more_used(&vq));
    request = virtqueue_get_buf(&vq);
    virtqueue_check(&vq);
    ck_assert_ptr_nonnull(request);
    ck_assert_uint_eq(request->packet, packet);
}

START_TEST(request_goes_round_with_its_tokens)
{
    const struct virtqueue_request *request;

    ring(8, _i, true, true);
    ck_assert(virtqueue_wants_table(&vq, 3));
    request = add(3, 0x1234, 77);
    ck_assert_uint_eq(request->count, 1);
    ck_assert_uint_eq(virtqueue_free_count(&vq), 7);
    ck_assert_uint_eq(virtqueue_outstanding(&vq), 1);
    ck_assert(!virtqueue_more_used(&vq));
    ck_assert_ptr_null(virtqueue_get_buf(&vq));
    use(take(77));
    request = virtqueue_get_buf(&vq);
    ck_assert_ptr_nonnull(request);
    ck_assert_uint_eq(request->table, 0x1234);
    ck_assert_uint_eq(request->sg, 3);
    ck_assert_uint_eq(virtqueue_free_count(&vq), 8);
    ck_assert_uint_eq(virtqueue_outstanding(&vq), 0);
}
END_TEST

START_TEST(add_is_not_seen_before_publish)
{
    ring(8, _i, true, true);
    ck_assert_ptr_nonnull(virtqueue_add(&vq, 1, VIRTQUEUE_DIRECT, 1));
    ck_assert_uint_eq(virtqueue_refresh_avail(&vq), 0);
    virtqueue_publish(&vq);
    ck_assert_uint_eq(virtqueue_refresh_avail(&vq), 1);
    ck_assert_uint_eq(virtqueue_avail_seen(&vq), 1);
}
END_TEST

START_TEST(batch_of_used_entries_is_seen_at_once)
{
    uint16_t id[3];

    ring(8, _i, true, true);
    for (uint32_t i = 0; i < 3; i++) {
        add(i + 1, VIRTQUEUE_DIRECT, i);
        id[i] = take(i);
    }
    virtqueue_put_used(&vq, id[2]);
    virtqueue_put_used(&vq, id[0]);
    virtqueue_put_used(&vq, id[1]);
    virtqueue_check(&vq);
    ck_assert(!virtqueue_more_used(&vq));
    ck_assert_ptr_null(virtqueue_get_buf(&vq));
    virtqueue_publish_used(&vq);
    get(2);
    get(0);
    get(1);
    ck_assert(!virtqueue_more_used(&vq));
}
END_TEST

START_TEST(indirect_needs_the_feature_two_buffers_and_a_free_descriptor)
{
    ring(2, _i, true, true);
    ck_assert(!virtqueue_wants_table(&vq, 1));
    ck_assert(virtqueue_wants_table(&vq, 2));
    ck_assert(virtqueue_wants_table(&vq, 19)); /* longer than the ring: one descriptor is enough */
    add(19, 1, 0);
    add(2, 2, 1);
    ck_assert(!virtqueue_wants_table(&vq, 2));
    ck_assert(!virtqueue_has_room(&vq, 2, true));
    virtqueue_fini(&vq);
    ring(2, _i, false, true);
    ck_assert(!virtqueue_wants_table(&vq, 2));
}
END_TEST

START_TEST(full_ring_refuses_add)
{
    ring(4, _i, true, true);
    ck_assert_ptr_nonnull(add(3, VIRTQUEUE_DIRECT, 0));
    ck_assert(!virtqueue_has_room(&vq, 2, false));
    ck_assert_ptr_null(add(2, VIRTQUEUE_DIRECT, 1));
    ck_assert_ptr_nonnull(add(2, 9, 2));
    ck_assert_ptr_null(add(1, VIRTQUEUE_DIRECT, 3));
    ck_assert_uint_eq(virtqueue_free_count(&vq), 0);
    ck_assert_int_eq(virtqueue_full_kicks(&vq), _i == VIRTQUEUE_SPLIT);
    use(take(0));
    get(0);
    ck_assert_ptr_nonnull(add(3, VIRTQUEUE_DIRECT, 4));
}
END_TEST

START_TEST(request_may_fill_the_whole_ring)
{
    ring(4, _i, false, true);
    for (uint32_t i = 0; i < 5; i++) {
        ck_assert_ptr_nonnull(add(4, VIRTQUEUE_DIRECT, i));
        use(take(i));
        get(i);
    }
}
END_TEST

/* The driver stops at fewer than 19 free: 238 tables, or 119 pairs of descriptors. */
START_TEST(ring_of_256_holds_238_indirect_or_119_direct_pairs)
{
    uint32_t n;

    ring(256, _i, true, true);
    for (n = 0; virtqueue_free_count(&vq) >= 19; n++) {
        add(2, n, n);
    }
    ck_assert_uint_eq(n, 238);
    virtqueue_fini(&vq);
    ring(256, _i, false, true);
    for (n = 0; virtqueue_free_count(&vq) >= 19; n++) {
        add(2, VIRTQUEUE_DIRECT, n);
    }
    ck_assert_uint_eq(n, 119);
}
END_TEST

START_TEST(last_returned_head_is_taken_first)
{
    uint16_t id[3];

    ring(8, _i, true, true);
    for (uint32_t i = 0; i < 3; i++) {
        add(1, VIRTQUEUE_DIRECT, i);
        id[i] = take(i);
    }
    use(id[1]);
    use(id[2]);
    use(id[0]);
    get(1);
    get(2);
    get(0);
    ck_assert_uint_eq(add(1, VIRTQUEUE_DIRECT, 3)->id, id[0]);
    ck_assert_uint_eq(add(1, VIRTQUEUE_DIRECT, 4)->id, id[2]);
    ck_assert_uint_eq(add(1, VIRTQUEUE_DIRECT, 5)->id, id[1]);
}
END_TEST

START_TEST(untake_gives_the_same_request_again)
{
    ring(4, _i, false, true);
    for (uint32_t i = 0; i < 9; i++) { /* chains of three pass the ring's end each time elsewhere */
        uint16_t id;

        add(3, VIRTQUEUE_DIRECT, i);
        id = take(i);
        virtqueue_untake(&vq, id);
        virtqueue_check(&vq);
        ck_assert_uint_eq(virtqueue_avail_seen(&vq), 1);
        ck_assert_uint_eq(take(i), id);
        use(id);
        get(i);
    }
}
END_TEST

START_TEST(undecided_kicks_are_forced_at_65535_requests_when_split)
{
    ring(4, _i, true, true);
    for (uint32_t i = 1; i <= 65535; i++) {
        bool forced;

        virtqueue_add(&vq, 2, VIRTQUEUE_DIRECT, i);
        forced = virtqueue_publish(&vq);
        if (forced != (_i == VIRTQUEUE_SPLIT && i == 65535)) {
            ck_abort_msg("forced %d at request %u", forced, i);
        }
        virtqueue_refresh_avail(&vq);
        virtqueue_put_used(&vq, virtqueue_take(&vq)->id);
        virtqueue_publish_used(&vq);
        virtqueue_get_buf(&vq);
    }
    virtqueue_check(&vq);
}
END_TEST

START_TEST(split_addresses_are_those_of_the_real_layout)
{
    ring(256, VIRTQUEUE_SPLIT, true, true);
    ck_assert_uint_eq(virtqueue_addr_desc(&vq, 255), 4080);
    ck_assert_uint_eq(virtqueue_addr_avail_flags(&vq), 4096);
    ck_assert_uint_eq(virtqueue_addr_avail_idx(&vq), 4098);
    ck_assert_uint_eq(virtqueue_addr_avail_entry(&vq, 0), 4100);
    ck_assert_uint_eq(virtqueue_addr_avail_entry(&vq, 65535), 4610);
    ck_assert_uint_eq(virtqueue_addr_used_event(&vq), 4612);
    ck_assert_uint_eq(virtqueue_addr_used_flags(&vq), 4672); /* the next multiple of 64 */
    ck_assert_uint_eq(virtqueue_addr_used_idx(&vq), 4674);
    ck_assert_uint_eq(virtqueue_addr_used_entry(&vq, 256), 4676);
    ck_assert_uint_eq(virtqueue_addr_used_entry(&vq, 65535), 6716);
    ck_assert_uint_eq(virtqueue_addr_avail_event(&vq), 6724);
    ck_assert_uint_eq(virtqueue_bytes(&vq), 6726);
    ck_assert_uint_eq(virtqueue_addr_callbacks(&vq), 4612);
    ck_assert_uint_eq(virtqueue_addr_notify(&vq), 6724);
    ck_assert_uint_eq(virtqueue_addr_publish(&vq), 4098);
    ck_assert_uint_eq(virtqueue_addr_refresh(&vq), 4098);
    ck_assert_uint_eq(virtqueue_addr_more_used(&vq), 4674);
    ck_assert_uint_eq(virtqueue_addr_publish_used(&vq), 4674);
    virtqueue_fini(&vq);
    ring(256, VIRTQUEUE_SPLIT, true, false);
    ck_assert_uint_eq(virtqueue_addr_callbacks(&vq), 4096);
    ck_assert_uint_eq(virtqueue_addr_notify(&vq), 4672);
}
END_TEST

START_TEST(packed_addresses_follow_the_positions)
{
    const struct virtqueue_request *request;

    ring(6, VIRTQUEUE_PACKED, true, true);
    ck_assert_uint_eq(virtqueue_addr_callbacks(&vq), 128);
    ck_assert_uint_eq(virtqueue_addr_notify(&vq), 192);
    ck_assert_uint_eq(virtqueue_bytes(&vq), 196);
    add(5, VIRTQUEUE_DIRECT, 0);
    ck_assert_uint_eq(virtqueue_addr_refresh(&vq), 0);
    ck_assert_uint_eq(virtqueue_addr_put_used(&vq), 0);
    use(take(0));
    ck_assert_uint_eq(virtqueue_addr_more_used(&vq), 0);
    get(0);
    request = add(3, VIRTQUEUE_DIRECT, 1);
    ck_assert_uint_eq(virtqueue_addr_added(&vq, request), 80);
    ck_assert_uint_eq(virtqueue_addr_publish(&vq), 80);
    ck_assert_uint_eq(virtqueue_addr_take(&vq), 80);
    ck_assert_uint_eq(virtqueue_chain_next(&vq, 5), 0);
    ck_assert_uint_eq(virtqueue_addr_put_used(&vq), 80);
    virtqueue_put_used(&vq, take(1));
    ck_assert_uint_eq(virtqueue_addr_publish_used(&vq), 80);
    ck_assert_uint_eq(virtqueue_addr_put_used(&vq), 32);
}
END_TEST

START_TEST(chain_of_a_direct_request_can_be_walked)
{
    const struct virtqueue_request *request;
    uint16_t i;

    ring(8, VIRTQUEUE_SPLIT, false, true);
    request = add(4, VIRTQUEUE_DIRECT, 0);
    i = request->id;
    for (uint32_t n = 1; n < request->count; n++) {
        i = virtqueue_chain_next(&vq, i);
    }
    ck_assert_uint_eq(i, request->last);
}
END_TEST

START_TEST(second_use_of_a_request_aborts)
{
    ring(4, _i, true, true);
    add(1, VIRTQUEUE_DIRECT, 0);
    use(take(0));
    virtqueue_put_used(&vq, 0);
}
END_TEST

START_TEST(second_add_before_publish_aborts)
{
    ring(4, _i, true, true);
    virtqueue_add(&vq, 1, VIRTQUEUE_DIRECT, 0);
    virtqueue_add(&vq, 1, VIRTQUEUE_DIRECT, 1);
}
END_TEST

START_TEST(check_finds_a_descriptor_that_is_free_twice)
{
    ring(4, _i, true, true);
    vq.next[2] = 0;
    virtqueue_check(&vq);
}
END_TEST

START_TEST(parameters_refuse_a_split_ring_that_is_no_power_of_two)
{
    struct virtqueue_config config = {.size = 100, .layout = VIRTQUEUE_SPLIT};
    struct problems problems;

    problems_init(&problems);
    virtqueue_params.check(&config, &problems);
    ck_assert_uint_eq(problems.errors, 1);
    ck_assert_str_eq(problems.list[0].error.path, "guest.tx_ring.size");
    ck_assert_str_eq(problems.list[0].error.text, "ring size must be a power of two, 2..32768");
    config.layout = VIRTQUEUE_PACKED;
    virtqueue_params.check(&config, &problems);
    config = (struct virtqueue_config){.size = 32768, .layout = VIRTQUEUE_SPLIT};
    virtqueue_params.check(&config, &problems);
    ck_assert_uint_eq(problems.errors, 1);
    problems_fini(&problems);
}
END_TEST

START_TEST(fini_accepts_a_zeroed_queue)
{
    virtqueue_fini(&vq);
    virtqueue_fini(&vq);
}
END_TEST

int main(void)
{
    const struct suite_case cases[] = {
        {.test = request_goes_round_with_its_tokens, .end = 2},
        {.test = add_is_not_seen_before_publish, .end = 2},
        {.test = batch_of_used_entries_is_seen_at_once, .end = 2},
        {.test = indirect_needs_the_feature_two_buffers_and_a_free_descriptor, .end = 2},
        {.test = full_ring_refuses_add, .end = 2},
        {.test = request_may_fill_the_whole_ring, .end = 2},
        {.test = ring_of_256_holds_238_indirect_or_119_direct_pairs, .end = 2},
        {.test = last_returned_head_is_taken_first, .end = 2},
        {.test = untake_gives_the_same_request_again, .end = 2},
        {.test = undecided_kicks_are_forced_at_65535_requests_when_split, .end = 2},
        {.test = second_use_of_a_request_aborts, .end = 2, .signal = SIGABRT},
        {.test = second_add_before_publish_aborts, .end = 2, .signal = SIGABRT},
        {.test = check_finds_a_descriptor_that_is_free_twice, .end = 2, .signal = SIGABRT},
        {.test = split_addresses_are_those_of_the_real_layout},
        {.test = packed_addresses_follow_the_positions},
        {.test = chain_of_a_direct_request_can_be_walked},
        {.test = parameters_refuse_a_split_ring_that_is_no_power_of_two},
        {.test = fini_accepts_a_zeroed_queue},
        {0},
    };

    return suite_run_cases("virtqueue", NULL, teardown, cases);
}
