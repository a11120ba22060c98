/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What becomes of the events of a packet: lines in, "entries/kick test" of each packet out, "-" for
 * what is not known.
 */
#include <stdarg.h>

#include "tests/study/ftrace_fixture.h"

#define TEXT_BYTES (1 << 20)

struct text {
    char *at;
    size_t used;
    unsigned line;
};

/* A line of CPU `cpu`; the task is the CPU's, times count lines. */
static void line(struct text *text, int cpu, const char *format, ...)
{
    va_list args;

    if (!text->at) {
        text->at = calloc(1, TEXT_BYTES);
        require(text->at != NULL);
    }
    text->used += (size_t)snprintf(text->at + text->used, TEXT_BYTES - text->used,
                                   "  t-%d [%03d] b..1. 1.%06u: ", 100 + cpu, cpu, text->line++);
    va_start(args, format);
    text->used += (size_t)vsnprintf(text->at + text->used, TEXT_BYTES - text->used, format, args);
    va_end(args);
    text->at[text->used++] = '\n';
    require(text->used < TEXT_BYTES - 400);
}

static void xmit(struct text *text, int cpu, const char *dev, unsigned data)
{
    line(text, cpu, "net_dev_start_xmit: dev=%s queue_mapping=0 len=%u data_len=%u gso_type=0x1",
         dev, 66 + data, data);
}

static void add(struct text *text, int cpu, int index, int num)
{
    line(text, cpu, "vq_add: (virtqueue_add_outbuf+0x0/0x60 [virtio_ring]) idx=%d nfree=9 num=%d",
         index, num);
}

static void table(struct text *text, int cpu, int bytes)
{
    line(text, cpu,
         "kmalloc: call_site=virtqueue_add_split+0x8d/0x700 [virtio_ring] ptr=00000000809143e2 "
         "bytes_req=%d bytes_alloc=96 gfp_flags=GFP_ATOMIC node=-1 accounted=false",
         bytes);
}

static void kick_test(struct text *text, int cpu, int index)
{
    line(text, cpu, "vq_kickp: (virtqueue_kick_prepare+0x0/0xd0 [virtio_ring]) idx=%d nfree=9",
         index);
}

static void say_number(char *text, size_t bytes, uint32_t number)
{
    if (number == TRACE_UNKNOWN) {
        snprintf(text, bytes, "-");
    } else {
        snprintf(text, bytes, "%u", number);
    }
}

/* Frees the text. The capture is the caller's when it asks for it. */
static void check_kept(struct text *text, const struct trace_options *options, const char *want,
                       struct capture *kept)
{
    struct capture capture;
    char got[2000] = "", sg[16], test[16];
    size_t used = 0;

    capture_text(&capture, text->at, options);
    for (size_t i = 0; i < capture.count && used < sizeof got; i++) {
        say_number(sg, sizeof sg, capture.list[i].sg);
        say_number(test, sizeof test, capture.list[i].kick_test);
        used += (size_t)snprintf(got + used, sizeof got - used, "%s%s/%s", i ? " " : "", sg, test);
    }
    if (strcmp(got, want) != 0) {
        capture_print(&capture);
    }
    ck_assert_str_eq(got, want);
    free(text->at);
    *text = (struct text){0};
    if (kept) {
        *kept = capture;
    } else {
        capture_fini(&capture);
    }
}

static void check(struct text *text, const char *want)
{
    check_kept(text, NULL, want, NULL);
}

START_TEST(trace_join_interleaved_cpus_keep_their_events_apart)
{
    struct text text = {0};

    xmit(&text, 0, "eth0", 3000);
    xmit(&text, 1, "eth0", 9000);
    add(&text, 1, 1, 4);
    add(&text, 0, 1, 2);
    table(&text, 0, 32);
    table(&text, 1, 64);
    kick_test(&text, 1, 1);
    kick_test(&text, 0, 1);
    xmit(&text, 1, "eth0", 0);
    add(&text, 1, 1, 1);
    kick_test(&text, 1, 1);
    check(&text, "2/1 4/1 1/1");
}
END_TEST

