/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the store and of experiments share: a folder, a small scenario, made-up
 * results. */
#ifndef TESTS_STUDY_STORE_FIXTURE_H
#define TESTS_STUDY_STORE_FIXTURE_H

#include <ftw.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "sim/study/store.h"
#include "tests/suite.h"

/* Three points, two variants, runs of a millisecond. %s: more members. */
#define TINY                                                                                       \
    "{\"version\": 1, \"name\": \"tiny\", \"seed\": 9007199254740993, \"replications\": 3,"        \
    " \"duration\": \"1ms\", \"warmup\": \"100us\","                                               \
    " \"workload\": {\"type\": \"saturating\", \"size\": 64}, \"guest\": {\"path\": \"xsk\"},"     \
    " \"variants\": {\"none\": {\"guest.virtio_desc_cache_thr\": 0},"                              \
    "  \"cache\": {\"guest.virtio_desc_cache_thr\": 4}}%s}"
#define TINY_AXIS ", \"sweep\": {\"guest.tx_ring.size\": [64, 128, 256]}"

static inline struct scenario *tiny_scenario(const char *more)
{
    struct problems problems;
    struct scenario *scenario;
    char text[4096];

    snprintf(text, sizeof text, TINY, more);
    problems_init(&problems);
    scenario = scenario_open_text("tiny.json", text, strlen(text), NULL, &problems);
    for (size_t i = 0; i < problems.count; i++) {
        fprintf(stderr, "%s: %s\n", problems.list[i].error.path, problems.list[i].error.text);
    }
    ck_assert_ptr_nonnull(scenario);
    problems_fini(&problems);
    return scenario;
}

struct folder {
    char path[256];
    char store[300];
};

static inline void folder_init(struct folder *folder)
{
    const char *base = getenv("TMPDIR");

    snprintf(folder->path, sizeof folder->path, "%s/vqsim-XXXXXX", base ? base : "/tmp");
    ck_assert_ptr_nonnull(mkdtemp(folder->path));
    snprintf(folder->store, sizeof folder->store, "%s/s.db", folder->path);
}

static inline int folder_remove_one(const char *path, const struct stat *st, int type,
                                    struct FTW *ftw)
{
    (void)st;
    (void)type;
    (void)ftw;
    return remove(path);
}

static inline void folder_fini(const struct folder *folder)
{
    ck_assert_int_eq(nftw(folder->path, folder_remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static inline struct store *open_store(const char *file)
{
    struct error error = {0};
    struct store *store = store_open(file, true, &error);

    ck_assert_msg(store != NULL, "%s", error.text);
    return store;
}

/* The answer of a query of one number. */
static inline bool take_text(void *context, int columns, const char *const *names,
                             const char *const *values)
{
    (void)columns;
    (void)names;
    snprintf(context, 200, "%s", values[0] ? values[0] : "NULL");
    return true;
}

static inline const char *ask(struct store *store, const char *sql, char answer[200])
{
    struct error error = {0};

    snprintf(answer, 200, "no row");
    ck_assert_msg(store_query(store, sql, take_text, answer, &error), "%s", error.text);
    return answer;
}

static inline char *exported(struct store *store, enum store_format format)
{
    struct error error = {0};
    char *text = NULL;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(out);
    ck_assert_msg(store_export(store, format, out, &error), "%s", error.text);
    fclose(out);
    return text;
}

#endif
