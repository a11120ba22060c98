/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes into the store and is found there again: scenarios, configurations, runs. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/study/store_private.h"

static void bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    sqlite3_bind_text(statement, index, text, -1, SQLITE_TRANSIENT);
}

void store_bind_number(sqlite3_stmt *statement, int index, double value)
{
    if (isfinite(value)) {
        sqlite3_bind_double(statement, index, value);
    } else {
        sqlite3_bind_null(statement, index);
    }
}

/* The id in the first row, 0 when there is none; -1 on failure. */
static int64_t find_id(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    int code = sqlite3_step(statement);
    int64_t id = code == SQLITE_ROW ? sqlite3_column_int64(statement, 0) : 0;

    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        store_fail(store, error);
        id = -1;
    }
    sqlite3_reset(statement);
    return id;
}

static char *canonical_of(const struct config *config)
{
    char *text = config_canonical(config);

    if (!text) {
        abort();
    }
    return text;
}

static void identity_of(const char *canonical, char hex[SHA256_HEX_BYTES])
{
    char revision[32];
    struct sha256 sha;

    snprintf(revision, sizeof revision, "revision=%d\n", MODEL_REVISION);
    sha256_init(&sha);
    sha256_add_text(&sha, revision);
    sha256_add_text(&sha, canonical);
    sha256_end(&sha, hex);
}

void store_identity(const struct config *config, char hex[SHA256_HEX_BYTES])
{
    char *canonical = canonical_of(config);

    identity_of(canonical, hex);
    free(canonical);
}

static bool is_axis(const struct scenario *scenario, const char *line, size_t path_bytes)
{
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        const char *path = scenario_axis_path(scenario, i);

        if (strlen(path) == path_bytes && memcmp(path, line, path_bytes) == 0) {
            return true;
        }
    }
    return false;
}

/* A scenario is its text, which axes it is swept over, and its settings without the axes' values:
 * an axis that grows stays in the same scenario, other --set values and other includes do not. */
static void scenario_key(const struct scenario *scenario, const struct config *config,
                         char hex[SHA256_HEX_BYTES])
{
    char *canonical = canonical_of(config);
    struct sha256 sha;

    sha256_init(&sha);
    sha256_add_text(&sha, scenario_text(scenario));
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        sha256_add_text(&sha, "\naxis ");
        sha256_add_text(&sha, scenario_axis_path(scenario, i));
    }
    sha256_add_text(&sha, "\n");
    for (const char *line = canonical; *line;) {
        size_t bytes = strcspn(line, "\n");

        bytes += line[bytes] == '\n';
        if (!is_axis(scenario, line, strcspn(line, "="))) {
            sha256_add(&sha, line, bytes);
        }
        line += bytes;
    }
    sha256_end(&sha, hex);
    free(canonical);
}

static int64_t put_scenario(struct store *store, const struct scenario *scenario,
                            struct error *error)
{
    const struct scenario *parent = scenario_parent(scenario);
    struct config *config = calloc(1, sizeof *config);
    char key[SHA256_HEX_BYTES + sizeof STORE_PROBES];
    sqlite3_stmt *statement;
    int64_t id = -1;

    if (!config) {
        abort();
    }
    scenario_first_config(scenario, config);
    scenario_key(parent ? parent : scenario, config, key);
    if (parent) {
        strcat(key, STORE_PROBES);
    }
    statement = store_statement(store, STORE_FIND_SCENARIO, error);
    if (statement) {
        bind_text(statement, 1, key);
        id = find_id(store, statement, error);
    }
    if (id == 0) {
        statement = store_statement(store, STORE_PUT_SCENARIO, error);
        if (statement) {
            bind_text(statement, 1, scenario_name(scenario));
            bind_text(statement, 2, config->study.question);
            bind_text(statement, 3, scenario_file(scenario));
            bind_text(statement, 4, scenario_text(scenario));
            bind_text(statement, 5, key);
        }
        id = statement && store_step(store, statement, error) ? sqlite3_last_insert_rowid(store->db)
                                                              : -1;
    }
    free(config);
    return id > 0 ? id : 0;
}

static bool put_warning(struct store *store, int64_t scenario_id, const char *text,
                        struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_PUT_WARNING, error);

    if (!statement) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, scenario_id);
    bind_text(statement, 2, text);
    return store_step(store, statement, error);
}

/* Begins a transaction unless one is open; *mine says so. */
static bool enter(struct store *store, bool *mine, struct error *error)
{
    *mine = sqlite3_get_autocommit(store->db) != 0;
    return !*mine || store_begin(store, error);
}

