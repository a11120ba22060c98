/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "sim/study/report_answer.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/html.h"

static bool is_nothing(const struct answer_value *v)
{
    return fabs(v->ns) <= v->ns_half || fabs(v->percent) < ANSWER_NOTHING_PERCENT;
}

static bool overlap(const struct answer_value *a, const struct answer_value *b)
{
    return fabs(a->ns - b->ns) <= a->ns_half + b->ns_half ||
           fabs(a->percent - b->percent) < ANSWER_NOTHING_PERCENT;
}

void answer_judge(struct answer_case *c)
{
    c->best = c->smallest = c->worst = 0;
    c->gains = c->costs = false;
    for (size_t i = 1; i < c->count; i++) {
        c->best = c->values[i].ns > c->values[c->best].ns ? i : c->best;
        c->worst = c->values[i].ns < c->values[c->worst].ns ? i : c->worst;
    }
    if (c->count == 0) {
        return;
    }
    const struct answer_value *best = &c->values[c->best], *worst = &c->values[c->worst];
    c->gains = best->ns > 0 && !is_nothing(best);
    c->costs = worst->ns < 0 && !is_nothing(worst);
    c->smallest = c->best;
    for (size_t i = c->count; i-- > 0;) {
        struct answer_value *v = &c->values[i];

        /* A value that is itself a tie with the first does not share the best's place. */
        v->tied = c->gains && (i == c->best || (overlap(v, best) && v->ns > 0 && !is_nothing(v)));
        c->smallest = v->tied ? i : c->smallest;
    }
}

void answer_tied_text(const struct answer_case *c, bool numbers, char *text, size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    for (size_t i = 0; i < c->count && used < bytes; i++) {
        size_t last = i;

        if (!c->values[i].tied) {
            continue;
        }
        while (numbers && last + 1 < c->count && c->values[last + 1].tied) {
            last++;
        }
        int length =
            snprintf(text + used, bytes - used, "%s%s%s%s", used > 0 ? ", " : "", c->values[i].name,
                     last > i ? ".." : "", last > i ? c->values[last].name : "");
        used += length > 0 ? (size_t)length : 0;
        i = last;
    }
}

/* Reading */

static const char by_threshold[] =
    ", need AS (SELECT run_id, value FROM metric WHERE name = 'tables_per_packet')"
    " SELECT g.label, g.thr, g.thr, avg(saved_ns), half_width(saved_ns), avg(saved_percent),"
    " half_width(saved_percent), count(*), max(n.value)"
    " FROM gain g LEFT JOIN need n ON n.run_id = g.run_id"
    " WHERE g.sg IS NULL AND g.thr > 0 GROUP BY g.label, g.thr ORDER BY min(g.place), g.thr";

static const char by_variant[] =
    ", pair AS (SELECT n.axes, n.scenario, n.variant, n.variant_index, n.point_index,"
    " n.scenario_id, b.guest_ns - x.guest_ns AS saved_ns,"
    " 100 * (b.guest_ns - x.guest_ns) / b.guest_ns AS saved_percent"
    " FROM labelled n JOIN labelled f ON f.scenario_id = n.scenario_id AND f.axes = n.axes"
    " AND f.thr IS n.thr AND f.sg IS n.sg AND f.variant_index = 0"
    " JOIN ran x ON x.config_id = n.config_id"
    " JOIN ran b ON b.config_id = f.config_id AND b.replication = x.replication"
    " WHERE n.variant_index > 0 AND n.thr IS NULL AND n.sg IS NULL AND b.guest_ns > 0)"
    " SELECT CASE WHEN axes = '' THEN scenario ELSE axes END, variant, variant_index,"
    " avg(saved_ns), half_width(saved_ns), avg(saved_percent), half_width(saved_percent), count(*),"
    " 1 FROM pair GROUP BY scenario_id, axes, variant_index"
    " ORDER BY scenario_id, min(point_index), variant_index";

static struct answer_case *case_of(struct answer *answer, const char *label)
{
    if (answer->count > 0 && strcmp(answer->cases[answer->count - 1].label, label) == 0) {
        return &answer->cases[answer->count - 1];
    }
    struct answer_case *cases = realloc(answer->cases, (answer->count + 1) * sizeof *cases);
    if (!cases) {
        return NULL;
    }
    answer->cases = cases;
    struct answer_case *c = &cases[answer->count++];
    *c = (struct answer_case){.replications = UINT_MAX, .no_table = true};
    snprintf(c->label, sizeof c->label, "%s", label);
    return c;
}

static double number(const char *text)
{
    return text ? strtod(text, NULL) : 0;
}

static bool take_value(void *context, int columns, const char *const *names,
                       const char *const *values)
{
    struct answer_case *c = case_of(context, values[0] ? values[0] : "");

    (void)columns;
    (void)names;
    if (!c) {
        return false;
    }
    struct answer_value *list = realloc(c->values, (c->count + 1) * sizeof *list);
    if (!list) {
        return false;
    }
    c->values = list;
    struct answer_value *v = &list[c->count++];
    *v = (struct answer_value){
        .number = (long)number(values[2]),
        .ns = number(values[3]),
        .ns_half = number(values[4]),
        .percent = number(values[5]),
        .percent_half = number(values[6]),
    };
    snprintf(v->name, sizeof v->name, "%s", values[1] ? values[1] : "");
    unsigned replications = (unsigned)number(values[7]);
    c->replications = replications < c->replications ? replications : c->replications;
    c->no_table = c->no_table && values[8] && number(values[8]) == 0;
    return true;
}

