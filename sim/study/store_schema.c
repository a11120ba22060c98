/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables, described in docs/store.md. `run` is a view: a result belongs to an identity, and
 * every configuration of that identity sees it as its own. The primary keys are the indexes: from a
 * scenario to its configurations, to their axes and runs, to the metrics of a run.
 */
#include "sim/study/store_private.h"

const char store_schema[] =
    "PRAGMA application_id = 1987146601;" /* STORE_APPLICATION_ID */
    "PRAGMA user_version = 1;"            /* STORE_SCHEMA_VERSION */
    "CREATE TABLE scenario("
    " id INTEGER PRIMARY KEY,"
    " name TEXT NOT NULL,"
    " question TEXT NOT NULL,"
    " file TEXT NOT NULL,"
    " text TEXT NOT NULL,"
    " sha256 TEXT NOT NULL UNIQUE);"
    "CREATE TABLE config("
    " id INTEGER PRIMARY KEY,"
    " scenario_id INTEGER NOT NULL REFERENCES scenario(id),"
    " identity TEXT NOT NULL,"
    " variant TEXT NOT NULL,"
    " variant_index INTEGER NOT NULL,"
    " point TEXT NOT NULL," /* "path=value, path=value" of the axes; empty where there are none */
    " point_index INTEGER NOT NULL,"
    " UNIQUE(scenario_id, identity, variant, point));"
    "CREATE INDEX config_identity ON config(identity);"
    "CREATE TABLE param("
    " config_id INTEGER NOT NULL REFERENCES config(id),"
    " path TEXT NOT NULL,"
    " value TEXT NOT NULL,"
    " PRIMARY KEY(config_id, path)) WITHOUT ROWID;"
    "CREATE TABLE axis("
    " config_id INTEGER NOT NULL REFERENCES config(id),"
    " path TEXT NOT NULL,"
    " value TEXT NOT NULL,"
    " number REAL," /* NULL: the value is not a number */
    " axis_index INTEGER NOT NULL,"
    " PRIMARY KEY(config_id, path)) WITHOUT ROWID;"
    "CREATE TABLE result("
    " id INTEGER PRIMARY KEY,"
    " identity TEXT NOT NULL,"
    " replication INTEGER NOT NULL,"
    " seed TEXT NOT NULL," /* unsigned 64 bits do not fit an INTEGER */
    " version TEXT NOT NULL,"
    " revision INTEGER NOT NULL,"
    " steps INTEGER NOT NULL,"
    " packets INTEGER NOT NULL,"
    " fingerprint TEXT NOT NULL,"
    " hung_why TEXT NOT NULL,"
    " suggested_warmup_us REAL," /* NULL: too few packets to tell */
    " wall_s REAL NOT NULL,"
    " finished TEXT NOT NULL,"
    " UNIQUE(identity, replication));"
    "CREATE VIEW run AS SELECT r.id AS id, c.id AS config_id, r.replication AS replication,"
    " r.seed AS seed, r.version AS version, r.revision AS revision, r.steps AS steps,"
    " r.packets AS packets, r.fingerprint AS fingerprint, r.hung_why AS hung_why,"
    " r.suggested_warmup_us AS suggested_warmup_us, r.wall_s AS wall_s, r.finished AS finished"
    " FROM config c JOIN result r ON r.identity = c.identity;"
    "CREATE TABLE metric("
    " run_id INTEGER NOT NULL REFERENCES result(id),"
    " name TEXT NOT NULL,"
    " value REAL," /* NULL: not defined for this run */
    " PRIMARY KEY(run_id, name)) WITHOUT ROWID;"
    "CREATE TABLE symbol("
    " run_id INTEGER NOT NULL REFERENCES result(id),"
    " name TEXT NOT NULL,"
    " ns_per_packet REAL," /* NULL: no packet was sent */
    " PRIMARY KEY(run_id, name)) WITHOUT ROWID;"
    "CREATE TABLE histogram("
    " run_id INTEGER NOT NULL REFERENCES result(id),"
    " name TEXT NOT NULL,"
    " unit TEXT NOT NULL,"
    " low REAL NOT NULL,"
    " high REAL NOT NULL,"
    " count INTEGER NOT NULL,"
    " PRIMARY KEY(run_id, name, low)) WITHOUT ROWID;"
    "CREATE TABLE series("
    " run_id INTEGER NOT NULL REFERENCES result(id),"
    " name TEXT NOT NULL,"
    " t_us REAL NOT NULL,"
    " mean REAL NOT NULL,"
    " least REAL NOT NULL,"
    " most REAL NOT NULL,"
    " PRIMARY KEY(run_id, name, t_us)) WITHOUT ROWID;"
    "CREATE TABLE warning("
    " scenario_id INTEGER NOT NULL REFERENCES scenario(id),"
    " text TEXT NOT NULL,"
    " PRIMARY KEY(scenario_id, text)) WITHOUT ROWID;";

_Static_assert(STORE_APPLICATION_ID == 1987146601 && STORE_SCHEMA_VERSION == 1,
               "the schema says the same");
