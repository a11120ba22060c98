/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One line of a text trace, taken apart. Three programs print nearly the same line:
 *
 *   ftrace       "  COMM-PID  [CPU] FLAGS TIME: EVENT: fields", with "(TGID)" before the CPU on
 * request trace-cmd    "  COMM-PID  [CPU] TIME: EVENT:  fields" perf script  "  COMM  PID [CPU]
 * TIME: SYSTEM:EVENT: fields"; it alone names the system
 *
 * A COMM may hold blanks, brackets and colons, even something that looks like the rest of such a
 * line; it has at most 15 bytes. So the place of "[CPU]" is the last one after which a line follows
 * and before which no more than 15 bytes of name are left; only where there is none, a longer name
 * (perf prints some of kernel threads) is taken. Fields are found by name, since their set and
 * order change between kernels.
 *
 * Nothing is copied: all texts point into the line, which the caller keeps.
 */
#ifndef SIM_STUDY_TRACE_EVENT_H
#define SIM_STUDY_TRACE_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRACE_CPU_MOST 8192 /* more than a kernel may be built for */

/* A piece of a line; not ended by a zero. */
struct trace_text {
    const char *at;
    size_t length;
};

struct trace_event {
    bool perf; /* a line of perf script: the event names its system */
    uint32_t pid, cpu;
    uint64_t seconds;     /* whole seconds; ticks of the clock where there is no fraction */
    uint64_t fraction_ps; /* below 10^12 */
    bool has_fraction;
    struct trace_text name; /* without the system */
    struct trace_text fields;
};

/* False: the line is none of the three (a comment, a note, a stack entry). */
bool trace_event_parse(const char *line, size_t length, struct trace_event *event);

/* Takes the next "key=value" off the front of *rest; false: there is none left. What stands between
 * two such words is passed over. */
bool trace_event_field(struct trace_text *rest, struct trace_text *key, struct trace_text *value);

/* The word after `word` and a blank ("... for device eth0 work 1 budget 64"); false: no such word.
 */
bool trace_event_word(struct trace_text fields, const char *word, struct trace_text *value);

bool trace_text_is(struct trace_text text, const char *word);
bool trace_text_starts(struct trace_text text, const char *word);
bool trace_text_has(struct trace_text text, const char *word);

/* A whole number, decimal or 0x hexadecimal, and nothing else; false otherwise or above 2^64-1. */
bool trace_text_number(struct trace_text text, uint64_t *number);

/* What a trace says of events that are not in it. */
struct trace_loss {
    bool overwritten; /* older than all that is there, of all CPUs */
    bool unknown;     /* how many */
    uint64_t events;
    uint32_t cpu; /* UINT32_MAX: not said */
};

/* False: the line (one that is no event) tells of no loss. */
bool trace_loss_parse(const char *line, size_t length, struct trace_loss *loss);

#endif
