/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_spool.h"

#include "tests/study/pcap_fixture.h"

#define TRACES TESTS_DIR "/study/data/traces/"

static const struct trace_options everything;
static const struct trace_shape plain;

static bool spool_text(struct trace_spool *spool, const char *text,
                       const struct trace_options *options, struct problems *problems)
{
    char file[] = "/tmp/vqsim-spool-XXXXXX";
    int fd = mkstemp(file);
    bool ok;

    require(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && close(fd) == 0);
    problems_init(problems);
    ok = trace_spool(spool, file, options, &plain, problems);
    unlink(file);
    return ok;
}

START_TEST(spool_holds_the_packets_from_the_first_on)
{
    struct trace_spool spool;
    struct problems problems;

    ck_assert(spool_text(&spool,
                         "time,len,sg,kick_prepare,dir\n10,60,1,1,rx\n11,65226,18,0,tx\n"
                         "11.5,60,1,1,tx\n11.25,100,2,,tx\n",
                         &everything, &problems));
    ck_assert_uint_eq(spool.packets.count, 3);
    ck_assert_int_eq(spool.packets.entry[0].at, 0);
    ck_assert_uint_eq(spool.packets.entry[0].size, 65226);
    ck_assert_uint_eq(spool.packets.entry[0].frags, 17);
    ck_assert_uint_eq(spool.packets.entry[0].more, 1);
    ck_assert_int_eq(spool.packets.entry[1].at, SIM_S / 4);
    ck_assert_uint_eq(spool.packets.entry[1].frags, 1);
    ck_assert_uint_eq(spool.packets.entry[1].more, 0);
    ck_assert_int_eq(spool.packets.entry[2].at, SIM_S / 2);
    ck_assert_uint_eq(spool.bytes, 65226 + 60 + 100);
    ck_assert_uint_eq(spool.order.received, 1);
    ck_assert_uint_eq(spool.order.out_of_order, 1);
    ck_assert(spool.sg_from_trace);
    ck_assert_str_eq(spool.sg_text, "recorded for every packet");
    problems_fini(&problems);
    trace_spool_fini(&spool);
}
END_TEST

/* 65,537 entries must not pass for one. */
START_TEST(more_fragments_than_an_entry_holds_stay_the_most)
{
    struct trace_spool spool;
    struct problems problems;

    ck_assert(spool_text(&spool, "time,len,sg\n0,60,65536\n1,60,65537\n2,60,65538\n", &everything,
                         &problems));
    for (size_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(spool.packets.entry[i].frags, 65535);
    }
    problems_fini(&problems);
    trace_spool_fini(&spool);
}
END_TEST

START_TEST(capture_without_a_packet_to_replay_is_refused)
{
    struct trace_spool spool;
    struct problems problems;

    ck_assert(!spool_text(&spool, "time,len\n", &everything, &problems));
    ck_assert_str_eq(problems.list[problems.count - 1].error.text, "no packet to replay");
    problems_fini(&problems);
    trace_spool_fini(&spool);
    ck_assert(!spool_text(&spool, "time,len,dir\n0,60,rx\n", &everything, &problems));
    ck_assert_uint_eq(problems.errors, 1);
    problems_fini(&problems);
    trace_spool_fini(&spool);
    problems_init(&problems);
    ck_assert(!trace_spool(&spool, "/no/such/file", &everything, &plain, &problems));
    problems_fini(&problems);
    trace_spool_fini(&spool);
    trace_spool_fini(&spool);
}
END_TEST

START_TEST(content_names_the_capture_whatever_follows_its_last_packet)
{
    struct trace_spool a, b;
    struct problems problems;

    ck_assert(spool_text(&a, "time,len\n0,60\n", &everything, &problems));
    problems_fini(&problems);
    ck_assert(spool_text(&b, "time,len\n0,60\n# remark\n", &everything, &problems));
    problems_fini(&problems);
    ck_assert_uint_eq(strlen(a.sha256), 64);
    ck_assert_str_ne(a.sha256, b.sha256);
    trace_spool_fini(&a);
    trace_spool_fini(&b);
}
END_TEST

/* Packets sent in the capture on the tap, against the driver's own list of the same period. */
static void check_pair(const char *name)
{
    const struct trace_options sent = {.mac = "52:54:00:77:00:02", .direction = TRACE_SENT};
    char file[500];
    struct trace_spool tap, driver;
    struct problems problems;

    problems_init(&problems);
    snprintf(file, sizeof file, TRACES "%s.pcap.gz", name);
    ck_assert(trace_spool(&tap, file, &sent, &plain, &problems));
    snprintf(file, sizeof file, TRACES "%s.txpkts.csv.gz", name);
    ck_assert(trace_spool(&driver, file, &everything, &plain, &problems));
    ck_assert_uint_gt(tap.packets.count, 300);
    ck_assert_uint_le(tap.packets.count, driver.packets.count);
    ck_assert(!tap.sg_from_trace && driver.sg_from_trace);
    for (uint64_t i = 0; i < tap.packets.count; i++) {
        require(tap.packets.entry[i].size == driver.packets.entry[i].size);
        /* The model never says linear where a table was needed, or the reverse. */
        require((tap.packets.entry[i].frags == 0) == (driver.packets.entry[i].frags == 0));
    }
    trace_spool_fini(&tap);
    trace_spool_fini(&driver);
    problems_fini(&problems);
}

START_TEST(capture_on_the_tap_agrees_with_the_list_of_the_driver)
{
    check_pair("tcp_rx");
    check_pair("tcp_tx_p8");
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        spool_holds_the_packets_from_the_first_on,
        more_fragments_than_an_entry_holds_stay_the_most,
        capture_without_a_packet_to_replay_is_refused,
        content_names_the_capture_whatever_follows_its_last_packet,
        capture_on_the_tap_agrees_with_the_list_of_the_driver,
        NULL,
    };

    return suite_run("trace_spool", cases);
}
