/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reader of text traces against its lists of files (tests/rejects/ftrace), and against packets
 * that another program made of the same captures (tests/study/data/traces).
 */
#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <time.h>
#include <zlib.h>

#include "tests/study/ftrace_fixture.h"

#define FOLDER TESTS_DIR "/rejects/ftrace"
#define TRACES TESTS_DIR "/study/data/traces/"

struct expected {
    char verdict[16], file[100], place[24], text[300];
};

static FILE *open_list(const char *name)
{
    FILE *list = fopen(name, "r");

    ck_assert_msg(list != NULL, "%s", name);
    return list;
}

static bool read_line(FILE *list, char line[600])
{
    while (fgets(line, 600, list)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] && line[0] != '#') {
            return true;
        }
    }
    return false;
}

static bool finds(const struct expected *e, const struct problems *problems, bool warning)
{
    for (size_t i = 0; i < problems->count; i++) {
        const struct problem *p = &problems->list[i];
        char place[24];

        snprintf(place, sizeof place, "%u:%u", p->error.line, p->error.column);
        if (p->warning == warning && strstr(p->error.text, e->text) &&
            (e->place[0] == '-' || strcmp(place, e->place) == 0)) {
            return true;
        }
    }
    return false;
}

static bool judge(const struct expected *e)
{
    struct capture capture;
    char path[400];
    clock_t start = clock();
    bool ok;

    snprintf(path, sizeof path, FOLDER "/%s", e->file);
    capture_read(&capture, path, NULL);
    if (strcmp(e->verdict, "accept") == 0) {
        ok = capture.end == 0 && capture.problems.count == 0;
    } else if (strcmp(e->verdict, "warn") == 0) {
        ok = capture.end == 0 && capture.problems.errors == 0 && finds(e, &capture.problems, true);
    } else {
        ok = capture.end == -1 && finds(e, &capture.problems, false);
    }
    ok = ok && (double)(clock() - start) / CLOCKS_PER_SEC < 1;
    if (!ok) {
        fprintf(stderr, "%s: expected %s %s %s:\n", e->file, e->verdict, e->place, e->text);
        capture_print(&capture);
    }
    capture_fini(&capture);
    return ok;
}

START_TEST(trace_ftrace_every_file_behaves_as_listed)
{
    FILE *list = open_list(FOLDER ".expect");
    struct expected e;
    char line[600];
    int bad = 0;

    while (read_line(list, line)) {
        ck_assert_msg(
            sscanf(line, "%15s %99s %23s %299[^\n]", e.verdict, e.file, e.place, e.text) == 4, "%s",
            line);
        bad += !judge(&e);
    }
    fclose(list);
    ck_assert_int_eq(bad, 0);
}
END_TEST

static bool has_line(const char *file)
{
    FILE *list = open_list(FOLDER ".expect");
    char line[600], name[100];
    bool found = false;

    while (!found && read_line(list, line)) {
        found = sscanf(line, "%*s %99s", name) == 1 && strcmp(name, file) == 0;
    }
    fclose(list);
    return found;
}

START_TEST(trace_ftrace_every_file_is_listed)
{
    DIR *dir = opendir(FOLDER);
    struct dirent *entry;

    ck_assert(dir != NULL);
    while ((entry = readdir(dir)) != NULL) {
        ck_assert_msg(entry->d_name[0] == '.' || has_line(entry->d_name), "%s has no line",
                      entry->d_name);
    }
    closedir(dir);
}
END_TEST

static void check_packets(char *line)
{
    struct trace_options options = {0};
    struct capture capture;
    char path[400], *save = NULL, *word;
    size_t i = 0;
    uint32_t size;
    int64_t ns;

    snprintf(path, sizeof path, FOLDER "/%s", strtok_r(line, " ", &save));
    options.dev = strtok_r(NULL, " ", &save);
    if (strcmp(options.dev, "-") == 0) {
        options.dev = NULL;
    }
    capture_read(&capture, path, &options);
    while ((word = strtok_r(NULL, " ", &save)) != NULL) {
        ck_assert_int_eq(sscanf(word, "%" SCNu32 "@%" SCNd64, &size, &ns), 2);
        ck_assert_msg(i < capture.count, "%s: %zu packets", path, capture.count);
        ck_assert_msg(capture.list[i].size == size && capture.list[i].at == ns * SIM_NS &&
                          capture.list[i].direction == TRACE_SENT,
                      "%s: packet %zu is %u@%" PRId64 " ps", path, i + 1, capture.list[i].size,
                      capture.list[i].at);
        i++;
    }
    ck_assert_msg(capture.count == i && capture.facts.packets == i, "%s: %zu packets, not %zu",
                  path, capture.count, i);
    capture_fini(&capture);
}

START_TEST(trace_ftrace_packets_are_those_listed)
{
    FILE *list = open_list(FOLDER ".packets");
    char line[600];

    while (read_line(list, line)) {
        check_packets(line);
    }
    fclose(list);
}
END_TEST