/* Ends what enter() began; returns `ok` or false when the commit fails. */
static bool leave(struct store *store, bool mine, bool ok, struct error *error)
{
    if (!mine) {
        return ok;
    }
    if (!ok) {
        store_rollback(store);
        return false;
    }
    return store_commit(store, error);
}

bool store_warn(struct store *store, int64_t scenario_id, const char *text, struct error *error)
{
    bool mine;

    return enter(store, &mine, error) &&
           leave(store, mine, put_warning(store, scenario_id, text, error), error);
}

int64_t store_scenario(struct store *store, const struct scenario *scenario,
                       const struct problems *warnings, struct error *error)
{
    bool mine, ok;
    int64_t id;

    if (!enter(store, &mine, error)) {
        return 0;
    }
    id = put_scenario(store, scenario, error);
    ok = id != 0;
    /* those of probes are their parent's */
    for (size_t i = 0; ok && !scenario_parent(scenario) && i < warnings->count; i++) {
        char text[1200];

        if (warnings->list[i].warning) {
            error_format(&warnings->list[i].error, "warning", text, sizeof text);
            ok = put_warning(store, id, text, error);
        }
    }
    for (size_t i = 0; ok && i < scenario_trace_count(scenario); i++) {
        char text[900];

        snprintf(text, sizeof text, "note: capture %s", scenario_trace_note(scenario, i));
        ok = put_warning(store, id, text, error);
    }
    return leave(store, mine, ok, error) ? id : 0;
}

/* "path=value, path=value"; malloc'ed. */
static char *point_text(const struct scenario *scenario, size_t point)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);

    if (!out) {
        abort();
    }
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        fprintf(out, "%s%s=%s", i ? ", " : "", scenario_axis_path(scenario, i),
                scenario_point_value(scenario, point, i));
    }
    fclose(out);
    return text;
}

static bool put_param(struct store *store, int64_t config_id, const struct param *row,
                      const void *field, struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_PUT_PARAM, error);
    char *text = param_text(row, field);
    bool ok = statement != NULL;

    if (ok) {
        sqlite3_bind_int64(statement, 1, config_id);
        bind_text(statement, 2, row->path);
        bind_text(statement, 3, text);
        ok = store_step(store, statement, error);
    }
    free(text);
    return ok;
}

/* True when canonical text ("path=value\n"...) names the path. */
static bool is_named(const char *canonical, const char *path)
{
    size_t bytes = strlen(path);

    for (const char *line = canonical; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (strncmp(line, path, bytes) == 0 && line[bytes] == '=') {
            return true;
        }
    }
    return false;
}

/* All parameters; with `identity` (the canonical text) only those that are no part of it, which may
 * have changed since the configuration was first stored: replications, stop.*, engine. */
static bool put_params(struct store *store, int64_t config_id, const struct config *config,
                       const char *identity, struct error *error)
{
    for (size_t i = 0; i < param_count(&config_schema); i++) {
        struct param_place place = param_at(&config_schema, i);
        const char *field = (const char *)config + place.part + place.row->offset;

        if (!(identity && is_named(identity, place.row->path)) &&
            !put_param(store, config_id, place.row, field, error)) {
            return false;
        }
    }
    return true;
}

static bool put_axes(struct store *store, int64_t config_id, const struct scenario *scenario,
                     size_t point, struct error *error)
{
    for (size_t i = 0; i < scenario_axis_count(scenario); i++) {
        sqlite3_stmt *statement = store_statement(store, STORE_PUT_AXIS, error);
        const char *value = scenario_point_value(scenario, point, i);
        char *end;
        double number = strtod(value, &end);

        if (!statement) {
            return false;
        }
        sqlite3_bind_int64(statement, 1, config_id);
        bind_text(statement, 2, scenario_axis_path(scenario, i));
        bind_text(statement, 3, value);
        store_bind_number(statement, 4, *value && !*end ? number : NAN);
        sqlite3_bind_int64(statement, 5, (sqlite3_int64)i);
        if (!store_step(store, statement, error)) {
            return false;
        }
    }
    return true;
}

static int64_t put_config(struct store *store, int64_t scenario_id, const struct scenario *scenario,
                          size_t point, size_t variant, const char *identity, const char *text,
                          struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_PUT_CONFIG, error);

    if (!statement) {
        return 0;
    }
    sqlite3_bind_int64(statement, 1, scenario_id);
    bind_text(statement, 2, identity);
    variant = scenario_variant_at(scenario, point, variant);
    bind_text(statement, 3, scenario_variant_name(scenario, variant));
    sqlite3_bind_int64(statement, 4, (sqlite3_int64)variant);
    bind_text(statement, 5, text);
    sqlite3_bind_int64(statement, 6, (sqlite3_int64)scenario_point_number(scenario, point));
    return store_step(store, statement, error) ? sqlite3_last_insert_rowid(store->db) : 0;
}

