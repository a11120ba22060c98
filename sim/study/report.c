/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/report.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/study/data_dir.h"
#include "sim/study/gnuplot.h"
#include "sim/study/text_file.h"

/* The folder and its parents. */
static bool make_folder(const char *path, struct error *error)
{
    char part[512];

    snprintf(part, sizeof part, "%s", path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST) {
            return error_set_errno(error, ERROR_SYSTEM, part);
        }
        *slash = '/';
    }
    struct stat st;
    if (mkdir(part, 0777) != 0 && errno != EEXIST) {
        return error_set_errno(error, ERROR_SYSTEM, part);
    }
    if (stat(part, &st) != 0 || !S_ISDIR(st.st_mode)) {
        return error_set(error, ERROR_SYSTEM, part,
                         "a report is a folder, and this is a file: give -o the name of a folder");
    }
    return true;
}

static bool name_folder(struct report *report, const struct report_options *options,
                        struct error *error)
{
    const char *from = options->out ? options->out : options->store_file;
    size_t length = strlen(from);
    const char *ending = "";

    if (!options->out) {
        length -= length > 3 && strcmp(from + length - 3, ".db") == 0 ? 3 : 0;
        ending = "-report";
    }
    int used = snprintf(report->out, sizeof report->out, "%.*s%s", (int)length, from, ending);
    if (used <= 0 || (size_t)used >= sizeof report->out) {
        return error_set(error, ERROR_USAGE, "", "the name of the report's folder is %s",
                         used <= 0 ? "empty" : "too long");
    }
    snprintf(report->page, sizeof report->page, "%s/index.html", report->out);
    return true;
}

/* The plots folder asked for, and behind it the one that comes with the program. */
static bool open_plots(struct report *report, const char *given, struct error *error)
{
    struct error none = {0};
    char folder[512], shipped[512];

    if (!data_dir_find("plots", given, folder, sizeof folder, error)) {
        return false;
    }
    bool has_shipped = data_dir_find("plots", NULL, shipped, sizeof shipped, &none);
    return plots_open(&report->plots, folder, has_shipped ? shipped : NULL, error);
}

static void count_states(struct report *report)
{
    report->drawn = report->empty = report->broken = 0;
    for (size_t i = 0; i < report->plots.count; i++) {
        enum plot_state state = report->plots.list[i].state;

        report->drawn += state == PLOT_DRAWN || state == PLOT_ASKED ? 1 : 0;
        report->empty += state == PLOT_EMPTY ? 1 : 0;
        report->broken += state == PLOT_BROKEN ? 1 : 0;
    }
}

/* Why there is no plot: what one that cannot be drawn says, a broken one first. */
static bool nothing_to_plot(const struct report *report, struct error *error)
{
    const struct plots *plots = &report->plots;
    const struct plot *says = NULL;

    for (size_t i = plots->count; i-- > 0;) {
        const struct plot *plot = &plots->list[i];

        says = !says || plot->state == PLOT_BROKEN || says->state != PLOT_BROKEN ? plot : says;
    }
    if (!says) {
        return error_set(error, ERROR_INPUT, "", "nothing to plot: there is no plot in %s",
                         plots->folder);
    }
    return error_set(
        error, ERROR_INPUT, "",
        "nothing to plot: none of the %zu plots in %.200s could be drawn from this store; %.60s: "
        "%s",
        plots->count, plots->folder, says->name, says->reason);
}

static bool take_level(void *context, int columns, const char *const *names,
                       const char *const *values)
{
    struct report *report = context;

    (void)columns;
    (void)names;
    if (values[0]) {
        snprintf(report->level, sizeof report->level, "%s", values[0]);
    }
    return true;
}

/* Which confidence the scenarios that are drawn ask for. A store without points asks for none, and
 * a folder's own points.with may know none. */