START_TEST(trace_join_a_packet_with_more_behind_it_has_no_kick_test)
{
    struct text text = {0};

    for (int i = 0; i < 3; i++) {
        xmit(&text, 0, "eth0", 1448);
        add(&text, 0, 1, 2 + i % 2);
        table(&text, 0, 32 + 16 * (i % 2));
    }
    kick_test(&text, 0, 1);
    xmit(&text, 0, "eth0", 1448); /* the file ends before its add */
    check(&text, "2/0 3/0 2/1 -/-");
}
END_TEST

START_TEST(trace_join_without_kick_tests_in_the_file_none_is_known)
{
    struct text text = {0};

    xmit(&text, 0, "eth0", 1448);
    add(&text, 0, 1, 2);
    kick_test(&text, 0, 0); /* of the receive queue */
    xmit(&text, 0, "eth0", 1448);
    add(&text, 0, 1, 2);
    xmit(&text, 0, "eth0", 1448);
    check(&text, "2/- 2/- -/-");
}
END_TEST

START_TEST(trace_join_no_table_is_one_entry_only_where_tables_are_seen)
{
    struct text text = {0};

    xmit(&text, 0, "eth0", 0);
    xmit(&text, 0, "eth0", 0);
    line(&text, 0, "napi_poll: napi poll on napi struct 0 for device eth0 work 1 budget 64");
    check(&text, "-/- -/-");
    xmit(&text, 0, "eth0", 0);
    xmit(&text, 0, "eth0", 2896); /* paged data without a table: not known */
    xmit(&text, 0, "lo", 0);      /* a device that makes none */
    xmit(&text, 0, "eth0", 1448);
    table(&text, 0, 32);
    xmit(&text, 0, "eth0", 0); /* may go on after the end of the file */
    check(&text, "1/- -/- -/- 2/- -/-");
}
END_TEST

START_TEST(trace_join_a_table_of_something_else_is_not_the_packets)
{
    struct text text = {0};

    xmit(&text, 0, "eth0", 1448);
    table(&text, 0, 32);
    table(&text, 0, 80); /* a second one */
    xmit(&text, 0, "eth0", 0);
    table(&text, 0, 304); /* more entries than a packet without data can have */
    xmit(&text, 0, "eth0", 1448);
    line(&text, 0, "napi_poll: napi poll on napi struct 0 for device eth0 work 1 budget 64");
    table(&text, 0, 48); /* after the packet was sent */
    line(&text, 0, "kmalloc: call_site=__alloc_skb+0x8d/0x700 ptr=0 bytes_req=640");
    check(&text, "2/- 1/- -/-");
}
END_TEST

/* entries x bytes each, for packets whose data need them */
static void tables(struct text *text, const int *entries, int count, int bytes)
{
    for (int i = 0; i < count; i++) {
        xmit(text, 0, "eth0", (unsigned)(entries[i] - 1) * 4096);
        table(text, 0, entries[i] * bytes);
    }
}

START_TEST(trace_join_bytes_of_an_entry_are_settled_by_odd_small_or_large_tables)
{
    static const int three[] = {3}, two[] = {2}, large[] = {18, 40};
    struct text text = {0};
    struct capture capture;

    tables(&text, three, 1, 16);
    check(&text, "3/-");
    tables(&text, two, 1, 16);
    check(&text, "2/-");
    tables(&text, large, 2, 32);
    check_kept(&text, NULL, "18/- 40/-", &capture);
    ck_assert_uint_eq(capture.facts.sg_bytes, 32);
    ck_assert_uint_eq(capture.problems.count, 0);
    capture_fini(&capture);
}
END_TEST

