/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot, started here and nowhere else: one process a picture, without a display, a user's
 * start-up file or a locale. A picture counts only when the program left with 0 and the file is a
 * whole SVG that is not empty: gnuplot can fail in each of these ways alone.
 */
#ifndef SIM_STUDY_GNUPLOT_H
#define SIM_STUDY_GNUPLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/engine/error.h"

#define GNUPLOT_SECONDS_MOST 120 /* a script that takes longer is ended */

/* Is there a gnuplot that can draw SVG? False: ERROR_SYSTEM and what to install. */
bool gnuplot_probe(struct error *error);

/* Runs `script` (a file name inside folder) with the variable `out` set to a temporary name and,
 * when the picture is good, renames it to `picture`; no picture is left otherwise. message gets
 * what gnuplot said, in one line; empty when nothing. False: no picture, *error is ERROR_INPUT when
 * the script is to blame. */
bool gnuplot_draw(const char *folder, const char *script, const char *picture, char *message,
                  size_t bytes, struct error *error);

#endif
