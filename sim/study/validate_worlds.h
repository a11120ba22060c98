/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rows of ensembles: every accepted world is run, the row's figure is the median over worlds
 * and its half width half of the range from 10 to 90 % of them. A calibrated row is ok when every
 * world is within its limits, another one when the median is.
 */
#ifndef SIM_STUDY_VALIDATE_WORLDS_H
#define SIM_STUDY_VALIDATE_WORLDS_H

#include "sim/study/validate.h"

/* Fills the rows of all ensembles; false: *error or problems say why. */
bool validate_worlds(struct validation *v, uint32_t threads, struct problems *problems,
                     struct error *error);

#endif
