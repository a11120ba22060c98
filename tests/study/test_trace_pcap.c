/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace.h"

#include "tests/study/pcap_fixture.h"

/* IPv4, TCP with 12 bytes of options: headers of 52 bytes; total length 0, as of a GSO packet. */
static const uint8_t tcp4[52] = {[0] = 0x45, [9] = 6, [32] = 0x80};
static const uint8_t tcp6[72] = {[0] = 0x60, [6] = 6, [52] = 0x80};
static const uint8_t udp4[28] = {[0] = 0x45, [9] = 17};

/* A frame of `prefix` in front of `rest`. */
static size_t frame_of(uint8_t *frame, const void *prefix, size_t prefix_bytes, const void *rest,
                       size_t rest_bytes)
{
    memcpy(frame, prefix, prefix_bytes);
    memcpy(frame + prefix_bytes, rest, rest_bytes);
    return prefix_bytes + rest_bytes;
}

static void check_link(uint32_t link, const void *prefix, size_t prefix_bytes, const void *rest,
                       size_t rest_bytes, uint32_t size, uint32_t ethernet, uint32_t payload)
{
    struct bytes file = {.count = 0};
    struct capture capture;
    uint8_t frame[200];
    size_t captured = frame_of(frame, prefix, prefix_bytes, rest, rest_bytes);

    put_pcap(&file, link);
    put_record(&file, 0, frame, (uint32_t)captured, size);
    capture_bytes(&capture, &file, NULL);
    ck_assert_int_eq(capture.end, 0);
    ck_assert_uint_eq(capture.count, 1);
    ck_assert_msg(capture.list[0].size == ethernet, "link %u: %u", link, capture.list[0].size);
    ck_assert_msg(capture.list[0].payload == payload, "link %u: payload %u", link,
                  capture.list[0].payload);
    ck_assert_uint_eq(capture.problems.count, (link & 0xffff) == 1 ? 0 : 1);
    ck_assert_uint_eq(capture.problems.errors, 0);
    ck_assert(capture.facts.lost_not_recorded);
    capture_fini(&capture);
}

START_TEST(length_on_the_wire_becomes_that_of_an_ethernet_frame)
{
    const uint8_t ethernet[14] = {[12] = 8}, ethernet6[14] = {[12] = 0x86, [13] = 0xdd};
    const uint8_t vlan[18] = {[12] = 0x81, [16] = 8};
    const uint8_t twice[22] = {[12] = 0x88, [13] = 0xa8, [16] = 0x81, [20] = 8};
    const uint8_t sll[16] = {[1] = 4, [5] = 6, [14] = 8}, sll2[20] = {[0] = 8, [10] = 4, [11] = 6};
    const uint8_t family[4] = {2};

    check_link(1, ethernet, 14, tcp4, 52, 65226, 65226, 65160);
    check_link(1, ethernet6, 14, tcp6, 72, 1514, 1514, 1428);
    check_link(1, ethernet, 14, udp4, 28, 1492, 1492, 0);
    check_link(1, vlan, 18, tcp4, 52, 1518, 1518, 1448);
    check_link(1, twice, 22, tcp4, 52, 1522, 1522, 1448);
    check_link(1, ethernet, 14, tcp4, 10, 1514, 1514, TRACE_UNKNOWN);
    check_link(1, ethernet, 4, tcp4, 0, 1514, 1514, TRACE_UNKNOWN);
    check_link(113, sll, 16, tcp4, 52, 1516, 1514, 1448);
    check_link(276, sll2, 20, tcp4, 52, 1520, 1514, 1448);
    check_link(101, family, 0, tcp4, 52, 1500, 1514, 1448);
    check_link(12, family, 0, tcp6, 72, 1500, 1514, 1428);
    check_link(228, family, 0, tcp4, 52, 1500, 1514, 1448);
    check_link(229, family, 0, tcp6, 72, 1500, 1514, 1428);
    check_link(0, family, 4, udp4, 28, 104, 114, 0);
    check_link(108, family, 4, tcp4, 52, 1504, 1514, 1448);
    /* Four bytes of check sequence behind each frame, as the upper bits of the link type say. */
    check_link(0x24000001, ethernet, 14, tcp4, 52, 1518, 1514, 1448);
}
END_TEST

