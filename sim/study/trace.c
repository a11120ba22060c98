/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace.h"

#include <stdio.h>
#include <string.h>

#include "sim/study/trace_input.h"

/* Asked in this order. */
static const struct trace_reader_ops *const readers[] = {
    &trace_pcap_reader,
    &trace_pcapng_reader,
    &trace_ftrace_reader,
    &trace_perf_script_reader,
    &trace_csv_reader, /* any text: the last */
    NULL,
};

/* What a capture is mistaken for, and what to do. */
static const struct foreign {
    const char *magic;
    size_t bytes;
    const char *text;
} foreign[] = {
    {"PERFILE2", 8, "this is perf.data; run: perf script -i FILE > FILE.txt"},
    {"2ELIFREP", 8, "this is perf.data; run: perf script -i FILE > FILE.txt"},
    {"\x17\x08\x44tracing", 10, "this is trace.dat; run: trace-cmd report FILE > FILE.txt"},
    {"\x28\xb5\x2f\xfd", 4, "compressed by zstd; run: zstd -d FILE"},
    {"\xfd"
     "7zXZ",
     5, "compressed by xz; run: xz -d FILE"},
    {"BZh", 3, "compressed by bzip2; run: bzip2 -d FILE"},
    {"<", 1, "looks like HTML, not CSV"},
};

/* A name stands for those that begin with it: pcap for pcapng, too. */
static bool is_named(const struct trace_reader_ops *ops, const char *name)
{
    return strncmp(ops->name, name, strlen(name)) == 0;
}

/* The reader of that name; of several the one that recognises the file. What is recognised as
 * something else is refused. */
static const struct trace_reader_ops *reader_named(struct trace_input *input, const uint8_t *head,
                                                   size_t bytes, const char *name)
{
    const struct trace_reader_ops *named = NULL, *other = NULL;

    for (size_t i = 0; readers[i] && !other; i++) {
        bool recognised = readers[i]->recognise(head, bytes);

        if (is_named(readers[i], name)) {
            named = named && !recognised ? named : readers[i];
            if (recognised) {
                return named;
            }
        } else if (recognised) {
            other = readers[i];
        }
    }
    for (size_t i = 0; readers[i] && !named; i++) {
        named = is_named(readers[i], name) ? readers[i] : NULL;
    }
    if (!named) {
        trace_input_error(input, 0, 0, "no capture format is called %.40s", name);
    } else if (other && bytes >= 4 && (head[0] < ' ' || head[0] > '~')) {
        trace_input_error(input, 0, 0, "looks like a %s file (magic %02x%02x%02x%02x)", other->name,
                          head[0], head[1], head[2], head[3]);
    } else if (other) {
        trace_input_error(input, 0, 0, "looks like %s text", other->name);
    }
    return other ? NULL : named;
}

static const struct trace_reader_ops *reader_for(struct trace_input *input, const char *format)
{
    size_t bytes;
    const uint8_t *head = trace_input_peek(input, 4096, &bytes);

    if (trace_input_failed(input)) {
        return NULL;
    }
    if (bytes == 0) {
        trace_input_error(input, 0, 0, "file is empty");
        return NULL;
    }
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++) {
        if (bytes >= foreign[i].bytes && memcmp(head, foreign[i].magic, foreign[i].bytes) == 0) {
            trace_input_error(input, 0, 0, "%s", foreign[i].text);
            return NULL;
        }
    }
    if (format) {
        return reader_named(input, head, bytes, format);
    }
    for (size_t i = 0; readers[i]; i++) {
        if (readers[i]->recognise(head, bytes)) {
            return readers[i];
        }
    }
    trace_input_error(
        input, 0, 0, "not text, and no capture format that is known (it begins %02x%02x%02x%02x)",
        head[0], bytes > 1 ? head[1] : 0, bytes > 2 ? head[2] : 0, bytes > 3 ? head[3] : 0);
    return NULL;
}

/* An option that means nothing to this format is likely a mistake. */
static void warn_options(struct trace_input *input, const struct trace_options *options,
                         const struct trace_reader_ops *ops)
{
    const bool csv = ops == &trace_csv_reader;
    const struct {
        const char *name;
        bool idle;
    } list[] = {
        {"mac", options->mac && !ops->binary},
        {"dev", options->dev && csv},
        {"len-column", options->len_column && !csv},
        {"delimiter", options->delimiter && !csv},
        {"sg-bytes", options->sg_bytes > 0 && (csv || ops->binary)},
        {"tsc-hz", options->tsc_hz > 0 && (csv || ops->binary)},
    };

    for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
        if (list[i].idle) {
            trace_input_warning(input, 0, 0, "%s has no effect on a capture of format %s",
                                list[i].name, ops->name);
        }
    }
}

struct trace_reader *trace_open(const char *file, const struct trace_options *options,
                                struct problems *problems)
{
    struct trace_input *input = trace_input_open(file, problems);
    const struct trace_reader_ops *ops;
    struct trace_reader *reader = NULL;

    if (!input) {
        return NULL;
    }
    if (options->hash) {
        trace_input_hash(input, options->hash);
    }
    ops = reader_for(input, options->format);
    if (ops) {
        warn_options(input, options, ops);
        reader = ops->open(input, options, problems);
    }
    if (!reader) {
        trace_input_close(input);
        return NULL;
    }
    reader->ops = ops;
    reader->input = input;
    reader->problems = problems;
    reader->facts.format = ops->name;
    return reader;
}

int trace_next(struct trace_reader *reader, struct trace_packet *packet)
{
    int got;

    *packet = (struct trace_packet){.data_len = TRACE_UNKNOWN,
                                    .payload = TRACE_UNKNOWN,
                                    .sg = TRACE_UNKNOWN,
                                    .queue = TRACE_UNKNOWN,
                                    .kick_test = TRACE_UNKNOWN};
    got = reader->ops->next(reader, packet);
    if (got == 1) {
        reader->facts.packets++;
    }
    return got;
}

void trace_close(struct trace_reader *reader)
{
    if (reader) {
        struct trace_input *input = reader->input;

        reader->ops->close(reader);
        trace_input_close(input);
    }
}
