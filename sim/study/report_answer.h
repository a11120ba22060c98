/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The sentence of answer on top of a report, computed from the paired differences in the store.
 *
 * A case is one traffic shape; its values are the settings that were tried, each with what it saves
 * against the first (threshold 0, or the first variant), mean and half width over the replications.
 * The judgement is deliberately dull:
 *
 *   nothing    the interval of a value contains 0, or the value saves or costs less than 0.1 % of
 * the packet: it is a tie with the first best       the value that saves most; values whose
 * intervals overlap with its own, or that come within 0.1 % of the packet, are a tie among
 * themselves, and the first (smallest) of them is named
 */
#ifndef SIM_STUDY_REPORT_ANSWER_H
#define SIM_STUDY_REPORT_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/engine/error.h"
#include "sim/study/store.h"

#define ANSWER_NOTHING_PERCENT 0.1 /* of a packet: less is called a tie */

struct answer_value {
    char name[64];                /* "4", or the variant's */
    long number;                  /* the threshold; of a variant its index */
    double ns, ns_half;           /* saved against the first; half is 0 with one replication */
    double percent, percent_half; /* the same of the whole packet */
    bool tied;                    /* with the best; filled by the judgement */
};

struct answer_case {
    char label[200];
    struct answer_value
        *values; /* ordered; without the first, which the others are compared with */
    size_t count;
    unsigned replications; /* least of the values */
    bool no_table;         /* packets of this case never use an indirect table */

    /* judgement */
    bool gains;            /* some value saves more than nothing */
    size_t best, smallest; /* indexes; smallest is the first value tied with the best */
    size_t worst;          /* costs most; `costs` says whether that is more than nothing */
    bool costs;
};

void answer_judge(struct answer_case *c);

/* The values tied with the best: "2..19", "4, 6, 8..19"; variants by name. */
void answer_tied_text(const struct answer_case *c, bool numbers, char *text, size_t bytes);

struct answer {
    struct answer_case *cases;
    size_t count;
    bool thresholds; /* values are thresholds of the descriptor cache, else variants */
};

/* Asks the store and judges; count 0: the store holds nothing that can be compared. `with` is the
 * text of points.with. */
bool answer_read(struct answer *answer, struct store *store, const char *with, struct error *error);
void answer_free(struct answer *answer);

/* As HTML: a sentence, then a line for each case. */
void answer_html(const struct answer *answer, FILE *page);

#endif