static bool ask(struct answer *answer, struct store *store, const char *with, const char *select,
                struct error *error)
{
    char *sql = NULL;

    if (asprintf(&sql, "%s%s", with, select) < 0) {
        return error_set(error, ERROR_SYSTEM, "", "out of memory");
    }
    bool ok = store_query(store, sql, take_value, answer, error);
    free(sql);
    return ok;
}

bool answer_read(struct answer *answer, struct store *store, const char *with, struct error *error)
{
    memset(answer, 0, sizeof *answer);
    answer->thresholds = true;
    bool ok = ask(answer, store, with, by_threshold, error);
    if (ok && answer->count == 0) {
        answer->thresholds = false;
        ok = ask(answer, store, with, by_variant, error);
    }
    for (size_t i = 0; i < answer->count; i++) {
        answer_judge(&answer->cases[i]);
    }
    return ok;
}

void answer_free(struct answer *answer)
{
    for (size_t i = 0; i < answer->count; i++) {
        free(answer->cases[i].values);
    }
    free(answer->cases);
    memset(answer, 0, sizeof *answer);
}

/* Writing */

static void labels(const struct answer *answer, FILE *page, bool gains)
{
    bool first = true;

    for (size_t i = 0; i < answer->count; i++) {
        const struct answer_case *c = &answer->cases[i];

        if (c->gains != gains) {
            continue;
        }
        fputs(first ? "" : ", ", page);
        html_text(page, c->label);
        if (gains) {
            fprintf(page, " (%.2g&nbsp;%%)", c->values[c->smallest].percent);
        }
        first = false;
    }
}

static void sentence(const struct answer *answer, FILE *page)
{
    size_t gaining = 0;
    const char *what =
        answer->thresholds ? "A threshold above 0" : "A variant other than the first";

    for (size_t i = 0; i < answer->count; i++) {
        gaining += answer->cases[i].gains ? 1 : 0;
    }
    fprintf(page, "<p class=\"answer\">%s saves ", what);
    if (gaining == 0) {
        fputs(answer->count == 1 ? "nothing in any case: a tie on "
                                 : "nothing in any case: a tie, or worse, on ",
              page);
        labels(answer, page, false);
    } else {
        fputs("guest CPU time per packet on ", page);
        labels(answer, page, true);
        if (gaining < answer->count) {
            fputs(" and nothing on ", page);
            labels(answer, page, false);
        }
    }
    fputs(".</p>\n", page);
}

static void plus_minus(FILE *page, const struct answer_case *c, const struct answer_value *v)
{
    if (c->replications < 2) {
        fprintf(page, "%.2f&nbsp;ns (%.2f&nbsp;%% of a packet; one replication, no interval)",
                fabs(v->ns), fabs(v->percent));
    } else {
        fprintf(page,
                "%.2f&nbsp;&plusmn;&nbsp;%.2f&nbsp;ns (%.2f&nbsp;&plusmn;&nbsp;%.2f&nbsp;%% of a "
                "packet)",
                fabs(v->ns), v->ns_half, fabs(v->percent), v->percent_half);
    }
}

static void case_line(const struct answer *answer, const struct answer_case *c, FILE *page)
{
    const char *unit = answer->thresholds ? "thr " : "";
    char tied[400];

    fputs("<li><b>", page);
    html_text(page, c->label);
    fputs("</b>: ", page);
    if (c->gains) {
        const struct answer_value *v = &c->values[c->smallest];

        answer_tied_text(c, answer->thresholds, tied, sizeof tied);
        fputs(unit, page);
        html_text(page, v->name);
        fputs(" saves ", page);
        plus_minus(page, c, v);
        if (strcmp(tied, v->name) != 0) {
            fprintf(page, "; %s", unit);
            html_text(page, tied);
            fputs(" are a tie", page);
        }
    } else if (c->no_table) {
        fputs("a tie at every value: its packets never use a table", page);
    } else {
        fputs(c->costs ? "no value saves anything" : "a tie at every value", page);
    }
    if (c->costs) {
        fprintf(page, "; %s", unit);
        html_text(page, c->values[c->worst].name);
        fputs(" costs ", page);
        plus_minus(page, c, &c->values[c->worst]);
    }
    fputs(".</li>\n", page);
}

void answer_html(const struct answer *answer, FILE *page)
{
    if (answer->count == 0) {
        fputs("<p class=\"answer\">No answer is computed: the store holds neither a sweep of "
              "virtio_desc_cache_thr that includes 0 nor variants to compare.</p>\n",
              page);
        return;
    }
    sentence(answer, page);
    fputs("<ul>\n", page);
    for (size_t i = 0; i < answer->count; i++) {
        case_line(answer, &answer->cases[i], page);
    }
    fprintf(
        page,
        "</ul>\n<p class=\"small\">Saved: guest CPU time per packet against %s, paired by "
        "replication; intervals at 95&nbsp;%% confidence. Less than %.1f&nbsp;%% of a packet, or "
        "an "
        "interval that contains 0, is called a tie; values whose intervals overlap with the best "
        "one's are a tie among themselves, and the smallest is named.</p>\n",
        answer->thresholds ? "threshold 0" : "the first variant", ANSWER_NOTHING_PERCENT);
}
