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
 * than t ties with it. Only values that every case has take part, and cases that replay the gaps of
 * an emulated machine do not (recommend_replay.h). Variants are rivals: they stand
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
    double *ns;        /* guest time per packet by replication, as swept; NULL over all cases */
    uint32_t n;
    double *fresh_ns;  /* the same under another seed (recommend_probe.h) */
    uint32_t fresh_n;  /* 0: it was not run again */
    double cost_bytes; /* the most of the runs, over all cases of the cases */
    double mean_ns;    /* of the other seed where there is one; NaN over all cases */
    double regret_percent, half_percent; /* half is NaN with one replication, 0 for the best */
    enum recommend_verdict verdict;
    struct modes modes;
};

/* What the recommended value saves against the first one, or, where they are one, the best value;
 * and how far that moves over the plausible range of each cost. */
struct recommend_saving {
    const char *name; /* of the value; NULL: it is the first, there is no saving */
    double ns, ns_half, percent;
    bool ranged;
    double least_ns, most_ns;
    char least_at[160], most_at[160]; /* "PATH=VALUE"; empty: with the costs as they are */
};

struct recommend_case {
    char name[80];   /* of the scenario */
    char axes[200];  /* values of the other axes; may be empty */
    char label[300]; /* of these what tells the case from the others; empty over all cases */
    int64_t scenario;
    char capture[SHA256_HEX_BYTES]; /* that the case replays; empty: none, or several */
    bool by_marks;                  /* its sizes and order alone, not its timing */
    bool emulated_timing; /* its gaps are an emulated machine's: set aside (recommend_replay.h) */
    struct recommend_value *values; /* in the order of the axis: the first is compared with */
    size_t count, best, recommended;
    struct recommend_saving saving;
    uint32_t fresh; /* replications under another seed of what is chosen and compared; 0: none */
};

struct recommend {
    char parameter[160];
    double tolerance_percent;
    struct recommend_case *cases;
    size_t count;
    struct recommend_case overall;
    char why[512];
    uint32_t fresh;      /* the least of the cases' */
    size_t confirmed;    /* cases that have it */
    uint64_t runs, want; /* of the sweeps: there are, there should be */
};

/* parameter: a path, the unique last part of one, "variant", or NULL: the descriptor cache's
 * threshold if it is an axis, else the only axis besides the case, else the variants. scenario: of
 * this row of the store alone; 0: of the newest of each name, as in a report. False when the store
 * does not hold what is asked for. */
bool recommend_read(struct recommend *r, struct store *store, int64_t scenario,
                    const char *parameter, double tolerance_percent, struct error *error);
void recommend_free(struct recommend *r);
void recommend_case_fini(struct recommend_case *c);

/* Judges over all cases, which were judged before; false: out of memory. */
bool recommend_judge_overall(struct recommend *r);

/* Whether value i of a case is the first, the best or the recommended one, or next to that; and
 * whether a value is so over all cases. */
bool recommend_is_near(const struct recommend_case *c, size_t i);
bool recommend_is_near_over_all(const struct recommend *r, const char *name);

/* Whether a parameter is chosen, or is a condition of the choice: traffic, machine, prices. */
bool recommend_can_choose(const char *path);

/* The runs of two values that share their random numbers: those of the other seed where both have
 * them. Returns how many pairs. */
uint32_t recommend_pair(const struct recommend_value *a, const struct recommend_value *b,
                        const double **a_ns, const double **b_ns);

/* Judges one case whose values have names, ns, n and costs. Once the first value was run again, the
 * choice is among those that were. */
void recommend_judge(struct recommend_case *c, double tolerance_percent);

const char *recommend_verdict_name(enum recommend_verdict verdict);

#endif
