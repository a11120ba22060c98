/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which capture a workload replays, and what is read of it: the rows of the workload that belong to
 * the file and not to the simulation, which sees an array of packets only.
 *
 * What a run is does not depend on the name of the file but on its content: workload.file is no part
 * of an identity, workload.sha256 is, and is filled in when the scenario is opened. A value given
 * there must be that of the file.
 */
#ifndef SIM_STUDY_TRACE_CONFIG_H
#define SIM_STUDY_TRACE_CONFIG_H

#include "sim/engine/param.h"
#include "sim/study/trace.h"
#include "sim/study/trace_sg.h"

enum trace_wanted { TRACE_WANTED_OUT, TRACE_WANTED_SENT, TRACE_WANTED_RECEIVED };
enum trace_sg_model { TRACE_SG_WRITE, TRACE_SG_SENDFILE };

struct trace_config {
    char file[PARAM_TEXT_BYTES];   /* as written; of a whole configuration: from the root */
    char sha256[PARAM_TEXT_BYTES]; /* of the content; "" until it was read */
    int order;                     /* enum trace_ordering */
    int direction;                 /* enum trace_wanted */
    char queue[PARAM_TEXT_BYTES];  /* "all" or a number */
    char device[PARAM_TEXT_BYTES], mac[PARAM_TEXT_BYTES], len_column[PARAM_TEXT_BYTES];
    uint32_t sg_bytes;
    double tsc_hz;
    int sg_model; /* enum trace_sg_model */
    uint32_t sg_linear;
    uint32_t unrecorded_size;
};

extern const struct param_table trace_params;

/* What the reader is asked for; points into *config. type: enum workload_type. */
void trace_config_options(const struct trace_config *config, int type,
                          struct trace_options *options, struct trace_shape *shape);

#endif
