/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Published against simulated, cell by cell: each cell of a published table with what the bed gives
 * for it, and whether that lies in the accepted interval. A cell that hides a variant is simulated
 * with the costs that come out of a calibration without it; all others share the one table that the
 * scenario runs with. Where a naive prediction is given (null), the row has the skill, 1 - error /
 * error of the null: 1 is perfect, 0 no better than the null, below 0 worse.
 */
#ifndef SIM_STUDY_VALIDATE_H
#define SIM_STUDY_VALIDATE_H

#include "sim/study/bed.h"
#include "sim/study/json_out.h"
#include "sim/study/published.h"

struct validate_row {
    const struct published_cell *cell;
    double simulated, half_width; /* NaN half width: one replication */
    double error_percent;         /* NaN where the published value is 0 */
    double null_error_percent;    /* the same of the null; NaN: no null */
    double skill;                 /* NaN: no null, or one without an error */
    bool limited, ok;             /* limited: the cell has an accepted interval */
    char note[640];
};

/* Mean size of the errors of held-out cells: of rates and the like in percent of the published
 * value, of what is in percent itself in points. */
struct validate_error {
    size_t cells;
    double mean; /* NaN: no cells */
    size_t null_cells;
    double beside, null_mean; /* over the cells with a null: the model's, and the null's */
};

/* What stands at the foot of a table. */
struct validate_foot {
    size_t free_parameters, role[ROLES], informed; /* informed: of the held-out */
    struct validate_error percent, points;
};

struct validation {
    struct published *published; /* owned */
    struct validate_row row[PUBLISHED_CELLS];
    size_t count;
    bool ok; /* all rows with a limit */
};

/* The row of one cell of the bed on the bed's last run; false: the bed lacks the variant. */
bool validate_cell(struct validate_row *row, const struct published *published,
                   const struct published_cell *cell, const struct bed *bed, struct error *error);

/* What a simulated figure makes of a cell's row. */
void validate_judge(struct validate_row *row, const struct published_cell *cell,
                    struct interval interval);

/* Runs everything a table needs. *signal: what interrupted it; 0. False: *error or problems say
 * why. */
bool validate_table(struct validation *v, const char *name,
                    const struct experiment_options *options, int *signal,
                    struct problems *problems, struct error *error);
struct validate_foot validate_foot(const struct validation *v);
void validate_fini(struct validation *v);

/* The members of a row, and of the foot of a table, into the open object of a document. */
void validate_row_json(const struct validate_row *row, const char *table, struct json_out *json);
void validate_foot_json(const struct validation *v, struct json_out *json);

#endif