START_TEST(trace_join_a_guess_of_the_bytes_is_said_and_so_is_none)
{
    static const int four[] = {4}, eighteen[] = {18, 18};
    struct trace_options options = {.sg_bytes = 32};
    struct text text = {0};
    struct capture capture;

    tables(&text, eighteen, 2, 32); /* 36 entries of 16 bytes are unusual, not impossible */
    check_kept(&text, NULL, "18/- 18/-", &capture);
    ck_assert(capture_says(&capture, "32 table bytes an entry are a guess"));
    capture_fini(&capture);
    xmit(&text, 0, "eth0", 65160); /* one fragment of 64 KiB, or three */
    table(&text, 0, 64);
    check_kept(&text, NULL, "4/-", &capture);
    ck_assert(capture_says(&capture, "16 table bytes an entry are a guess"));
    capture_fini(&capture);
    tables(&text, four, 1, 16);
    check_kept(&text, NULL, "-/-", &capture);
    ck_assert(capture_says(&capture, "may have 16 or 32 bytes an entry"));
    capture_fini(&capture);
    tables(&text, four, 1, 32);
    check_kept(&text, &options, "4/-", &capture);
    ck_assert_uint_eq(capture.problems.count, 0);
    capture_fini(&capture);
}
END_TEST

START_TEST(trace_join_requests_beside_packets_are_left_out_and_counted)
{
    struct text text = {0};
    struct capture capture;

    add(&text, 0, 1, 2); /* the trace begins within a packet */
    for (int i = 0; i < 4; i++) {
        xmit(&text, 0, "eth0", 1448);
        add(&text, 0, 1, 2);
    }
    add(&text, 0, 3, 7); /* another queue: another device's */
    kick_test(&text, 0, 3);
    check_kept(&text, NULL, "2/0 2/0 2/0 2/0", &capture);
    ck_assert(capture_says(&capture, "1 request without net_dev_start_xmit left out"));
    capture_fini(&capture);
}
END_TEST

START_TEST(trace_join_requests_name_no_device)
{
    struct trace_options options = {.dev = "eth0"};
    struct text text = {0};
    struct capture capture;

    for (int i = 0; i < 3; i++) {
        add(&text, 0, 1, 1);
    }
    xmit(&text, 0, "eth1", 1448);
    add(&text, 0, 1, 2);
    xmit(&text, 0, "eth0", 0);
    add(&text, 0, 1, 1);
    kick_test(&text, 0, 1);
    check_kept(&text, &options, "1/1", &capture);
    ck_assert(capture_says(&capture, "2 requests without net_dev_start_xmit left out: they name "
                                     "no device"));
    capture_fini(&capture);
}
END_TEST

START_TEST(trace_join_stacked_devices_give_the_request_to_the_lower_one)
{
    struct text text = {0};

    xmit(&text, 0, "eth0.100", 1448);
    xmit(&text, 0, "eth0", 1448);
    add(&text, 0, 1, 2);
    kick_test(&text, 0, 1);
    check(&text, "-/- 2/1");
}
END_TEST

START_TEST(trace_join_what_is_lost_is_not_taken_for_not_having_happened)
{
    struct text text = {0};

    xmit(&text, 0, "eth0", 1448);
    add(&text, 0, 1, 2);
    kick_test(&text, 0, 1);
    xmit(&text, 0, "eth0", 1448);
    add(&text, 0, 1, 2);
    text.used += (size_t)sprintf(text.at + text.used, "CPU:0 [LOST 5 EVENTS]\n");
    add(&text, 0, 1, 3); /* of a packet that is not there */
    xmit(&text, 0, "eth0", 1448);
    add(&text, 0, 1, 2);
    kick_test(&text, 0, 1);
    check(&text, "2/1 2/- 2/1");
}
END_TEST

START_TEST(trace_join_packets_leave_in_order_when_one_cpu_stands_still)
{
    struct trace_options options = {0};
    struct capture capture;
    struct text text = {0};

    xmit(&text, 7, "eth0", 1448);
    for (int i = 0; i < 5000; i++) {
        xmit(&text, 0, "eth0", 0);
    }
    add(&text, 7, 1, 2); /* 5000 packets later: too late, and no other packet's */
    capture_text(&capture, text.at, &options);
    ck_assert_int_eq(capture.end, 0);
    ck_assert_uint_eq(capture.count, 5001);
    for (size_t i = 0; i < capture.count; i++) {
        require(capture.list[i].number == i + 1 && capture.list[i].sg == TRACE_UNKNOWN);
    }
    capture_fini(&capture);
    free(text.at);
}
END_TEST

