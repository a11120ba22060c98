/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/progress.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "sim/study/json_out.h"

double progress_clock_s(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void progress_init(struct progress *progress, FILE *out, enum progress_mode mode)
{
    const char *terminal = getenv("TERM");

    memset(progress, 0, sizeof *progress);
    progress->out = out;
    progress->mode = mode;
    if (mode == PROGRESS_AUTO &&
        (!isatty(fileno(out)) || !terminal || strcmp(terminal, "dumb") == 0)) {
        progress->mode = PROGRESS_NONE;
    }
    progress->begun_s = progress_clock_s();
    progress->drawn_s = progress->begun_s;
}

void progress_expect(struct progress *progress, uint64_t runs, double weight)
{
    progress->total += runs;
    progress->total_weight += weight;
}

void progress_done(struct progress *progress, double weight)
{
    progress->done++;
    progress->done_weight += weight;
}

double progress_left_s(const struct progress *progress)
{
    double spent = progress_clock_s() - progress->begun_s;
    double left = progress->total_weight - progress->done_weight;

    return progress->done_weight > 0 ? spent * fmax(left, 0) / progress->done_weight : NAN;
}

void progress_duration(double seconds, char *buffer, size_t bytes)
{
    if (!isfinite(seconds)) {
        snprintf(buffer, bytes, "?");
    } else if (seconds < 9.95) {
        snprintf(buffer, bytes, "%.1f s", seconds);
    } else if (seconds < 99.5) {
        snprintf(buffer, bytes, "%.0f s", seconds);
    } else if (seconds < 5970) {
        snprintf(buffer, bytes, "%.0f min", seconds / 60);
    } else if (seconds < 48.0 * 3600) {
        int minutes = (int)(seconds / 60);

        snprintf(buffer, bytes, "%d h %02d min", minutes / 60, minutes % 60);
    } else {
        snprintf(buffer, bytes, "%.1f days", seconds / 86400);
    }
}

static void draw_json(struct progress *progress)
{
    struct json_out json;
    double spent = progress_clock_s() - progress->begun_s;

    json_init(&json, progress->out, 0);
    json_object(&json, NULL);
    json_unsigned(&json, "done", progress->done);
    json_unsigned(&json, "total", progress->total);
    json_number(&json, "elapsed_s", round(spent * 1000) / 1000);
    json_number(&json, "left_s", round(progress_left_s(progress) * 1000) / 1000);
    json_end(&json);
    fflush(progress->out);
}

static void draw_line(struct progress *progress)
{
    double spent = progress_clock_s() - progress->begun_s;
    char left[32], line[160];
    struct winsize size;
    int width = ioctl(fileno(progress->out), TIOCGWINSZ, &size) == 0 && size.ws_col > 1
                    ? size.ws_col - 1
                    : 79;

    progress_duration(progress_left_s(progress), left, sizeof left);
    snprintf(line, sizeof line, "%" PRIu64 "/%" PRIu64 " runs  %.0f %%  %.3g runs/s  %s left",
             progress->done, progress->total,
             progress->total_weight > 0
                 ? floor(100 * progress->done_weight / progress->total_weight)
                 : 0.0,
             spent > 0 ? (double)progress->done / spent : 0.0, left);
    fprintf(progress->out, "\r%.*s\033[K", width, line);
    fflush(progress->out);
    progress->line = true;
}

void progress_draw(struct progress *progress)
{
    double now = progress_clock_s();

    if (progress->mode == PROGRESS_NONE ||
        now - progress->drawn_s < (progress->mode == PROGRESS_JSON ? 1.0 : 0.1)) {
        return;
    }
    progress->drawn_s = now;
    if (progress->mode == PROGRESS_JSON) {
        draw_json(progress);
    } else {
        draw_line(progress);
    }
}

void progress_end(struct progress *progress)
{
    if (progress->mode == PROGRESS_JSON) {
        draw_json(progress);
    } else if (progress->line) {
        fputs("\r\033[K", progress->out);
        fflush(progress->out);
        progress->line = false;
    }
}
