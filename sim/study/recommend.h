/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which value of a parameter to choose, from a store: the cheapest one that reaches the best.
 *
 * A case is what the values are compared within: a workload, one combination of the other axes. Per
 * case, the regret of a value is its guest time per packet less that of the best value, in percent
 * of the best one's, with a 95 % interval of the differences paired by replication. With the
 * tolerance t (0.1 % of the packet's guest time unless asked otherwise: less than that is called
 * nothing everywhere in this program) a value is
 *
 *   tie        the whole interval is at most t: as good as the best for any purpose
 *   worse      the whole interval is above t
 *   undecided  the interval holds t, or there is one replication: more replications would tell
 *
 * and the cheapest of the ties and the best is recommended; the first in order where costs are
 * equal. The cost is the peak of table memory (desc_cache_bytes).
 *
 * Over all cases the judgement is minimax: the worst regret of a value over the cases; the value
 * with the least worst regret is the best; a value whose worst upper bound exceeds that by no more
 * than t ties with it. Only values that every case has take part. Variants are rivals: they stand
 * in the same table, those other than the first under their name.
 */
#ifndef SIM_STUDY_RECOMMEND_H
#define SIM_STUDY_RECOMMEND_H

#include "sim/study/json_out.h"
#include "sim/study/modes.h"
#include "sim/study/store.h"

#define RECOMMEND_TOLERANCE_PERCENT 0.1

enum recommend_verdict { RECOMMEND_BEST, RECOMMEND_TIE, RECOMMEND_UNDECIDED, RECOMMEND_WORSE };

struct recommend_value {
    char name[96];
    int64_t config_id; /* 0 over all cases */
    double *ns;        /* guest time per packet by replication; NULL over all cases */
    uint32_t n;
    double cost_bytes;                   /* the most of the runs, over all cases of the cases */
    double mean_ns;                      /* NaN over all cases */
    double regret_percent, half_percent; /* half is NaN with one replication, 0 for the best */
    enum recommend_verdict verdict;
    struct modes modes;
};

struct recommend_case {
    char label[200]; /* empty over all cases */
    int64_t scenario;
    struct recommend_value *values;
    size_t count, best, recommended;
};

struct recommend {
    char parameter[160];
    double tolerance_percent;
    struct recommend_case *cases;
    size_t count;
    struct recommend_case overall;
    char why[512];
    uint32_t confirmed; /* replications under another seed; 0: as stored */
};

/* parameter: a path, the unique last part of one, "variant", or NULL: the descriptor cache's
 * threshold if it is an axis, else the only axis besides the case, else the variants. False when
 * the store does not hold what is asked for. */
bool recommend_read(struct recommend *r, struct store *store, const char *parameter,
                    double tolerance_percent, struct error *error);
void recommend_free(struct recommend *r);

/* Winners are lucky: runs the recommended value, its neighbours and the best again, per case and
 * over all cases, `replications` times under another seed, and judges anew; only those values
 * remain. */
bool recommend_confirm(struct recommend *r, struct store *store, uint32_t replications,
                       struct error *error);

/* Judges over all cases, which were judged before; false: out of memory. */
bool recommend_judge_overall(struct recommend *r);

/* Judges one case whose values have names, ns, n and costs. */
void recommend_judge(struct recommend_case *c, double tolerance_percent);

const char *recommend_verdict_name(enum recommend_verdict verdict);

#endif
