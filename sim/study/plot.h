/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A plot is two files in a folder, found at run time: NAME.sql asks the store, NAME.gp draws the
 * answer. docs/plots.md tells a user how to write them.
 *
 *   NAME.sql   comment lines first ("-- title: ...", caption, question, needs, order, with), then
 * one SELECT. Leading columns called panel and series split the rows into gnuplot indexes. NAME.gp
 * gnuplot commands; they see data, out, rows, blocks, panel[], series[]
 *
 * The picture of a plot is made in two steps, because the first alone says whether there is
 * anything to draw: plot_query() asks, plot_draw() writes NAME.dat, NAME.gp and NAME.svg into the
 * report's folder.
 */
#ifndef SIM_STUDY_PLOT_H
#define SIM_STUDY_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/engine/error.h"
#include "sim/study/store.h"

#define PLOT_NEEDS_DEFAULT 2 /* rows; a header line "-- needs: N" may ask for more */
#define PLOT_NAME_BYTES    200
/* How each script in a report's folder begins. */
#define PLOT_SCRIPT_HEAD "# Made by vqsim report."

enum plot_state {
    PLOT_FOUND,
    PLOT_ASKED, /* has data */
    PLOT_DRAWN,
    PLOT_EMPTY,  /* the query gave fewer rows than the plot needs, or none with all its values */
    PLOT_BROKEN, /* a file is missing or wrong; reason says which and how */
};

struct plot {
    char name[PLOT_NAME_BYTES]; /* of the files, without ending */
    char title[200];
    char question[300];
    char with[100]; /* NAME of NAME.with, whose text precedes the SELECT; empty: none */
    char *caption;
    char *sql; /* as run */
    double order;
    size_t needs;

    enum plot_state state;
    char reason[900]; /* of EMPTY and BROKEN; of DRAWN what gnuplot said, mostly empty */

    size_t rows, blocks;
    char *data;             /* text of the data file */
    char **panel, **series; /* of each block */
};

/* The plots of a folder, ordered by "order", then name. Files that a folder lacks (style.gp,
 * NAME.with) are taken from `fallback`, the folder that comes with the program (NULL: none). */
struct plots {
    char folder[512], fallback[512];
    struct plot *list;
    size_t count;
};

bool plots_open(struct plots *plots, const char *folder, const char *fallback, struct error *error);
void plots_close(struct plots *plots);

/* The text of a file of the folder or the fallback, malloc'ed; NULL: none. */
char *plots_text(const struct plots *plots, const char *name, const char *ending);

/* FOUND -> ASKED, EMPTY or BROKEN. */
void plot_query(struct plot *plot, struct store *store);

/* Writes NAME.dat and NAME.gp (temporary name, then renamed) into the folder `out`. False: the
 * disk. */
bool plot_write(const struct plots *plots, struct plot *plot, const char *out, struct error *error);

/* ASKED -> DRAWN or BROKEN, after plot_write(). False: gnuplot cannot be run at all. */
bool plot_draw(const struct plots *plots, struct plot *plot, const char *out, struct error *error);

#endif
