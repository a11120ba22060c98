/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The results as text. The order is that of identities, and nothing that depends on when, where or
 * in which order the runs were computed is written. CSV is one row a run with its metrics; JSON
 * holds parameters, symbols, histograms and series besides.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/study/json_out.h"
#include "sim/study/store_private.h"

#define CONFIG_ORDER " ORDER BY c.identity, s.sha256, c.variant, c.point"

/* Columns whose names come from the data: axes, metrics, symbols. */
struct names {
    char **list;
    size_t count;
};

static void names_add(struct names *names, const char *name)
{
    names->list = realloc(names->list, (names->count + 1) * sizeof *names->list);
    if (!names->list || !(names->list[names->count++] = strdup(name))) {
        abort();
    }
}

static void names_fini(struct names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->list[i]);
    }
    free(names->list);
}

static bool names_row(void *context, int columns, const char *const *columns_names,
                      const char *const *values)
{
    (void)columns;
    (void)columns_names;
    names_add(context, values[0]);
    return true;
}

static sqlite3_stmt *prepare(struct store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;

    if (sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL) != SQLITE_OK) {
        store_fail(store, error);
    }
    return statement;
}

static const char *text_at(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);

    return text ? text : "";
}

/* A cell in quotes where it must be (RFC 4180). */
static void csv_text(FILE *out, const char *text)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, out);
        return;
    }
    fputc('"', out);
    for (const char *s = text; *s; s++) {
        if (*s == '"') {
            fputc('"', out);
        }
        fputc(*s, out);
    }
    fputc('"', out);
}

/* One cell for each name, from a statement of (name, value) rows for `id`; empty where there is
 * none. */
static bool csv_cells(struct store *store, sqlite3_stmt *statement, int64_t id,
                      const struct names *names, FILE *out, struct error *error)
{
    char **cell = calloc(names->count + 1, sizeof *cell);
    int code;

    if (!cell) {
        abort();
    }
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        for (size_t i = 0; i < names->count; i++) {
            char number[JSON_NUMBER_BYTES];
            int type = sqlite3_column_type(statement, 1);

            if (strcmp(names->list[i], text_at(statement, 0)) != 0 || type == SQLITE_NULL) {
                continue;
            }
            json_number_text(sqlite3_column_double(statement, 1), number);
            free(cell[i]);
            cell[i] = strdup(type == SQLITE_FLOAT ? number : text_at(statement, 1));
        }
    }
    for (size_t i = 0; i < names->count; i++) {
        fputc(',', out);
        csv_text(out, cell[i] ? cell[i] : "");
        free(cell[i]);
    }
    free(cell);
    return code == SQLITE_DONE || store_fail(store, error);
}

struct csv {
    struct names axes, metrics, symbols;
    sqlite3_stmt *runs, *axis, *metric, *symbol;
};

static void csv_head(const struct csv *csv, FILE *out)
{
    fputs("identity,scenario,variant,replication,seed,revision,steps,packets,fingerprint,hung_why,"
          "suggested_warmup_us",
          out);
    for (size_t i = 0; i < csv->axes.count; i++) {
        fputc(',', out);
        csv_text(out, csv->axes.list[i]);
    }
    for (size_t i = 0; i < csv->metrics.count; i++) {
        fprintf(out, ",%s", csv->metrics.list[i]);
    }
    for (size_t i = 0; i < csv->symbols.count; i++) {
        fprintf(out, ",ns:%s", csv->symbols.list[i]);
    }
    fputc('\n', out);
}

static bool csv_rows(struct store *store, struct csv *csv, FILE *out, struct error *error)
{
    int code;

    while ((code = sqlite3_step(csv->runs)) == SQLITE_ROW) {
        int64_t config = sqlite3_column_int64(csv->runs, 0);
        int64_t run = sqlite3_column_int64(csv->runs, 1);

        for (int i = 2; i < 12; i++) {
            csv_text(out, text_at(csv->runs, i));
            fputc(',', out);
        }
        if (sqlite3_column_type(csv->runs, 12) != SQLITE_NULL) {
            char number[JSON_NUMBER_BYTES];

            json_number_text(sqlite3_column_double(csv->runs, 12), number);
            fputs(number, out);
        }
        if (!csv_cells(store, csv->axis, config, &csv->axes, out, error) ||
            !csv_cells(store, csv->metric, run, &csv->metrics, out, error) ||
            !csv_cells(store, csv->symbol, run, &csv->symbols, out, error)) {
            return false;
        }
        fputc('\n', out);
    }
    return code == SQLITE_DONE || store_fail(store, error);
}

