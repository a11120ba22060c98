/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_order.h"

#include <unistd.h>

#include "sim/study/trace_input.h"
#include "tests/suite.h"

/* A reader of packets that stand in memory, so that any order can be given. */
struct listed {
    struct trace_reader base;
    const struct trace_packet *list;
    size_t count, at;
};

static int listed_next(struct trace_reader *base, struct trace_packet *packet)
{
    struct listed *listed = (struct listed *)base;

    if (listed->at == listed->count) {
        return 0;
    }
    *packet = listed->list[listed->at++];
    packet->number = listed->at;
    return 1;
}

static const struct trace_reader_ops listed_ops = {
    .name = "listed", .binary = true, .next = listed_next};

struct sorted {
    struct trace_packet *list;
    size_t count;
    struct trace_order_facts facts;
    struct problems problems;
    int end;
};

static void sort(struct sorted *sorted, const struct trace_packet *list, size_t count,
                 const struct trace_options *options)
{
    char file[] = "/tmp/vqsim-order-XXXXXX";
    int fd = mkstemp(file);
    struct listed listed = {.base.ops = &listed_ops, .list = list, .count = count};
    struct trace_order *order;
    struct trace_packet packet;

    require(fd >= 0 && write(fd, "x", 1) == 1 && close(fd) == 0);
    *sorted = (struct sorted){.list = calloc(count + 1, sizeof *sorted->list)};
    problems_init(&sorted->problems);
    listed.base.problems = &sorted->problems;
    listed.base.input = trace_input_open(file, &sorted->problems);
    unlink(file);
    order = trace_order_new(&listed.base, options);
    while ((sorted->end = trace_order_next(order, &packet)) == 1) {
        sorted->list[sorted->count++] = packet;
    }
    sorted->facts = *trace_order_facts(order);
    trace_order_free(order);
    trace_input_close(listed.base.input);
}

static void sorted_fini(struct sorted *sorted)
{
    free(sorted->list);
    problems_fini(&sorted->problems);
}

static void check_order(const struct sorted *sorted)
{
    for (size_t i = 1; i < sorted->count; i++) {
        const struct trace_packet *before = &sorted->list[i - 1], *here = &sorted->list[i];

        require(before->at < here->at || (before->at == here->at && before->number < here->number));
    }
}

START_TEST(packets_within_the_window_are_sorted_and_ties_keep_their_order)
{
    const size_t count = 200000;
    const struct trace_options options = {.ordering = TRACE_ORDER_SORT};
    struct trace_packet *list = calloc(count, sizeof *list);
    struct sorted sorted;
    uint32_t luck = 7;

    for (size_t i = 0; i < count; i++) {
        luck = luck * 1664525 + 1013904223;
        list[i] = (struct trace_packet){.size = 60};
        /* up to 30,000 places away from its own, ten packets an instant */
        list[i].at = (sim_time)((i + (i % 5 == 0 ? luck >> 17 : 0)) / 10) * SIM_US;
    }
    sort(&sorted, list, count, &options);
    ck_assert_int_eq(sorted.end, 0);
    ck_assert_uint_eq(sorted.count, count);
    ck_assert_uint_gt(sorted.facts.out_of_order, count / 2);
    ck_assert_uint_eq(sorted.facts.moved, 0);
    check_order(&sorted);
    ck_assert_uint_eq(sorted.problems.count, 1);
    sorted_fini(&sorted);
    free(list);
}
END_TEST

START_TEST(sorted_file_passes_unchanged_and_in_silence)
{
    const struct trace_options options = {.ordering = TRACE_ORDER_SORT};
    const size_t count = 3 * TRACE_WINDOW_PACKETS / 2;
    struct trace_packet *list = calloc(count, sizeof *list);
    struct sorted sorted;

    for (size_t i = 0; i < count; i++) {
        list[i] = (struct trace_packet){.size = 60, .at = (sim_time)i * SIM_NS};
    }
    sort(&sorted, list, count, &options);
    ck_assert_uint_eq(sorted.count, count);
    for (size_t i = 0; i < count; i++) {
        require(sorted.list[i].number == i + 1);
    }
    ck_assert_uint_eq(sorted.problems.count, 0);
    sorted_fini(&sorted);
    free(list);
}
END_TEST

