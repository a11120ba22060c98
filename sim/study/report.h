/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The report: one store in, one self-contained page out. Every plot of the plots folder whose query
 * returns enough rows is drawn; the others are listed with the reason. The page lies in a folder
 * together with the data file, script and picture of each plot, so that any of them can be drawn
 * again or put into a paper.
 *
 * Order of the page: the question, the answer, the path of a packet with time by step, what this
 * cannot tell, the plots, the plots not drawn, the effective configuration and what varied,
 * warnings, versions.
 */
#ifndef SIM_STUDY_REPORT_H
#define SIM_STUDY_REPORT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/engine/error.h"
#include "sim/study/plot.h"
#include "sim/study/store.h"

struct report_options {
    const char *store_file;
    const char *out;   /* folder; NULL: the store's name without .db, with "-report" */
    const char *plots; /* folder; NULL: the one that comes with the program */
};

struct report {
    char out[512];  /* folder */
    char page[600]; /* file */
    char level[64]; /* of the intervals, stop.confidence of what is drawn: "95 %" */
    struct plots plots;
    size_t drawn, empty, broken; /* plots by what became of them */
};

/* False: no page. Nothing to plot is ERROR_INPUT and leaves nothing behind; a missing gnuplot is
 * ERROR_SYSTEM and leaves the data files and scripts. A broken plot does not stop the others: true,
 * and `broken` counts it. report_close() in any case. */
bool report_make(struct report *report, const struct report_options *options, struct error *error);
void report_close(struct report *report);

/* Writes the page of a report whose plots are drawn (report_page.c). */
bool report_page(const struct report *report, struct store *store, const char *store_file,
                 struct error *error);

#endif
