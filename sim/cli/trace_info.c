/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim trace info: packets, bytes, time, entries of a capture, and what it does not tell. Nothing
 * is kept of the packets, so a capture of any length is summed up in constant memory.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/trace_args.h"
#include "sim/study/json_out.h"
#include "sim/study/trace_order.h"

#define ENTRIES_MOST 64 /* larger ones are counted here */

struct info {
    struct trace_facts facts;
    struct trace_order_facts order;
    uint64_t packets, bytes;
    uint64_t sized;       /* packets whose size is known: bytes are theirs */
    uint32_t least, most; /* bytes of a packet */
    sim_time first, last;
    uint64_t entries[ENTRIES_MOST + 1]; /* packets by entries of their request */
    uint64_t no_entries;                /* packets whose entries are not in that histogram */
    uint64_t lists;                     /* packets followed by another of the same list */
    uint64_t kick_tests;                /* packets that say whether kick prepare was called */
    bool sg_from_trace;
    struct trace_sg sg;
    char sg_text[TRACE_SG_TEXT_BYTES];
};

/* Recorded entries and those of the model apart, as the histogram shows one kind. */
struct entry_counts {
    uint64_t recorded[ENTRIES_MOST + 1], modelled[ENTRIES_MOST + 1];
};

static void add(struct info *info, struct entry_counts *counts, const struct trace_packet *packet)
{
    const bool recorded = packet->sg != TRACE_UNKNOWN;
    uint32_t entries = trace_sg_entries(&info->sg, trace_sg_frags(&info->sg, packet));

    entries = recorded ? packet->sg : entries;
    entries = entries < ENTRIES_MOST ? entries : ENTRIES_MOST;
    (recorded ? counts->recorded : counts->modelled)[entries]++;
    if (info->packets++ == 0) {
        info->first = packet->at;
    }
    info->last = packet->at;
    if (packet->size != TRACE_UNKNOWN) {
        info->least = info->sized == 0 || packet->size < info->least ? packet->size : info->least;
        info->most = packet->size > info->most ? packet->size : info->most;
        info->bytes += packet->size;
        info->sized++;
    }
    info->lists += packet->kick_test == 0;
    info->kick_tests += packet->kick_test != TRACE_UNKNOWN;
}

static void choose_entries(struct info *info, const struct entry_counts *counts)
{
    info->sg_from_trace = trace_sg_from_trace(&info->sg);
    for (size_t i = 0; i <= ENTRIES_MOST; i++) {
        info->entries[i] = counts->recorded[i] + (info->sg_from_trace ? 0 : counts->modelled[i]);
        info->no_entries += info->sg_from_trace ? counts->modelled[i] : 0;
    }
    trace_sg_text(&info->sg, info->sg_text);
}

/* False: refused, reported. */
static bool read_file(struct info *info, const struct trace_args *args, struct problems *problems)
{
    struct trace_options options = args->options;
    struct trace_reader *reader = trace_open(args->file, &options, problems);
    struct entry_counts *counts = calloc(1, sizeof *counts);
    struct trace_order *order;
    struct trace_packet packet;
    int got;

    memset(info, 0, sizeof *info);
    if (!counts) {
        abort();
    }
    if (!reader) {
        free(counts);
        return false;
    }
    options.unknown_size_too = true;
    order = trace_order_new(reader, &options);
    trace_sg_init(&info->sg, &args->shape);
    while ((got = trace_order_next(order, &packet)) == 1) {
        add(info, counts, &packet);
    }
    choose_entries(info, counts);
    info->facts = reader->facts;
    info->order = *trace_order_facts(order);
    trace_order_free(order);
    trace_close(reader);
    free(counts);
    return got == 0;
}

static void json_known(struct json_out *json, const char *key, uint64_t value, bool known)
{
    if (known) {
        json_unsigned(json, key, value);
    } else {
        json_null(json, key);
    }
}

static void print_json_entries(struct json_out *json, const struct info *info)
{
    if (info->packets == 0) {
        json_null(json, "sg_histogram");
        json_null(json, "sg_source");
        return;
    }
    json_object(json, "sg_histogram");
    for (size_t i = 0; i <= ENTRIES_MOST; i++) {
        char key[24];

        if (info->entries[i] > 0) {
            snprintf(key, sizeof key, "%zu", i);
            json_unsigned(json, key, info->entries[i]);
        }
    }
    json_end(json);
    json_text(json, "sg_source", info->sg_from_trace ? "trace" : "model");
    json_unsigned(json, "sg_not_recorded", info->sg.modelled);
    json_text(json, "sg_text", info->sg_text);
}