START_TEST(packet_that_is_too_late_gets_the_time_of_its_predecessor)
{
    const struct trace_options options = {.ordering = TRACE_ORDER_SORT};
    struct trace_packet list[] = {{.size = 60},
                                  {.size = 60, .at = 2 * SIM_S},
                                  {.size = 60, .at = 4 * SIM_S},
                                  {.size = 60, .at = 3 * SIM_S},
                                  {.size = 60, .at = SIM_S}};
    struct sorted sorted;

    sort(&sorted, list, 5, &options);
    ck_assert_uint_eq(sorted.count, 5);
    ck_assert_uint_eq(sorted.facts.out_of_order, 2);
    ck_assert_uint_eq(sorted.facts.moved, 1);
    ck_assert_int_eq(sorted.list[2].at, 2 * SIM_S); /* of 1 s */
    ck_assert_uint_eq(sorted.list[2].number, 5);
    ck_assert_int_eq(sorted.list[3].at, 3 * SIM_S);
    ck_assert_ptr_nonnull(strstr(sorted.problems.list[0].error.text,
                                 "2; sorted; 1 got the time of the packet before"));
    sorted_fini(&sorted);
}
END_TEST

START_TEST(order_of_the_file_is_kept_or_insisted_on)
{
    const struct trace_options keep = {.ordering = TRACE_ORDER_KEEP};
    const struct trace_options reject = {.ordering = TRACE_ORDER_REJECT};
    struct trace_packet list[] = {
        {.size = 60}, {.size = 60, .at = 5000}, {.size = 60, .at = 2000}, {.size = 60, .at = 9000}};
    struct sorted sorted;

    sort(&sorted, list, 4, &keep);
    ck_assert_uint_eq(sorted.count, 4);
    ck_assert_uint_eq(sorted.list[2].number, 3);
    ck_assert_int_eq(sorted.list[2].at, 5000);
    sorted_fini(&sorted);
    sort(&sorted, list, 4, &reject);
    ck_assert_int_eq(sorted.end, -1);
    ck_assert_ptr_nonnull(
        strstr(sorted.problems.list[0].error.text, "packet 3: goes back 0.003000 us"));
    sorted_fini(&sorted);
}
END_TEST

static size_t count_of(const struct trace_options *options)
{
    const struct trace_packet list[] = {
        {.size = 60, .direction = TRACE_SENT, .queue = 0},
        {.size = 60, .direction = TRACE_SENT, .queue = 3},
        {.size = 60, .direction = TRACE_RECEIVED, .queue = 0},
        {.size = 60, .queue = TRACE_UNKNOWN},
        {.size = 13, .direction = TRACE_SENT, .queue = 0},
        {.size = 65551, .direction = TRACE_SENT, .queue = 0},
    };
    struct sorted sorted;
    size_t count;

    sort(&sorted, list, 6, options);
    count = sorted.end == 0 ? sorted.count : SIZE_MAX;
    sorted_fini(&sorted);
    return count;
}

START_TEST(packets_are_chosen_by_direction_queue_and_size)
{
    ck_assert_uint_eq(count_of(&(struct trace_options){0}), 3);
    ck_assert_uint_eq(count_of(&(struct trace_options){.received_too = true}), 4);
    ck_assert_uint_eq(count_of(&(struct trace_options){.direction = TRACE_SENT}), 2);
    ck_assert_uint_eq(count_of(&(struct trace_options){.direction = TRACE_RECEIVED}), 1);
    ck_assert_uint_eq(count_of(&(struct trace_options){.one_queue = true, .queue = 3}), 1);
    ck_assert_uint_eq(count_of(&(struct trace_options){.one_queue = true, .queue = 1}), 0);
    ck_assert_uint_eq(count_of(&(struct trace_options){.queues = 4}), 3);
    ck_assert_uint_eq(count_of(&(struct trace_options){.queues = 3}), SIZE_MAX);
}
END_TEST

START_TEST(received_packets_alone_are_warned_of)
{
    const struct trace_options options = {0};
    const struct trace_packet list[] = {{.size = 60, .direction = TRACE_RECEIVED}};
    struct sorted sorted;

    sort(&sorted, list, 1, &options);
    ck_assert_uint_eq(sorted.count, 0);
    ck_assert_str_eq(sorted.problems.list[0].error.text, "all packets are received ones: 1");
    sorted_fini(&sorted);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        packets_within_the_window_are_sorted_and_ties_keep_their_order,
        sorted_file_passes_unchanged_and_in_silence,
        packet_that_is_too_late_gets_the_time_of_its_predecessor,
        order_of_the_file_is_kept_or_insisted_on,
        packets_are_chosen_by_direction_queue_and_size,
        received_packets_alone_are_warned_of,
        NULL,
    };

    return suite_run("trace_order", cases);
}
