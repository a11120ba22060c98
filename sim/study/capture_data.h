/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The numbers behind the pictures of a capture: text files with a line of column names, which any
 * program can draw.
 */
#ifndef SIM_STUDY_CAPTURE_DATA_H
#define SIM_STUDY_CAPTURE_DATA_H

#include "sim/study/capture_view.h"
#include "sim/study/fit_arrivals.h"

/* Writes rate.dat, sizes.dat, entries.dat, gaps.dat and dispersion.dat into the folder. fit: the
 * law whose dispersion stands beside; NULL: none. */
bool capture_data_write(const char *folder, const struct capture_view *view,
                        const struct arrival_fit *fit, struct error *error);

#endif
