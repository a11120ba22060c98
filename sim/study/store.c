/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sim/study/store_private.h"

static const char *const statement_sql[] = {
#define X(name, sql) sql,
    STORE_STATEMENTS(X)
#undef X
};

/* What SQLite's code means to somebody who wants to keep results. */
static void explain(sqlite3 *db, const char *file, struct error *error)
{
    int code = sqlite3_errcode(db) & 0xff;
    int extended = sqlite3_extended_errcode(db), system = sqlite3_system_errno(db);
    const char *slash = strrchr(file, '/');
    int directory = slash == file ? 1 : slash ? (int)(slash - file) : 1;
    const char *where = slash ? file : ".";

    if (code == SQLITE_FULL) {
        error_set(error, ERROR_SYSTEM, "", "disk full in %.*s; finished runs are kept", directory,
                  where);
    } else if (extended == SQLITE_IOERR_WRITE || extended == SQLITE_IOERR_FSYNC) {
        error_set(error, ERROR_SYSTEM, "",
                  "cannot write in %.*s (disk, quota or file size limit?); finished runs are kept",
                  directory, where);
    } else if (code == SQLITE_BUSY || code == SQLITE_LOCKED) {
        error_set(error, ERROR_SYSTEM, "", "locked by another program for more than %d s",
                  STORE_BUSY_MS / 1000);
    } else if (code == SQLITE_CORRUPT) {
        error_set(error, ERROR_INPUT, "",
                  "database disk image is malformed; try: sqlite3 FILE .recover");
    } else if (code == SQLITE_NOTADB) {
        error_set(error, ERROR_INPUT, "", "file is not a database; it is left as it is");
    } else if (code == SQLITE_READONLY || code == SQLITE_PERM) {
        error_set(error, ERROR_INPUT, "", "not writable");
    } else if (code == SQLITE_CANTOPEN && store_has_journal(file)) {
        error_set(error, ERROR_INPUT, "",
                  "its log (-wal) cannot be read in a directory that is not writable: copy both");
    } else if (code == SQLITE_NOMEM) {
        error_set(error, ERROR_SYSTEM, "", "out of memory");
    } else if (code == SQLITE_ERROR) {
        error_set(error, ERROR_INPUT, "", "%s", sqlite3_errmsg(db));
    } else {
        error_set(error, ERROR_SYSTEM, "", "%s%s%s", sqlite3_errmsg(db), system ? ": " : "",
                  system ? strerror(system) : "");
    }
}

bool store_fail_db(sqlite3 *db, const char *file, struct error *error)
{
    if (error->kind == ERROR_NONE) {
        explain(db, file, error);
        snprintf(error->source, sizeof error->source, "%s", file);
    }
    return false;
}

bool store_fail(struct store *store, struct error *error)
{
    return store_fail_db(store->db, store->file, error);
}

sqlite3_stmt *store_statement(struct store *store, enum store_statement which, struct error *error)
{
    sqlite3_stmt **statement = &store->statement[which];

    if (*statement) {
        sqlite3_reset(*statement);
        sqlite3_clear_bindings(*statement);
    } else if (sqlite3_prepare_v3(store->db, statement_sql[which], -1, SQLITE_PREPARE_PERSISTENT,
                                  statement, NULL) != SQLITE_OK) {
        store_fail(store, error);
        return NULL;
    }
    return *statement;
}

bool store_step(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    if (sqlite3_step(statement) != SQLITE_DONE) {
        store_fail(store, error);
        sqlite3_reset(statement);
        return false;
    }
    sqlite3_reset(statement);
    return true;
}

bool store_begin(struct store *store, struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_BEGIN, error);

    return statement && store_step(store, statement, error);
}

bool store_commit(struct store *store, struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_COMMIT, error);

    if (statement && store_step(store, statement, error)) {
        return true;
    }
    store_rollback(store);
    return false;
}

void store_rollback(struct store *store)
{
    if (!sqlite3_get_autocommit(store->db)) {
        sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    }
}

static bool execute(struct store *store, const char *sql, struct error *error)
{
    return sqlite3_exec(store->db, sql, NULL, NULL, NULL) == SQLITE_OK || store_fail(store, error);
}

static int note_mode(void *context, int columns, char **values, char **names)
{
    (void)columns;
    (void)names;
    snprintf(context, 16, "%s", values[0] ? values[0] : "");
    return 0;
}

/* WAL needs memory shared between processes, which network file systems do not have. */
static bool set_journal(struct store *store, struct error *error)
{
    const char *network = store->file[0] ? store_network(store->file) : NULL;
    char mode[16] = "";

    if (sqlite3_exec(store->db,
                     network ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL",
                     note_mode, mode, NULL) != SQLITE_OK) {
        return store_fail(store, error);
    }
    if (network) {
        snprintf(store->note, sizeof store->note,
                 "the store lies on a network file system (%s): kept without a write-ahead log, "
                 "and only one program may write it",
                 network);
        if (strcmp(mode, "wal") == 0) {
            return error_set(error, ERROR_INPUT, "", "its write-ahead log does not work on %s",
                             network);
        }
    }
    return execute(store, "PRAGMA synchronous = NORMAL", error);
}

