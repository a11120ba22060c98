/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * WHAT   One run of the datapath: which one (seed, replication, window) and what came of it.
 * PLACE  The border between the models and the study above them: datapath_run() reads a
 *        configuration and a `struct run_id` and fills a `struct run_result`; threads share nothing
 *        else.
 */
#ifndef MODELS_RUN_H
#define MODELS_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "models/metric.h"
#include "models/observer.h"
#include "models/symbol.h"
#include "sim/engine/histogram.h"
#include "sim/engine/series.h"
#include "sim/engine/sim.h"

/* One constant for all models: raise it when a change of the models changes any result. */
#define MODEL_REVISION 2

#define RUN_SERIES     4
#define RUN_HISTOGRAMS 7

struct run_id {
    uint64_t seed;
    uint32_t replication; /* from 0 */
    sim_time warmup;      /* measured window: warmup .. warmup + duration */
    sim_time duration;
    enum sim_engine engine;
    enum event_set_kind event_set;
    const struct observer *observer; /* NULL: nobody watches; no part of what the run is */
};

struct run_histogram {
    const char *name; /* literal; NULL: not used */
    const char *unit; /* of a value after multiplying by scale */
    double scale;
    struct histogram data;
};

struct run_result {
    double metric[METRIC_COUNT];             /* NaN: not defined for this run */
    double symbol_ns_per_packet[SYMBOL_COUNT];
    struct run_histogram histogram[RUN_HISTOGRAMS];
    struct series series[RUN_SERIES]; /* name NULL: not used */
    uint64_t packets;                 /* sent in the window */
    uint64_t steps;                   /* of the engine, warm-up included */
    uint64_t fingerprint;             /* of the integer state at the end */
    char hung_why[200];               /* empty unless hung */
    double suggested_warmup_us;       /* MSER-5 on guest time per packet; NaN: not enough packets */
};

struct run_result *run_result_new(void); /* about 220 KiB; NULL: out of memory */
void run_result_free(struct run_result *result);

#endif
