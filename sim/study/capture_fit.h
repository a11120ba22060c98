/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A capture as a workload of a scenario: the law of its arrivals (fit_arrivals), its packets as a
 * mixture (packet_mix), and what that leaves out. A list has the same number of packets always, the
 * mean rounded; the rate of packets is that of the capture, so that lists of the workload come a
 * little more or less often than those of the capture. What is compared with the capture is the
 * workload, not the law before that.
 */
#ifndef SIM_STUDY_CAPTURE_FIT_H
#define SIM_STUDY_CAPTURE_FIT_H

#include "models/workload.h"
#include "sim/study/capture_view.h"
#include "sim/study/fit_arrivals.h"

#define CAPTURE_FIT_LIMITS 8

/* Dispersion of packets, capture against workload. */
struct capture_fit_window {
    sim_time window;
    uint64_t windows;
    double capture, workload;
};

struct capture_fit {
    const char *format;
    uint64_t packets, lists;
    double span_s;    /* first packet to last list */
    double mean_list; /* packets */
    uint64_t longest_list;
    double mean_gap_ps, gap_variation; /* of lists; standard deviation / mean */

    double state_most_ps; /* longest mean state that was tried */
    struct arrival_fit fits[ARRIVAL_KINDS];
    const struct arrival_fit *chosen; /* one of fits */

    /* The workload. */
    int type; /* of workload.type */
    uint32_t burst;
    double rate_pps, low_rate_pps;
    sim_time on_mean, off_mean;
    uint32_t kinds;
    struct workload_kind kind[WORKLOAD_MIX_MOST];

    /* How good it is. */
    double distance, distance_by_chance; /* of gaps (Kolmogorov); chance: exceeded once in 100 */
    struct capture_fit_window window[ARRIVALS_SCALES];
    uint32_t windows;
    double mean_size_bytes, mean_entries;
    struct packet_mix_error mix_error;
    char sg_text[TRACE_SG_TEXT_BYTES];
    char limit[CAPTURE_FIT_LIMITS][320]; /* what it cannot say, a sentence each */
    uint32_t limits;
};

/* False: *error says why a capture like this has no fit. */
bool capture_fit(struct capture_fit *fit, const struct capture_view *view, struct error *error);

/* As the parameter spells it: "mmpp". */
const char *capture_fit_type(const struct capture_fit *fit);

#endif
