/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answer as HTML. */
#include <math.h>
#include <string.h>

#include "sim/study/html.h"
#include "sim/study/report_answer.h"

#define NAMED_MOST 8 /* cases that a sentence names; of more it gives the number */

/* Which cases a list names. */
enum chosen { GAINING, NOT_GAINING, UNDECIDED, COSTING };

static bool is_chosen(const struct answer_case *c, enum chosen which)
{
    switch (which) {
    case GAINING:
        return c->gains;
    case COSTING:
        return c->costs;
    case UNDECIDED:
        return c->undecided;
    case NOT_GAINING:
        break;
    }
    return !c->gains && !c->costs && !c->undecided;
}

static size_t count_of(const struct answer *answer, enum chosen which)
{
    size_t count = 0;

    for (size_t i = 0; i < answer->count; i++) {
        count += is_chosen(&answer->cases[i], which) ? 1 : 0;
    }
    return count;
}

/* Labels of several axes hold commas themselves. */
static const char *separator(const struct answer *answer)
{
    for (size_t i = 0; i < answer->count; i++) {
        if (strchr(answer->cases[i].label, ',')) {
            return "; ";
        }
    }
    return ", ";
}

/* What a case is judged by: its value of a gain or a loss. */
static const struct answer_value *value_of(const struct answer *answer, const struct answer_case *c,
                                           enum chosen which)
{
    if (which == COSTING) {
        return &c->values[c->worst];
    }
    return &c->values[answer->kind == ANSWER_THRESHOLDS ? c->smallest : c->best];
}

/* "34 of 36 paths (8.2..16 %)": more than a sentence can name. */
static void total(const struct answer *answer, FILE *page, enum chosen which)
{
    double least = INFINITY, most = 0;

    for (size_t i = 0; i < answer->count; i++) {
        if (is_chosen(&answer->cases[i], which)) {
            double percent = fabs(value_of(answer, &answer->cases[i], which)->percent);

            least = percent < least ? percent : least;
            most = percent > most ? percent : most;
        }
    }
    fprintf(page, "%zu of %zu paths", count_of(answer, which), answer->count);
    if (which != NOT_GAINING && which != UNDECIDED) {
        fprintf(page, " (%.2g..%.2g&nbsp;%%)", least, most);
    }
}

/* "xsk (14 %), redis (0.27 %)"; of variants with the name of the best, of losses with the value. */
static void labels(const struct answer *answer, FILE *page, enum chosen which)
{
    bool first = true;

    if (count_of(answer, which) > NAMED_MOST) {
        total(answer, page, which);
        return;
    }
    for (size_t i = 0; i < answer->count; i++) {
        const struct answer_case *c = &answer->cases[i];
        const struct answer_value *v = value_of(answer, c, which);

        if (!is_chosen(c, which)) {
            continue;
        }
        fputs(first ? "" : separator(answer), page);
        html_text(page, c->label);
        first = false;
        if (which == NOT_GAINING || which == UNDECIDED) {
            continue;
        }
        fputs(" (", page);
        if (answer->kind == ANSWER_VARIANTS) {
            fputs(which == GAINING ? "best: " : "", page);
            html_text(page, v->name);
            fputs(", ", page);
        } else if (which == COSTING) {
            fprintf(page, "threshold %s, ", v->name);
        }
        fprintf(page, "%.2g&nbsp;%%)", fabs(v->percent));
    }
}

static void sentence(const struct answer *answer, FILE *page)
{
    size_t gaining = count_of(answer, GAINING), costing = count_of(answer, COSTING);
    size_t rest = count_of(answer, NOT_GAINING), undecided = count_of(answer, UNDECIDED);

    fputs("<p class=\"answer\">", page);
    if (answer->runs < answer->want) {
        fprintf(page, "<strong>Unfinished: %llu of %llu runs are there.</strong> ",
                (unsigned long long)answer->runs, (unsigned long long)answer->want);
    }
    if (answer->kind == ANSWER_THRESHOLDS) {
        fputs("A threshold above 0 saves ", page);
    } else {
        fputs("A variant other than the first", page);
        if (answer->first[0] != '\0') {
            fputs(" (", page);
            html_text(page, answer->first);
            fputs(")", page);
        }
        fputs(" saves ", page);
    }
    if (gaining > 0) {
        fputs("guest CPU time per packet on ", page);
        labels(answer, page, GAINING);
    } else {
        fputs("nothing in any case", page);
    }
    if (rest > 0) {
        fputs(gaining > 0 ? " and nothing on " : ": a tie on ", page);
        labels(answer, page, NOT_GAINING);
    }
    if (undecided > 0) {
        fputs("; undecided within these intervals: ", page);
        labels(answer, page, UNDECIDED);
    }
    if (costing > 0) {
        fputs("; it costs time on ", page);
        labels(answer, page, COSTING);
    }
    fputs(".", page);
}

