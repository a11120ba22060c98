/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/capture_plot.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "sim/study/capture_data.h"
#include "sim/study/data_dir.h"
#include "sim/study/gnuplot.h"
#include "sim/study/text_file.h"

#define SCRIPT_HEAD                                                                                \
    "# Made by vqsim trace plot. To draw it again: run gnuplot with this file in this folder.\n"

static int by_name(const void *a, const void *b)
{
    return strcmp(a, b);
}

/* The scripts of the folder, without ".gp". */
static bool find_scripts(struct capture_plot *plot, const char *folder, struct error *error)
{
    DIR *dir = opendir(folder);

    if (!dir) {
        return error_set_errno(error, ERROR_INPUT, folder);
    }
    for (struct dirent *entry; (entry = readdir(dir)) && plot->count < CAPTURE_PLOTS_MOST;) {
        const size_t length = strlen(entry->d_name);

        if (length > 3 && length - 3 < sizeof plot->name[0] && entry->d_name[0] != '.' &&
            strcmp(entry->d_name + length - 3, ".gp") == 0) {
            snprintf(plot->name[plot->count++], sizeof plot->name[0], "%.*s", (int)length - 3,
                     entry->d_name);
        }
    }
    closedir(dir);
    qsort(plot->name, plot->count, sizeof plot->name[0], by_name);
    return plot->count > 0 ||
           error_set(error, ERROR_INPUT, "", "no plot (NAME.gp) in %.300s", folder);
}

/* 'text' as a gnuplot literal. */
static void put_literal(FILE *out, const char *text)
{
    fputc('\'', out);
    for (const char *c = text; *c; c++) {
        fputs(*c == '\'' ? "'" : "", out);
        fputc((unsigned char)*c < ' ' ? ' ' : *c, out);
    }
    fputc('\'', out);
}

static uint32_t windows(const struct arrivals *arrivals)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i < ARRIVALS_SCALES; i++) {
        const struct arrivals_dispersion d = arrivals_dispersion(arrivals, i);

        used += fit_arrivals_uses(arrivals, &d);
    }
    return used;
}

/* What all scripts see; fit NULL: too few lists. Rates are 1/us here. */
static void put_variables(FILE *out, const struct capture_plot *plot,
                          const struct capture_view *view, const struct arrival_fit *fit)
{
    const struct arrivals *arrivals = &view->arrivals;
    struct arrival_gaps gaps = {0};

    if (fit && fit->kind != ARRIVAL_CONSTANT) {
        gaps = arrival_law_gaps(&fit->law);
    }
    fputs("blocks = 0\ncapture = ", out);
    put_literal(out, plot->capture);
    fprintf(out, "\npackets = %llu\nlists = %llu\n", (unsigned long long)arrivals->packets,
            (unsigned long long)arrivals->lists);
    fprintf(out, "seconds = %.9g\ndispersion_rows = %u\n", sim_time_s(view->last),
            windows(arrivals));
    fprintf(out, "gap_mean_us = %.9g\n", arrivals_mean_gap(arrivals) / 1e6);
    fprintf(out, "has_fit = %d\nfit = ", fit != NULL);
    put_literal(out, fit ? arrival_kind_name(fit->kind) : "none");
    fprintf(out, "\nfit_share = %.9g\nfit_fast = %.9g\n", gaps.share, gaps.fast * 1e6);
    fprintf(out, "fit_slow = %.9g\n# ---\n", gaps.slow * 1e6);
}

static bool write_script(const struct capture_plot *plot, uint32_t index, const char *folder,
                         const struct capture_view *view, const struct arrival_fit *fit,
                         struct error *error)
{
    char path[PATH_MAX + 128];
    char *commands, *text = NULL;
    size_t bytes = 0;
    FILE *out;
    bool ok;

    snprintf(path, sizeof path, "%s/%s.gp", folder, plot->name[index]);
    commands = text_file_read(path, error);
    if (!commands) {
        return false;
    }
    out = open_memstream(&text, &bytes);
    if (!out) {
        abort();
    }
    fprintf(out, SCRIPT_HEAD "if (!exists('out')) out = '%s.svg'\n", plot->name[index]);
    put_variables(out, plot, view, fit);
    fputs(commands, out);
    if (fclose(out) != 0) {
        abort();
    }
    snprintf(path, sizeof path, "%s/%s.gp", plot->out, plot->name[index]);
    ok = text_file_write(path, text, error);
    free(text);
    free(commands);
    return ok;
}

/* The style that all pictures of the program share. */
static bool copy_style(const struct capture_plot *plot, struct error *error)
{
    char folder[PATH_MAX], path[PATH_MAX + 16];
    char *text;
    bool ok;

    if (!data_dir_find("plots", NULL, folder, sizeof folder, error)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/style.gp", folder);
    text = text_file_read(path, error);
    if (!text) {
        return false;
    }
    snprintf(path, sizeof path, "%s/style.gp", plot->out);
    ok = text_file_write(path, text, error);
    free(text);
    return ok;
}

/* A script that fails leaves the others their pictures; the first failure is told. */
static bool draw(const struct capture_plot *plot, struct error *error)
{
    for (uint32_t i = 0; i < plot->count; i++) {
        char script[96], picture[96], message[512];
        struct error failed = {0};

        snprintf(script, sizeof script, "%s.gp", plot->name[i]);
        snprintf(picture, sizeof picture, "%s.svg", plot->name[i]);
        if (!gnuplot_draw(plot->out, script, picture, message, sizeof message, &failed)) {
            error_set(error, failed.kind, "", "%.250s; the data and the scripts are in %.200s",
                      failed.text, plot->out);
        }
        if (failed.kind == ERROR_SYSTEM) {
            break;
        }
    }
    return error->kind == ERROR_NONE;
}

bool capture_plot(struct capture_plot *plot, const struct capture_view *view, struct error *error)
{
    struct arrival_fit fits[ARRIVAL_KINDS];
    struct error unfitted = {0};
    const struct arrival_fit *fit;
    char folder[PATH_MAX];

    plot->count = 0;
    if (view->arrivals.lists < 2) {
        return error_set(error, ERROR_INPUT, "",
                         "nothing to draw over time: all packets (%llu) have one time",
                         (unsigned long long)view->arrivals.packets);
    }
    if (!data_dir_find("plots/trace", NULL, folder, sizeof folder, error) ||
        !find_scripts(plot, folder, error)) {
        return false;
    }
    if (mkdir(plot->out, 0777) != 0 && errno != EEXIST) {
        return error_set_errno(error, ERROR_SYSTEM, plot->out);
    }
    fit = fit_arrivals(fits, &view->arrivals, &unfitted);
    if (!capture_data_write(plot->out, view, fit, error) || !copy_style(plot, error)) {
        return false;
    }
    for (uint32_t i = 0; i < plot->count; i++) {
        if (!write_script(plot, i, folder, view, fit, error)) {
            return false;
        }
    }
    return draw(plot, error);
}