START_TEST(wireless_data_frame_becomes_an_ethernet_frame)
{
    /* radiotap of 9 bytes with flags (check sequence present); data with QoS; LLC; IPv4 */
    const uint8_t head[9 + 26 + 8] = {[2] = 9,     [4] = 2,     [8] = 0x10, [9] = 0x88, [10] = 1,
                                      [35] = 0xaa, [36] = 0xaa, [37] = 3,   [41] = 8};
    uint8_t beacon[9 + 26 + 8];
    struct bytes file = {.count = 0};
    struct capture capture;

    check_link(127, head, sizeof head, tcp4, 52, 9 + 26 + 8 + 1500 + 4, 1514, 1448);
    memcpy(beacon, head, sizeof head);
    beacon[9] = 0x80;
    put_pcap(&file, 127);
    put_record(&file, 0, beacon, sizeof beacon, 200);
    capture_bytes(&capture, &file, NULL);
    ck_assert_int_eq(capture.end, 0);
    ck_assert_uint_eq(capture.count, 0);
    ck_assert_ptr_nonnull(strstr(capture_text_of(&capture, 0), "too little of it: 1"));
    capture_fini(&capture);
}
END_TEST

START_TEST(padding_of_a_short_frame_is_no_payload)
{
    uint8_t frame[60] = {[12] = 8, [14] = 0x45, [17] = 40, [23] = 6, [46] = 0x50};

    check_link(1, frame, sizeof frame, "", 0, 60, 60, 0);
    frame[17] = 45;
    check_link(1, frame, sizeof frame, "", 0, 60, 60, 5);
    frame[21] = 8; /* a later fragment has no TCP header */
    check_link(1, frame, sizeof frame, "", 0, 60, 60, 0);
}
END_TEST

START_TEST(sender_is_known_by_cooked_header_option_or_address)
{
    const struct trace_options options = {.mac = "52:54:00:77:00:02"};
    uint8_t frame[60] = {[6] = 0x52, 0x54, 0, 0x77, 0, 2};
    struct bytes file = {.count = 0};
    struct capture capture;

    put_pcap(&file, 1);
    put_record(&file, 0, frame, sizeof frame, 60);
    frame[11] = 3;
    put_record(&file, 1, frame, sizeof frame, 60);
    capture_bytes(&capture, &file, &options);
    ck_assert_uint_eq(capture.count, 2);
    ck_assert_int_eq(capture.list[0].direction, TRACE_SENT);
    ck_assert_int_eq(capture.list[1].direction, TRACE_RECEIVED);
    capture_fini(&capture);
    capture_bytes(&capture, &file, NULL);
    ck_assert_int_eq(capture.list[0].direction, TRACE_DIRECTION_UNKNOWN);
    capture_fini(&capture);
    file.count = 0;
    put_pcap(&file, 113);
    put_record(&file, 0, "\0\4\0\1\0\6abcdef\0\0\x08\0", 16, 76);
    put_record(&file, 0, "\0\0\0\1\0\6abcdef\0\0\x08\0", 16, 76);
    capture_bytes(&capture, &file, NULL);
    ck_assert_uint_eq(capture.count, 2);
    ck_assert_int_eq(capture.list[0].direction, TRACE_SENT);
    ck_assert_int_eq(capture.list[1].direction, TRACE_RECEIVED);
    capture_fini(&capture);
}
END_TEST