static int64_t find_config(struct store *store, int64_t scenario_id, const char *identity,
                           const char *variant, const char *point, struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_FIND_CONFIG, error);

    if (!statement) {
        return -1;
    }
    sqlite3_bind_int64(statement, 1, scenario_id);
    bind_text(statement, 2, identity);
    bind_text(statement, 3, variant);
    bind_text(statement, 4, point);
    return find_id(store, statement, error);
}

int64_t store_config(struct store *store, int64_t scenario_id, const struct scenario *scenario,
                     size_t point, size_t variant, struct error *error)
{
    struct config *config = calloc(1, sizeof *config);
    char *text = point_text(scenario, point);
    char *canonical, identity[SHA256_HEX_BYTES];
    int64_t id = -1;
    bool mine = false, ok;

    if (!config) {
        abort();
    }
    scenario_config(scenario, point, variant, config);
    canonical = canonical_of(config);
    identity_of(canonical, identity);
    ok = enter(store, &mine, error);
    if (ok) {
        id = find_config(store, scenario_id, identity,
                         scenario_variant_name(scenario,
                                               scenario_variant_at(scenario, point, variant)),
                         text, error);
        ok = id >= 0;
    }
    if (ok && id > 0) {
        ok = put_params(store, id, config, canonical, error);
    } else if (ok) {
        id = put_config(store, scenario_id, scenario, point, variant, identity, text, error);
        ok = id > 0 && put_params(store, id, config, NULL, error) &&
             put_axes(store, id, scenario, point, error);
    }
    ok = leave(store, mine, ok, error);
    free(canonical);
    free(config);
    free(text);
    return ok ? id : 0;
}

int64_t store_find_run(struct store *store, int64_t config_id, uint32_t replication,
                       char fingerprint[17], struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_FIND_RUN, error);
    int64_t id = 0;
    int code;

    if (!statement) {
        return -1;
    }
    sqlite3_bind_int64(statement, 1, config_id);
    sqlite3_bind_int64(statement, 2, replication);
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        id = sqlite3_column_int64(statement, 0);
        if (fingerprint) {
            snprintf(fingerprint, 17, "%s", (const char *)sqlite3_column_text(statement, 1));
        }
    } else if (code != SQLITE_DONE) {
        store_fail(store, error);
        id = -1;
    }
    sqlite3_reset(statement);
    return id;
}

bool store_has_run(struct store *store, int64_t config_id, uint32_t replication)
{
    struct error ignored = {0};

    return store_find_run(store, config_id, replication, NULL, &ignored) > 0;
}

bool store_read_metrics(struct store *store, int64_t config_id, uint32_t replication,
                        double metric[METRIC_COUNT])
{
    struct error ignored = {0};
    int64_t id = store_find_run(store, config_id, replication, NULL, &ignored);
    sqlite3_stmt *statement = id > 0 ? store_statement(store, STORE_METRICS, &ignored) : NULL;
    int code;

    if (!statement) {
        return false;
    }
    for (int i = 0; i < METRIC_COUNT; i++) {
        metric[i] = NAN;
    }
    sqlite3_bind_int64(statement, 1, id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        int i = metric_find((const char *)sqlite3_column_text(statement, 0));

        if (i >= 0 && sqlite3_column_type(statement, 1) != SQLITE_NULL) {
            metric[i] = sqlite3_column_double(statement, 1);
        }
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}

bool store_check_revision(struct store *store, struct error *error)
{
    sqlite3_stmt *statement = store_statement(store, STORE_OTHER_REVISION, error);
    int code;

    if (!statement) {
        return false;
    }
    sqlite3_bind_int64(statement, 1, MODEL_REVISION);
    code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        error_set(
            error, ERROR_INPUT, "",
            "holds %lld runs of model revision %lld, this program is revision %d: name another "
            "store, or add to it with --force",
            (long long)sqlite3_column_int64(statement, 1),
            (long long)sqlite3_column_int64(statement, 0), MODEL_REVISION);
        snprintf(error->source, sizeof error->source, "%s", store->file);
    } else if (code != SQLITE_DONE) {
        store_fail(store, error);
    }
    sqlite3_reset(statement);
    return code == SQLITE_DONE;
}
