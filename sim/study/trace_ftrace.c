/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reader of text traces: ftrace's trace file, trace-cmd report, perf script. Lines become events
 * (trace_event), those of a packet are joined (trace_join), and what else is to be told is told at
 * the end (trace_notes).
 *
 * Sent packets come from net_dev_start_xmit, received ones from netif_receive_skb, after GRO and
 * without the Ethernet header, which is added again. All other events of the network stack show the
 * same packets once more and are passed over.
 */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/engine/decimal.h"
#include "sim/study/trace_event.h"
#include "sim/study/trace_input.h"
#include "sim/study/trace_join.h"
#include "sim/study/trace_kind.h"
#include "sim/study/trace_notes.h"

#define ETHERNET_BYTES 14
#define SIZE_MOST      (16u << 20) /* a packet of the largest GSO is half a MiB */
#define ENTRIES_MOST   32768       /* a ring has no more */
#define INDEX_MOST     65535
#define DEVICE_BYTES   32

struct ftrace_reader {
    struct trace_reader base;
    const struct trace_options *options;
    bool perf;
    int64_t counter_hz; /* 0: the clock is in seconds */

    struct trace_join join;
    struct trace_notes notes;
    struct trace_event origin; /* first event: times are from it until they are handed over */
    bool has_origin, has_first, ended;
    sim_time first; /* of the first packet handed over */

    char device[TRACE_JOIN_DEVICES][DEVICE_BYTES];
    size_t devices;
};

static bool refuse(struct ftrace_reader *r, const char *text)
{
    trace_input_error(r->base.input, trace_input_line_number(r->base.input), 0, "%s", text);
    return false;
}

/* From the first event; false: refused, reported. */
static bool read_time(struct ftrace_reader *r, const struct trace_event *event, sim_time *at)
{
    decimal_int ps;

    if (!event->has_fraction && r->counter_hz == 0) {
        trace_input_error(r->base.input, trace_input_line_number(r->base.input), 0,
                          "time %" PRIu64
                          " has no fraction: trace_clock is counter or x86-tsc; give --tsc-hz or "
                          "record with trace_clock=mono",
                          event->seconds);
        return false;
    }
    if (!r->has_origin) {
        r->origin = *event;
        r->has_origin = true;
    }
    if (event->has_fraction != r->origin.has_fraction) {
        return refuse(r, "a time with a fraction and one without in one file");
    }
    ps = ((decimal_int)event->seconds - (decimal_int)r->origin.seconds) * SIM_S;
    if (!event->has_fraction) {
        ps /= r->counter_hz;
    }
    ps += (decimal_int)event->fraction_ps - (decimal_int)r->origin.fraction_ps;
    if (ps > TRACE_AFTER_MOST - TRACE_BEFORE_MOST || ps < -TRACE_BEFORE_MOST) {
        return refuse(r, ps > 0 ? "more than 95 days after the first event"
                                : "more than 5 days before the first event");
    }
    *at = (sim_time)ps;
    return true;
}

/* Number of the device among those seen; what comes after TRACE_JOIN_DEVICES shares the last. */
static uint16_t device_index(struct ftrace_reader *r, struct trace_text name)
{
    size_t i = 0;

    if (name.length >= DEVICE_BYTES) {
        name.length = DEVICE_BYTES - 1;
    }
    while (i < r->devices && !trace_text_is(name, r->device[i])) {
        i++;
    }
    if (i == r->devices) {
        if (i == TRACE_JOIN_DEVICES) {
            return TRACE_JOIN_DEVICES - 1;
        }
        if (name.length > 0) {
            memcpy(r->device[i], name.at, name.length);
        }
        r->devices++;
    }
    return (uint16_t)i;
}

static bool is_wanted(const struct ftrace_reader *r, struct trace_text device)
{
    return !r->options->dev || trace_text_is(device, r->options->dev);
}

