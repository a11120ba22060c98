/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_notes.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sim/study/trace_input.h"

static const char *plural(uint64_t count)
{
    return count == 1 ? "" : "s";
}

void trace_notes_loss(struct trace_notes *notes, const struct trace_loss *loss, uint64_t line,
                      struct trace_facts *facts)
{
    size_t i = 0;

    facts->lost_events += loss->events;
    facts->lost_unknown = facts->lost_unknown || loss->unknown;
    if (loss->overwritten) {
        notes->overwritten += loss->events;
        notes->overwritten_line = line;
        return;
    }
    while (i < notes->lost_cpus && notes->lost[i].cpu != loss->cpu) {
        i++;
    }
    if (i == TRACE_NOTES_CPUS) {
        notes->lost_elsewhere++;
        return;
    }
    if (i == notes->lost_cpus) {
        notes->lost[i].cpu = loss->cpu;
        notes->lost[i].line = line;
        notes->lost_cpus++;
    }
    notes->lost[i].events += loss->events;
    notes->lost[i].unknown = notes->lost[i].unknown || loss->unknown;
    notes->lost[i].known = notes->lost[i].known || !loss->unknown;
}

void trace_notes_event(struct trace_notes *notes, struct trace_text name)
{
    size_t i = 0;

    while (i < notes->events && !trace_text_is(name, notes->event[i].name)) {
        i++;
    }
    if (i == notes->events) {
        if (i == TRACE_NOTES_EVENTS || name.length >= sizeof notes->event[i].name) {
            return;
        }
        memcpy(notes->event[i].name, name.at, name.length);
        notes->events++;
    }
    notes->event[i].lines++;
}

static void tell_losses(const struct trace_notes *notes, struct trace_input *input)
{
    char count[64], cpu[32];

    if (notes->overwritten > 0) {
        trace_input_warning(input, notes->overwritten_line, 0,
                            "%" PRIu64 " older events were overwritten; record with a larger "
                            "buffer or a shorter time",
                            notes->overwritten);
    }
    for (size_t i = 0; i < notes->lost_cpus; i++) {
        snprintf(cpu, sizeof cpu, "CPU %" PRIu32, notes->lost[i].cpu);
        if (notes->lost[i].known) {
            snprintf(count, sizeof count, "%" PRIu64 "%s", notes->lost[i].events,
                     notes->lost[i].unknown ? " and an unknown number of" : "");
        } else {
            snprintf(count, sizeof count, "an unknown number of");
        }
        trace_input_warning(input, notes->lost[i].line, 0, "%s events were lost on %s", count,
                            notes->lost[i].cpu == UINT32_MAX ? "some CPU" : cpu);
    }
    if (notes->lost_elsewhere > 0) {
        trace_input_warning(input, 0, 0, "events were lost on further CPUs, %" PRIu64 " time%s",
                            notes->lost_elsewhere, plural(notes->lost_elsewhere));
    }
}

static void tell_sg(const struct trace_join *join, const struct trace_notes *notes,
                    struct trace_input *input)
{
    if (join->basis == TRACE_SG_BYTES_GUESSED && !join->adds_seen) {
        trace_input_warning(input, 0, 0,
                            "%" PRIu32 " table bytes an entry are a guess: no table settles it; "
                            "give it (16 up to kernel 6.12, 32 from 6.13)",
                            join->sg_bytes);
    }
    if (join->unsettled_tables > 0) {
        trace_input_warning(input, 0, 0,
                            "%" PRIu64 " table%s may have 16 or 32 bytes an entry: entries are "
                            "not known; give it (16 up to kernel 6.12, 32 from 6.13)",
                            join->unsettled_tables, plural(join->unsettled_tables));
    }
    if (join->not_whole_tables > 0) {
        trace_input_warning(input, 0, 0,
                            "%" PRIu64 " table%s of no multiple of %" PRIu32
                            " bytes: their entries are not known",
                            join->not_whole_tables, plural(join->not_whole_tables), join->sg_bytes);
    }
    if (notes->unnamed_tables > 0) {
        trace_input_warning(input, 0, 0,
                            "%" PRIu64 " kmalloc line%s without the caller's name left out",
                            notes->unnamed_tables, plural(notes->unnamed_tables));
    }
}

