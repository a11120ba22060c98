/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The path of a packet drawn once, with the guest time that each step takes: out along the top
 * through the driver and the ring to the backend, and back along the bottom through interrupt and
 * reclaim. Which kernel symbols make up a step is the table in report_path.c; a symbol that is in
 * none of them is shown as a step of its own, so that the steps always sum to the packet.
 */
#ifndef SIM_STUDY_REPORT_PATH_H
#define SIM_STUDY_REPORT_PATH_H

#include <stdbool.h>
#include <stdio.h>

#include "sim/engine/error.h"
#include "sim/study/store.h"

/* One point of each case, the first one unfolded: threshold 0 (without one, the first point); where
 * the entries per packet are swept, the least that take a table, and the picture says how many.
 * Writes nothing where the store holds no time by symbol. `with` is the text of points.with. */
bool path_html(struct store *store, const char *with, FILE *page, struct error *error);

#endif