static bool create_schema(struct store *store, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool empty;

    if (!store_begin(store, error)) {
        return false;
    }
    /* another process may have been faster */
    if (sqlite3_prepare_v2(store->db, "SELECT count(*) FROM sqlite_schema", -1, &statement, NULL) !=
            SQLITE_OK ||
        sqlite3_step(statement) != SQLITE_ROW) {
        store_fail(store, error);
        sqlite3_finalize(statement);
        store_rollback(store);
        return false;
    }
    empty = sqlite3_column_int(statement, 0) == 0;
    sqlite3_finalize(statement);
    if (empty && !execute(store, store_schema, error)) {
        store_rollback(store);
        return false;
    }
    return store_commit(store, error);
}

static bool open_write(struct store *store, enum store_found found, struct error *error)
{
    const char *name = store->file[0] ? store->file : ":memory:";

    if (sqlite3_open_v2(name, &store->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK) {
        return store_fail(store, error);
    }
    sqlite3_busy_timeout(store->db, STORE_BUSY_MS);
    if (!set_journal(store, error)) {
        return false;
    }
    if (found == STORE_PRESENT) {
        /* an empty transaction finds out now, not after the first hour, that nothing can be written
         */
        return store_begin(store, error) && store_commit(store, error);
    }
    return create_schema(store, error);
}

/* With leave to write, SQLite can take its side files away again when it closes; query_only sees to
 * it that nothing else is written. Without, the file is immutable unless a log lies beside it. */
static bool open_read(struct store *store, enum store_found found, struct error *error)
{
    bool leave_to_write = access(store->file, W_OK) == 0 && store_directory_writable(store->file);
    char *uri;
    int code;

    if (found == STORE_EMPTY) {
        error_set(error, ERROR_INPUT, "", "holds no runs");
        snprintf(error->source, sizeof error->source, "%s", store->file);
        return false;
    }
    uri = store_uri(store->file, leave_to_write                   ? "mode=rw"
                                 : store_has_journal(store->file) ? "mode=ro"
                                                                  : "mode=ro&immutable=1");
    code = sqlite3_open_v2(
        uri, &store->db,
        (leave_to_write ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_URI, NULL);
    free(uri);
    if (code != SQLITE_OK) {
        return store_fail(store, error);
    }
    sqlite3_busy_timeout(store->db, STORE_BUSY_MS);
    return execute(store, "PRAGMA query_only = ON", error);
}

struct store *store_open(const char *file, bool write, struct error *error)
{
    struct store *store = calloc(1, sizeof *store);
    enum store_found found = STORE_ABSENT;
    bool ok;

    if (!store || !(store->file = strdup(file ? file : ""))) {
        error_set(error, ERROR_SYSTEM, "", "out of memory");
        free(store);
        return NULL;
    }
    ok = (!file || store_probe(file, write, &found, error)) &&
         (write ? open_write(store, found, error) : open_read(store, found, error));
    if (ok && store_add_functions(store->db) != SQLITE_OK) {
        ok = store_fail(store, error);
    }
    if (!ok) {
        store_close(store);
        return NULL;
    }
    return store;
}

void store_close(struct store *store)
{
    if (!store) {
        return;
    }
    for (size_t i = 0; i < STORE_STATEMENT_COUNT; i++) {
        sqlite3_finalize(store->statement[i]);
    }
    sqlite3_close(store->db);
    free(store->file);
    free(store);
}

const char *store_note(const struct store *store)
{
    return store->note[0] ? store->note : NULL;
}

/* Hands the rows of a prepared query over; false: SQLite failed. */
static bool hand_over(sqlite3_stmt *statement, store_row *row, void *context)
{
    int columns = sqlite3_column_count(statement);
    const char **names = calloc(2 * (size_t)columns + 1, sizeof *names);
    const char **values = names + columns;
    int code;

    if (!names) {
        abort();
    }
    for (int i = 0; i < columns; i++) {
        names[i] = sqlite3_column_name(statement, i);
    }
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < columns; i++) {
            values[i] = (const char *)sqlite3_column_text(statement, i);
        }
        if (!row(context, columns, names, values)) {
            code = SQLITE_DONE;
            break;
        }
    }
    free(names);
    return code == SQLITE_DONE;
}

bool store_query(struct store *store, const char *sql, store_row *row, void *context,
                 struct error *error)
{
    sqlite3_stmt *statement = NULL, *second = NULL;
    const char *tail = NULL;
    bool ok = sqlite3_prepare_v2(store->db, sql, -1, &statement, &tail) == SQLITE_OK &&
              (!tail || sqlite3_prepare_v2(store->db, tail, -1, &second, NULL) == SQLITE_OK);

    if (!ok) {
        store_fail(store, error);
    } else if (!statement || second || !sqlite3_stmt_readonly(statement)) {
        ok = error_set(error, ERROR_INPUT, "", "one SELECT is needed, and nothing after it");
    } else if (!hand_over(statement, row, context)) {
        ok = store_fail(store, error);
    }
    sqlite3_finalize(statement);
    sqlite3_finalize(second);
    return ok;
}