static void bytes_text(FILE *page, double bytes)
{
    if (bytes < 0) {
        fputs("not known", page);
    } else if (bytes < 1024) {
        fprintf(page, "%.0f bytes", bytes);
    } else {
        fprintf(page, "%.1f KiB", bytes / 1024);
    }
}

/* The `left` cases that a threshold is enough for. */
static void named(const struct answer *answer, long threshold, size_t left, FILE *page)
{
    if (left > NAMED_MOST) {
        fprintf(page, "%zu paths", left);
        return;
    }
    for (size_t i = 0; i < answer->count; i++) {
        const struct answer_case *c = &answer->cases[i];

        if (c->gains && c->values[c->smallest].number == threshold) {
            html_text(page, c->label);
            left--;
            fputs(left > 1 ? separator(answer) : left == 1 ? " and " : "", page);
        }
    }
}

/* "2 is enough for redis, 3 for xsk, 18 for sendfile and mixed; udp_small never uses a table." */
static void smallest(const struct answer *answer, FILE *page)
{
    bool any = false, none = false;

    fputs(" The smallest threshold that saves as much as any: ", page);
    for (long last = 0;;) {
        long next = -1;
        size_t left = 0;

        for (size_t i = 0; i < answer->count; i++) {
            const struct answer_case *c = &answer->cases[i];
            long n = c->gains ? c->values[c->smallest].number : -1;

            left = n > last && (next < 0 || n < next) ? 0 : left;
            next = n > last && (next < 0 || n < next) ? n : next;
            left += n > last && n == next ? 1 : 0;
        }
        if (next < 0) {
            break;
        }
        fprintf(page, "%s%ld%s for ", any ? separator(answer) : "", next, any ? "" : " is enough");
        named(answer, next, left, page);
        any = true;
        last = next;
    }
    for (size_t i = 0; i < answer->count; i++) {
        if (!answer->cases[i].gains && answer->cases[i].no_table) {
            fputs(none ? ", " : "; ", page);
            html_text(page, answer->cases[i].label);
            none = true;
        }
    }
    fputs(none ? " never uses a table." : ".", page);
}