static bool export_csv(struct store *store, FILE *out, struct error *error)
{
    struct csv csv = {0};
    bool ok = store_query(store, "SELECT DISTINCT path FROM axis ORDER BY path", names_row,
                          &csv.axes, error) &&
              store_query(store, "SELECT DISTINCT name FROM metric ORDER BY name", names_row,
                          &csv.metrics, error) &&
              store_query(store, "SELECT DISTINCT name FROM symbol ORDER BY name", names_row,
                          &csv.symbols, error);

    if (ok) {
        csv.runs =
            prepare(store,
                    "SELECT c.id, r.id, c.identity, s.name, c.variant, r.replication, r.seed, "
                    "r.revision, r.steps, r.packets, r.fingerprint, r.hung_why, "
                    "r.suggested_warmup_us FROM config c "
                    "JOIN scenario s ON s.id = c.scenario_id "
                    "JOIN result r ON r.identity = c.identity" CONFIG_ORDER ", r.replication",
                    error);
        csv.axis = prepare(store, "SELECT path, value FROM axis WHERE config_id = ?1", error);
        csv.metric = prepare(store, "SELECT name, value FROM metric WHERE run_id = ?1", error);
        csv.symbol =
            prepare(store, "SELECT name, ns_per_packet FROM symbol WHERE run_id = ?1", error);
        ok = csv.runs && csv.axis && csv.metric && csv.symbol;
    }
    if (ok) {
        csv_head(&csv, out);
        ok = csv_rows(store, &csv, out, error);
    }
    sqlite3_finalize(csv.runs);
    sqlite3_finalize(csv.axis);
    sqlite3_finalize(csv.metric);
    sqlite3_finalize(csv.symbol);
    names_fini(&csv.axes);
    names_fini(&csv.metrics);
    names_fini(&csv.symbols);
    return ok;
}

/* ---- JSON ---- */

struct json_export {
    struct json_out json;
    sqlite3_stmt *scenarios, *configs, *axis, *param, *runs, *metric, *symbol, *histogram, *series;
};

static void json_cell(struct json_out *json, const char *key, sqlite3_stmt *statement, int column)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        json_null(json, key);
        break;
    case SQLITE_INTEGER:
        json_integer(json, key, sqlite3_column_int64(statement, column));
        break;
    case SQLITE_FLOAT:
        json_number(json, key, sqlite3_column_double(statement, column));
        break;
    default:
        json_text(json, key, text_at(statement, column));
    }
}

/* {"name": value, ...} from rows of (name, value); texts as parameters are written. */
static int json_pairs(struct json_out *json, const char *key, sqlite3_stmt *statement, int64_t id)
{
    int code;

    json_object(json, key);
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (sqlite3_column_type(statement, 1) == SQLITE_TEXT) {
            json_value(json, text_at(statement, 0), text_at(statement, 1));
        } else {
            json_cell(json, text_at(statement, 0), statement, 1);
        }
    }
    json_end(json);
    return code;
}

/* {"name": [[number, ...], ...], ...} from rows of (name, numbers). */
static int json_groups(struct json_out *json, const char *key, sqlite3_stmt *statement, int64_t id)
{
    char name[128] = "";
    bool open = false;
    int code;

    json_object(json, key);
    sqlite3_reset(statement);
    sqlite3_bind_int64(statement, 1, id);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (!open || strcmp(name, text_at(statement, 0)) != 0) {
            if (open) {
                json_end(json);
            }
            snprintf(name, sizeof name, "%s", text_at(statement, 0));
            json_array(json, name);
            open = true;
        }
        json_array(json, NULL);
        for (int i = 1; i < sqlite3_column_count(statement); i++) {
            json_cell(json, NULL, statement, i);
        }
        json_end(json);
    }
    if (open) {
        json_end(json);
    }
    json_end(json);
    return code;
}

