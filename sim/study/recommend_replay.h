/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Captures in a recommendation. A case that replays a capture by its timing keeps the gaps of the
 * captured machine. When that machine was emulated (workload.emulated), they are no machine's: the
 * case is set aside, it is judged and shown, and takes no part in the choice over all cases. The
 * same capture by its marks does; the two savings are a bracket around what a machine would show.
 */
#ifndef SIM_STUDY_RECOMMEND_REPLAY_H
#define SIM_STUDY_RECOMMEND_REPLAY_H

#include "sim/study/recommend.h"

/* SQL of one column for the configuration c: what recommend_take_replay() reads. */
#define RECOMMEND_REPLAY_COLUMN                                                                    \
    "(SELECT group_concat(value, ' ') FROM (SELECT value FROM param t WHERE t.config_id = c.id "   \
    "AND t.path IN ('workload.emulated', 'workload.replay', 'workload.sha256') ORDER BY t.path))"

/* Notes what a configuration of the case replays; first: none of it was noted before. */
void recommend_take_replay(struct recommend_case *c, const char *column, bool first);

bool recommend_is_set_aside(const struct recommend_case *c);
size_t recommend_set_aside_count(const struct recommend *r);

/* The case that replays the same capture by its marks; NULL: there is none. */
const struct recommend_case *recommend_by_marks(const struct recommend *r,
                                                const struct recommend_case *c);

#endif
