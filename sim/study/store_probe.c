/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The look at a file before it becomes a store. Nothing here changes a byte: a file without a log
 * or journal beside it is read as immutable, so that not even SQLite's side files appear.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "sim/study/store_private.h"

static const struct {
    long type;
    const char *name;
} networks[] = {
    {0x6969, "nfs"},        {0x517b, "smb"},       {0xfe534d42, "smb2"},   {0xff534d42, "cifs"},
    {0x00c36400, "ceph"},   {0x5346414f, "afs"},   {0x6b414653, "afs"},    {0x65735546, "fuse"},
    {0x01021997, "9p"},     {0x73757245, "coda"},  {0x0bd00bd0, "lustre"}, {0x47504653, "gpfs"},
    {0x19830326, "beegfs"}, {0x7461636f, "ocfs2"}, {0x01161970, "gfs2"},   {0x786f4256, "vboxsf"},
};

const char *store_network_name(long type)
{
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        if (networks[i].type == (type & 0xffffffffL)) {
            return networks[i].name;
        }
    }
    return NULL;
}

/* The directory a file lies in; malloc'ed. */
static char *directory_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    char *directory =
        slash ? strndup(file, slash == file ? 1 : (size_t)(slash - file)) : strdup(".");

    if (!directory) {
        abort();
    }
    return directory;
}

const char *store_network(const char *file)
{
    char *directory = directory_of(file);
    struct statfs fs;
    const char *name = statfs(directory, &fs) == 0 ? store_network_name((long)fs.f_type) : NULL;

    free(directory);
    return name;
}

bool store_directory_writable(const char *file)
{
    char *directory = directory_of(file);
    bool writable = access(directory, W_OK) == 0;

    free(directory);
    return writable;
}

bool store_has_journal(const char *file)
{
    static const char *const ends[] = {"-wal", "-journal"};
    bool found = false;

    for (size_t i = 0; i < 2; i++) {
        struct stat st;
        char *name;

        if (asprintf(&name, "%s%s", file, ends[i]) < 0) {
            abort();
        }
        found = found || (stat(name, &st) == 0 && st.st_size > 0);
        free(name);
    }
    return found;
}

char *store_uri(const char *file, const char *query)
{
    static const char digits[] = "0123456789ABCDEF";
    size_t bytes = 3 * strlen(file) + strlen(query) + 8;
    char *uri = malloc(bytes);
    char *to;

    if (!uri) {
        abort();
    }
    to = stpcpy(uri, "file:");
    for (const char *s = file; *s; s++) {
        unsigned char c = (unsigned char)*s;

        if (c == '%' || c == '?' || c == '#' || c < 0x20 || c > 0x7e) {
            *to++ = '%';
            *to++ = digits[c >> 4];
            *to++ = digits[c & 15];
        } else {
            *to++ = (char)c;
        }
    }
    *to++ = '?';
    strcpy(to, query);
    return uri;
}

static bool refuse(struct error *error, const char *file, const char *text)
{
    error_set(error, ERROR_INPUT, "", "%s", text);
    snprintf(error->source, sizeof error->source, "%s", file);
    return false;
}

/* Directory, permissions, kind of file. */
static bool probe_place(const char *file, bool write, enum store_found *found, struct error *error)
{
    struct stat st;

    if (stat(file, &st) != 0) {
        if (errno != ENOENT || !write) {
            return error_set_errno(error, ERROR_INPUT, file);
        }
        *found = STORE_ABSENT;
        if (!store_directory_writable(file)) {
            error_set(error, ERROR_INPUT, "", "cannot be created: %s", strerror(errno));
            snprintf(error->source, sizeof error->source, "%s", file);
            return false;
        }
        return true;
    }
    if (S_ISDIR(st.st_mode)) {
        return refuse(error, file, "is a directory");
    }
    if (!S_ISREG(st.st_mode)) {
        return refuse(error, file, "is not a regular file");
    }
    /* root may write anything; a file that nobody may write is meant to stay as it is */
    if (write && (access(file, W_OK) != 0 || (st.st_mode & 0222) == 0)) {
        return refuse(error, file, "not writable");
    }
    if (write && !store_directory_writable(file)) {
        return refuse(error, file, "not writable: its directory is not, and the log lies there");
    }
    if (access(file, R_OK) != 0) {
        return error_set_errno(error, ERROR_INPUT, file);
    }
    *found = st.st_size == 0 ? STORE_EMPTY : STORE_PRESENT;
    return true;
}

