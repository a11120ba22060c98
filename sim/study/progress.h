/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How far a long job is, on stderr. On a terminal one line is drawn over and over; for programs
 * each report is a JSON line; otherwise nothing is printed. The time left is weighted: a run counts
 * as much as the time it simulates, so long points at the end do not come as a surprise.
 */
#ifndef SIM_STUDY_PROGRESS_H
#define SIM_STUDY_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum progress_mode { PROGRESS_AUTO, PROGRESS_NONE, PROGRESS_JSON };

struct progress {
    FILE *out;
    enum progress_mode mode; /* after progress_init(): AUTO means a terminal */
    double begun_s, drawn_s; /* monotonic clock */
    uint64_t done, total;    /* runs */
    double done_weight, total_weight;
    bool line; /* one stands on the terminal */
};

/* mode AUTO becomes NONE where out is no terminal that can redraw. */
void progress_init(struct progress *progress, FILE *out, enum progress_mode mode);

/* More work has become known, or is done. */
void progress_expect(struct progress *progress, uint64_t runs, double weight);
void progress_done(struct progress *progress, double weight);

/* Draws when the last drawing is old enough (0.1 s, 1 s for JSON). */
void progress_draw(struct progress *progress);

/* Takes the line off the terminal, so that a message can be printed; JSON: the last report. */
void progress_end(struct progress *progress);

/* Seconds left, NaN while nothing is done; and a duration as people say it ("1 h 05 min"). */
double progress_left_s(const struct progress *progress);
void progress_duration(double seconds, char *buffer, size_t bytes);

double progress_clock_s(void);

#endif
