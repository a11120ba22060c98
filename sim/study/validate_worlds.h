/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of ensembles: every accepted world is run, the row's figure is the median over worlds
 * and its half width half of the range from 10 to 90 % of them. A row is ok when the median is
 * within its limits; the note says how many worlds are.
 */
#ifndef SIM_STUDY_VALIDATE_WORLDS_H
#define SIM_STUDY_VALIDATE_WORLDS_H

#include "sim/study/validate.h"

/* Fills the rows of all ensembles; false: *error or problems say why. */
bool validate_worlds(struct validation *v, uint32_t threads, struct problems *problems,
                     struct error *error);

#endif
