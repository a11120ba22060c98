/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The whole configuration of one point and one variant: what the study adds (seed, duration,
 * replications, stopping) and the datapath. A plain struct; copy it with =.
 */
#ifndef SIM_STUDY_CONFIG_H
#define SIM_STUDY_CONFIG_H

#include "models/datapath.h"
#include "models/datapath_config.h"
#include "sim/engine/param.h"
#include "sim/study/trace_config.h"

struct study_config {
    uint32_t version; /* of the scenario format: 1 */
    char name[PARAM_TEXT_BYTES];
    char question[PARAM_TEXT_BYTES]; /* what the scenario asks; shown on top of the report */
    uint64_t seed;
    sim_time duration, warmup;
    uint32_t replications;      /* exactly, or at least when stop.relative_precision is set */
    uint32_t most_replications; /* stop.most_replications */
    double relative_precision;  /* stop.relative_precision; 0: not set, replications is exact */
    double confidence;          /* stop.confidence, 0.95 */
    int stop_metric;            /* stop.metric: enum metric, tx_pps */
    int engine;                 /* enum sim_engine */
};

struct config {
    struct study_config study;
    struct trace_config trace; /* of a workload that replays a capture */
    struct datapath_config datapath;
};

/* Rows of all parts; built once at compile time. */
extern const struct param_schema config_schema;

/* The identity text: "path=value\n" for every row in the order of paths, canonical units, defaults
 * included, without what cannot change a result (name, question, replications, stop.*, engine, the
 * name of a capture whose content is there by its sum).
 * malloc'ed. */
char *config_canonical(const struct config *config);

/* What one replication of this configuration is. */
struct run_id config_run_id(const struct config *config, uint32_t replication);

#endif
