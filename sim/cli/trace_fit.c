/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vqsim trace fit: a workload that resembles a capture, as JSON for a scenario's include. How good
 * it is and what it cannot say stands in comments of that file, and with -o is printed besides.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/trace_args.h"
#include "sim/engine/unit.h"
#include "sim/study/capture_fit.h"
#include "sim/study/json_out.h"
#include "sim/study/text_file.h"

static double digits(double value, int count)
{
    char text[32];

    snprintf(text, sizeof text, "%.*g", count, value);
    return strtod(text, NULL);
}

static void put(struct json_out *json, const char *key, double value)
{
    json_number(json, key, digits(value, 5));
}

static void put_capture(struct json_out *json, const struct capture_fit *fit, const char *file)
{
    const char *slash = strrchr(file, '/');

    json_object(json, "_capture");
    json_text(json, "file", slash ? slash + 1 : file);
    json_text(json, "format", fit->format);
    json_unsigned(json, "packets", fit->packets);
    json_unsigned(json, "lists", fit->lists);
    put(json, "seconds", fit->span_s);
    put(json, "packets_per_s", 1e12 * fit->mean_list / fit->mean_gap_ps);
    put(json, "gap_mean_us", fit->mean_gap_ps / 1e6);
    put(json, "gap_variation", fit->gap_variation);
    json_end(json);
}

/* The laws that were tried; a score is only good to be compared with another. */
static void put_laws(struct json_out *json, const struct capture_fit *fit)
{
    json_array(json, "_laws");
    for (int i = 0; i < ARRIVAL_KINDS; i++) {
        const struct arrival_fit *f = &fit->fits[i];

        if (f->tried && (i != ARRIVAL_CONSTANT || f == fit->chosen)) {
            json_object(json, NULL);
            json_text(json, "law", arrival_kind_name(f->kind));
            json_bool(json, "chosen", f == fit->chosen);
            if (i != ARRIVAL_CONSTANT) {
                put(json, "score_above_least", f->score - fit->chosen->score);
                put(json, "gaps", f->gaps - fit->chosen->gaps);
                put(json, "counts", f->counts - fit->chosen->counts);
            }
            json_end(json);
        }
    }
    json_end(json);
}

static void put_goodness(struct json_out *json, const struct capture_fit *fit)
{
    json_object(json, "_gaps");
    put(json, "distance", fit->distance);
    put(json, "by_chance", fit->distance_by_chance);
    json_end(json);
    json_array(json, "_dispersion");
    for (uint32_t i = 0; i < fit->windows; i++) {
        const struct capture_fit_window *w = &fit->window[i];

        json_object(json, NULL);
        put(json, "window_us", sim_time_us(w->window));
        json_unsigned(json, "windows", w->windows);
        put(json, "capture", w->capture);
        put(json, "workload", w->workload);
        json_end(json);
    }
    json_end(json);
    json_object(json, "_packets");
    put(json, "mean_bytes", fit->mean_size_bytes);
    put(json, "mean_bytes_off", fit->mix_error.size_bytes);
    put(json, "rms_bytes_off", fit->mix_error.size_rms_bytes);
    put(json, "mean_entries", fit->mean_entries);
    put(json, "mean_entries_off", fit->mix_error.frags);
    put(json, "share_off", fit->mix_error.share);
    json_text(json, "entries", fit->sg_text);
    json_end(json);
    json_array(json, "_cannot");
    for (uint32_t i = 0; i < fit->limits; i++) {
        json_text(json, NULL, fit->limit[i]);
    }
    json_end(json);
}

static void put_rate(struct json_out *json, const char *key, double pps)
{
    char text[64];

    unit_print(UNIT_PPS, pps, text, sizeof text);
    json_text(json, key, text);
}

static void put_time(struct json_out *json, const char *key, sim_time time)
{
    char text[64];

    unit_print_whole(UNIT_TIME, time, text, sizeof text);
    json_text(json, key, text);
}