START_TEST(senders_without_a_direction_are_told_the_commonest_first)
{
    uint8_t frame[60] = {[6] = 2, [11] = 1};
    struct bytes file = {.count = 0};
    struct capture capture;

    put_pcap(&file, 1);
    for (uint32_t i = 0; i < 4 * 3; i++) {
        frame[11] = (uint8_t)(1 + i % 4); /* the second sends twice as much, the fourth little */
        frame[11] = i == 3 || i == 7 ? 2 : frame[11];
        put_record(&file, i, frame, sizeof frame, 60);
    }
    capture_bytes(&capture, &file, NULL);
    ck_assert_uint_eq(capture.count, 12);
    ck_assert_uint_eq(capture.problems.count, 1);
    ck_assert_uint_eq(capture.problems.errors, 0);
    ck_assert_ptr_nonnull(strstr(capture_text_of(&capture, 0),
                                 "more than one address: 02:00:00:00:00:02 5, 02:00:00:00:00:01 3, "
                                 "02:00:00:00:00:03 3, and further ones; --mac, in a scenario "
                                 "workload.mac, says whose were sent"));
    capture_fini(&capture);
}
END_TEST

START_TEST(one_sender_is_not_told)
{
    const uint8_t frame[60] = {[6] = 2, [11] = 1};
    struct bytes file = {.count = 0};
    struct capture capture;

    put_pcap(&file, 1);
    put_record(&file, 0, frame, sizeof frame, 60);
    put_record(&file, 1, frame, sizeof frame, 60);
    capture_bytes(&capture, &file, NULL);
    ck_assert_uint_eq(capture.count, 2);
    ck_assert_uint_eq(capture.problems.count, 0);
    capture_fini(&capture);
}
END_TEST

START_TEST(senders_beyond_what_is_counted_are_still_told)
{
    uint8_t frame[60] = {[6] = 2};
    struct bytes file = {.count = 0};
    struct capture capture;

    put_pcap(&file, 1);
    for (uint32_t i = 0; i < 200; i++) {
        frame[10] = (uint8_t)(i / 100);
        frame[11] = (uint8_t)(i % 100);
        put_record(&file, i, frame, sizeof frame, 60);
    }
    capture_bytes(&capture, &file, NULL);
    ck_assert_uint_eq(capture.count, 200);
    ck_assert_ptr_nonnull(strstr(capture_text_of(&capture, 0),
                                 "02:00:00:00:00:00 1, 02:00:00:00:00:01 1, 02:00:00:00:00:02 1, "
                                 "and further ones"));
    capture_fini(&capture);
}
END_TEST

START_TEST(address_that_is_none_is_refused)
{
    static const char *const bad[] = {"52:54:00:77:00", "52:54:00:77:00:02:01", "x", "",
                                      "52-54-00-77-00-02"};
    struct bytes file = {.count = 0};

    put_pcap(&file, 1);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const struct trace_options options = {.mac = bad[i]};
        struct capture capture;

        capture_bytes(&capture, &file, &options);
        ck_assert_int_eq(capture.end, -1);
        ck_assert_ptr_nonnull(strstr(capture_text_of(&capture, 0), "is no hardware address"));
        capture_fini(&capture);
    }
}
END_TEST

/* Two packets, so many ticks apart, on an interface with this resolution. */
static sim_time gap_of(uint8_t resolution, uint64_t first, uint64_t second)
{
    struct bytes file = {.count = 0}, options = {.count = 0};
    struct capture capture;
    const uint8_t frame[60] = {0};
    sim_time gap;

    put_option(&options, 9, &resolution, 1);
    put_section(&file);
    put_interface(&file, 1, &options);
    put_packet(&file, 0, first, frame, 60, 60, NULL);
    put_packet(&file, 0, second, frame, 60, 60, NULL);
    capture_bytes(&capture, &file, NULL);
    ck_assert_msg(capture.count == 2, "resolution %u: %s", resolution,
                  capture_text_of(&capture, 0));
    gap = capture.list[1].at - capture.list[0].at;
    capture_fini(&capture);
    return gap;
}

START_TEST(time_is_exact_at_every_resolution)
{
    ck_assert_int_eq(gap_of(0, 1700000000, 1700000001), SIM_S);
    ck_assert_int_eq(gap_of(3, 1700000000000, 1700000000007), 7 * SIM_MS);
    ck_assert_int_eq(gap_of(6, 1700000000000000, 1700000000000001), SIM_US);
    ck_assert_int_eq(gap_of(9, 1700000000000000001, 1700000000000000002), SIM_NS);
    ck_assert_int_eq(gap_of(12, UINT64_C(1700000000000000001), UINT64_C(1700000000000001501)),
                     1500);
    ck_assert_int_eq(gap_of(15, 1000, 4000), 3);
    ck_assert_int_eq(gap_of(15, 1999, 3000), 2); /* each rounded down */
    ck_assert_int_eq(gap_of(19, 0, UINT64_C(10000000000000000000)), SIM_S);
    ck_assert_int_eq(gap_of(0x80 + 10, 1024, 1025), SIM_S / 1024);
    ck_assert_int_eq(gap_of(0x80 + 63, 0, UINT64_C(1) << 62), SIM_S / 2);
}
END_TEST