static void read_level(struct report *report, struct store *store)
{
    struct error none = {0};
    char *with = plots_text(&report->plots, "points", ".with");
    char *sql = NULL;

    snprintf(report->level, sizeof report->level, "95 %%");
    if (with && asprintf(&sql,
                         "%s SELECT group_concat(text, ' and ') FROM (SELECT DISTINCT"
                         " printf('%%g %%%%', 100 * level) AS text FROM point ORDER BY level)",
                         with) > 0) {
        store_query(store, sql, take_level, report, &none);
    }
    free(sql);
    free(with);
}

/* Whether a script of the folder was written by an earlier report; another's file is left alone. */
static bool is_ours(const char *path)
{
    struct error none = {0};
    char *text = text_file_read(path, &none);
    bool ours = text && strncmp(text, PLOT_SCRIPT_HEAD, strlen(PLOT_SCRIPT_HEAD)) == 0;

    free(text);
    return ours;
}

static bool is_current(const struct report *report, const char *name, size_t length)
{
    for (size_t i = 0; i < report->plots.count; i++) {
        const struct plot *plot = &report->plots.list[i];

        if (strlen(plot->name) == length && strncmp(plot->name, name, length) == 0) {
            return plot->state == PLOT_DRAWN || plot->state == PLOT_BROKEN;
        }
    }
    return false;
}

/* Removes what an earlier report left of plots that are no longer drawn. */
static void remove_stale(const struct report *report)
{
    static const char *const endings[] = {"svg", "dat", "gp"};
    DIR *dir = opendir(report->out);

    if (!dir) {
        return;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
        size_t length = strlen(entry->d_name);
        char path[PATH_MAX];

        snprintf(path, sizeof path, "%s/%s", report->out, entry->d_name);
        if (length <= 3 || strcmp(entry->d_name + length - 3, ".gp") != 0 ||
            is_current(report, entry->d_name, length - 3) || !is_ours(path)) {
            continue;
        }
        for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
            snprintf(path, sizeof path, "%s/%.*s.%s", report->out, (int)length - 3, entry->d_name,
                     endings[i]);
            unlink(path);
        }
    }
    closedir(dir);
}

static bool write_scripts(struct report *report, struct error *error)
{
    struct plots *plots = &report->plots;
    char path[600];
    char *style = plots_text(plots, "style", ".gp");
    bool ok = make_folder(report->out, error);

    if (ok && style) {
        snprintf(path, sizeof path, "%s/style.gp", report->out);
        ok = text_file_write(path, style, error);
    }
    free(style);
    for (size_t i = 0; ok && i < plots->count; i++) {
        if (plots->list[i].state == PLOT_ASKED) {
            ok = plot_write(plots, &plots->list[i], report->out, error);
        }
    }
    return ok;
}

static bool draw(struct report *report, struct error *error)
{
    struct plots *plots = &report->plots;

    if (!gnuplot_probe(error)) {
        size_t used = strlen(error->text);

        snprintf(error->text + used, sizeof error->text - used,
                 "; the data and the scripts are in %.200s", report->out);
        return false;
    }
    for (size_t i = 0; i < plots->count; i++) {
        if (!plot_draw(plots, &plots->list[i], report->out, error)) {
            return false;
        }
    }
    return true;
}

bool report_make(struct report *report, const struct report_options *options, struct error *error)
{
    memset(report, 0, sizeof *report);
    if (!name_folder(report, options, error) || !open_plots(report, options->plots, error)) {
        return false;
    }
    struct store *store = store_open(options->store_file, false, error);
    if (!store) {
        return false;
    }
    read_level(report, store);
    for (size_t i = 0; i < report->plots.count; i++) {
        plot_query(&report->plots.list[i], store);
    }
    count_states(report);
    bool ok = report->drawn > 0 ? write_scripts(report, error) && draw(report, error)
                                : nothing_to_plot(report, error);
    count_states(report);
    if (ok && report->drawn == 0) {
        ok = nothing_to_plot(report, error);
    }
    if (ok) {
        remove_stale(report);
    }
    ok = ok && report_page(report, store, options->store_file, error);
    store_close(store);
    return ok;
}

void report_close(struct report *report)
{
    plots_close(&report->plots);
}
