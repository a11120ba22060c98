/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/trace_csv_columns.h"

#include <ctype.h>
#include <string.h>

#define NAME_MOST 48

static const struct alias {
    const char *name;
    enum csv_column column;
} aliases[] = {
    {"time", CSV_TIME},
    {"t", CSV_TIME},
    {"ts", CSV_TIME},
    {"timestamp", CSV_TIME},
    {"seconds", CSV_TIME},
    {"frame.time_epoch", CSV_TIME},
    {"frame.time_relative", CSV_TIME},
    {"time_epoch", CSV_TIME},
    {"time_relative", CSV_TIME},
    {"len", CSV_LEN},
    {"length", CSV_LEN},
    {"size", CSV_LEN},
    {"frame.len", CSV_LEN},
    {"frame_len", CSV_LEN},
    {"pkt_len", CSV_LEN},
    {"skb_len", CSV_LEN},
    {"wire_len", CSV_LEN},
    {"data_len", CSV_DATA_LEN},
    {"payload", CSV_PAYLOAD},
    {"sg", CSV_SG},
    {"total_sg", CSV_SG},
    {"out_sg", CSV_SG},
    {"entries", CSV_SG},
    {"nr_frags", CSV_FRAGS},
    {"frags", CSV_FRAGS},
    {"queue", CSV_QUEUE},
    {"queue_mapping", CSV_QUEUE},
    {"txq", CSV_QUEUE},
    {"dir", CSV_DIRECTION},
    {"direction", CSV_DIRECTION},
    {"kick_prepare", CSV_KICK_TEST},
    {"kick_test", CSV_KICK_TEST},
    {"xmit_more", CSV_MORE},
    {"more", CSV_MORE},
    {"kick", CSV_KICK},
    {"kicks", CSV_KICK},
};

static const struct unit {
    const char *name;
    int exponent;
    bool time;
} units[] = {
    {"s", 0, true},   {"sec", 0, true},  {"ms", -3, true},    {"us", -6, true},
    {"ns", -9, true}, {"ps", -12, true}, {"bytes", 0, false}, {"b", 0, false},
};

static enum csv_column find(const char *name, size_t bytes)
{
    for (size_t i = 0; i < sizeof aliases / sizeof *aliases; i++) {
        if (strlen(aliases[i].name) == bytes && memcmp(aliases[i].name, name, bytes) == 0) {
            return aliases[i].column;
        }
    }
    return CSV_OTHER;
}

/* Bytes of `name` in front of its unit, "_us" or " (us)" or "[us]"; `bytes`: has none. */
static size_t unit_strip(const char *name, size_t bytes, const struct unit **unit)
{
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        size_t length = strlen(units[i].name), end = bytes;
        const bool bracket = end > 0 && (name[end - 1] == ')' || name[end - 1] == ']');

        end -= bracket ? 1 : 0;
        if (end < length + 2 || memcmp(name + end - length, units[i].name, length) != 0) {
            continue;
        }
        end -= length;
        if (!strchr(bracket ? "([" : "_", name[end - 1])) {
            continue;
        }
        end--;
        while (end > 0 && (name[end - 1] == ' ' || name[end - 1] == '_')) {
            end--;
        }
        *unit = &units[i];
        return end;
    }
    return bytes;
}

enum csv_column csv_column_named(const char *name, size_t bytes, int *exponent)
{
    char lower[NAME_MOST];
    const struct unit *unit = NULL;
    enum csv_column column;
    size_t plain;

    *exponent = 0;
    if (bytes > sizeof lower) {
        return CSV_OTHER;
    }
    for (size_t i = 0; i < bytes; i++) {
        lower[i] = (char)tolower((unsigned char)name[i]);
    }
    column = find(lower, bytes);
    if (column != CSV_OTHER) {
        return column;
    }
    plain = unit_strip(lower, bytes, &unit);
    column = unit ? find(lower, plain) : CSV_OTHER;
    if (column == CSV_TIME && unit->time) {
        *exponent = unit->exponent;
        return column;
    }
    return (column == CSV_LEN || column == CSV_DATA_LEN) && !unit->time ? column : CSV_OTHER;
}

const char *csv_column_name(enum csv_column column)
{
    static const char *const names[CSV_COLUMNS] = {
        [CSV_TIME] = "time",       [CSV_LEN] = "len",       [CSV_DATA_LEN] = "data_len",
        [CSV_PAYLOAD] = "payload", [CSV_SG] = "sg",         [CSV_FRAGS] = "nr_frags",
        [CSV_QUEUE] = "queue",     [CSV_DIRECTION] = "dir", [CSV_KICK_TEST] = "kick_prepare",
        [CSV_MORE] = "xmit_more",  [CSV_KICK] = "kick",
    };

    return names[column];
}
