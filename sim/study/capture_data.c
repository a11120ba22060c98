/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/capture_data.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim/study/text_file.h"

#define RATE_POINTS 512 /* at most: more is noise in a picture */

typedef void write_rows(FILE *out, const struct capture_view *view, const struct arrival_fit *fit);

/* Over equal spans; the last one is as long as the capture reaches, or joins the one before. */
static void write_rate(FILE *out, const struct capture_view *view, const struct arrival_fit *fit)
{
    const struct series *s = &view->bytes;
    const uint32_t step = (s->count + RATE_POINTS - 1) / RATE_POINTS;

    (void)fit;
    fputs("time_s packets_per_s bits_per_s\n", out);
    for (uint32_t i = 0; i < s->count; i += step) {
        const sim_time from = i * s->span;
        sim_time to = from + step * s->span;
        uint64_t packets = 0;
        double bytes = 0, seconds;

        if (to > view->last && i > 0) {
            break; /* a piece of a span says nothing */
        }
        to = to > view->last && view->last > 0 ? view->last : to;
        for (uint32_t k = i; k < i + step && k < s->count; k++) {
            packets += s->point[k].count;
            bytes += s->point[k].sum;
        }
        seconds = sim_time_s(to - from);
        fprintf(out, "%.9g %.6g %.6g\n", sim_time_s(from + (to - from) / 2),
                (double)packets / seconds, 8 * bytes / seconds);
    }
}

/* Shares of the packets and of their bytes that are at most so large. */
static void write_sizes(FILE *out, const struct capture_view *view, const struct arrival_fit *fit)
{
    const struct packet_mix *mix = &view->mix;
    uint64_t packets = 0, bytes = 0;

    (void)fit;
    fputs("bytes packets_percent bytes_percent\n1 0 0\n", out);
    for (uint32_t i = 0; i < PACKET_MIX_SIZES; i++) {
        uint64_t cell_packets = 0, cell_bytes = 0;

        for (uint32_t frags = 0; frags < PACKET_MIX_FRAGS; frags++) {
            cell_packets += mix->cell[frags][i].packets;
            cell_bytes += mix->cell[frags][i].bytes;
        }
        if (cell_packets > 0) {
            packets += cell_packets;
            bytes += cell_bytes;
            fprintf(out, "%.6g %.6g %.6g\n", (double)cell_bytes / (double)cell_packets,
                    100 * (double)packets / (double)mix->packets,
                    100 * (double)bytes / (double)mix->bytes);
        }
    }
    fputs("1000000 100 100\n", out);
}

static void write_entries(FILE *out, const struct capture_view *view, const struct arrival_fit *fit)
{
    const struct packet_mix *mix = &view->mix;

    (void)fit;
    fputs("entries packets percent bytes_percent\n", out);
    for (uint32_t frags = 0; frags < PACKET_MIX_FRAGS; frags++) {
        uint64_t packets = 0, bytes = 0;

        for (uint32_t i = 0; i < PACKET_MIX_SIZES; i++) {
            packets += mix->cell[frags][i].packets;
            bytes += mix->cell[frags][i].bytes;
        }
        if (packets > 0) {
            fprintf(out, "%u %llu %.6g %.6g\n", trace_sg_entries(&view->sg, frags),
                    (unsigned long long)packets, 100 * (double)packets / (double)mix->packets,
                    100 * (double)bytes / (double)mix->bytes);
        }
    }
}

/* Share of the gaps between lists that are at most so long. */
static void write_gaps(FILE *out, const struct capture_view *view, const struct arrival_fit *fit)
{
    const struct histogram *h = &view->arrivals.gaps;
    uint64_t below = 0;

    (void)fit;
    fputs("gap_us at_most_percent\n", out);
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        if (h->bin[i] > 0) {
            if (below == 0) {
                fprintf(out, "%.6g 0\n", (double)histogram_bin_low(i) / 1e6);
            }
            below += h->bin[i];
            fprintf(out, "%.6g %.6g\n", (double)histogram_bin_high(i) / 1e6,
                    100 * (double)below / (double)h->count);
        }
    }
}

static void write_dispersion(FILE *out, const struct capture_view *view,
                             const struct arrival_fit *fit)
{
    const uint32_t list = fit_arrivals_list(&view->arrivals);

    fputs("window_us windows capture fit\n", out);
    for (uint32_t i = 0; i < ARRIVALS_SCALES; i++) {
        const struct arrivals_dispersion d = arrivals_dispersion(&view->arrivals, i);

        if (fit_arrivals_uses(&view->arrivals, &d)) {
            fprintf(out, "%.6g %llu %.6g ", sim_time_us(d.window), (unsigned long long)d.windows,
                    d.index);
            if (fit) {
                fprintf(out, "%.6g\n", list * fit_arrivals_dispersion(fit, d.window));
            } else {
                fputs("NaN\n", out);
            }
        }
    }
}

static bool write_one(const char *folder, const char *name, write_rows *rows,
                      const struct capture_view *view, const struct arrival_fit *fit,
                      struct error *error)
{
    char path[PATH_MAX];
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    bool ok;

    if (!out) {
        abort();
    }
    rows(out, view, fit);
    if (fclose(out) != 0) {
        abort();
    }
    snprintf(path, sizeof path, "%s/%s", folder, name);
    ok = text_file_write(path, text, error);
    free(text);
    return ok;
}

bool capture_data_write(const char *folder, const struct capture_view *view,
                        const struct arrival_fit *fit, struct error *error)
{
    return write_one(folder, "rate.dat", write_rate, view, fit, error) &&
           write_one(folder, "sizes.dat", write_sizes, view, fit, error) &&
           write_one(folder, "entries.dat", write_entries, view, fit, error) &&
           write_one(folder, "gaps.dat", write_gaps, view, fit, error) &&
           write_one(folder, "dispersion.dat", write_dispersion, view, fit, error);
}