static void put_workload(struct json_out *json, const struct capture_fit *fit)
{
    json_object(json, "workload");
    json_text(json, "type", capture_fit_type(fit));
    put_rate(json, "rate", fit->rate_pps);
    if (fit->type == WORKLOAD_MMPP) {
        put_rate(json, "low_rate", fit->low_rate_pps);
        put_time(json, "on", fit->on_mean);
        put_time(json, "off", fit->off_mean);
    }
    json_unsigned(json, "burst", fit->burst);
    json_array(json, "mix");
    for (uint32_t i = 0; i < fit->kinds; i++) {
        json_object(json, NULL);
        json_number(json, "weight", fit->kind[i].weight);
        json_unsigned(json, "size", fit->kind[i].size);
        json_unsigned(json, "frags", fit->kind[i].frags);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

/* malloc'ed. */
static char *snippet(const struct capture_fit *fit, const char *file)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    struct json_out json;

    if (!out) {
        abort();
    }
    json_init(&json, out, 2);
    json_object(&json, NULL);
    json_text(&json, "_what",
              "A workload fitted to a capture by vqsim trace fit, for a scenario's include");
    json_integer(&json, "version", 1);
    put_capture(&json, fit, file);
    put_laws(&json, fit);
    put_goodness(&json, fit);
    put_workload(&json, fit);
    json_end(&json);
    if (fclose(out) != 0) {
        abort();
    }
    return text;
}

static void print_text(const struct capture_fit *fit)
{
    char rate[64], low[64], on[64], off[64];

    unit_show(UNIT_PPS, fit->rate_pps, rate, sizeof rate);
    unit_show(UNIT_PPS, fit->low_rate_pps, low, sizeof low);
    unit_show(UNIT_TIME, (double)fit->on_mean, on, sizeof on);
    unit_show(UNIT_TIME, (double)fit->off_mean, off, sizeof off);
    printf("%-14s%llu packets in %llu lists, %.6f s\n", "capture", (unsigned long long)fit->packets,
           (unsigned long long)fit->lists, fit->span_s);
    if (fit->type == WORKLOAD_MMPP) {
        printf("%-14s%s: %s for %s, %s for %s\n", "arrivals", arrival_kind_name(fit->chosen->kind),
               rate, on, low, off);
    } else {
        printf("%-14s%s: %s\n", "arrivals", arrival_kind_name(fit->chosen->kind), rate);
    }
    printf("%-14s%u\n", "list", fit->burst);
    printf(
        "%-14s%u kind%s; mean size off by %.2g bytes, sizes by %.3g bytes (rms), mean entries by "
        "%.2g\n",
        "packets", fit->kinds, fit->kinds == 1 ? "" : "s", fabs(fit->mix_error.size_bytes),
        fit->mix_error.size_rms_bytes, fabs(fit->mix_error.frags));
    printf("%-14sdistance %.3g; by chance once in 100 above %.3g\n", "gaps", fit->distance,
           fit->distance_by_chance);
    printf("%-14s%12s %10s %10s %10s\n", "dispersion", "window (us)", "windows", "capture",
           "workload");
    for (uint32_t i = 0; i < fit->windows; i++) {
        const struct capture_fit_window *w = &fit->window[i];

        printf("%-14s%12.6g %10llu %10.4g %10.4g\n", "", sim_time_us(w->window),
               (unsigned long long)w->windows, w->capture, w->workload);
    }
    for (uint32_t i = 0; i < fit->limits; i++) {
        printf("%-14s%s\n", i == 0 ? "cannot" : "", fit->limit[i]);
    }
}

static int deliver(const struct trace_args *args, const struct capture_fit *fit)
{
    char *text = snippet(fit, args->file);
    struct error error = {0};
    int code = 0;

    if (!args->out) {
        fputs(text, stdout);
    } else if (text_file_write(args->out, text, &error)) {
        print_text(fit);
    } else {
        code = command_fail(&error);
    }
    free(text);
    return command_finish(code);
}

/* Reads and fits; what is refused is in the problems. */
static void read_and_fit(struct capture_fit *fit, const struct trace_args *args,
                         struct problems *problems)
{
    struct capture_view *view = malloc(sizeof *view);
    struct error error = {0};

    if (!view) {
        abort();
    }
    if (capture_view_read(view, args->file, &args->options, &args->shape, problems) &&
        !capture_fit(fit, view, &error)) {
        snprintf(error.source, sizeof error.source, "%s", args->file);
        problems_add(problems, false, &error);
    }
    free(view);
}

int trace_fit(const struct trace_args *args)
{
    struct capture_fit *fit;
    struct problems problems;
    int code;

    if (args->json) {
        return command_usage("trace", "fit writes a scenario, which is JSON: --json is for info");
    }
    fit = malloc(sizeof *fit);
    if (!fit) {
        abort();
    }
    problems_init(&problems);
    read_and_fit(fit, args, &problems);
    code = trace_args_problems(args, &problems);
    if (code == 0) {
        code = deliver(args, fit);
    }
    problems_fini(&problems);
    free(fit);
    return code;
}
