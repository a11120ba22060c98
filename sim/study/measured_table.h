/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Single figures of a published measurement: a CSV file with a header line (csv_line.h) whose first
 * column names the rows.
 */
#ifndef SIM_STUDY_MEASURED_TABLE_H
#define SIM_STUDY_MEASURED_TABLE_H

#include "sim/engine/error.h"

/* The number in that row and column. False: no such file, row or column, or the cell holds
 * something else. */
bool measured_table_read(const char *file, const char *row, const char *column, double *value,
                         struct error *error);

#endif