/* What the largest of the values that suffice takes: the price of one default for all cases. */
static void price(const struct answer *answer, FILE *page)
{
    long number = 0;
    double peak = -1, bound = -1;

    for (size_t i = 0; i < answer->count; i++) {
        const struct answer_case *c = &answer->cases[i];

        number = c->gains && c->values[c->smallest].number > number ? c->values[c->smallest].number
                                                                    : number;
    }
    for (size_t i = 0; i < answer->count; i++) {
        const struct answer_case *c = &answer->cases[i];

        for (size_t k = 0; k < c->count; k++) {
            const struct answer_value *v = &c->values[k];

            peak = v->number == number && v->peak_bytes > peak ? v->peak_bytes : peak;
            bound = v->number == number && v->bound_bytes > bound ? v->bound_bytes : bound;
        }
    }
    if (peak >= 0 || bound >= 0) {
        fprintf(page, " With %ld the tables of one queue held up to ", number);
        bytes_text(page, peak);
        fputs(" in these runs", page);
        if (bound >= 0) {
            fputs("; the cache can grow to ", page);
            bytes_text(page, bound);
            fputs(", when every slot of the ring has held a table", page);
        }
        fputs(".", page);
    }
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

/* How far the saving moves when one cost is at an end of its plausible range. */
static void range_text(const struct recommend_saving *saving, FILE *page)
{
    fprintf(page, ", %.1f..%.1f&nbsp;ns over the plausible range of each cost (least at ",
            saving->least_ns, saving->most_ns);
    html_text(page, saving->least_at[0] ? saving->least_at : "the costs as they are");
    fputs(", most at ", page);
    html_text(page, saving->most_at[0] ? saving->most_at : "the costs as they are");
    fputs(")", page);
}

static void gain_text(const struct answer *answer, const struct answer_case *c, FILE *page)
{
    bool thresholds = answer->kind == ANSWER_THRESHOLDS;
    const struct answer_value *v = &c->values[thresholds ? c->smallest : c->best];
    const char *unit = thresholds ? "thr " : "";
    char tied[400];

    answer_tied_text(c, thresholds, tied, sizeof tied);
    fputs(unit, page);
    html_text(page, v->name);
    fputs(" saves ", page);
    plus_minus(page, c, v);
    if (c->saving.ranged) {
        range_text(&c->saving, page);
    }
    if (strcmp(tied, v->name) != 0) {
        fprintf(page, "; %s", unit);
        html_text(page, tied);
        fputs(" are a tie", page);
    }
    if (v->peak_bytes >= 0 || v->bound_bytes >= 0) {
        fputs("; tables held ", page);
        bytes_text(page, v->peak_bytes);
        fputs(" at most in a run, bound of the cache ", page);
        bytes_text(page, v->bound_bytes);
    }
}

static void case_line(const struct answer *answer, const struct answer_case *c, FILE *page)
{
    fputs("<li><b>", page);
    html_text(page, c->label);
    fputs("</b>: ", page);
    if (c->gains) {
        gain_text(answer, c, page);
    } else if (c->no_table) {
        fputs("a tie at every value: its packets never use a table", page);
    } else if (c->undecided) {
        fputs("undecided: an interval holds both nothing and more than that; longer runs or more "
              "replications narrow it",
              page);
    } else {
        fputs(c->costs ? "no value saves anything" : "a tie at every value", page);
    }
    if (c->costs) {
        fputs(answer->kind == ANSWER_THRESHOLDS ? "; thr " : "; ", page);
        html_text(page, c->values[c->worst].name);
        fputs(" costs ", page);
        plus_minus(page, c, &c->values[c->worst]);
    }
    fputs(".</li>\n", page);
}

static unsigned fresh_of(const struct answer_case *c)
{
    unsigned most = 0;

    for (size_t k = 0; k < c->count; k++) {
        most = c->values[k].fresh > most ? c->values[k].fresh : most;
    }
    return most;
}

/* Whether the figures are those of runs that made no choice, and in how many cases. */
static void confirmed(const struct answer *answer, FILE *page)
{
    size_t cases = 0;
    unsigned replications = 0;

    for (size_t i = 0; i < answer->count; i++) {
        unsigned fresh = fresh_of(&answer->cases[i]);

        cases += fresh > 0;
        replications = fresh > replications ? fresh : replications;
    }
    if (cases == 0) {
        fputs("<p class=\"small\">Not confirmed: the figures are those of the runs that made the "
              "choice, and the range over the plausible costs was not run.</p>\n",
              page);
        return;
    }
    fputs("<p class=\"small\">", page);
    if (cases < answer->count) {
        fprintf(page, "In %zu of %zu cases the ", cases, answer->count);
    } else {
        fputs("The ", page);
    }
    fprintf(page,
            "values that the answer rests on were run again, %u times under another seed, and "
            "these are the figures above: a value picked because it did best was lucky, too. The "
            "range is that of the saving with one cost at a time at the low and the high end of "
            "its plausible range.%s</p>\n",
            replications,
            cases < answer->count ? " The other figures are those of the runs that made the choice."
                                  : "");
}

/* Gaps of an emulated machine say nothing of another one by themselves. */
static void captures(const struct answer *answer, FILE *page)
{
    if (answer->set_aside == 0) {
        return;
    }
    fprintf(
        page,
        "<p>%zu of these cases replay%s a capture of an emulated machine by its timing. Its gaps "
        "are no machine's, so %s by itself. Take it and the same capture by its marks "
        "as a bracket.%s</p>\n",
        answer->set_aside, answer->set_aside == 1 ? "s" : "",
        answer->set_aside == 1 ? "this case chooses no default" : "none of them chooses a default",
        answer->alone > 0 ? " <strong>For some the other end was not swept: no default follows "
                            "from them.</strong>"
                          : "");
}

static void fine_print(const struct answer *answer, FILE *page)
{
    fprintf(page,
            "<p class=\"small\">Saved: guest CPU time per packet against %s, paired by "
            "replication; intervals at %s confidence. Less than %.1f&nbsp;%% of a packet, or an "
            "interval that contains 0, is called a tie; values whose intervals overlap with the "
            "best one's are a tie among themselves, and %s is named. Memory is that of one queue, "
            "as allocated: at its peak in the run, which depends on this traffic, and the bound, "
            "which does not: an item for each request the ring can hold (ring size - 1 - "
            "MAX_SKB_FRAGS, for the queue stops before), or the array.%s</p>\n",
            answer->kind == ANSWER_THRESHOLDS ? "threshold 0" : "the first variant", answer->level,
            ANSWER_NOTHING_PERCENT, answer->kind == ANSWER_THRESHOLDS ? "the smallest" : "the best",
            answer->lists ? " The lists of v1 and v2 never shrink: what one burst took stays until "
                            "the queue is freed."
                          : "");
    confirmed(answer, page);
}

void answer_html(const struct answer *answer, FILE *page)
{
    if (answer->count == 0) {
        return;
    }
    sentence(answer, page);
    if (answer->kind == ANSWER_THRESHOLDS && count_of(answer, GAINING) > 0) {
        smallest(answer, page);
        price(answer, page);
    }
    fputs("</p>\n<ul>\n", page);
    for (size_t i = 0; i < answer->count; i++) {
        case_line(answer, &answer->cases[i], page);
    }
    fputs("</ul>\n", page);
    captures(answer, page);
    fine_print(answer, page);
}
