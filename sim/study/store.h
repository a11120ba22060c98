/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The store: one SQLite file that keeps what was run so that it can be asked anything later. The
 * tables are described in docs/store.md. All of SQLite is in store*.c.
 *
 * A result belongs to an identity, the SHA-256 of the canonical configuration and the model
 * revision; points, variants and scenarios that come to the same configuration share their runs, so
 * a sweep that was killed, extended or edited computes exactly what is missing.
 */
#ifndef SIM_STUDY_STORE_H
#define SIM_STUDY_STORE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "models/run.h"
#include "sim/engine/error.h"
#include "sim/study/scenario.h"
#include "sim/study/sha256.h"

#define STORE_APPLICATION_ID 0x76717369
#define STORE_SCHEMA_VERSION 1
#define STORE_PROBES         "-probes" /* behind the sha256 of a scenario: its probes */
#define STORE_ASKED          "substr(s.sha256, -7) <> '-probes'" /* SQL: s is none of probes */
#define STORE_NEWEST                                                                               \
    "s.id IN (SELECT max(id) FROM scenario s WHERE " STORE_ASKED " GROUP BY name)" /* of a name */
#define STORE_SERIES_POINTS  256 /* most points of a series that are kept */

struct store;

/* write: creates the file, or the schema in an empty one, and upholds that nothing is written to a
 * file that is refused: foreign, damaged, newer, not writable. A file that is read only is opened
 * without a lock. file NULL: a store in memory, gone when closed. NULL: failure, *error says why.
 */
struct store *store_open(const char *file, bool write, struct error *error);
void store_close(struct store *store); /* NULL is fine */

/* Why the store is kept otherwise than usual ("on nfs: no write-ahead log"); NULL: it is not. */
const char *store_note(const struct store *store);

/* False with a failure when the store holds runs of another model revision than this program's. */
bool store_check_revision(struct store *store, struct error *error);

/* Registers the scenario (or finds it again by its text and settings) and its warnings; returns its
 * id, 0 on failure. */
int64_t store_scenario(struct store *store, const struct scenario *scenario,
                       const struct problems *warnings, struct error *error);
bool store_warn(struct store *store, int64_t scenario_id, const char *text, struct error *error);

/* SHA-256 of the canonical configuration and the model revision. */
void store_identity(const struct config *config, char hex[SHA256_HEX_BYTES]);

/* Registers a configuration (or finds it again); returns its id, 0 on failure. */
int64_t store_config(struct store *store, int64_t scenario_id, const struct scenario *scenario,
                     size_t point, size_t variant, struct error *error);

bool store_has_run(struct store *store, int64_t config_id, uint32_t replication);

/* The metrics of a stored run; false: not there. */
bool store_read_metrics(struct store *store, int64_t config_id, uint32_t replication,
                        double metric[METRIC_COUNT]);

/* One transaction. A run that is there already is left alone, and must have the same fingerprint.
 */
bool store_put_run(struct store *store, int64_t config_id, const struct run_id *id,
                   const struct run_result *result, double wall_s, struct error *error);

/* Several calls of store_scenario() and store_config() as one transaction; faster. */
bool store_begin(struct store *store, struct error *error);
bool store_commit(struct store *store, struct error *error);

/* Everything that is a result, ordered by identity, without wall time, date, host, pid and row
 * numbers: the same bytes for the same results. */
enum store_format { STORE_CSV, STORE_JSON };
bool store_export(struct store *store, enum store_format format, FILE *out, struct error *error);

/* Runs one query (a second statement and one that writes are refused) and hands over each row as
 * text (NULL: SQL NULL). The callback returns false to stop. */
typedef bool store_row(void *context, int columns, const char *const *names,
                       const char *const *values);
bool store_query(struct store *store, const char *sql, store_row *row, void *context,
                 struct error *error);

#endif