static bool feed_packet(struct ftrace_reader *r, const struct trace_event *event, bool sent)
{
    uint64_t line = trace_input_line_number(r->base.input);
    struct trace_packet packet = {.payload = TRACE_UNKNOWN,
                                  .sg = TRACE_UNKNOWN,
                                  .kick_test = TRACE_UNKNOWN,
                                  .direction = sent ? TRACE_SENT : TRACE_RECEIVED,
                                  .number = line};
    struct trace_fields f;
    bool wanted;

    trace_fields_read(&f, event->fields);
    if (!trace_input_line_ended(r->base.input) && !f.has_gso_type) {
        r->notes.cut_line = line;
        return true;
    }
    if (!f.has_len) {
        return refuse(r,
                      sent ? "net_dev_start_xmit without len=" : "netif_receive_skb without len=");
    }
    if (f.len == 0 || f.len > SIZE_MOST) {
        return refuse(r, "len must be 1..16777216");
    }
    if (!read_time(r, event, &packet.at)) {
        return false;
    }
    packet.size = (uint32_t)f.len + (sent ? 0 : ETHERNET_BYTES);
    packet.data_len = f.has_data_len && f.data_len <= f.len ? (uint32_t)f.data_len : TRACE_UNKNOWN;
    packet.queue = f.has_queue && f.queue < INDEX_MOST ? (uint32_t)f.queue : TRACE_UNKNOWN;
    wanted = is_wanted(r, f.device);
    if (!wanted) {
        r->notes.other_devices++;
    } else if (r->options->queues > 0 && packet.queue != TRACE_UNKNOWN &&
               packet.queue >= r->options->queues) {
        trace_input_error(r->base.input, line, 0, "queue %" PRIu32 " of %" PRIu32, packet.queue,
                          r->options->queues);
        return false;
    }
    if (sent) {
        r->notes.sent += wanted;
        trace_join_xmit(&r->join, event->cpu, event->pid, &packet, device_index(r, f.device),
                        wanted);
    } else {
        trace_join_close(&r->join, event->cpu);
        r->notes.received += wanted;
        if (wanted) {
            trace_join_receive(&r->join, &packet);
        }
    }
    return true;
}

/* Queue of a probe on a virtqueue: 0 receives, 1 sends, 2 and 3 are of the next pair, the control
 * queue comes last and is even. False: it is none that sends. */
static bool read_queue(struct ftrace_reader *r, struct trace_text rest, uint32_t *queue,
                       uint32_t *entries)
{
    struct trace_text key, value;
    uint64_t number;

    *queue = *entries = TRACE_UNKNOWN;
    while (trace_event_field(&rest, &key, &value)) {
        if (trace_text_is(key, "idx") && trace_text_number(value, &number)) {
            if (number > INDEX_MOST) {
                r->notes.wrong_index++;
            } else if (number % 2 == 0) {
                return false;
            } else {
                *queue = (uint32_t)number / 2;
            }
        } else if (trace_text_is(key, "num") && trace_text_number(value, &number) && number > 0 &&
                   number <= ENTRIES_MOST) {
            *entries = (uint32_t)number;
        }
    }
    return true;
}

static bool feed_probe(struct ftrace_reader *r, const struct trace_event *event,
                       enum trace_kind kind)
{
    uint64_t line = trace_input_line_number(r->base.input);
    uint32_t queue, entries;
    sim_time at;

    if (!read_queue(r, event->fields, &queue, &entries)) {
        return true;
    }
    if (kind == TRACE_KIND_DOORBELL) {
        r->base.facts.kicks++;
        return true;
    }
    if (kind == TRACE_KIND_KICK_TEST) {
        trace_join_kick_test(&r->join, event->cpu, queue);
        return true;
    }
    if (!read_time(r, event, &at)) {
        return false;
    }
    trace_join_add(&r->join, event->cpu, event->pid, at, line, queue, entries);
    return true;
}

/* The caller stands in call_site, or, as trace-cmd prints it, before it. */
static void feed_table(struct ftrace_reader *r, const struct trace_event *event)
{
    struct trace_text rest = event->fields, key, value, site = trace_event_symbol(event);
    bool named = site.length > 0;
    uint64_t bytes = 0;

    while (bytes == 0 && trace_event_field(&rest, &key, &value)) {
        if (trace_text_is(key, "call_site") && !named) {
            site = value;
            named = trace_text_has(site, "+");
        } else if (trace_text_is(key, "bytes_req") && !trace_text_number(value, &bytes)) {
            return;
        }
    }
    if (trace_text_starts(site, "virtqueue_add") || trace_text_starts(site, "alloc_indirect")) {
        trace_join_table(&r->join, event->cpu, event->pid, bytes);
    } else if (!named) {
        r->notes.unnamed_tables++;
    }
}

