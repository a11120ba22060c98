/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures of a capture. The data goes into a folder as text files; each NAME.gp of the folder
 * plots/trace, found at run time, is copied beside it and makes NAME.svg. docs/traces.md tells
 * which columns and variables a script sees, so that a user adds a picture without a compiler.
 */
#ifndef SIM_STUDY_CAPTURE_PLOT_H
#define SIM_STUDY_CAPTURE_PLOT_H

#include "sim/study/capture_view.h"

#define CAPTURE_PLOTS_MOST 32

struct capture_plot {
    const char *out;                   /* folder; made when it is not there */
    const char *capture;               /* name of the file, for titles */
    char name[CAPTURE_PLOTS_MOST][80]; /* of the scripts, sorted */
    uint32_t count;
};

/* False: *error. ERROR_SYSTEM of a missing gnuplot leaves data and scripts in the folder. */
bool capture_plot(struct capture_plot *plot, const struct capture_view *view, struct error *error);

#endif
