/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a text trace gives to tell besides its packets: which events are missing, which were of no
 * use, what was left out. Counted line by line, told once at the end of the file, so that a damaged
 * file of a million lines gives a few messages.
 */
#ifndef SIM_STUDY_TRACE_NOTES_H
#define SIM_STUDY_TRACE_NOTES_H

#include "sim/study/trace.h"
#include "sim/study/trace_event.h"
#include "sim/study/trace_join.h"

#define TRACE_NOTES_CPUS   8 /* CPUs with losses that are told one by one */
#define TRACE_NOTES_EVENTS 6 /* event names that are told where there are no packets */

struct trace_notes {
    struct {
        uint32_t cpu;
        uint64_t events, line;
        bool known, unknown;
    } lost[TRACE_NOTES_CPUS];
    size_t lost_cpus;
    uint64_t lost_elsewhere; /* losses of further CPUs */

    struct {
        char name[40];
        uint64_t lines;
    } event[TRACE_NOTES_EVENTS];
    size_t events;
    uint64_t not_events; /* lines that are neither event nor comment */

    uint64_t overwritten, overwritten_line;
    uint64_t cut_line;                /* 0: none */
    uint64_t other_style, other_line; /* lines of perf script among ftrace's, or the reverse */
    uint64_t wrong_index;             /* requests whose queue cannot be */
    uint64_t unnamed_tables;          /* kmalloc without the caller's name */
    uint64_t sent, received, other_devices; /* packets */
};

void trace_notes_loss(struct trace_notes *notes, const struct trace_loss *loss, uint64_t line,
                      struct trace_facts *facts);
void trace_notes_event(struct trace_notes *notes, struct trace_text name); /* of no packet */

/* Warnings, and an error where there is no packet; false then. */
bool trace_notes_tell(const struct trace_notes *notes, const struct trace_join *join,
                      const struct trace_options *options, bool perf, struct trace_input *input);

#endif