START_TEST(trace_ftrace_fields_of_the_listed_files)
{
    struct capture capture;

    capture_read(&capture, FOLDER "/warn_trace_cmd_dropped.txt", NULL);
    ck_assert(capture.facts.lost_events == 1234 && capture.facts.lost_unknown);
    capture_fini(&capture);
    capture_read(&capture, FOLDER "/warn_trace_overwritten.txt", NULL);
    ck_assert(capture.facts.lost_events == 98763 && !capture.facts.lost_unknown);
    capture_fini(&capture);
    capture_read(&capture, FOLDER "/ok_gso.txt", NULL);
    ck_assert(capture.list[0].data_len == 65160 && capture.list[0].sg == TRACE_UNKNOWN);
    capture_fini(&capture);
    capture_read(&capture, FOLDER "/ok_field_order_new.txt", NULL);
    ck_assert(capture.list[0].queue == 2 && capture.list[0].data_len == TRACE_UNKNOWN);
    ck_assert_str_eq(capture.facts.format, "ftrace");
    capture_fini(&capture);
    capture_read(&capture, FOLDER "/ok_perf_script.txt", NULL);
    ck_assert_str_eq(capture.facts.format, "perf-script");
    capture_fini(&capture);
}
END_TEST

/* t_s,cpu,len,data_len,gso_size,gso_segs,total_sg,indirect,bytes_alloc,slots,kick_prepare,kick */
static bool read_row(gzFile file, struct trace_packet *row)
{
    char line[300];
    uint32_t seconds, us;

    if (!gzgets(file, line, sizeof line)) {
        return false;
    }
    ck_assert_msg(sscanf(line,
                         "%" SCNu32 ".%6" SCNu32 ",%*u,%" SCNu32 ",%" SCNu32 ",%*u,%*u,%" SCNu32
                         ",%*u,%*u,%*u,%" SCNu32,
                         &seconds, &us, &row->size, &row->data_len, &row->sg, &row->kick_test) == 6,
                  "%s", line);
    row->at = seconds * SIM_S + us * SIM_US;
    return true;
}

/* The file may end between the events of its last packet. */
static void compare(const char *name, const struct trace_packet *packet,
                    const struct trace_packet *row, bool last)
{
    bool same =
        packet->at == row->at && packet->size == row->size && packet->data_len == row->data_len &&
        (packet->sg == row->sg || (last && packet->sg == TRACE_UNKNOWN)) &&
        (packet->kick_test == row->kick_test || (last && packet->kick_test == TRACE_UNKNOWN));

    ck_assert_msg(same, "%s line %" PRIu64 ": %u bytes, %u sg, kick test %u, at %" PRId64, name,
                  packet->number, packet->size, packet->sg, packet->kick_test, packet->at);
}

static void compare_pair(const char *name)
{
    struct capture capture;
    struct trace_packet row = {0};
    char path[400];
    size_t sent = 0, rows = 0;
    sim_time shift = 0;
    gzFile file;

    snprintf(path, sizeof path, TRACES "%s.trace.gz", name);
    capture_read(&capture, path, NULL);
    ck_assert_msg(capture.end == 0 && capture.problems.count == 0, "%s", path);
    for (size_t i = 0; i < capture.count; i++) {
        sent += capture.list[i].direction == TRACE_SENT;
    }
    snprintf(path, sizeof path, TRACES "%s.txpkts.csv.gz", name);
    file = gzopen(path, "r");
    ck_assert_msg(file && gzgets(file, path, sizeof path), "%s", path);
    for (size_t i = 0; i < capture.count; i++) {
        struct trace_packet packet = capture.list[i];

        if (packet.direction != TRACE_SENT) {
            continue;
        }
        if (!read_row(file, &row)) {
            ck_assert_msg(rows + 1 == sent, "%s: %zu rows of %zu", name, rows, sent);
            break;
        }
        if (rows++ == 0) {
            shift = row.at - packet.at;
        }
        packet.at += shift;
        compare(name, &packet, &row, rows == sent);
    }
    ck_assert_msg(!read_row(file, &row), "%s: more rows than packets", name);
    ck_assert_uint_gt(rows, 300);
    gzclose(file);
    capture_fini(&capture);
}

START_TEST(trace_ftrace_packets_of_a_capture_are_those_another_program_made_of_it)
{
    compare_pair("tcp_rx");
    compare_pair("sp_pp_gserver");
    compare_pair("tcp_tx_p8");
    compare_pair("nginx_1m_nogso");
}
END_TEST

/* The lines of a file that have these words, by a search that knows no format. */
static uint64_t count_lines(const char *path, const char *words, const char *more)
{
    gzFile file = gzopen(path, "r");
    char line[1000];
    uint64_t count = 0;

    ck_assert(file != NULL);
    while (gzgets(file, line, sizeof line)) {
        count += strstr(line, words) && strstr(line, more);
    }
    gzclose(file);
    return count;
}

