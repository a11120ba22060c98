/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <string.h>

#include "sim/study/trace_event.h"
#include "tests/suite.h"

struct expected {
    const char *line;
    bool perf;
    uint32_t pid, cpu;
    uint64_t seconds, fraction_ps;
    const char *name, *fields;
};

static bool parse(const char *line, struct trace_event *event)
{
    size_t length = strlen(line);
    char *copy = malloc(length > 0 ? length : 1); /* of exact size: reading past it is found */
    bool ok;

    require(copy != NULL);
    memcpy(copy, line, length);
    ok = trace_event_parse(copy, length, event);
    if (ok) { /* the caller's texts are those of the literal */
        event->name.at = line + (event->name.at - copy);
        event->fields.at = line + (event->fields.at - copy);
    }
    free(copy);
    return ok;
}

static void check(const struct expected *e)
{
    struct trace_event event;

    ck_assert_msg(parse(e->line, &event), "not an event: %s", e->line);
    ck_assert_msg(event.perf == e->perf && event.pid == e->pid && event.cpu == e->cpu,
                  "%s: perf %d pid %u cpu %u", e->line, event.perf, event.pid, event.cpu);
    ck_assert_msg(event.seconds == e->seconds && event.fraction_ps == e->fraction_ps, "%s: time",
                  e->line);
    ck_assert_msg(trace_text_is(event.name, e->name), "%s: name", e->line);
    ck_assert_msg(trace_text_is(event.fields, e->fields), "%s: fields", e->line);
}

START_TEST(trace_event_reads_the_three_programs_lines)
{
    static const struct expected list[] = {
        {"          iperf3-4321    [001] b..1. 12345.678901: ev: a=1", false, 4321, 1, 12345,
         UINT64_C(678901000000), "ev", "a=1"},
        {"iperf3-4321 [1] 7.5: ev:", false, 4321, 1, 7, UINT64_C(500000000000), "ev", ""},
        {"  iperf3-4321    (-------) [000] b..1. 1.000001: ev: x", false, 4321, 0, 1, 1000000, "ev",
         "x"},
        {"  iperf3-4321    (   4300) [000] ..... 1.0: ev: x", false, 4321, 0, 1, 0, "ev", "x"},
        {" iperf3-4321  [003] 1.000000001: ev:  a=1", false, 4321, 3, 1, 1000, "ev", "a=1"},
        {"iperf3  4321 [002]  812.104233: net:ev: a=1", true, 4321, 2, 812, UINT64_C(104233000000),
         "ev", "a=1"},
        {"iperf3  4321/4322 [002]  812.1:          1     net:ev: a=1", true, 4322, 2, 812,
         UINT64_C(100000000000), "ev", "a=1"},
        {" a-1 [000] 123456789012: ev: x", false, 1, 0, UINT64_C(123456789012), 0, "ev", "x"},
    };

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check(&list[i]);
    }
}
END_TEST

START_TEST(trace_event_takes_names_that_look_like_anything)
{
    static const struct expected list[] = {
        {"   CPU 2/KVM-9071    [010] d..1. 5.0: ev: x", false, 9071, 10, 5, 0, "ev", "x"},
        {"          <idle>-0       [001] dNH1. 5.0: ev: x", false, 0, 1, 5, 0, "ev", "x"},
        {"  kworker/u4:1-e-12      [001] ..... 5.0: ev: x", false, 12, 1, 5, 0, "ev", "x"},
        {"     [kthreadd]-2       [001] ..... 5.0: ev: x", false, 2, 1, 5, 0, "ev", "x"},
        {"  a [000] b: c:-77      [001] ..... 5.0: ev: x", false, 77, 1, 5, 0, "ev", "x"},
        {"-1 [0] 1.0: x:-77      [001] ..... 5.0: ev: x", false, 77, 1, 5, 0, "ev", "x"},
        {"  Web Content  77 [001] 5.0: net:ev: x", true, 77, 1, 5, 0, "ev", "x"},
        {"  kworker/u8:2-events_power_efficient  77 [001] 5.0: net:ev: x", true, 77, 1, 5, 0, "ev",
         "x"},
        /* what stands in the fields is no prefix */
        {"   a-1 [000] d..2. 5.0: sched_switch: prev_comm=b-2 [001] 6.0: ev: x", false, 1, 0, 5, 0,
         "sched_switch", "prev_comm=b-2 [001] 6.0: ev: x"},
    };

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        check(&list[i]);
    }
}
END_TEST

START_TEST(trace_event_refuses_what_is_none)
{
    static const char *const list[] = {
        "",
        "   ",
        "# tracer: nop",
        "cpus=4",
        "CPU 2 is empty",
        "CPU:0 [1234 EVENTS DROPPED]",
        "version = 6",
        "        ffffffff81e0b8a5 start_xmit+0x5 ([kernel.kallsyms])",
        "iperf3-4321 [001] b..1. 12345.678901",
        "iperf3-4321 [001] b..1. 12345.678901:",
        "iperf3-4321 [001] b..1. 12345.678901: ev",
        "iperf3-4321 [001] b..1. 12345.6789012345678: ev: x",
        "iperf3-4321 [001] b..1. 99999999999999999999.0: ev: x",
        "iperf3-4321 [9999] 1.0: ev: x",
        "iperf3 [001] 1.0: ev: x",
        "iperf3-4321 [001 1.0: ev: x",
        "-4321",
        "[001] 1.0: ev: x",
        "iperf3-4321 [001] 1.0:ev: x",
        "iperf3-4321 [001] 1.0: function <-caller",
    };
    struct trace_event event;

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        ck_assert_msg(!parse(list[i], &event), "an event: %s", list[i]);
    }
}
END_TEST

