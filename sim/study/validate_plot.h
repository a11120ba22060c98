/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The picture of a validation: published against simulated, a panel for each unit of a table, with
 * the line on which both are equal, the accepted intervals and the noise of the simulation.
 * NAME.svg, and beside it NAME.gp, which holds the data and draws the picture again. The commands
 * are those of plots/validate/agreement.gp, found at run time; they see
 *
 *   $rows       an index for each panel, columns published, simulated, half_width, low, high (NaN:
 *               report only), role (0 calibrated, 1 held-out, 2 directional), ok (0 outside its
 *               limits, else 1), cell
 *   panels, panel[i], unit[i]   how many, the table's name, the unit
 *   least[i], most[i]           of published and simulated
 *   columns, lines, width, height   how the panels lie, and the picture's size
 */
#ifndef SIM_STUDY_VALIDATE_PLOT_H
#define SIM_STUDY_VALIDATE_PLOT_H

#include "sim/study/validate.h"

/* Whether a picture can have that name: it ends in ".svg". */
bool validate_plot_named(const char *file);

/* False: *error; ERROR_SYSTEM of a missing gnuplot leaves NAME.gp. */
bool validate_plot(const struct validation *list, size_t count, const char *file,
                   struct error *error);

#endif