START_TEST(resolution_that_does_not_fit_is_refused)
{
    static const uint8_t resolutions[] = {20, 127, 0x80 + 64, 255};

    for (size_t i = 0; i < sizeof resolutions; i++) {
        struct bytes file = {.count = 0}, options = {.count = 0};
        struct capture capture;

        put_option(&options, 9, &resolutions[i], 1);
        put_section(&file);
        put_interface(&file, 1, &options);
        capture_bytes(&capture, &file, NULL);
        ck_assert_int_eq(capture.end, -1);
        ck_assert_ptr_nonnull(strstr(capture_text_of(&capture, 0), "does not fit"));
        capture_fini(&capture);
    }
}
END_TEST

/* A section of either byte order: two interfaces of other kinds, and what their blocks tell. */
static void put_rich_section(struct bytes *file)
{
    struct bytes name = {.swapped = file->swapped}, other = name, flags = name, drops = name;
    uint8_t frame[68] = {[12] = 8};
    const uint32_t sent = 2, queue = 3;
    const uint64_t dropped = 5;

    memcpy(frame + 14, tcp4, 52);
    put_option(&name, 2, "eth0", 4);
    put_option(&other, 2, "eth0.100", 8);
    put_section(file);
    put_interface(file, 1, &name);
    put_interface(file, 101, &other);
    put16(&flags, 2);
    put16(&flags, 4);
    put32(&flags, sent);
    put16(&flags, 6);
    put16(&flags, 4);
    put32(&flags, queue);
    put_packet(file, 0, 1000, frame, 66, 1514, &flags);
    put_packet(file, 1, 1002, tcp4, 52, 1500, NULL);
    /* statistics: 5 packets were dropped */
    put16(&drops, 5);
    put16(&drops, 8);
    put64(&drops, dropped);
    put32(file, 5);
    put32(file, 24 + (uint32_t)drops.count);
    put32(file, 0);
    put64(file, 0);
    put(file, drops.data, drops.count);
    put32(file, 24 + (uint32_t)drops.count);
}

START_TEST(interfaces_of_any_kind_and_byte_order_share_a_file)
{
    struct bytes file = {.count = 0};
    struct capture capture;

    put_rich_section(&file);
    file.swapped = true;
    put_rich_section(&file);
    file.swapped = false;
    put_rich_section(&file);
    capture_bytes(&capture, &file, NULL);
    ck_assert_msg(capture.end == 0 && capture.count == 6, "%s", capture_text_of(&capture, 0));
    for (size_t i = 0; i < 6; i++) {
        const struct trace_packet *packet = &capture.list[i];

        ck_assert_uint_eq(packet->size, 1514);
        ck_assert_uint_eq(packet->payload, 1448);
        ck_assert_uint_eq(packet->number, i + 1);
        ck_assert_int_eq(packet->at, i % 2 ? 2 * SIM_US : 0);
        ck_assert_int_eq(packet->direction, i % 2 ? TRACE_DIRECTION_UNKNOWN : TRACE_SENT);
        ck_assert_uint_eq(packet->queue, i % 2 ? TRACE_UNKNOWN : 3);
    }
    ck_assert_uint_eq(capture.facts.lost_events, 15);
    ck_assert(!capture.facts.lost_not_recorded);
    ck_assert_uint_eq(capture.facts.truncated, 6);
    ck_assert_uint_eq(capture.facts.snaplen, 66);
    capture_fini(&capture);
}
END_TEST

