/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vqsim list: what a store holds, scenario by scenario, and with --runs run by run. */
#include <string.h>

#include "sim/cli/command.h"
#include "sim/cli/study_args.h"
#include "sim/study/json_out.h"
#include "sim/study/table.h"

static const char scenarios_sql[] =
    "SELECT s.name AS scenario, substr(s.sha256, 1, 12) AS sha256,"
    " (SELECT count(*) FROM config c WHERE c.scenario_id = s.id) AS configs,"
    " (SELECT count(*) FROM config c JOIN run r ON r.config_id = c.id"
    "  WHERE c.scenario_id = s.id) AS runs,"
    " (SELECT group_concat(DISTINCT r.revision) FROM config c JOIN run r ON r.config_id = c.id"
    "  WHERE c.scenario_id = s.id) AS revision,"
    " (SELECT max(r.finished) FROM config c JOIN run r ON r.config_id = c.id"
    "  WHERE c.scenario_id = s.id) AS finished,"
    " (SELECT count(*) FROM warning w WHERE w.scenario_id = s.id) AS warnings"
    " FROM scenario s ORDER BY s.id";

static const char runs_sql[] =
    "SELECT r.id AS run, s.name AS scenario, c.point AS point, c.variant AS variant,"
    " r.replication AS replication, r.seed AS seed, r.packets AS packets,"
    " r.fingerprint AS fingerprint, round(r.wall_s, 3) AS wall_s, r.hung_why AS hung"
    " FROM config c JOIN scenario s ON s.id = c.scenario_id JOIN run r ON r.config_id = c.id"
    " ORDER BY s.id, c.point_index, c.variant_index, r.replication";

struct listing {
    struct json_out json;
    struct table table;
    bool begun;
};

static bool json_row(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct listing *listing = context;

    json_object(&listing->json, NULL);
    for (int i = 0; i < columns; i++) {
        bool text = strcmp(names[i], "scenario") == 0 || strcmp(names[i], "sha256") == 0 ||
                    strcmp(names[i], "fingerprint") == 0 || strcmp(names[i], "variant") == 0 ||
                    strcmp(names[i], "point") == 0;

        if (text || !values[i]) {
            json_text(&listing->json, names[i], values[i]);
        } else {
            json_value(&listing->json, names[i], values[i]);
        }
    }
    json_end(&listing->json);
    return true;
}

static bool text_row(void *context, int columns, const char *const *names,
                     const char *const *values)
{
    struct listing *listing = context;

    if (!listing->begun) {
        char alignment[TABLE_COLUMNS + 1] = "";

        for (int i = 0; i < columns; i++) {
            strcat(alignment, "l");
        }
        table_init(&listing->table, alignment);
        for (int i = 0; i < columns; i++) {
            table_add(&listing->table, "%s", names[i]);
        }
        listing->begun = true;
    }
    for (int i = 0; i < columns; i++) {
        table_add(&listing->table, "%s", values[i] ? values[i] : "");
    }
    return true;
}

static int list_store(const struct study_args *args, struct error *error)
{
    struct store *store = store_open(args->file, false, error);
    const char *sql = args->runs ? runs_sql : scenarios_sql;
    struct listing listing = {0};
    bool ok = store != NULL;

    json_init(&listing.json, stdout, 2);
    if (ok && args->json) {
        json_object(&listing.json, NULL);
        json_text(&listing.json, "store", args->file);
        json_array(&listing.json, args->runs ? "runs" : "scenarios");
    }
    ok = ok && store_query(store, sql, args->json ? json_row : text_row, &listing, error);
    if (ok && args->json) {
        json_end(&listing.json);
        json_end(&listing.json);
    } else if (ok && listing.begun) {
        table_print(&listing.table, stdout);
    }
    table_fini(&listing.table);
    store_close(store);
    return ok ? command_finish(0) : command_fail(error);
}

int cmd_list(int argc, char **argv)
{
    struct study_args args;
    struct error error = {0};
    int code = study_args_read(&args, argc, argv, STUDY_JSON | STUDY_RUNS, 1);

    if (code == 0) {
        code = list_store(&args, &error);
    }
    study_args_fini(&args);
    return code;
}
