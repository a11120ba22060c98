/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the store's own files share. A function that talks to SQLite returns its result code or sets
 * the error by store_fail(), which turns SQLite's codes into what the user can do about them.
 */
#ifndef SIM_STUDY_STORE_PRIVATE_H
#define SIM_STUDY_STORE_PRIVATE_H

#include <sqlite3.h>

#include "sim/study/store.h"

#define STORE_BUSY_MS                                                                              \
    60000 /* another writer holds the lock for milliseconds; a backup for seconds */

/* Prepared on first use, kept until the store is closed. X(enum suffix, SQL) */
#define STORE_STATEMENTS(X)                                                                        \
    X(BEGIN, "BEGIN IMMEDIATE")                                                                    \
    X(COMMIT, "COMMIT")                                                                            \
    X(FIND_SCENARIO, "SELECT id FROM scenario WHERE sha256 = ?1")                                  \
    X(PUT_SCENARIO, "INSERT INTO scenario(name, question, file, text, sha256) "                    \
                    "VALUES(?1, ?2, ?3, ?4, ?5)")                                                  \
    X(PUT_WARNING, "INSERT OR IGNORE INTO warning(scenario_id, text) VALUES(?1, ?2)")              \
    X(FIND_CONFIG, "SELECT id FROM config WHERE scenario_id = ?1 AND identity = ?2 "               \
                   "AND variant = ?3 AND point = ?4")                                              \
    X(PUT_CONFIG, "INSERT INTO config(scenario_id, identity, variant, variant_index, point, "      \
                  "point_index) VALUES(?1, ?2, ?3, ?4, ?5, ?6)")                                   \
    X(PUT_PARAM, "INSERT INTO param(config_id, path, value) VALUES(?1, ?2, ?3) "                   \
                 "ON CONFLICT DO UPDATE SET value = excluded.value "                               \
                 "WHERE value <> excluded.value")                                                  \
    X(PUT_AXIS, "INSERT INTO axis(config_id, path, value, number, axis_index) "                    \
                "VALUES(?1, ?2, ?3, ?4, ?5)")                                                      \
    X(CONFIG_IDENTITY, "SELECT identity FROM config WHERE id = ?1")                                \
    X(FIND_RUN, "SELECT r.id, r.fingerprint FROM config c JOIN result r "                          \
                "ON r.identity = c.identity AND r.replication = ?2 WHERE c.id = ?1")               \
    X(PUT_RUN, "INSERT INTO result(identity, replication, seed, version, revision, steps, "        \
               "packets, fingerprint, hung_why, suggested_warmup_us, wall_s, finished) "           \
               "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, "                             \
               "strftime('%Y-%m-%dT%H:%M:%SZ', 'now'))")                                           \
    X(PUT_METRIC, "INSERT INTO metric(run_id, name, value) VALUES(?1, ?2, ?3)")                    \
    X(PUT_SYMBOL, "INSERT INTO symbol(run_id, name, ns_per_packet) VALUES(?1, ?2, ?3)")            \
    X(PUT_HISTOGRAM, "INSERT INTO histogram(run_id, name, unit, low, high, count) "                \
                     "VALUES(?1, ?2, ?3, ?4, ?5, ?6)")                                             \
    X(PUT_SERIES, "INSERT INTO series(run_id, name, t_us, mean, least, most) "                     \
                  "VALUES(?1, ?2, ?3, ?4, ?5, ?6)")                                                \
    X(METRICS, "SELECT name, value FROM metric WHERE run_id = ?1")                                 \
    X(OTHER_REVISION, "SELECT revision, count(*) FROM result WHERE revision <> ?1 "                \
                      "GROUP BY revision ORDER BY 2 DESC LIMIT 1")

enum store_statement {
#define X(name, sql) STORE_##name,
    STORE_STATEMENTS(X)
#undef X
        STORE_STATEMENT_COUNT
};

struct store {
    sqlite3 *db;
    char *file; /* "" in memory */
    char note[160];
    sqlite3_stmt *statement[STORE_STATEMENT_COUNT];
};

extern const char store_schema[]; /* SQL that creates the tables, application_id and user_version */

/* What stands at a path before SQLite touches it. */
enum store_found { STORE_ABSENT, STORE_EMPTY, STORE_PRESENT };

/* Looks at the file without changing it: directory, no permission, text, foreign, newer, damaged
 * are failures. */
bool store_probe(const char *file, bool write, enum store_found *found, struct error *error);
/* A URI for sqlite3_open_v2(); malloc'ed. */
char *store_uri(const char *file, const char *query);
/* True when something may be in files beside the database: a log or a journal. */
bool store_has_journal(const char *file);
bool store_directory_writable(const char *file);

/* Name of a network (or otherwise shared) file system by statfs(2) type, NULL: a local one. */
const char *store_network_name(long type);
const char *store_network(const char *file); /* of the directory the file lies in */

/* Registers t_quantile, stdev and half_width; an SQLite code. */
int store_add_functions(sqlite3 *db);

/* Sets the error from SQLite's last code; returns false. */
bool store_fail(struct store *store, struct error *error);
bool store_fail_db(sqlite3 *db, const char *file, struct error *error);

/* The statement, reset, with nothing bound; NULL after store_fail(). */
sqlite3_stmt *store_statement(struct store *store, enum store_statement which, struct error *error);
/* Steps a statement that returns no row. */
bool store_step(struct store *store, sqlite3_stmt *statement, struct error *error);
void store_rollback(struct store *store);
/* NULL when not finite: "not defined" never becomes a number. */
void store_bind_number(sqlite3_stmt *statement, int index, double value);
/* The run's id, 0: not there, -1: failure. fingerprint may be NULL. */
int64_t store_find_run(struct store *store, int64_t config_id, uint32_t replication,
                       char fingerprint[17], struct error *error);

#endif
