/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The ensembles of a published table, as data:
 *
 *   {"name": "old column", "bed": SCENARIO, "worlds": FILE, "compare": [FIRST, SECOND], "seed": 1,
 *    "search":  {"duration": TIME, "warmup": TIME},
 *    "free":    [{"parameter": PATH, "low": V, "high": V, "scale": "log"}, ...],
 *    "regimes": [{"parameter": PATH, "values": [V, ...]}, ...],
 *    "dither":  {"parameter": PATH, "factors": [x, ...]},
 *    "split":   [{"by": PATH or METRIC, "edges": [x, ...]}, ...],
 *    "cells":   [{"cell": TEXT, "variant": V, "at": {PATH: VALUE}, "metric": M,
 *                 "published": x, "sigma_percent": x, "accepted_percent": x, "role": R},
 *                {"cell": TEXT, "variant": V, "metric": M, "mean": "error_percent",
 *                 "accepted": [low, high], "role": R},
 *                {"cell": TEXT, "variant": V, "over": V, "metric": M, "mean": "gain", ...}]}
 *
 * low and high default to the certificate's range. Cells of role calibrated accept worlds; sigma
 * (sigma, sigma_percent) weighs them in the score. A cell with mean is one over all cells of its
 * variant and metric that stand before it: their errors, or their gains over the same settings of
 * another variant; tie is how small a gain is noise. Limits are as in published.h; accepted may hold null for no limit on a side.
 */
#ifndef SIM_STUDY_ENSEMBLE_READ_H
#define SIM_STUDY_ENSEMBLE_READ_H

#include "sim/study/document.h"
#include "sim/study/ensemble_plan.h"

/* file: of the document, which its file names are relative to. False: problems say why. */
bool ensemble_read(struct ensemble_plan *plan, struct node object, const char *file,
                   struct problems *problems);

#endif
