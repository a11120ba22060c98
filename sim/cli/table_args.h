/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The options of the commands that hold the model against published tables: validate and calibrate.
 */
#ifndef SIM_CLI_TABLE_ARGS_H
#define SIM_CLI_TABLE_ARGS_H

#include "sim/study/experiment.h"

enum table_option {
    TABLE_OUT = 1 << 0,
    TABLE_HIDE = 1 << 1,
    TABLE_PLOT = 1 << 2,
    TABLE_ENSEMBLE = 1 << 3
};

struct table_args {
    const char *table;  /* NULL: not named */
    const char *out;    /* NULL: no file */
    const char *hide;   /* NULL: nothing */
    const char *plot;   /* NULL: no picture */
    uint32_t starts;    /* of an ensemble that is to be searched; 0: none */
    const char *worlds; /* file of worlds that are to be looked at; NULL: none */
    const char *of;     /* name of the ensemble; NULL: the table's first */
    bool json;
    struct experiment_options experiment;
};

/* 0, or the exit code of a usage error that was printed. allowed: enum table_option, or'ed. */
int table_args_read(struct table_args *args, int argc, char **argv, unsigned allowed);

#endif