START_TEST(trace_ftrace_events_of_the_device_are_counted)
{
    static const char path[] = TRACES "tcp_tx_p8.trace.gz";
    struct capture capture;

    capture_read(&capture, path, NULL);
    ck_assert_uint_eq(capture.facts.napi_polls, count_lines(path, " napi_poll: ", "device eth0"));
    ck_assert_uint_eq(capture.facts.interrupts, count_lines(path, " irq_handler_entry: ", ""));
    ck_assert_uint_eq(capture.facts.kicks, count_lines(path, " vq_notify: ", "idx=1"));
    ck_assert_uint_eq(capture.count, count_lines(path, " net_dev_start_xmit: ", "") +
                                         count_lines(path, " netif_receive_skb: ", ""));
    ck_assert(capture.facts.records_sg && capture.facts.sg_bytes == 16);
    capture_fini(&capture);
}
END_TEST

/* Entries of the tables that follow a packet at once: the commonest case, told apart by eye. */
START_TEST(trace_ftrace_perf_script_agrees_with_its_own_lines)
{
    static const char path[] = TRACES "tcp_tx.perf-script.gz";
    gzFile file = gzopen(path, "r");
    char line[1000], *at;
    struct capture capture;
    uint64_t number = 0, pending = 0, tables = 0;
    size_t next = 0;
    uint32_t len = 0, bytes;

    capture_read(&capture, path, NULL);
    ck_assert(capture.end == 0 && capture.problems.count == 0);
    ck_assert_uint_eq(capture.count, count_lines(path, "net:net_dev_start_xmit: ", ""));
    while (gzgets(file, line, sizeof line)) {
        number++;
        if (strstr(line, "net:net_dev_start_xmit:") && (at = strstr(line, " len=")) != NULL) {
            ck_assert_int_eq(sscanf(at, " len=%" SCNu32, &len), 1);
            ck_assert_uint_eq(capture.list[next].size, len);
            ck_assert_uint_eq(capture.list[next].number, number);
            next++;
            pending = number;
        } else if (pending == number - 1 && (at = strstr(line, "bytes_req=")) != NULL) {
            ck_assert_int_eq(sscanf(at, "bytes_req=%" SCNu32, &bytes), 1);
            ck_assert_uint_eq(capture.list[next - 1].sg, bytes / 16);
            tables++;
        }
    }
    gzclose(file);
    ck_assert_uint_eq(next, capture.count);
    ck_assert_uint_gt(tables, capture.count * 9 / 10);
    ck_assert_uint_eq(capture.facts.sg_bytes, 16);
    capture_fini(&capture);
}
END_TEST

START_TEST(trace_ftrace_pktgen_packets_come_from_the_requests)
{
    static const char path[] = TRACES "pktgen_b32.trace.gz";
    struct capture capture;
    uint64_t tested = 0, adds = count_lines(path, " vq_add: ", "idx=1");

    capture_read(&capture, path, NULL);
    ck_assert_int_eq(capture.end, 0);
    ck_assert(capture_says(&capture, "known from virtqueue_add_outbuf alone"));
    ck_assert_uint_gt(adds, 3000);
    ck_assert_uint_eq(capture.count, adds + count_lines(path, "netif_receive_skb: ", ""));
    for (size_t i = 0; i < capture.count; i++) {
        const struct trace_packet *packet = &capture.list[i];

        if (packet->direction == TRACE_SENT) {
            ck_assert(packet->size == TRACE_UNKNOWN && packet->sg == 1 && packet->queue == 0);
            tested += packet->kick_test == 1;
        }
    }
    /* one test a burst of 32, or a shorter one that filled the ring */
    ck_assert_uint_eq(tested, count_lines(path, " vq_kickp: ", "idx=1"));
    ck_assert_uint_ge(tested, adds / 32);
    capture_fini(&capture);
}
END_TEST

START_TEST(trace_ftrace_a_counter_clock_needs_its_rate)
{
    struct trace_options options = {.tsc_hz = 2e9};
    struct capture capture;

    capture_read(&capture, FOLDER "/bad_raw_counter_clock.txt", &options);
    ck_assert_int_eq(capture.end, 0);
    ck_assert_uint_eq(capture.count, 2);
    ck_assert_int_eq(capture.list[1].at, 5 * SIM_US); /* 10^4 ticks of 500 ps */
    capture_fini(&capture);
    options.tsc_hz = NAN;
    capture_read(&capture, FOLDER "/bad_raw_counter_clock.txt", &options);
    ck_assert(capture.end == -1 && capture_says(&capture, "clock rate"));
    capture_fini(&capture);
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        trace_ftrace_every_file_behaves_as_listed,
        trace_ftrace_every_file_is_listed,
        trace_ftrace_packets_are_those_listed,
        trace_ftrace_fields_of_the_listed_files,
        trace_ftrace_packets_of_a_capture_are_those_another_program_made_of_it,
        trace_ftrace_events_of_the_device_are_counted,
        trace_ftrace_perf_script_agrees_with_its_own_lines,
        trace_ftrace_pktgen_packets_come_from_the_requests,
        trace_ftrace_a_counter_clock_needs_its_rate,
        NULL,
    };

    return suite_run("trace_ftrace", cases);
}
