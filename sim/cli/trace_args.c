/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/cli/trace_args.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"

enum option_code {
    OPTION_JSON = 256,
    OPTION_STRICT,
    OPTION_DIRECTION,
    OPTION_QUEUE,
    OPTION_QUEUES,
    OPTION_ORDER,
    OPTION_SIZE,
    OPTION_MAC,
    OPTION_DEV,
    OPTION_FORMAT,
    OPTION_LEN_COLUMN,
    OPTION_DELIMITER,
    OPTION_SG_BYTES,
    OPTION_TSC_HZ,
    OPTION_FRAG_BYTES,
    OPTION_LINEAR_BYTES,
    OPTION_MAX_FRAGS,
    OPTION_HEADER_ENTRY,
};

static const struct option names[] = {
    {"json", no_argument, NULL, OPTION_JSON},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"direction", required_argument, NULL, OPTION_DIRECTION},
    {"queue", required_argument, NULL, OPTION_QUEUE},
    {"queues", required_argument, NULL, OPTION_QUEUES},
    {"order", required_argument, NULL, OPTION_ORDER},
    {"size", required_argument, NULL, OPTION_SIZE},
    {"mac", required_argument, NULL, OPTION_MAC},
    {"dev", required_argument, NULL, OPTION_DEV},
    {"format", required_argument, NULL, OPTION_FORMAT},
    {"len-column", required_argument, NULL, OPTION_LEN_COLUMN},
    {"delimiter", required_argument, NULL, OPTION_DELIMITER},
    {"sg-bytes", required_argument, NULL, OPTION_SG_BYTES},
    {"tsc-hz", required_argument, NULL, OPTION_TSC_HZ},
    {"frag-bytes", required_argument, NULL, OPTION_FRAG_BYTES},
    {"linear-bytes", required_argument, NULL, OPTION_LINEAR_BYTES},
    {"max-frags", required_argument, NULL, OPTION_MAX_FRAGS},
    {"header-entry", no_argument, NULL, OPTION_HEADER_ENTRY},
    {0},
};

static const char *option_name(int code)
{
    for (size_t i = 0; names[i].name; i++) {
        if (names[i].val == code) {
            return names[i].name;
        }
    }
    return "";
}

/* A whole number low..high; false: said. */
static bool whole(int code, uint32_t low, uint32_t high, uint32_t *value)
{
    char *end = NULL;
    unsigned long long number;

    errno = 0;
    number = strtoull(optarg, &end, 10);
    if (optarg[0] < '0' || optarg[0] > '9' || *end || errno != 0 || number < low || number > high) {
        command_usage("trace", "--%s %.40s: a whole number %u..%u is needed", option_name(code),
                      optarg, low, high);
        return false;
    }
    *value = (uint32_t)number;
    return true;
}

static bool sg_bytes(uint32_t *value)
{
    if (strcmp(optarg, "16") != 0 && strcmp(optarg, "32") != 0) {
        command_usage("trace", "--sg-bytes %.40s: 16 or 32 is needed", optarg);
        return false;
    }
    *value = optarg[0] == '1' ? 16 : 32;
    return true;
}

/* One of the words of `list`; its index, or -1: said. */
static int word(int code, const char *const *list)
{
    char known[120] = "";

    for (int i = 0; list[i]; i++) {
        size_t used = strlen(known);

        if (strcmp(optarg, list[i]) == 0) {
            return i;
        }
        snprintf(known + used, sizeof known - used, "%s%s", i > 0 ? ", " : "", list[i]);
    }
    command_usage("trace", "--%s %.40s: one of %s is needed", option_name(code), optarg, known);
    return -1;
}