/* An interrupt has no device, but drivers name it: "virtio1-input.0", "eth0-TxRx-0". */
static void feed_interrupt(struct ftrace_reader *r, const struct trace_event *event)
{
    struct trace_text rest = event->fields, key, name;
    bool ours = false;

    while (trace_event_field(&rest, &key, &name)) {
        if (!trace_text_is(key, "name")) {
            continue;
        }
        ours = trace_text_starts(name, "virtio") &&
               (trace_text_has(name, "-input.") || trace_text_has(name, "-output."));
        for (size_t i = 0; !ours && i < r->devices; i++) {
            struct trace_text device = {r->device[i], strlen(r->device[i])};

            ours = device.length > 0 && is_wanted(r, device) && trace_text_has(name, r->device[i]);
        }
    }
    r->base.facts.interrupts += ours;
}

static bool feed_event(struct ftrace_reader *r, const struct trace_event *event)
{
    enum trace_kind kind = trace_kind(event);
    struct trace_text device;

    if (event->perf != r->perf && r->notes.other_style++ == 0) {
        r->notes.other_line = trace_input_line_number(r->base.input);
    }
    if (kind == TRACE_KIND_XMIT || kind == TRACE_KIND_RECEIVE) {
        return feed_packet(r, event, kind == TRACE_KIND_XMIT);
    }
    if (r->notes.sent + r->notes.received == 0) {
        trace_notes_event(&r->notes, event->name);
    }
    if (!trace_input_line_ended(r->base.input)) {
        r->notes.cut_line = trace_input_line_number(r->base.input);
        return true;
    }
    switch (kind) {
    case TRACE_KIND_ADD:
    case TRACE_KIND_KICK_TEST:
    case TRACE_KIND_DOORBELL:
        return feed_probe(r, event, kind);
    case TRACE_KIND_TABLE:
        feed_table(r, event);
        break;
    case TRACE_KIND_INTERRUPT:
        feed_interrupt(r, event);
        break;
    case TRACE_KIND_POLL:
        trace_join_close(&r->join, event->cpu);
        r->base.facts.napi_polls +=
            trace_event_word(event->fields, "device", &device) && is_wanted(r, device);
        break;
    case TRACE_KIND_SOFTIRQ:
        trace_join_close(&r->join, event->cpu);
        break;
    default:
        break;
    }
    return true;
}

/* Takes colour codes (ESC [ ... letter) out of the line; returns its length. */
static size_t strip_colours(char *line, size_t bytes)
{
    size_t used = 0;

    for (size_t i = 0; i < bytes; i++) {
        if (line[i] == '\033' && i + 1 < bytes && line[i + 1] == '[') {
            for (i += 2; i < bytes && (line[i] < '@' || line[i] > '~'); i++) {
            }
        } else {
            line[used++] = line[i];
        }
    }
    return used;
}

static bool feed_line(struct ftrace_reader *r, char *line, size_t bytes)
{
    struct trace_event event;
    struct trace_loss loss;

    if (memchr(line, '\033', bytes)) {
        bytes = strip_colours(line, bytes);
    }
    if (trace_event_parse(line, bytes, &event)) {
        return feed_event(r, &event);
    }
    if (trace_loss_parse(line, bytes, &loss)) {
        trace_notes_loss(&r->notes, &loss, trace_input_line_number(r->base.input), &r->base.facts);
        if (!loss.overwritten) {
            trace_join_lost(&r->join, loss.cpu);
        }
        return true;
    }
    if (!trace_input_line_ended(r->base.input)) {
        r->notes.cut_line = trace_input_line_number(r->base.input);
    } else if (bytes > 0 && line[0] != '#') {
        r->notes.not_events++;
    }
    return true;
}

static int finish(struct ftrace_reader *r)
{
    r->base.facts.records_sg = r->join.records_sg;
    r->base.facts.sg_bytes = r->join.sg_bytes;
    return trace_notes_tell(&r->notes, &r->join, r->options, r->perf, r->base.input) ? 0 : -1;
}