START_TEST(trace_join_queues_of_several_pairs)
{
    struct text text = {0};
    struct capture capture;

    for (int q = 0; q < 3; q++) {
        line(&text, q, "net_dev_start_xmit: dev=eth0 queue_mapping=%d len=1514 data_len=1448", q);
        add(&text, q, 2 * q, 1); /* a receive queue's */
        add(&text, q, 2 * q + 1, 2);
        kick_test(&text, q, 2 * q + 1);
    }
    check_kept(&text, NULL, "2/1 2/1 2/1", &capture);
    for (size_t q = 0; q < 3; q++) {
        ck_assert_uint_eq(capture.list[q].queue, q);
    }
    capture_fini(&capture);
    line(&text, 0, "net_dev_start_xmit: dev=eth0 queue_mapping=3 len=1514 data_len=1448");
    check_kept(&text, &(struct trace_options){.queues = 2}, "", &capture);
    ck_assert(capture.end == -1 && capture_says(&capture, "queue 3 of 2"));
    capture_fini(&capture);
}
END_TEST

START_TEST(trace_join_probes_are_known_by_what_they_are_on)
{
    struct capture capture;
    struct text text = {0};

    xmit(&text, 0, "eth0", 1448);
    line(&text, 0, "p_my_probe_0: (virtqueue_add_outbuf+0x0/0x60 [virtio_ring]) idx=0x1 num=0x2");
    line(&text, 0, "myretprobe: (start_xmit+0x40/0x60 [virtio_net] <- virtqueue_add_outbuf)");
    line(&text, 0, "p2: (virtqueue_kick_prepare+0x0/0xd0 [virtio_ring])");
    check(&text, "2/1");
    xmit(&text, 0, "eth0", 1448); /* trace-cmd shows addresses of probes, and symbols of callers */
    line(&text, 0, "p_virtqueue_add_outbuf_0: (ffffffffc0a81230) idx=1 num=3");
    line(&text, 0, "r_virtqueue_add_outbuf_0: (ffffffffc0a81230 <- ffffffffc0a80000)");
    line(&text, 0, "p_virtqueue_kick_prepare_12: (ffffffffc0a81330)");
    check(&text, "3/1");
    xmit(&text, 0, "eth0", 1448);
    line(&text, 0, "kmalloc: (virtqueue_add_split+0x8d) call_site=ffffffffc0a81bcd bytes_req=48");
    check(&text, "3/-");
    xmit(&text, 0, "eth0", 1448);
    line(&text, 0, "kmalloc: call_site=ffffffffc0a81bcd bytes_req=48");
    check_kept(&text, NULL, "-/-", &capture);
    ck_assert(capture_says(&capture, "1 kmalloc line without the caller's name left out"));
    capture_fini(&capture);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        trace_join_interleaved_cpus_keep_their_events_apart,
        trace_join_a_packet_with_more_behind_it_has_no_kick_test,
        trace_join_without_kick_tests_in_the_file_none_is_known,
        trace_join_no_table_is_one_entry_only_where_tables_are_seen,
        trace_join_a_table_of_something_else_is_not_the_packets,
        trace_join_bytes_of_an_entry_are_settled_by_odd_small_or_large_tables,
        trace_join_a_guess_of_the_bytes_is_said_and_so_is_none,
        trace_join_requests_beside_packets_are_left_out_and_counted,
        trace_join_requests_name_no_device,
        trace_join_stacked_devices_give_the_request_to_the_lower_one,
        trace_join_what_is_lost_is_not_taken_for_not_having_happened,
        trace_join_packets_leave_in_order_when_one_cpu_stands_still,
        trace_join_queues_of_several_pairs,
        trace_join_probes_are_known_by_what_they_are_on,
        NULL,
    };

    return suite_run("trace_join", cases);
}
