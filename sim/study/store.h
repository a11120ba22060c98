/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The store: one SQLite file that keeps what was run so that it can be asked anything later. The
 * tables are described in docs/store.md. All of SQLite is in store*.c.
 */
#ifndef SIM_STUDY_STORE_H
#define SIM_STUDY_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "models/run.h"
#include "sim/engine/error.h"
#include "sim/study/scenario.h"

#define STORE_APPLICATION_ID 0x76717369
#define STORE_SCHEMA_VERSION 1

struct store;

/* write: creates the file or the schema where there is none. Refuses foreign, damaged and newer files before
 * anything is written. NULL: failure, *error says why. */
struct store *store_open(const char *file, bool write, struct error *error);
void store_close(struct store *store);

/* Registers the scenario (or finds it again by its text) and its warnings; returns its id, 0 on failure. */
int64_t store_scenario(struct store *store, const struct scenario *scenario,
                       const struct problems *warnings, struct error *error);

/* Registers a configuration (or finds it again by identity); returns its id, 0 on failure. */
int64_t store_config(struct store *store, int64_t scenario_id, const struct scenario *scenario,
                     size_t point, size_t variant, struct error *error);

bool store_has_run(struct store *store, int64_t config_id, uint32_t replication);

/* The result's metrics of a stored run; false: not there. */
bool store_read_metrics(struct store *store, int64_t config_id, uint32_t replication,
                        double metric[METRIC_COUNT]);

/* One transaction. */
bool store_put_run(struct store *store, int64_t config_id, const struct run_id *id,
                   const struct run_result *result, double wall_s, struct error *error);

/* Everything that is a result, ordered by identity, without wall time, date, host, pid and row numbers: the
 * same bytes for the same results. */
enum store_format { STORE_CSV, STORE_JSON };
bool store_export(struct store *store, enum store_format format, FILE *out, struct error *error);

/* Runs a query of a plot and hands over each row as text (NULL: SQL NULL). The callback returns false to
 * stop. */
typedef bool store_row(void *context, int columns, const char *const *names,
                       const char *const *values);
bool store_query(struct store *store, const char *sql, store_row *row, void *context,
                 struct error *error);

#endif