static int next(struct trace_reader *reader, struct trace_packet *packet)
{
    struct ftrace_reader *r = (struct ftrace_reader *)reader;
    size_t bytes;
    char *line;
    int got;

    for (;;) {
        while (!r->ended && !trace_join_full(&r->join)) {
            got = trace_input_line(r->base.input, &line, &bytes);
            if (got < 0 || (got == 1 && !feed_line(r, line, bytes))) {
                return -1;
            }
            r->ended = got == 0;
        }
        if (trace_join_take(&r->join, packet)) {
            if (!r->has_first) {
                r->first = packet->at;
                r->has_first = true;
            }
            packet->at -= r->first;
            if (packet->at < -TRACE_BEFORE_MOST) {
                refuse(r, "more than 5 days before the first packet");
                return -1;
            }
            return 1;
        }
        if (r->ended) {
            return finish(r);
        }
    }
}

static struct trace_reader *open_text(struct trace_input *input,
                                      const struct trace_options *options, bool perf)
{
    struct ftrace_reader *r;

    if (options->sg_bytes != 0 && options->sg_bytes != 16 && options->sg_bytes != 32) {
        trace_input_error(input, 0, 0, "table bytes an entry are 16 or 32, not %" PRIu32,
                          options->sg_bytes);
        return NULL;
    }
    if (options->tsc_hz != 0 && !(options->tsc_hz >= 1 && options->tsc_hz <= 1e12)) {
        trace_input_error(input, 0, 0, "clock rate %g Hz is not within 1..1e12", options->tsc_hz);
        return NULL;
    }
    r = calloc(1, sizeof *r);
    if (!r) {
        abort();
    }
    r->options = options;
    r->perf = perf;
    r->counter_hz = options->tsc_hz != 0 ? llround(options->tsc_hz) : 0;
    trace_join_init(&r->join, options->sg_bytes);
    if (options->dev) { /* a request names no device */
        r->join.decided = true;
    }
    return &r->base;
}

static struct trace_reader *open_ftrace(struct trace_input *input,
                                        const struct trace_options *options,
                                        struct problems *problems)
{
    (void)problems;
    return open_text(input, options, false);
}

static struct trace_reader *open_perf_script(struct trace_input *input,
                                             const struct trace_options *options,
                                             struct problems *problems)
{
    (void)problems;
    return open_text(input, options, true);
}

static void close_text(struct trace_reader *reader)
{
    struct ftrace_reader *r = (struct ftrace_reader *)reader;

    trace_join_fini(&r->join);
    free(r);
}

/* 1: the first event among these bytes is of perf script; 0: of ftrace; -1: there is none. */
static int first_style(const uint8_t *head, size_t bytes)
{
    char line[1024];
    struct trace_event event;
    const uint8_t *end = head + bytes;

    while (head < end) {
        const uint8_t *eol = memchr(head, '\n', (size_t)(end - head));
        size_t length = (size_t)((eol ? eol : end) - head);

        length = length < sizeof line ? length : sizeof line;
        memcpy(line, head, length);
        length = strip_colours(line, length);
        if (trace_event_parse(line, length, &event)) {
            return event.perf;
        }
        if (!eol) {
            break;
        }
        head = eol + 1;
    }
    return -1;
}

static bool starts(const uint8_t *head, size_t bytes, const char *text)
{
    return bytes >= strlen(text) && memcmp(head, text, strlen(text)) == 0;
}

static bool recognise_ftrace(const uint8_t *head, size_t bytes)
{
    return starts(head, bytes, "# tracer:") || starts(head, bytes, "cpus=") ||
           starts(head, bytes, "CPU ") || starts(head, bytes, "version = ") ||
           first_style(head, bytes) == 0;
}

static bool recognise_perf_script(const uint8_t *head, size_t bytes)
{
    return starts(head, bytes, "# ========") || first_style(head, bytes) == 1;
}

const struct trace_reader_ops trace_ftrace_reader = {
    .name = "ftrace",
    .recognise = recognise_ftrace,
    .open = open_ftrace,
    .next = next,
    .close = close_text,
};

const struct trace_reader_ops trace_perf_script_reader = {
    .name = "perf-script",
    .recognise = recognise_perf_script,
    .open = open_perf_script,
    .next = next,
    .close = close_text,
};
