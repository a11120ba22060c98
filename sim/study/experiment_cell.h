/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which run is next, and which result counts: the book-keeping of an experiment, without threads.
 *
 * A cell (a configuration) is open until its replications suffice. Replications below the least
 * number are always needed and may be stored in any order; later ones are stored in order, each
 * only after the ones before it were judged not to suffice.
 */
#ifndef SIM_STUDY_EXPERIMENT_CELL_H
#define SIM_STUDY_EXPERIMENT_CELL_H

#include "sim/study/experiment.h"

struct cell {
    uint32_t least, most; /* equal: the number is exact */
    uint32_t issued;      /* next replication to hand out */
    uint32_t have;        /* 0..have-1 are in the store */
    bool closed;
    bool imprecise; /* closed at most without the precision */
    float weight;   /* of one run: seconds of simulated time */
    double *x;      /* stop.metric of 0..have-1; while open, where a precision is asked for */
};

struct cells {
    const struct scenario *scenario;
    struct store *store;
    const struct experiment *experiment;
    struct cell *list;
    size_t count;
    size_t first;          /* all before it are closed */
    size_t window;         /* open cells that are worked at side by side */
    uint32_t ahead;        /* replications beyond those judged that may be handed out */
    uint64_t missing_runs; /* after cells_init(): of the least numbers */
    double missing_weight;
    uint64_t grown_runs; /* handed out beyond the least; the caller takes them away */
    double grown_weight;
};

/* False: out of memory. Reads what the store holds already. */
bool cells_init(struct cells *cells, const struct scenario *scenario, struct store *store,
                const struct experiment *experiment, uint32_t threads);
void cells_fini(struct cells *cells);

/* The next run that nobody has; false: none at present. */
bool cells_next(struct cells *cells, size_t *cell, uint32_t *replication);

/* What to do with a finished run. */
enum cells_verdict { CELLS_STORE, CELLS_HOLD, CELLS_DISCARD };
enum cells_verdict cells_judge(const struct cells *cells, size_t cell, uint32_t replication);

/* After a run of this cell was stored. */
void cells_advance(struct cells *cells, size_t cell);

bool cells_closed(const struct cells *cells); /* all of them */
double cells_weight(const struct cells *cells, size_t cell);

/* Why a cell is imprecise: where, what was reached, what was asked for. */
void cells_describe(const struct cells *cells, size_t cell, char *buffer, size_t bytes);

#endif
