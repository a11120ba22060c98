/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_sg.h"

#include <string.h>

#include "tests/suite.h"

static struct trace_packet segment(uint32_t payload)
{
    return (struct trace_packet){
        .size = 66 + payload, .payload = payload, .data_len = TRACE_UNKNOWN, .sg = TRACE_UNKNOWN};
}

/* Packets of `count` equal segments by entries, in a hundredth. */
static void shares(uint32_t frag_bytes, uint32_t payload, uint32_t count, uint32_t share[32])
{
    const struct trace_shape shape = {.frag_bytes = frag_bytes};
    struct trace_sg sg;

    memset(share, 0, 32 * sizeof *share);
    trace_sg_init(&sg, &shape);
    for (uint32_t i = 0; i < count; i++) {
        const struct trace_packet packet = segment(payload);

        share[trace_sg_entries(&sg, trace_sg_frags(&sg, &packet))]++;
    }
    for (int i = 0; i < 32; i++) {
        share[i] = 100 * share[i] / count;
    }
}

START_TEST(border_is_crossed_as_often_as_the_payload_asks)
{
    uint32_t share[32];

    /* Frames of 1514 bytes: 4 % on the write path and 35 % on the page cache have a third entry. */
    shares(32768, 1448, 32768, share);
    ck_assert_uint_eq(share[3], 4);
    ck_assert_uint_eq(share[2], 95);
    shares(4096, 1448, 4096, share);
    ck_assert_uint_eq(share[3], 35);
    /* 64 KiB: 4 entries, or 17 and 18. */
    shares(32768, 65160, 32768, share);
    ck_assert_uint_ge(share[4], 98);
    shares(4096, 65160, 4096, share);
    ck_assert_uint_eq(share[17], 9);
    ck_assert_uint_eq(share[18], 90);
}
END_TEST

static uint32_t frags_of(const struct trace_shape *shape, const struct trace_packet *packet)
{
    struct trace_sg sg;

    trace_sg_init(&sg, shape);
    return trace_sg_frags(&sg, packet);
}

START_TEST(what_the_capture_tells_goes_before_what_is_assumed)
{
    const struct trace_shape shape = {0}, own = {.header_entry = true}, few = {.most_frags = 2};
    struct trace_packet packet = segment(65160);

    ck_assert_uint_eq(frags_of(&shape, &packet), 3);
    ck_assert_uint_eq(frags_of(&few, &packet), 2);
    packet.data_len = 20000;
    ck_assert_uint_eq(frags_of(&shape, &packet), 2);
    packet.sg = 18;
    ck_assert_uint_eq(frags_of(&shape, &packet), 17);
    ck_assert_uint_eq(frags_of(&own, &packet), 16);
    packet.sg = 1;
    ck_assert_uint_eq(frags_of(&own, &packet), 0);
}
END_TEST

START_TEST(packet_without_headers_is_taken_for_a_segment_and_others_are_linear)
{
    const struct trace_shape shape = {0}, long_headers = {.linear_bytes = 1500};
    struct trace_packet packet = segment(0);

    packet.size = 1514;
    ck_assert_uint_eq(frags_of(&shape, &packet), 0); /* seen: no TCP payload */
    packet.payload = TRACE_UNKNOWN;
    ck_assert_uint_eq(frags_of(&shape, &packet), 1);
    ck_assert_uint_eq(frags_of(&long_headers, &packet), 1);
    packet.size = 1500;
    ck_assert_uint_eq(frags_of(&long_headers, &packet), 0);
    packet.size = 66;
    ck_assert_uint_eq(frags_of(&shape, &packet), 0);
    packet.size = 65226;
    packet.payload = 0; /* too long to be linear */
    ck_assert_uint_eq(frags_of(&shape, &packet), 3);
}
END_TEST

START_TEST(other_model_is_that_of_files_and_of_files_that_of_writing)
{
    const struct trace_shape write = {0}, files = {.frag_bytes = 4096, .linear_bytes = 54};
    const struct trace_packet packet = segment(65160);
    struct trace_sg sg, other;

    trace_sg_init(&sg, &write);
    trace_sg_frags(&sg, &packet);
    other = trace_sg_other(&sg); /* from the start, wherever sg is */
    ck_assert_uint_eq(trace_sg_frags(&other, &packet), frags_of(&files, &packet));
    trace_sg_init(&sg, &files);
    other = trace_sg_other(&sg);
    ck_assert_uint_eq(trace_sg_frags(&other, &packet), frags_of(&write, &packet));
    ck_assert_uint_eq(other.shape.linear_bytes, 54);
}
END_TEST

START_TEST(source_of_the_entries_is_said)
{
    const struct trace_shape shape = {.frag_bytes = 4096};
    struct trace_packet packet = segment(1448);
    struct trace_sg sg;
    char text[TRACE_SG_TEXT_BYTES];

    trace_sg_init(&sg, &shape);
    trace_sg_frags(&sg, &packet);
    trace_sg_text(&sg, text);
    ck_assert(!trace_sg_from_trace(&sg));
    ck_assert_ptr_nonnull(
        strstr(text, "assumed: TCP payload in fragments of blocks of 4096 bytes"));
    packet.sg = 2;
    trace_sg_frags(&sg, &packet);
    trace_sg_frags(&sg, &packet);
    trace_sg_text(&sg, text);
    ck_assert(trace_sg_from_trace(&sg));
    ck_assert_ptr_nonnull(strstr(text, "recorded for 2 packets; of 1 assumed"));
    trace_sg_init(&sg, &shape);
    trace_sg_frags(&sg, &packet);
    trace_sg_text(&sg, text);
    ck_assert_str_eq(text, "recorded for every packet");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        border_is_crossed_as_often_as_the_payload_asks,
        what_the_capture_tells_goes_before_what_is_assumed,
        packet_without_headers_is_taken_for_a_segment_and_others_are_linear,
        other_model_is_that_of_files_and_of_files_that_of_writing,
        source_of_the_entries_is_said,
        NULL,
    };

    return suite_run("trace_sg", cases);
}
