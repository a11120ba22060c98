/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run into the store: one transaction, whatever it recorded. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "sim/study/store_private.h"

/* Metrics and symbols: a name and a number each. */
static bool put_number(struct store *store, enum store_statement which, int64_t run,
                       const char *name, double value, struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, which, error);

    if (!statement) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, run);
    sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC);
    store_bind_number(statement, 3, value);
    return store_step(store, statement, error);
}

static bool put_histogram(struct store *store, int64_t run, const struct run_histogram *h,
                          struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_PUT_HISTOGRAM, error);

    if (!statement) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, run);
    sqlite3_bind_text(statement, 2, h->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, h->unit, -1, SQLITE_STATIC);
    for (uint32_t i = 0; i < HISTOGRAM_BINS; i++) {
        if (h->data.bin[i] == 0) {
            continue;
        }
        sqlite3_bind_double(statement, 4, (double)histogram_bin_low(i) * h->scale);
        sqlite3_bind_double(statement, 5, (double)histogram_bin_high(i) * h->scale);
        sqlite3_bind_int64(statement, 6, (sqlite3_int64)h->data.bin[i]);
        if (!store_step(store, statement, error)) {
            return false;
        }
    }
    return true;
}

/* Neighbours are merged until at most STORE_SERIES_POINTS are left. */
static bool put_series(struct store *store, int64_t run, const struct series *s,
                       struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_PUT_SERIES, error);
    uint32_t fold = (s->count + STORE_SERIES_POINTS - 1) / STORE_SERIES_POINTS;

    if (!statement) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, run);
    sqlite3_bind_text(statement, 2, s->name, -1, SQLITE_STATIC);
    for (uint32_t i = 0; i < s->count; i += fold) {
        struct series_point sum = {.least = INFINITY, .most = -INFINITY};

        for (uint32_t k = i; k < i + fold && k < s->count; k++) {
            const struct series_point *p = &s->point[k];

            if (p->count > 0) {
                sum.sum += p->sum;
                sum.count += p->count;
                sum.least = fmin(sum.least, p->least);
                sum.most = fmax(sum.most, p->most);
            }
        }
        if (sum.count == 0) {
            continue;
        }
        sqlite3_bind_double(statement, 3, sim_time_us(s->start + (sim_time)i * s->span));
        sqlite3_bind_double(statement, 4, sum.sum / (double)sum.count);
        sqlite3_bind_double(statement, 5, sum.least);
        sqlite3_bind_double(statement, 6, sum.most);
        if (!store_step(store, statement, error)) {
            return false;
        }
    }
    return true;
}

static bool put_numbers(struct store *store, int64_t run, const struct run_result *result,
                        struct error *error)
{
    for (int i = 0; i < METRIC_COUNT; i++) {
        if (!put_number(store, STORE_PUT_METRIC, run, metric_name((enum metric)i),
                        result->metric[i], error)) {
            return false;
        }
    }
    for (int i = 0; i < SYMBOL_COUNT; i++) {
        if (!put_number(store, STORE_PUT_SYMBOL, run, symbol_name((enum symbol)i),
                        result->symbol_ns_per_packet[i], error)) {
            return false;
        }
    }
    return true;
}

static bool put_details(struct store *store, int64_t run, uint32_t replication,
                        const struct run_result *result, struct error *error)
{
    for (int i = 0; i < RUN_HISTOGRAMS; i++) {
        if (result->histogram[i].name && !put_histogram(store, run, &result->histogram[i], error)) {
            return false;
        }
    }
    /* a series is there to look at one run: one a configuration is enough */
    for (int i = 0; replication == 0 && i < RUN_SERIES; i++) {
        if (result->series[i].name && !put_series(store, run, &result->series[i], error)) {
            return false;
        }
    }
    return true;
}

/* The row of the run itself; its id, 0 on failure. */
static int64_t put_row(struct store *store, const char *identity, const struct run_id *id,
                       const struct run_result *result, double wall_s, struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_PUT_RUN, error);
    char seed[24], fingerprint[17];

    if (!statement) {
        return 0;
    }
    snprintf(seed, sizeof seed, "%" PRIu64, id->seed);
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, result->fingerprint);
    sqlite3_bind_text(statement, 1, identity, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, id->replication);
    sqlite3_bind_text(statement, 3, seed, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 4, VQSIM_VERSION, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 5, MODEL_REVISION);
    sqlite3_bind_int64(statement, 6, (sqlite3_int64)result->steps);
    sqlite3_bind_int64(statement, 7, (sqlite3_int64)result->packets);
    sqlite3_bind_text(statement, 8, fingerprint, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 9, result->hung_why, -1, SQLITE_STATIC);
    store_bind_number(statement, 10, result->suggested_warmup_us);
    store_bind_number(statement, 11, wall_s);
    return store_step(store, statement, error) ? sqlite3_last_insert_rowid(store->db) : 0;
}

/* Another process has put the same run there: its result must be the same. */
static bool same_run(struct store *store, const char *stored, const struct run_result *result,
                     struct error *error)
{
    char fingerprint[17];

    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, result->fingerprint);
    if (strcmp(stored, fingerprint) == 0) {
        return true;
    }
    error_set(
        error, ERROR_DIFFERS, "",
        "a run of the same configuration and seed is stored with fingerprint %s, now it is %s",
        stored, fingerprint);
    snprintf(error->source, sizeof error->source, "%s", store->file);
    return false;
}

static bool put_run(struct store *store, int64_t config_id, const struct run_id *id,
                    const struct run_result *result, double wall_s, struct error *error)
{
    char stored[17], identity[SHA256_HEX_BYTES] = "";
    int64_t run = store_find_run(store, config_id, id->replication, stored, error);
    sqlite3_stmt *statement;

    if (run != 0) {
        return run > 0 && same_run(store, stored, result, error);
    }
    statement = store_statement(store, STORE_CONFIG_IDENTITY, error);
    if (!statement) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, config_id);
    if (sqlite3_step(statement) == SQLITE_ROW) {
        snprintf(identity, sizeof identity, "%s", (const char *)sqlite3_column_text(statement, 0));
    }
    sqlite3_reset(statement);
    if (!identity[0]) {
        return error_set(error, ERROR_SYSTEM, "", "configuration %lld is not in the store",
                         (long long)config_id);
    }
    run = put_row(store, identity, id, result, wall_s, error);
    return run != 0 && put_numbers(store, run, result, error) &&
           put_details(store, run, id->replication, result, error);
}

bool store_put_run(struct store *store, int64_t config_id, const struct run_id *id,
                   const struct run_result *result, double wall_s, struct error *error)
{
    if (!store_begin(store, error)) {
        return false;
    }
    if (!put_run(store, config_id, id, result, wall_s, error)) {
        store_rollback(store);
        return false;
    }
    return store_commit(store, error);
}
