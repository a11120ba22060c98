/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the files that read a published table share; for nobody else. */
#ifndef SIM_STUDY_PUBLISHED_PARTS_H
#define SIM_STUDY_PUBLISHED_PARTS_H

#include "sim/study/document.h"
#include "sim/study/published.h"

struct published_reader {
    struct published *published;
    struct problems *problems;
    char measured[PATH_MAX]; /* the file that single figures come from; "": none */
};

/* published_read.c */
void published_complain(struct published_reader *r, struct node at, const char *path,
                        const char *text);
/* A member that is a text of limited length; false with a problem when it is missing or something
 * else. */
bool published_text(struct published_reader *r, struct node object, const char *key, char *into,
                    size_t bytes);
bool published_number(struct node node, double *value);
/* `name` beside the table's own file. */
bool published_beside(const struct published *p, const char *name, char *path, size_t bytes);
/* The variant of that name, made when it is new; PUBLISHED_VARIANTS: no room or no name. */
size_t published_variant_of(struct published_reader *r, const char *name);
/* The member "variant", which rates or profiles named before. */
bool published_need_variant(struct published_reader *r, struct node object, size_t *variant);
int published_symbol(struct node node); /* SYMBOL_COUNT: none of the model's */

/* published_files.c */
void published_read_rates(struct published_reader *r, struct node rates);
void published_read_profiles(struct published_reader *r, struct node profiles);
/* A number, or {"file", "row", "column", "over" or "minus", "times"} of a file of measurements;
 * false: there is none, with a problem when it is wrong. */
bool published_figure(struct published_reader *r, struct node node, double *value);

/* published_cost.c */
void published_read_cost(struct published_reader *r, struct node node);
void published_read_free(struct published_reader *r, struct node node);
void published_read_fitted(struct published_reader *r, struct node node);

/* published_cell.c */
void published_read_cell(struct published_reader *r, struct node node);

/* published_metric.c: where a metric or a mean comes from; false with a problem. */
bool published_read_metric(struct published_reader *r, struct node node,
                           struct published_cell *cell);
bool published_read_mean(struct published_reader *r, struct node node, struct published_cell *cell);

/* published_ensemble.c; published_ensemble_cell.c: a cell of one, as a target. */
void published_read_ensembles(struct published_reader *r, struct node list);
void published_read_target(struct published_reader *r, struct node node,
                           struct ensemble_plan *plan);

#endif
