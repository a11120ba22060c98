/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a recommendation rests on, found by running more (scenario_probe.h), as part of every sweep:
 *
 *   Winners are lucky. In every case the first value, the recommended one, its neighbours and the
 *   best, and those over all cases, are run again under another seed, often enough to see two
 *   modes; from then on only these figures are shown, and the choice among them is made anew.
 *
 *   A cost is known within a range. What the recommended value saves against the first (or, where
 *   that is the first, what the best saves) is found with each cost that has an effect at the low
 *   and at the high end of its plausible range, one at a time, the other costs as they are; random
 *   numbers are shared, so the difference is the cost's.
 */
#ifndef SIM_STUDY_RECOMMEND_PROBE_H
#define SIM_STUDY_RECOMMEND_PROBE_H

#include "sim/study/experiment.h"
#include "sim/study/recommend.h"
#include "sim/study/scenario_probe.h"

#define RECOMMEND_PROBE_CASES        16 /* of more cases nothing is probed unless asked for */
#define RECOMMEND_PROBE_REPLICATIONS 10 /* at least, under another seed */

/* What a finished sweep chooses: the threshold of the descriptor cache where it is an axis, else
 * along the only axis that is no condition, else between its variants, else along the last axis;
 * read and judged, without what else the store holds. No cases: there is nothing to choose. */
bool recommend_read_sweep(struct recommend *r, const struct scenario *scenario,
                          const struct experiment *experiment, struct store *store,
                          struct error *error);

/* The probes that an answer asks for: first under another seed, then, of what stands after those,
 * the ends of the costs. NULL: none, since there is nothing that could move. The caller frees them,
 * and keeps `scenario` until then. */
enum recommend_stage { RECOMMEND_FRESH, RECOMMEND_COSTS };
struct scenario *recommend_probes(const struct recommend *r, enum recommend_stage stage,
                                  const struct scenario *scenario,
                                  const struct experiment *experiment);

/* Most runs that the probes of a sweep take, about; 0: there are none. */
uint64_t recommend_probes_most(const struct scenario *scenario);

/* Puts what the store holds of probes into cases that were read and judged. */
bool recommend_take_probes(struct recommend *r, struct store *store, struct error *error);

#endif