static void print_json(const struct info *info, const struct problems *problems)
{
    const bool driver =
        strcmp(info->facts.format, "ftrace") == 0 || strcmp(info->facts.format, "perf-script") == 0;
    struct json_out json;

    json_init(&json, stdout, 2);
    json_object(&json, NULL);
    json_text(&json, "format", info->facts.format);
    json_unsigned(&json, "packets", info->packets);
    json_known(&json, "bytes", info->bytes, info->sized > 0 || info->packets == 0);
    json_unsigned(&json, "size_unknown", info->packets - info->sized);
    json_number(&json, "duration_s", sim_time_s(info->last - info->first));
    print_json_entries(&json, info);
    json_known(&json, "lost_events", info->facts.lost_events, !info->facts.lost_not_recorded);
    json_bool(&json, "lost_unknown", info->facts.lost_unknown);
    json_unsigned(&json, "out_of_order", info->order.out_of_order);
    json_unsigned(&json, "received", info->order.received);
    json_unsigned(&json, "left_out", info->order.other + info->order.unsized);
    json_unsigned(&json, "truncated", info->facts.truncated);
    json_known(&json, "snaplen", info->facts.snaplen, info->facts.truncated > 0);
    json_known(&json, "lists", info->lists, info->kick_tests > 0);
    json_known(&json, "kicks", info->facts.kicks, info->facts.kicks > 0);
    json_known(&json, "interrupts", info->facts.interrupts, driver);
    json_known(&json, "napi_polls", info->facts.napi_polls, driver);
    json_array(&json, "warnings");
    for (size_t i = 0; i < problems->count; i++) {
        json_text(&json, NULL, problems->list[i].error.text);
    }
    json_end(&json);
    json_end(&json);
}

static void print_count(const char *name, uint64_t count)
{
    if (count > 0) {
        printf("%-14s%llu\n", name, (unsigned long long)count);
    }
}

static void print_entries(const struct info *info)
{
    const char *separator = "";

    printf("%-14s", "entries");
    for (size_t i = 0; i <= ENTRIES_MOST; i++) {
        if (info->entries[i] > 0) {
            printf("%s%zu: %llu", separator, i, (unsigned long long)info->entries[i]);
            separator = ", ";
        }
    }
    printf("\n%-14s%s\n", "", info->sg_text);
}

static void print_text(const struct info *info)
{
    const sim_time span = info->last - info->first;

    printf("%-14s%s\n", "format", info->facts.format);
    printf("%-14s%llu\n", "packets", (unsigned long long)info->packets);
    if (info->sized > 0 || info->packets == 0) {
        printf("%-14s%llu\n", "bytes", (unsigned long long)info->bytes);
    }
    printf("%-14s%.9f s\n", "duration", sim_time_s(span));
    if (info->packets > 0) {
        if (span > 0) {
            printf("%-14s%.1f packets/s\n", "rate", (double)(info->packets - 1) / sim_time_s(span));
        } else {
            printf("%-14sn/a\n", "rate");
        }
        if (info->sized > 0) {
            printf("%-14s%u..%u, mean %.1f bytes\n", "sizes", info->least, info->most,
                   (double)info->bytes / (double)info->sized);
        }
        print_count("size unknown", info->packets - info->sized);
        print_entries(info);
    }
    print_count("received", info->order.received);
    print_count("left out", info->order.other + info->order.unsized);
    print_count("out of order", info->order.out_of_order);
    print_count("lost events", info->facts.lost_events);
    if (info->facts.lost_unknown) {
        printf("%-14s%s\n", "lost events", "an unknown number besides");
    }
    if (info->kick_tests > 0) {
        printf("%-14s%llu packets followed by another of the same list\n", "lists",
               (unsigned long long)info->lists);
    }
    print_count("kicks", info->facts.kicks);
    print_count("interrupts", info->facts.interrupts);
    print_count("NAPI polls", info->facts.napi_polls);
    if (info->facts.truncated > 0) {
        printf("%-14s%llu packets truncated by snaplen %u; their length on the wire counts\n",
               "note", (unsigned long long)info->facts.truncated, info->facts.snaplen);
    }
}

int trace_info(const struct trace_args *args)
{
    struct problems problems;
    struct info info;
    int code;

    if (args->out) {
        return command_usage("trace", "info prints to standard output: -o is for the others");
    }
    problems_init(&problems);
    read_file(&info, args, &problems);
    code = trace_args_problems(args, &problems);
    if (code == 0 && args->json) {
        print_json(&info, &problems);
    } else if (code == 0) {
        print_text(&info);
    }
    problems_fini(&problems);
    return command_finish(code);
}