START_TEST(device_is_chosen_by_its_whole_name)
{
    struct bytes file = {.count = 0};
    const struct trace_options eth0 = {.dev = "eth0"}, none = {.dev = "eth"};
    struct capture capture;

    put_rich_section(&file);
    capture_bytes(&capture, &file, &eth0);
    ck_assert_uint_eq(capture.count, 1);
    ck_assert_uint_eq(capture.list[0].queue, 3);
    capture_fini(&capture);
    capture_bytes(&capture, &file, &none);
    ck_assert_uint_eq(capture.count, 0);
    ck_assert_ptr_nonnull(strstr(capture_text_of(&capture, 0), "no interface is called eth"));
    capture_fini(&capture);
}
END_TEST

START_TEST(more_than_a_piece_reads_the_same)
{
    static struct bytes file;
    const uint8_t frame[60] = {0};
    struct capture capture;

    file.count = 0;
    put_pcap(&file, 1);
    for (uint32_t i = 0; i < 3500; i++) {
        put_record(&file, i, frame, i % 3, 60 + i % 1000);
    }
    capture_bytes(&capture, &file, NULL);
    ck_assert_uint_eq(capture.count, 3500);
    for (uint32_t i = 0; i < 3500; i++) {
        require(capture.list[i].at == (sim_time)i * SIM_US);
        require(capture.list[i].size == 60 + i % 1000 && capture.list[i].number == i + 1);
    }
    capture_fini(&capture);
}
END_TEST

/* However short the file is cut, what was whole counts, and never more. */
static void cut_everywhere(struct bytes file, size_t packets)
{
    size_t before = 0;

    for (size_t count = 4; count <= file.count; count++) {
        struct bytes cut = file;
        struct capture capture;

        cut.count = count;
        capture_bytes(&capture, &cut, NULL);
        require(capture.count >= before && capture.count <= packets);
        require(capture.end == 0 || capture.count == 0);
        before = capture.count;
        capture_fini(&capture);
    }
    require(before == packets);
}

START_TEST(capture_that_is_cut_anywhere_gives_its_whole_packets)
{
    const uint8_t frame[60] = {0};
    struct bytes pcap = {.count = 0}, pcapng = {.count = 0};

    put_pcap(&pcap, 1);
    for (uint32_t i = 0; i < 4; i++) {
        put_record(&pcap, i, frame, 10 * i, 60);
    }
    cut_everywhere(pcap, 4);
    put_rich_section(&pcapng);
    cut_everywhere(pcapng, 2);
}
END_TEST

START_TEST(damaged_byte_never_does_more_than_refuse)
{
    struct bytes file = {.count = 0};
    uint32_t luck = 1;

    put_rich_section(&file);
    file.swapped = true;
    put_rich_section(&file);
    for (int round = 0; round < 4000; round++) {
        struct bytes damaged = file;
        struct capture capture;

        for (int i = 0; i < 1 + round % 3; i++) {
            luck = luck * 1664525 + 1013904223;
            damaged.data[4 + luck % (file.count - 4)] = (uint8_t)(luck >> 24);
        }
        capture_bytes(&capture, &damaged, NULL);
        require(capture.count <= 4);
        require(capture.end == 0 ? capture.problems.errors == 0 : capture.problems.errors > 0);
        capture_fini(&capture);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        length_on_the_wire_becomes_that_of_an_ethernet_frame,
        wireless_data_frame_becomes_an_ethernet_frame,
        padding_of_a_short_frame_is_no_payload,
        sender_is_known_by_cooked_header_option_or_address,
        senders_without_a_direction_are_told_the_commonest_first,
        one_sender_is_not_told,
        senders_beyond_what_is_counted_are_still_told,
        address_that_is_none_is_refused,
        time_is_exact_at_every_resolution,
        resolution_that_does_not_fit_is_refused,
        interfaces_of_any_kind_and_byte_order_share_a_file,
        device_is_chosen_by_its_whole_name,
        more_than_a_piece_reads_the_same,
        capture_that_is_cut_anywhere_gives_its_whole_packets,
        damaged_byte_never_does_more_than_refuse,
        NULL,
    };

    return suite_run("trace_pcap", cases);
}
