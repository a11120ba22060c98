/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/capture_fit.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Six digits, which is more than a fit knows. */
static double rounded(double value)
{
    char text[32];

    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

static sim_time rounded_time(double rate)
{
    const double time = rounded(1 / rate);

    return time >= (double)FIT_STATE_MOST ? FIT_STATE_MOST : time < 1 ? 1 : (sim_time)time;
}

/* The law becomes a workload, and then is what the workload does. */
static void make_workload(struct capture_fit *fit, struct arrival_fit *chosen)
{
    const double pps = 1e12 * fit->mean_list; /* packets/s of one list a ps */
    struct arrival_law *law = &chosen->law;

    fit->type = chosen->kind == ARRIVAL_CONSTANT  ? WORKLOAD_CONSTANT
                : chosen->kind == ARRIVAL_POISSON ? WORKLOAD_POISSON
                                                  : WORKLOAD_MMPP;
    if (fit->type != WORKLOAD_MMPP) {
        fit->rate_pps = rounded(pps / fit->mean_gap_ps);
        law->high = law->low = fit->rate_pps / 1e12 / fit->burst;
        chosen->mean_gap = 1 / law->high;
        return;
    }
    fit->rate_pps = rounded(pps * law->high);
    fit->low_rate_pps = rounded(pps * law->low);
    fit->on_mean = rounded_time(law->leave_high);
    fit->off_mean = rounded_time(law->leave_low);
    law->high = fit->rate_pps / 1e12 / fit->burst;
    law->low = fit->low_rate_pps / 1e12 / fit->burst;
    law->leave_high = 1 / (double)fit->on_mean;
    law->leave_low = 1 / (double)fit->off_mean;
}

static void compare(struct capture_fit *fit, const struct arrivals *arrivals)
{
    fit->distance = fit_arrivals_distance(arrivals, fit->chosen);
    fit->distance_by_chance = sqrt(-log(0.01 / 2) / 2 / (double)arrivals->gaps.count);
    for (uint32_t i = 0; i < ARRIVALS_SCALES; i += 2) {
        const struct arrivals_dispersion d = arrivals_dispersion(arrivals, i);

        if (fit_arrivals_uses(arrivals, &d)) {
            fit->window[fit->windows++] = (struct capture_fit_window){
                d.window, d.windows, d.index,
                fit->burst * fit_arrivals_dispersion(fit->chosen, d.window)};
        }
    }
}

static void limit(struct capture_fit *fit, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void limit(struct capture_fit *fit, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(fit->limit[fit->limits++], sizeof fit->limit[0], format, args);
    va_end(args);
}

/* The window at which the workload is furthest off, in standard errors as the fit takes them. */
static void limit_of_counts(struct capture_fit *fit)
{
    const struct capture_fit_window *worst = NULL;
    double most = 3;

    for (uint32_t i = 0; i < fit->windows; i++) {
        const struct capture_fit_window *w = &fit->window[i];
        const double windows = w->windows > 200 ? 200 : (double)w->windows;
        const double off = fabs(log(fmax(w->workload, 1e-9) / w->capture)) * sqrt(windows / 2);

        if (off > most) {
            most = off;
            worst = w;
        }
    }
    if (worst) {
        limit(fit,
              "Counts: in windows of %.4g ms the variance over the mean is %.3g in the capture and "
              "%.3g of the workload%s",
              sim_time_us(worst->window) / 1000, worst->capture, worst->workload,
              fit->type == WORKLOAD_MMPP ? ". Two states have one time scale, traffic has many"
                                         : "");
    }
}

static void tell_limits(struct capture_fit *fit)
{
    limit(fit, "Feedback: the gaps are those of the machine and the peer that were captured. An "
               "emulated machine, or one of another speed, has others; replay \"marks\" simulates "
               "what makes them");
    limit(fit, "Order: kinds of packets are drawn one by one, runs of one kind are lost; a replay "
               "keeps them");
    if (fit->distance > fit->distance_by_chance) {
        limit(fit,
              "Gaps: they are further from the law than chance explains (distance %.3g, once "
              "in 100 above %.3g)",
              fit->distance, fit->distance_by_chance);
    }
    if (fit->chosen->kind == ARRIVAL_POISSON && fit->gap_variation < 0.9) {
        limit(fit,
              "Gaps: they are more regular than a Poisson source's: standard deviation %.2f of "
              "the mean",
              fit->gap_variation);
    }
    limit_of_counts(fit);
    if (fit->longest_list != fit->burst || fit->mean_list < fit->burst) {
        limit(fit,
              "Lists: all have %u packet%s; those of the capture have %.4g in the mean, %llu "
              "at most",
              fit->burst, fit->burst == 1 ? "" : "s", fit->mean_list,
              (unsigned long long)fit->longest_list);
    }
    if (fit->chosen->at_limit) {
        limit(fit,
              "Slow changes: a state would last longer than %.4g ms, where an eighth of the "
              "capture or the 1 s of a scenario ends it",
              fit->state_most_ps / 1e9);
    }
    if (fit->mix_error.share > 0) {
        limit(fit, "Entries: the share of one number of entries is off by %.2g %%",
              100 * fit->mix_error.share);
    }
}

static void take_summary(struct capture_fit *fit, const struct capture_view *view)
{
    const struct arrivals *arrivals = &view->arrivals;

    fit->format = view->format;
    trace_sg_text(&view->sg, fit->sg_text);
    fit->packets = arrivals->packets;
    fit->lists = arrivals->lists;
    fit->span_s = sim_time_s(arrivals->last - arrivals->first);
    fit->mean_list = arrivals_mean_list(arrivals);
    fit->burst = fit_arrivals_list(arrivals);
    fit->longest_list = arrivals->longest_list;
    fit->state_most_ps = fit_arrivals_state_most(arrivals);
    fit->mean_gap_ps = arrivals_mean_gap(arrivals);
    fit->gap_variation = arrivals_gap_variation(arrivals);
    fit->mean_size_bytes = (double)view->mix.bytes / (double)view->mix.packets;
    fit->mean_entries =
        (double)view->mix.frags / (double)view->mix.packets + trace_sg_entries(&view->sg, 0);
    fit->kinds = packet_mix_kinds(&view->mix, fit->kind, &fit->mix_error);
}

bool capture_fit(struct capture_fit *fit, const struct capture_view *view, struct error *error)
{
    memset(fit, 0, sizeof *fit);
    fit->chosen = fit_arrivals(fit->fits, &view->arrivals, error);
    if (!fit->chosen) {
        return false;
    }
    take_summary(fit, view);
    make_workload(fit, &fit->fits[fit->chosen->kind]);
    compare(fit, &view->arrivals);
    tell_limits(fit);
    return true;
}

const char *capture_fit_type(const struct capture_fit *fit)
{
    return fit->type == WORKLOAD_CONSTANT  ? "constant"
           : fit->type == WORKLOAD_POISSON ? "poisson"
                                           : "mmpp";
}
