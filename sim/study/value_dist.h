/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The values that are more than a scalar: distributions, arrays of small structs, costs with their
 * certificate. Part of value.h, which alone calls them; and the pieces of value.c that they share.
 */
#ifndef SIM_STUDY_VALUE_DIST_H
#define SIM_STUDY_VALUE_DIST_H

#include "sim/engine/decimal.h"
#include "sim/study/value.h"

bool value_read_dist(const struct param *row, struct node node, const char *path, void *field,
                     struct problems *problems);
bool value_read_array(const struct param *row, struct node node, const char *path, void *part,
                      struct problems *problems);

/* {"value": "19.3ns", "low": "15ns", "high": "25ns", "status": "measured", "source": "..."} */
bool value_read_cost(const struct param *row, struct node node, const char *path, void *part,
                     struct value_certificate *certificate, struct problems *problems);

/* The exact number of a JSON number; false: out of range (reported) or not a number. */
bool value_decimal(struct node node, const char *path, struct decimal *number,
                   struct problems *problems);

/* A whole number >= 0 of up to 64 bits; false: reported. The row gives the limits for the message.
 */
bool value_whole(const struct param *row, struct node node, const char *path, uint64_t *value,
                 struct problems *problems);

/* Whether a value is inside the row's limits; false: reported. */
bool value_in_range(const struct param *row, double value, struct node node, const char *path,
                    struct problems *problems);

#endif
