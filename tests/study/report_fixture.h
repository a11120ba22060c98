/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the tests of the report share: a folder of its own for a test, a store made of
 * tests/study/data/report.sql, files written and looked at.
 */
#ifndef TESTS_STUDY_REPORT_FIXTURE_H
#define TESTS_STUDY_REPORT_FIXTURE_H

#include <check.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/study/report.h"
#include "sim/study/text_file.h"

#define SHIPPED_PLOTS SOURCE_DIR "/plots"

struct fixture {
    char folder[PATH_MAX / 4];
    char store[PATH_MAX / 2];
    char out[PATH_MAX / 2];
    char plots[PATH_MAX / 2]; /* an empty folder for the test's own plots */
};

static inline void fixture_init(struct fixture *f)
{
    const char *base = getenv("TMPDIR");

    snprintf(f->folder, sizeof f->folder, "%s/vqsim ' XXXXXX", base ? base : "/tmp");
    /* mkdtemp wants the Xs at the end; the blank and the quote stay in the name. */
    ck_assert_ptr_nonnull(mkdtemp(f->folder));
    snprintf(f->store, sizeof f->store, "%s/sto re.db", f->folder);
    snprintf(f->out, sizeof f->out, "%s/out", f->folder);
    snprintf(f->plots, sizeof f->plots, "%s/my plots", f->folder);
    ck_assert_int_eq(mkdir(f->plots, 0777), 0);
}

static inline void fixture_fini(const struct fixture *f)
{
    char command[PATH_MAX];

    setenv("FIXTURE_FOLDER", f->folder, 1);
    snprintf(command, sizeof command, "PATH=/usr/bin:/bin rm -rf -- \"$FIXTURE_FOLDER\"");
    ck_assert_int_eq(system(command), 0);
}

static inline char *fixture_read(const char *folder, const char *name)
{
    struct error error = {0};
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    char *text = text_file_read(path, &error);
    ck_assert_msg(text != NULL, "%s: %s", path, error.text);
    return text;
}

static inline void fixture_write(const char *folder, const char *name, const char *text)
{
    struct error error = {0};
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert(text_file_write(path, text, &error));
}

static inline bool fixture_has(const char *folder, const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

/* Changes the store behind the program's back. */
static inline void fixture_exec(const struct fixture *f, const char *sql)
{
    char *message = NULL;
    sqlite3 *db = NULL;

    ck_assert_int_eq(sqlite3_open(f->store, &db), SQLITE_OK);
    sqlite3_exec(db, sql, NULL, NULL, &message);
    ck_assert_msg(message == NULL, "%s", message);
    sqlite3_close(db);
}

/* Makes the store with the rows of a file of tests/study/data; NULL: an empty one. */
static inline void fixture_store_of(const struct fixture *f, const char *data)
{
    struct error error = {0};
    struct store *store = store_open(f->store, true, &error);

    ck_assert_msg(store != NULL, "%s", error.text);
    store_close(store);
    if (data) {
        char *sql = fixture_read(TESTS_DIR "/study/data", data);

        fixture_exec(f, sql);
        free(sql);
    }
}

static inline void fixture_store(const struct fixture *f, bool data)
{
    fixture_store_of(f, data ? "report.sql" : NULL);
}

static inline bool fixture_report(const struct fixture *f, const char *plots, struct report *report,
                                  struct error *error)
{
    struct report_options options = {.store_file = f->store, .out = f->out, .plots = plots};

    memset(error, 0, sizeof *error);
    return report_make(report, &options, error);
}

static inline const struct plot *fixture_plot(const struct report *report, const char *name)
{
    for (size_t i = 0; i < report->plots.count; i++) {
        if (strcmp(report->plots.list[i].name, name) == 0) {
            return &report->plots.list[i];
        }
    }
    ck_abort_msg("no plot %s", name);
    return NULL;
}

#endif