static int json_runs(struct json_export *e, const char *identity)
{
    struct json_out *json = &e->json;
    int code;

    json_array(json, "runs");
    sqlite3_reset(e->runs);
    sqlite3_bind_text(e->runs, 1, identity, -1, SQLITE_TRANSIENT);
    while ((code = sqlite3_step(e->runs)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(e->runs, 0);

        json_object(json, NULL);
        for (int i = 1; i < sqlite3_column_count(e->runs); i++) {
            const char *name = sqlite3_column_name(e->runs, i);

            if (strcmp(name, "seed") == 0) {
                json_value(json, name, text_at(e->runs, i));
            } else {
                json_cell(json, name, e->runs, i);
            }
        }
        if (json_pairs(json, "metrics", e->metric, id) != SQLITE_DONE ||
            json_pairs(json, "symbols", e->symbol, id) != SQLITE_DONE ||
            json_groups(json, "histograms", e->histogram, id) != SQLITE_DONE ||
            json_groups(json, "series", e->series, id) != SQLITE_DONE) {
            return SQLITE_ERROR;
        }
        json_end(json);
    }
    json_end(json);
    return code;
}

static int json_configs(struct json_export *e)
{
    struct json_out *json = &e->json;
    int code;

    json_array(json, "configs");
    while ((code = sqlite3_step(e->configs)) == SQLITE_ROW) {
        int64_t id = sqlite3_column_int64(e->configs, 0);

        json_object(json, NULL);
        for (int i = 1; i < sqlite3_column_count(e->configs); i++) {
            json_cell(json, sqlite3_column_name(e->configs, i), e->configs, i);
        }
        if (json_pairs(json, "axes", e->axis, id) != SQLITE_DONE ||
            json_pairs(json, "params", e->param, id) != SQLITE_DONE ||
            json_runs(e, text_at(e->configs, 1)) != SQLITE_DONE) {
            return SQLITE_ERROR;
        }
        json_end(json);
    }
    json_end(json);
    return code;
}

static bool json_document(struct json_export *e)
{
    struct json_out *json = &e->json;
    int code;

    json_object(json, NULL);
    json_integer(json, "schema", STORE_SCHEMA_VERSION);
    json_array(json, "scenarios");
    while ((code = sqlite3_step(e->scenarios)) == SQLITE_ROW) {
        json_object(json, NULL);
        for (int i = 0; i < sqlite3_column_count(e->scenarios); i++) {
            json_cell(json, sqlite3_column_name(e->scenarios, i), e->scenarios, i);
        }
        json_end(json);
    }
    json_end(json);
    if (code != SQLITE_DONE || json_configs(e) != SQLITE_DONE) {
        return false;
    }
    json_end(json);
    return true;
}

static bool export_json(struct store *store, FILE *out, struct error *error)
{
    struct json_export e = {0};
    const struct {
        sqlite3_stmt **statement;
        const char *sql;
    } queries[] = {
        {&e.scenarios, "SELECT sha256, name, question, text FROM scenario ORDER BY sha256"},
        {&e.configs, "SELECT c.id, c.identity AS identity, s.sha256 AS scenario, "
                     "c.variant AS variant, c.point AS point FROM config c "
                     "JOIN scenario s ON s.id = c.scenario_id" CONFIG_ORDER},
        {&e.axis, "SELECT path, value FROM axis WHERE config_id = ?1 ORDER BY path"},
        {&e.param, "SELECT path, value FROM param WHERE config_id = ?1 AND path <> 'workload.file' "
                   "ORDER BY path"},
        {&e.runs, "SELECT id, replication, seed, revision, steps, packets, fingerprint, hung_why, "
                  "suggested_warmup_us FROM result WHERE identity = ?1 ORDER BY replication"},
        {&e.metric, "SELECT name, value FROM metric WHERE run_id = ?1 ORDER BY name"},
        {&e.symbol, "SELECT name, ns_per_packet FROM symbol WHERE run_id = ?1 ORDER BY name"},
        {&e.histogram, "SELECT name, low, high, count FROM histogram WHERE run_id = ?1 "
                       "ORDER BY name, low"},
        {&e.series, "SELECT name, t_us, mean, least, most FROM series WHERE run_id = ?1 "
                    "ORDER BY name, t_us"},
    };
    const size_t count = sizeof queries / sizeof queries[0];
    bool ok = true;

    json_init(&e.json, out, 3);
    for (size_t i = 0; ok && i < count; i++) {
        ok = (*queries[i].statement = prepare(store, queries[i].sql, error)) != NULL;
    }
    if (ok && !json_document(&e)) {
        ok = store_fail(store, error);
    }
    for (size_t i = 0; i < count; i++) {
        sqlite3_finalize(*queries[i].statement);
    }
    return ok;
}

bool store_export(struct store *store, enum store_format format, FILE *out, struct error *error)
{
    bool ok;

    /* one view of the file, even while a sweep adds to it */
    if (sqlite3_exec(store->db, "BEGIN", NULL, NULL, NULL) != SQLITE_OK) {
        return store_fail(store, error);
    }
    ok = format == STORE_CSV ? export_csv(store, out, error) : export_json(store, out, error);
    sqlite3_exec(store->db, "COMMIT", NULL, NULL, NULL);
    return ok;
}
