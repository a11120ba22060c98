/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From which threshold on does a packet of n entries gain? */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/html.h"
#include "sim/study/report_answer.h"

#define MOST 128 /* entries and thresholds that are looked at */

/* One path: what each threshold saves for each number of entries. */
struct grid {
    char label[400];
    bool known[MOST][MOST], gains[MOST][MOST], costs[MOST][MOST];
    double percent[MOST][MOST]; /* [entries][threshold] */
};

struct sentences {
    FILE *page;
    struct grid grid;
    size_t count;
};

static const char by_sg[] =
    " SELECT label, sg, thr, avg(saved_ns), half_width(saved_ns, level), avg(saved_percent)"
    " FROM gain WHERE sg IS NOT NULL AND thr > 0 GROUP BY label, sg, thr"
    " ORDER BY min(place) OVER (PARTITION BY label), label, sg, thr";

/* "1..3, 5" */
static void put_set(FILE *page, const bool set[MOST])
{
    const char *between = "";

    for (size_t i = 0; i < MOST; i++) {
        size_t last = i;

        if (!set[i]) {
            continue;
        }
        while (last + 1 < MOST && set[last + 1]) {
            last++;
        }
        fprintf(page, last > i ? "%s%zu..%zu" : "%s%zu", between, i, last);
        between = ", ";
        i = last;
    }
}

static bool is_empty(const bool set[MOST])
{
    for (size_t i = 0; i < MOST; i++) {
        if (set[i]) {
            return false;
        }
    }
    return true;
}

static size_t first_gain(const struct grid *grid, size_t sg)
{
    size_t thr = 1;

    while (thr < MOST && !grid->gains[sg][thr]) {
        thr++;
    }
    return thr;
}

/* Is it the smallest threshold of the sweep that covers so many entries? */
static bool is_own(const struct grid *grid, size_t sg, size_t thr)
{
    if (thr < sg) {
        return false;
    }
    for (size_t t = sg; t < thr; t++) {
        if (grid->known[sg][t]) {
            return false;
        }
    }
    return true;
}

/* Thresholds above the first that gains which do not gain, and with how many entries. */
static void put_exceptions(const struct grid *grid, FILE *page)
{
    bool thr[MOST] = {false}, sg[MOST] = {false}, all = true;
    double worst = 0;

    for (size_t n = 0; n < MOST; n++) {
        for (size_t t = first_gain(grid, n); t < MOST; t++) {
            if (grid->known[n][t] && !grid->gains[n][t]) {
                thr[t] = sg[n] = true;
                worst =
                    grid->costs[n][t] && grid->percent[n][t] < worst ? grid->percent[n][t] : worst;
            }
        }
    }
    if (is_empty(thr)) {
        return;
    }
    for (size_t n = 0; n < MOST; n++) {
        for (size_t t = 0; t < MOST; t++) {
            all = all && (!sg[n] || !thr[t] || !grid->known[n][t] || !grid->gains[n][t]);
        }
    }
    fputs("; but not at thresholds ", page);
    put_set(page, thr);
    fprintf(page, " with %s", all ? "" : "some of ");
    put_set(page, sg);
    fputs(" entries", page);
    if (worst < 0) {
        fprintf(page, ", where it costs up to %.2g&nbsp;%%", -worst);
    }
}

static void put_span(FILE *page, double least, double most)
{
    char from[32], to[32];

    snprintf(from, sizeof from, "%.2g", least);
    snprintf(to, sizeof to, "%.2g", most);
    fprintf(page, " (%s%s%s&nbsp;%% of the packet)", from, strcmp(from, to) != 0 ? ".." : "",
            strcmp(from, to) != 0 ? to : "");
}

static void put_sentence(struct sentences *s)
{
    const struct grid *grid = &s->grid;
    bool own[MOST] = {false}, never[MOST] = {false};
    double least = INFINITY, most = 0;
    size_t others = 0;

    for (size_t n = 0; n < MOST; n++) {
        size_t thr = first_gain(grid, n);

        never[n] = thr == MOST && memchr(grid->known[n], true, sizeof grid->known[n]);
        own[n] = thr < MOST && is_own(grid, n, thr);
        others += thr < MOST && !own[n] ? 1 : 0;
        for (size_t t = thr; t < MOST; t++) {
            if (grid->gains[n][t]) {
                least = grid->percent[n][t] < least ? grid->percent[n][t] : least;
                most = grid->percent[n][t] > most ? grid->percent[n][t] : most;
            }
        }
    }
    fputs("<p class=\"answer\"><b>", s->page);
    html_text(s->page, grid->label);
    fputs("</b>: ", s->page);
    if (most <= 0) {
        fputs("no threshold saves anything, whatever the number of entries", s->page);
    } else {
        fputs("a packet of n entries gains ", s->page);
        if (!is_empty(own)) {
            fputs("from threshold n on, for n = ", s->page);
            put_set(s->page, own);
        }
        for (size_t n = 0; n < MOST && others > 0; n++) {
            size_t thr = first_gain(grid, n);

            if (thr < MOST && !own[n]) {
                fprintf(s->page, "; one of %zu from %zu on", n, thr);
            }
        }
        put_span(s->page, least, most);
        put_exceptions(grid, s->page);
        if (!is_empty(never)) {
            fputs("; at no threshold for n = ", s->page);
            put_set(s->page, never);
        }
    }
    fputs(".</p>\n", s->page);
}

static double number(const char *text)
{
    return text ? strtod(text, NULL) : 0;
}

static bool take_cell(void *context, int columns, const char *const *names,
                      const char *const *values)
{
    struct sentences *s = context;
    struct grid *grid = &s->grid;
    double sg = number(values[1]), thr = number(values[2]);
    double ns = number(values[3]), half = number(values[4]), percent = number(values[5]);

    (void)columns;
    (void)names;
    if (s->count == 0 || strcmp(grid->label, values[0]) != 0) {
        if (s->count > 0) {
            put_sentence(s);
        }
        memset(grid, 0, sizeof *grid);
        snprintf(grid->label, sizeof grid->label, "%s", values[0]);
        s->count++;
    }
    if (sg >= 0 && sg < MOST && thr >= 0 && thr < MOST) {
        bool some = fabs(ns) > half && fabs(percent) >= ANSWER_NOTHING_PERCENT;
        size_t n = (size_t)sg, t = (size_t)thr;

        grid->known[n][t] = true;
        grid->gains[n][t] = some && ns > 0;
        grid->costs[n][t] = some && ns < 0;
        grid->percent[n][t] = percent;
    }
    return true;
}

bool answer_sg_html(struct store *store, const char *with, FILE *page, size_t *count,
                    struct error *error)
{
    struct sentences *s = calloc(1, sizeof *s);
    char *sql = NULL;

    *count = 0;
    if (!s || asprintf(&sql, "%s%s", with, by_sg) < 0) {
        free(s);
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    s->page = page;
    bool ok = store_query(store, sql, take_cell, s, error);
    if (ok && s->count > 0) {
        put_sentence(s);
    }
    *count = s->count;
    free(sql);
    free(s);
    return ok;
}
