/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/arrivals.h"

#include <math.h>
#include <string.h>

void arrivals_init(struct arrivals *arrivals)
{
    memset(arrivals, 0, sizeof *arrivals);
}

static double square(uint64_t x)
{
    return (double)x * (double)x;
}

/* The window being filled is over: its count goes to the sums, and to the window twice as long that
 * it is a part of. */
static void close_window(struct arrivals_scale *scale, struct arrivals_scale *longer)
{
    scale->sum += scale->packets;
    scale->squared += square(scale->packets);
    if (longer) {
        longer->packets += scale->packets;
    }
    scale->packets = 0;
}

/* Time goes on to `since`: windows that end before it are full. From the shortest up, since a full
 * window is part of the one twice as long. */
static void advance(struct arrivals *arrivals, uint64_t since)
{
    for (uint32_t i = 0; i < ARRIVALS_SCALES; i++) {
        struct arrivals_scale *scale = &arrivals->scale[i];
        const uint64_t window = since >> (ARRIVALS_SHIFT + i);

        if (window == scale->window) {
            break; /* then it is the same for all longer ones */
        }
        close_window(scale, i + 1 < ARRIVALS_SCALES ? scale + 1 : NULL);
        scale->window = window;
    }
}

void arrivals_add(struct arrivals *arrivals, sim_time at, bool more)
{
    const bool joins = arrivals->packets > 0 && (arrivals->more || at == arrivals->last);

    if (arrivals->packets++ == 0) {
        arrivals->first = at;
    }
    arrivals->more = more;
    if (!joins) {
        if (arrivals->lists++ > 0) {
            const uint64_t gap = (uint64_t)(at - arrivals->last);

            histogram_add(&arrivals->gaps, gap, 1);
            arrivals->gap_squared += square(gap);
            advance(arrivals, (uint64_t)(at - arrivals->first));
        }
        arrivals->list_packets = 0;
        arrivals->last = at;
    }
    if (arrivals->lists > 1) {
        arrivals->scale[0].packets++;
    }
    arrivals->list_packets++;
    arrivals->longest_list = arrivals->list_packets > arrivals->longest_list
                                 ? arrivals->list_packets
                                 : arrivals->longest_list;
}

double arrivals_mean_list(const struct arrivals *arrivals)
{
    return (double)arrivals->packets / (double)arrivals->lists;
}

double arrivals_mean_gap(const struct arrivals *arrivals)
{
    return histogram_mean(&arrivals->gaps);
}

double arrivals_gap_variation(const struct arrivals *arrivals)
{
    const double mean = arrivals_mean_gap(arrivals);
    const double variance = arrivals->gap_squared / (double)arrivals->gaps.count - mean * mean;

    return variance > 0 ? sqrt(variance) / mean : 0;
}

struct arrivals_dispersion arrivals_dispersion(const struct arrivals *arrivals, uint32_t scale)
{
    const struct arrivals_scale *s = &arrivals->scale[scale];
    const double n = (double)s->window; /* those before it are full */
    struct arrivals_dispersion d = {
        .window = (sim_time)1 << (ARRIVALS_SHIFT + scale), .windows = s->window, .index = NAN};

    if (s->window > 1 && s->sum > 0) {
        d.mean = (double)s->sum / n;
        d.index = (s->squared / n - d.mean * d.mean) * n / (n - 1) / d.mean;
    }
    return d;
}
