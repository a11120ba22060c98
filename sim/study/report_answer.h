/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The answer on top of a report, computed from the paired differences in the store.
 *
 * A case is one traffic shape; its values are the settings that were tried, each with what it saves
 * against the first (threshold 0, or the first variant), mean and half width over the replications,
 * and with the memory it takes: the peak of the runs, and the bound that holds on any traffic.
 * The judgement is deliberately dull:
 *
 *   nothing   the interval of a value contains 0, or the value saves or costs less than 0.1 % of
 *             the packet: it is a tie with the first
 *   best      the value that saves most; values whose intervals overlap with its own, or that come
 *             within 0.1 % of the packet, are a tie among themselves, and the first (smallest) of
 *             them is the one that suffices
 *
 * A sweep over the number of entries of a packet has an answer of its own (report_answer_sg.c):
 * from which threshold on a packet of n entries gains.
 */
#ifndef SIM_STUDY_REPORT_ANSWER_H
#define SIM_STUDY_REPORT_ANSWER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "sim/engine/error.h"
#include "sim/study/recommend.h"

#define ANSWER_NOTHING_PERCENT 0.1 /* of a packet: less is called a tie */

struct answer_value {
    char name[200];               /* "4", or the variant's; of the same figures all */
    long number;                  /* the threshold; of a variant its index */
    double ns, ns_half;           /* saved against the first; half is 0 with one replication */
    double percent, percent_half; /* the same of the whole packet */
    double peak_bytes;            /* most that tables held in a run; below 0: not known */
    double bound_bytes;           /* of the cache on any traffic; below 0: not known */
    bool tied;                    /* with the best; filled by the judgement */
    int64_t config_id;
    unsigned fresh; /* replications under another seed, which these figures are; 0: as swept */
};

struct answer_case {
    char label[400]; /* of cases with the same figures all: "v1 = v2" */
    double base_ns;  /* of the first value */
    /* ordered; without the first, which the others are compared with */
    struct answer_value *values;
    size_t count;
    unsigned replications;          /* least of the values */
    struct recommend_saving saving; /* over the plausible costs; not `ranged`: not probed */
    bool no_table;                  /* packets of this case never use an indirect table */

    /* judgement */
    bool gains;            /* some value saves more than nothing */
    size_t best, smallest; /* indexes; smallest is the first value tied with the best */
    size_t worst;          /* costs most; `costs` says whether that is more than nothing */
    bool costs;
    bool undecided; /* neither, but an interval reaches beyond what is called nothing */
};

void answer_judge(struct answer_case *c);

/* The values tied with the best: "2..19", "4, 6, 8..19"; variants by name. */
void answer_tied_text(const struct answer_case *c, bool numbers, char *text, size_t bytes);

/* Of what follows an earlier value or case with the same figures nothing is left but its name. */
void answer_merge_values(struct answer_case *c);

enum answer_kind { ANSWER_THRESHOLDS, ANSWER_VARIANTS };

struct answer {
    struct answer_case *cases;
    size_t count;
    enum answer_kind kind;
    char first[64];      /* name of the first variant, if there is but one */
    bool lists;          /* some cache is a list, whose items are never freed */
    size_t set_aside;    /* cases that replay the gaps of an emulated machine */
    size_t alone;        /* of them: without the same capture by its marks */
    const char *level;   /* of the intervals: "95 %" */
    uint64_t runs, want; /* of the sweeps: there are, there should be */
};

void answer_merge_cases(struct answer *answer);

/* Asks the store and judges; count 0: the store holds nothing of this kind that can be compared.
 * `with` is the text of points.with. */
bool answer_read(struct answer *answer, enum answer_kind kind, struct store *store,
                 const char *with, struct error *error);
void answer_free(struct answer *answer);

/* As HTML: the sentences, what suffices with its memory, then a line for each case. */
void answer_html(const struct answer *answer, FILE *page);

/* A sentence for each path whose packets were swept over their number of entries; *count: how many.
 */
bool answer_sg_html(struct store *store, const char *with, FILE *page, size_t *count,
                    struct error *error);

#endif
