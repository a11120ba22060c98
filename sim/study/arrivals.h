/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is kept of the arrivals of a capture while it is read, in constant memory however long it
 * is: enough to fit a law to them, and to see what the law misses.
 *
 *   lists     packets handed over together (xmit_more) or at one time are one arrival
 *   gaps      from the first packet of a list to that of the next, in a log-linear histogram
 *   counts    of packets in windows of 2^20 ps (1.05 us), 2, 4, 8 ... times as long,
 *             side by side from the first arrival on. Of each length the sum and the sum of squares
 *             are kept: the index of dispersion is the variance of a count over its mean, 1 for a
 *             Poisson source at any window, n for one that sends n at a time. A window that is full
 *             hands its count to the next length, so that an arrival costs about the same whatever
 *             the number of lengths.
 *
 * The first arrival is where time begins and is in no window.
 */
#ifndef SIM_STUDY_ARRIVALS_H
#define SIM_STUDY_ARRIVALS_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/engine/histogram.h"
#include "sim/engine/time.h"

#define ARRIVALS_SHIFT  20 /* log2 of the shortest window in ps */
#define ARRIVALS_SCALES 36 /* the longest: 10 hours */

/* Counts in windows of one length. */
struct arrivals_scale {
    uint64_t window;  /* the one being filled, from 0 */
    uint64_t packets; /* in it */
    uint64_t sum;     /* of the full ones */
    double squared;   /* sum of their squares */
};

struct arrivals {
    uint64_t packets, lists;
    uint64_t list_packets; /* of the present list */
    uint64_t longest_list;
    sim_time first, last;  /* packet and list */
    bool more;             /* the last packet announced another */
    struct histogram gaps; /* ps between lists */
    double gap_squared;    /* sum of squares, in ps^2 */
    struct arrivals_scale scale[ARRIVALS_SCALES];
};

/* Dispersion at one window. */
struct arrivals_dispersion {
    sim_time window;
    uint64_t windows; /* full ones */
    double mean;      /* packets in a window */
    double index;     /* variance over mean; NaN when nothing was in them */
};

void arrivals_init(struct arrivals *arrivals);

/* Times do not decrease. more: another packet of the same list follows. */
void arrivals_add(struct arrivals *arrivals, sim_time at, bool more);

double arrivals_mean_list(const struct arrivals *arrivals);     /* packets a list */
double arrivals_mean_gap(const struct arrivals *arrivals);      /* ps between lists; NaN: no gap */
double arrivals_gap_variation(const struct arrivals *arrivals); /* standard deviation / mean */

/* Of windows of 2^(ARRIVALS_SHIFT + scale) ps that were full at the last arrival. */
struct arrivals_dispersion arrivals_dispersion(const struct arrivals *arrivals, uint32_t scale);

#endif
