/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim trace convert: any capture as CSV, which read back gives the same packets. What the source
 * does not tell stays empty. The result appears only when the whole capture could be read.
 */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/cli/command.h"
#include "sim/cli/trace_args.h"
#include "sim/study/text_file.h"
#include "sim/study/trace_input.h"
#include "sim/study/trace_order.h"

static void print_known(FILE *to, uint32_t value)
{
    if (value == TRACE_UNKNOWN) {
        fputc(',', to);
    } else {
        fprintf(to, ",%u", value);
    }
}

static void print_packet(FILE *to, const struct trace_packet *packet, sim_time base)
{
    static const char *const direction[] = {
        [TRACE_DIRECTION_UNKNOWN] = "", [TRACE_SENT] = "tx", [TRACE_RECEIVED] = "rx"};
    const sim_time at = packet->at - base;

    fprintf(to, "%lld.%012lld,%u", (long long)(at / SIM_S), (long long)(at % SIM_S), packet->size);
    print_known(to, packet->data_len);
    print_known(to, packet->payload);
    print_known(to, packet->sg);
    print_known(to, packet->queue);
    fprintf(to, ",%s", direction[packet->direction]);
    print_known(to, packet->kick_test);
    fputc('\n', to);
}

/* False: refused, reported. */
static bool write_packets(const struct trace_args *args, struct problems *problems, FILE *to)
{
    struct trace_reader *reader = trace_open(args->file, &args->options, problems);
    struct trace_order *order;
    struct trace_packet packet;
    sim_time base = 0;
    uint64_t sent = 0;
    bool first = true;
    int got;

    if (!reader) {
        return false;
    }
    order = trace_order_new(reader, &args->options);
    fputs("time,len,data_len,payload,sg,queue,dir,kick_prepare\n", to);
    while ((got = trace_order_next(order, &packet)) == 1) {
        base = first ? packet.at : base;
        first = false;
        sent += packet.direction != TRACE_RECEIVED;
        print_packet(to, &packet, base);
    }
    if (got == 0 && sent == 0 && trace_order_facts(order)->size_unknown > 0) {
        trace_input_error(reader->input, 0, 0,
                          "no packet is left that was sent: none has a recorded size");
        got = -1;
    }
    trace_order_free(order);
    trace_close(reader);
    return got == 0;
}

/* What fails on the way to `to` is told when that is closed. */
static bool copy(FILE *from, FILE *to)
{
    char buffer[65536];
    size_t got;

    rewind(from);
    while ((got = fread(buffer, 1, sizeof buffer, from)) > 0) {
        if (fwrite(buffer, 1, got, to) != got) {
            break;
        }
    }
    return !ferror(from);
}

static int fail_system(const char *file)
{
    struct error e = {.kind = ERROR_NONE};

    error_set_errno(&e, ERROR_SYSTEM, file);
    return command_fail(&e);
}

/* Into what is no file: a pipe, a device. */
static int write_to(FILE *from, const char *out)
{
    FILE *to = fopen(out, "w");
    bool ok;

    if (!to) {
        return fail_system(out);
    }
    ok = copy(from, to) && !ferror(to);
    ok = fclose(to) == 0 && ok;
    return ok ? 0 : fail_system(out);
}

/* Gives the finished file its name, or writes it where it belongs. */
static int deliver(const struct trace_args *args, FILE *to, const char *part)
{
    if (fflush(to) != 0 || ferror(to)) {
        return fail_system(args->out ? args->out : "standard output");
    }
    if (!args->out) {
        return copy(to, stdout) || ferror(stdout) ? command_finish(0)
                                                  : fail_system("standard output");
    }
    if (!part) {
        return write_to(to, args->out);
    }
    return rename(part, args->out) == 0 ? 0 : fail_system(args->out);
}

int trace_convert(const struct trace_args *args)
{
    struct trace_args all = *args;
    struct problems problems;
    bool named = args->out && text_file_is_renamed(args->out);
    char part[PATH_MAX + 8];
    FILE *to;
    int code;

    if (args->json) {
        return command_usage("trace", "convert writes CSV: --json is for info");
    }
    all.options.received_too = args->options.direction == TRACE_DIRECTION_UNKNOWN;
    snprintf(part, sizeof part, "%s.part", named ? args->out : "");
    to = named ? fopen(part, "w") : tmpfile();
    if (!to) {
        return fail_system(named ? part : "temporary file");
    }
    problems_init(&problems);
    write_packets(&all, &problems, to);
    code = trace_args_problems(args, &problems);
    if (code == 0) {
        code = deliver(args, to, named ? part : NULL);
    }
    fclose(to);
    if (code != 0 && named) {
        unlink(part);
    }
    problems_fini(&problems);
    return code;
}