START_TEST(trace_event_no_piece_of_a_line_is_read_past_its_end)
{
    static const char line[] =
        "  a [000] b-77    (-------) [001] b..1. 12345.678901: net:ev: dev=eth0 [x] len=60 y=";
    struct trace_event event;

    for (size_t length = 0; length < sizeof line; length++) {
        char *copy = malloc(length > 0 ? length : 1);
        struct trace_text rest, key, value;

        require(copy != NULL);
        memcpy(copy, line, length);
        if (trace_event_parse(copy, length, &event)) {
            rest = event.fields;
            while (trace_event_field(&rest, &key, &value)) {
            }
            trace_event_word(event.fields, "device", &value);
        }
        free(copy);
    }
}
END_TEST

START_TEST(trace_event_fields_are_found_by_name_in_any_order)
{
    static const char text[] = "(sym+0x0/0x60 [m]) len=60  dev=eth0 empty= a=b=c";
    static const char *const pairs[][2] = {
        {"len", "60"}, {"dev", "eth0"}, {"empty", ""}, {"a", "b=c"}};
    struct trace_text rest = {text, strlen(text)}, key, value;

    for (size_t i = 0; i < 4; i++) {
        ck_assert(trace_event_field(&rest, &key, &value));
        ck_assert(trace_text_is(key, pairs[i][0]));
        ck_assert(trace_text_is(value, pairs[i][1]));
    }
    ck_assert(!trace_event_field(&rest, &key, &value));
    rest = (struct trace_text){"for devices x device eth0 work 1", 32};
    ck_assert(trace_event_word(rest, "device", &value) && trace_text_is(value, "eth0"));
    ck_assert(!trace_event_word(rest, "budget", &value));
}
END_TEST

START_TEST(trace_event_numbers_are_whole_or_refused)
{
    static const struct {
        const char *text;
        bool ok;
        uint64_t number;
    } list[] = {
        {"0", true, 0},
        {"18446744073709551615", true, UINT64_MAX},
        {"18446744073709551616", false, 0},
        {"0x3c", true, 60},
        {"0xffffffffffffffff", true, UINT64_MAX},
        {"0x10000000000000000", false, 0},
        {"0x", false, 0},
        {"", false, 0},
        {"-1", false, 0},
        {"6a", false, 0},
        {"3.5", false, 0},
    };

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct trace_text text = {list[i].text, strlen(list[i].text)};
        uint64_t number = 0;

        ck_assert_msg(trace_text_number(text, &number) == list[i].ok, "%s", list[i].text);
        ck_assert(!list[i].ok || number == list[i].number);
    }
}
END_TEST

START_TEST(trace_event_losses_are_told_in_each_programs_words)
{
    static const struct {
        const char *line;
        bool loss, overwritten, unknown;
        uint64_t events;
        uint32_t cpu;
    } list[] = {
        {"CPU:3 [LOST 12 EVENTS]", true, false, false, 12, 3},
        {"CPU:3 [LOST EVENTS]", true, false, true, 0, 3},
        {"CPU:0 [1234 EVENTS DROPPED]", true, false, false, 1234, 0},
        {"CPU:1 [EVENTS DROPPED]", true, false, true, 0, 1},
        {"# entries-in-buffer/entries-written: 2/98765   #P:4", true, true, false, 98763,
         UINT32_MAX},
        {"# entries-in-buffer/entries-written: 7/7   #P:4", false, false, false, 0, 0},
        {"  a  1 [000]  1.0: PERF_RECORD_LOST lost 55", true, false, false, 55, UINT32_MAX},
        {"Processed 99 events and lost 2 chunks!", true, false, true, 0, UINT32_MAX},
        {"CPU 2 is empty", false, false, false, 0, 0},
        {"CPU:", false, false, false, 0, 0},
        {"CPU:99999 [LOST 12 EVENTS]", false, false, false, 0, 0},
    };

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        struct trace_loss loss;

        ck_assert_msg(trace_loss_parse(list[i].line, strlen(list[i].line), &loss) == list[i].loss,
                      "%s", list[i].line);
        ck_assert_msg(!list[i].loss ||
                          (loss.overwritten == list[i].overwritten &&
                           loss.unknown == list[i].unknown && loss.cpu == list[i].cpu &&
                           (loss.unknown || loss.events == list[i].events)),
                      "%s", list[i].line);
    }
}
END_TEST

int main(void)
{
    const TTest *cases[] = {
        trace_event_reads_the_three_programs_lines,
        trace_event_takes_names_that_look_like_anything,
        trace_event_refuses_what_is_none,
        trace_event_no_piece_of_a_line_is_read_past_its_end,
        trace_event_fields_are_found_by_name_in_any_order,
        trace_event_numbers_are_whole_or_refused,
        trace_event_losses_are_told_in_each_programs_words,
        NULL,
    };

    return suite_run("trace_event", cases);
}