static bool probe_magic(const char *file, struct error *error)
{
    static const char magic[16] = "SQLite format 3";
    char head[16];
    int fd = open(file, O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? -1 : read(fd, head, sizeof head);

    if (fd >= 0) {
        close(fd);
    }
    if (got < 0) {
        return error_set_errno(error, ERROR_INPUT, file);
    }
    if (got < (ssize_t)sizeof head || memcmp(head, magic, sizeof head) != 0) {
        return refuse(error, file, "file is not a database; it is left as it is");
    }
    return true;
}

/* One value of the first row; false: SQLite failed. */
static bool ask(sqlite3 *db, const char *sql, sqlite3_int64 *number, char *text, size_t bytes)
{
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;

    if (ok) {
        const char *answer = (const char *)sqlite3_column_text(statement, 0);

        *number = sqlite3_column_int64(statement, 0);
        snprintf(text, bytes, "%s", answer ? answer : "");
    }
    sqlite3_finalize(statement);
    return ok;
}

static bool probe_content(sqlite3 *db, const char *file, enum store_found *found,
                          struct error *error)
{
    sqlite3_int64 application = 0, version = 0, objects = 0, ignored = 0;
    char text[200];

    if (!ask(db, "PRAGMA application_id", &application, text, sizeof text) ||
        !ask(db, "PRAGMA user_version", &version, text, sizeof text) ||
        !ask(db, "SELECT count(*) FROM sqlite_schema", &objects, text, sizeof text)) {
        return store_fail_db(db, file, error);
    }
    if (application != STORE_APPLICATION_ID && application != 0) {
        return refuse(error, file, "not a store of this program (its application_id is another's)");
    }
    if (version > STORE_SCHEMA_VERSION) {
        error_set(error, ERROR_INPUT, "",
                  "written by a newer version (schema %lld, this program knows %d)",
                  (long long)version, STORE_SCHEMA_VERSION);
        snprintf(error->source, sizeof error->source, "%s", file);
        return false;
    }
    if (!ask(db, "PRAGMA quick_check(1)", &ignored, text, sizeof text)) {
        return store_fail_db(db, file, error);
    }
    if (strcmp(text, "ok") != 0) {
        error_set(error, ERROR_INPUT, "",
                  "database disk image is malformed; try: sqlite3 FILE .recover");
        snprintf(error->source, sizeof error->source, "%s", file);
        return false;
    }
    if (application == 0 && objects > 0) {
        return refuse(error, file, "not a store of this program (a database with other tables)");
    }
    *found = application == 0 ? STORE_EMPTY : STORE_PRESENT;
    return true;
}

static bool has_rollback(const char *file)
{
    char *name;
    bool has;

    if (asprintf(&name, "%s-journal", file) < 0) {
        abort();
    }
    has = access(name, F_OK) == 0;
    free(name);
    return has;
}

bool store_probe(const char *file, bool write, enum store_found *found, struct error *error)
{
    char *uri;
    sqlite3 *db = NULL;
    bool ok, hot;

    if (!probe_place(file, write, found, error)) {
        return false;
    }
    if (*found != STORE_PRESENT) {
        return true;
    }
    if (!probe_magic(file, error)) {
        return false;
    }
    /* A program killed while it made the store leaves a rollback journal, which only a writer may
     * play back. */
    hot = has_rollback(file) && access(file, W_OK) == 0;
    uri = store_uri(file, hot                      ? "mode=rw"
                          : store_has_journal(file) ? "mode=ro"
                                                    : "mode=ro&immutable=1");
    if (sqlite3_open_v2(uri, &db,
                        (hot ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_URI,
                        NULL) != SQLITE_OK) {
        ok = store_fail_db(db, file, error);
    } else {
        sqlite3_busy_timeout(db, STORE_BUSY_MS);
        ok = probe_content(db, file, found, error);
    }
    sqlite3_close(db);
    free(uri);
    return ok;
}