static void tell_requests(const struct trace_join *join, const struct trace_notes *notes,
                          const struct trace_options *options, struct trace_input *input)
{
    if (join->alone_packets > 0) {
        trace_input_warning(input, 0, 0,
                            "%" PRIu64 " packet%s known from virtqueue_add_outbuf alone (pktgen "
                            "sends so): size not recorded",
                            join->alone_packets, plural(join->alone_packets));
    }
    if (join->alone_left_out > 0) {
        trace_input_warning(input, 0, 0,
                            "%" PRIu64 " request%s without net_dev_start_xmit left out%s",
                            join->alone_left_out, plural(join->alone_left_out),
                            options->dev ? ": they name no device" : "");
    }
    if (notes->wrong_index > 0) {
        trace_input_warning(input, 0, 0,
                            "%" PRIu64 " probe line%s with a queue index above 65535: the "
                            "probe's offsets do not fit this kernel",
                            notes->wrong_index, plural(notes->wrong_index));
    }
}

/* "(1 line of irq_handler_entry, 2 of napi_poll)", or what else there is; "" nothing. */
static const char *tell_found(const struct trace_notes *notes, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < notes->events && used < bytes; i++) {
        char shown[TRACE_SHOW_BYTES];

        used += (size_t)snprintf(
            text + used, bytes - used, "%s%" PRIu64 "%s%s of %s", i == 0 ? " (" : ", ",
            notes->event[i].lines, i == 0 ? " line" : "",
            i == 0 ? plural(notes->event[i].lines) : "",
            trace_input_show(notes->event[i].name, strlen(notes->event[i].name), shown));
    }
    if (notes->events > 0 && used < bytes) {
        snprintf(text + used, bytes - used, ")");
    } else if (notes->events == 0 && notes->not_events > 0) {
        snprintf(text, bytes, " (%" PRIu64 " line%s, none an event)", notes->not_events,
                 plural(notes->not_events));
    }
    return text;
}

static bool tell_no_packets(const struct trace_notes *notes, const struct trace_options *options,
                            struct trace_input *input)
{
    char found[400], shown[TRACE_SHOW_BYTES];

    if (options->dev && notes->other_devices > 0) {
        trace_input_error(input, 0, 0, "no packets of device %s (%" PRIu64 " of other devices)",
                          trace_input_show(options->dev, strlen(options->dev), shown),
                          notes->other_devices);
    } else {
        trace_input_error(
            input, 0, 0,
            "no net:net_dev_start_xmit events%s; record with -e net:net_dev_start_xmit",
            tell_found(notes, found, sizeof found));
    }
    return false;
}

bool trace_notes_tell(const struct trace_notes *notes, const struct trace_join *join,
                      const struct trace_options *options, bool perf, struct trace_input *input)
{
    tell_losses(notes, input);
    if (notes->cut_line > 0) {
        trace_input_warning(input, notes->cut_line, 0, "line is cut short and was left out");
    }
    if (notes->other_style > 0) {
        trace_input_warning(input, notes->other_line, 0, "%s line in %s file%s",
                            perf ? "ftrace" : "perf script", perf ? "a perf script" : "an ftrace",
                            notes->other_style > 1 ? ", and more of them" : "");
    }
    tell_requests(join, notes, options, input);
    tell_sg(join, notes, input);
    if (notes->sent == 0 && notes->received == 0 && join->alone_packets == 0) {
        return tell_no_packets(notes, options, input);
    }
    if (notes->sent == 0 && join->alone_packets == 0) {
        trace_input_warning(input, 0, 0,
                            "no net:net_dev_start_xmit events: %" PRIu64
                            " received packet%s and none sent",
                            notes->received, plural(notes->received));
    }
    return true;
}