static bool read_words(int code, struct trace_args *args)
{
    static const char *const directions[] = {"all", "tx", "rx", NULL};
    static const char *const orders[] = {"sort", "keep", "reject", NULL};
    int index;

    if (code == OPTION_DIRECTION) {
        index = word(code, directions);
        args->options.received_too = index == 0;
        args->options.direction = index == 1   ? TRACE_SENT
                                  : index == 2 ? TRACE_RECEIVED
                                               : TRACE_DIRECTION_UNKNOWN;
        return index >= 0;
    }
    index = word(code, orders);
    args->options.ordering = index == 1   ? TRACE_ORDER_KEEP
                             : index == 2 ? TRACE_ORDER_REJECT
                                          : TRACE_ORDER_SORT;
    return index >= 0;
}

static bool read_numbers(int code, struct trace_args *args)
{
    struct trace_options *options = &args->options;

    switch (code) {
    case OPTION_QUEUE:
        options->one_queue = true;
        return whole(code, 0, 65535, &options->queue);
    case OPTION_QUEUES:
        return whole(code, 1, 65536, &options->queues);
    case OPTION_SIZE:
        return whole(code, TRACE_SIZE_LEAST, TRACE_SIZE_MOST, &options->size);
    case OPTION_SG_BYTES:
        return sg_bytes(&options->sg_bytes);
    case OPTION_FRAG_BYTES:
        return whole(code, 64, 1u << 20, &args->shape.frag_bytes);
    case OPTION_LINEAR_BYTES:
        return whole(code, TRACE_SIZE_LEAST, TRACE_SIZE_MOST, &args->shape.linear_bytes);
    case OPTION_MAX_FRAGS:
        return whole(code, 1, 45, &args->shape.most_frags);
    default: {
        char *end = NULL;

        options->tsc_hz = strtod(optarg, &end);
        if (*end || !(options->tsc_hz >= 1e3 && options->tsc_hz <= 1e12)) {
            command_usage("trace", "--tsc-hz %.40s: a number 1000..1e12 is needed", optarg);
            return false;
        }
        return true;
    }
    }
}

/* False: said. */
static bool read_option(int code, struct trace_args *args)
{
    struct trace_options *options = &args->options;

    switch (code) {
    case 'o':
        args->out = optarg;
        return true;
    case OPTION_JSON:
        args->json = true;
        return true;
    case OPTION_STRICT:
        args->strict = true;
        return true;
    case OPTION_HEADER_ENTRY:
        args->shape.header_entry = true;
        return true;
    case OPTION_MAC:
        options->mac = optarg;
        return true;
    case OPTION_DEV:
        options->dev = optarg;
        return true;
    case OPTION_FORMAT:
        options->format = optarg;
        return true;
    case OPTION_LEN_COLUMN:
        options->len_column = optarg;
        return true;
    case OPTION_DELIMITER:
        if (strcmp(optarg, "\\t") == 0) {
            options->delimiter = '\t';
            return true;
        }
        if (strlen(optarg) != 1 || strchr("\"0123456789.", optarg[0])) {
            command_usage("trace", "--delimiter %.40s: one character is needed", optarg);
            return false;
        }
        options->delimiter = optarg[0];
        return true;
    case OPTION_DIRECTION:
    case OPTION_ORDER:
        return read_words(code, args);
    default:
        return read_numbers(code, args);
    }
}

int trace_args_read(struct trace_args *args, int argc, char **argv)
{
    int code;

    memset(args, 0, sizeof *args);
    optind = 0;
    opterr = 0;
    while ((code = getopt_long(argc, argv, ":o:", names, NULL)) != -1) {
        if (code == '?' || code == ':') {
            return command_bad_option("trace", code, argv);
        }
        if (!read_option(code, args)) {
            return ERROR_USAGE;
        }
    }
    if (optind == argc) {
        return command_usage("trace", "a capture is needed");
    }
    if (optind + 1 < argc) {
        return command_usage("trace", "one argument too many: '%.40s'", argv[optind + 1]);
    }
    args->file = argv[optind];
    return 0;
}

int trace_args_problems(const struct trace_args *args, struct problems *problems)
{
    if (args->strict) {
        for (size_t i = 0; i < problems->count; i++) {
            problems->errors += problems->list[i].warning ? 1 : 0;
            problems->list[i].warning = false;
        }
    }
    return command_problems(problems);
}
