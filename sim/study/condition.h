/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * When a parameter has an effect: its row may name another row and the values that one must have
 * (when_path, when_value of sim/engine/param.h), and the condition of that one must hold too. Read
 * once from a schema, then asked of configurations.
 */
#ifndef SIM_STUDY_CONDITION_H
#define SIM_STUDY_CONDITION_H

#include "sim/study/config.h"

struct conditions;

/* Never NULL. */
struct conditions *conditions_new(const struct param_schema *schema);
void conditions_free(struct conditions *conditions); /* NULL is fine */

/* Whether the row at this index has a condition at all. */
bool conditions_has(const struct conditions *conditions, size_t index);

/* Whether the row has an effect in a configuration. */
bool conditions_hold(const struct conditions *conditions, size_t index,
                     const struct config *config);

#endif
